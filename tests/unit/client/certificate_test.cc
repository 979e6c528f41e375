// SPDX-License-Identifier: Apache-2.0
#include "kinf/client/credentials.h"

#include <doctest/doctest.h>

#include <string>

#include "fakes/fake_clock.h"
#include "fakes/temp_folder.h"
#include "kinf/base/timestamp.h"

namespace kinf {
namespace {

/// Valid until 2021-02-03.
constexpr const char* kShort =
    "-----BEGIN CERTIFICATE-----\n"
    "MIIBCDCBr6ADAgECAgEBMAoGCCqGSM49BAMCMA4xDDAKBgNVBAMMA2RldjAeFw0y\n"
    "MDAxMDEwMDAwMDBaFw0yMTAyMDMwNDA1MDZaMA4xDDAKBgNVBAMMA2RldjBZMBMG\n"
    "ByqGSM49AgEGCCqGSM49AwEHA0IABJxIe92orAYeetYCKqUM932YGRwNoyJzLQwf\n"
    "NkXX2M8TabxZGzIBE28g+9X3BQIg145js1IxG5soQsG9ED7AvXIwCgYIKoZIzj0E\n"
    "AwIDSAAwRQIgP/liIYnv0WU0co3XGgW2Ai4LgZYYvuiLrwiviUsP1foCIQDzoIMo\n"
    "3XVbixVPsz3awQawlBVw2uHLvX0tbIUEe+3pDg==\n"
    "-----END CERTIFICATE-----\n";
/// Valid until 2051-01-02, which is written as a GeneralizedTime.
constexpr const char* kLong =
    "-----BEGIN CERTIFICATE-----\n"
    "MIIBCzCBsaADAgECAgEBMAoGCCqGSM49BAMCMA4xDDAKBgNVBAMMA2RldjAgFw0y\n"
    "MDAxMDEwMDAwMDBaGA8yMDUxMDEwMjAwMDAwMFowDjEMMAoGA1UEAwwDZGV2MFkw\n"
    "EwYHKoZIzj0CAQYIKoZIzj0DAQcDQgAEnEh73aisBh561gIqpQz3fZgZHA2jInMt\n"
    "DB82RdfYzxNpvFkbMgETbyD71fcFAiDXjmOzUjEbmyhCwb0QPsC9cjAKBggqhkjO\n"
    "PQQDAgNJADBGAiEA78c4inRghsCvx2l+Ui6CB/DHQNj5CqEZaRtoOepTq0ACIQCp\n"
    "U2RrR11kzovCUpsgfkQX2y2WynJmb3qMBV659pgFZA==\n"
    "-----END CERTIFICATE-----\n";

std::string end_of(std::string_view pem) {
  const auto end = certificate_end(pem);
  return end ? timestamp_text(std::chrono::floor<std::chrono::seconds>(*end)) : "unknown";
}

TEST_CASE("a certificate expires at the end of its validity, the first of several counts") {
  CHECK(end_of(kShort) == "2021-02-03T04:05:06Z");
  CHECK(end_of(kLong) == "2051-01-02T00:00:00Z");
  CHECK(end_of(std::string("subject=dev\n") + kShort + kLong) == "2021-02-03T04:05:06Z");
}

TEST_CASE("damaged certificates have no known end") {
  CHECK(end_of("") == "unknown");
  CHECK(end_of("-----BEGIN CERTIFICATE-----\nMIIB") == "unknown");
  CHECK(end_of("-----BEGIN CERTIFICATE-----\n-----END") == "unknown");
  const std::string pem = kShort;
  const std::size_t body = pem.find("MII");
  for (std::size_t i = body; i < pem.size(); ++i) {
    std::string damaged = pem;
    damaged[i] = damaged[i] == '/' ? 'A' : '/';
    certificate_end(damaged);
    certificate_end(std::string_view(pem).substr(0, i));
  }
}

TEST_CASE("a refused client certificate that has expired is named with its date") {
  test::TempFolder folder;
  const auto hint = [](TlsConfig tls, const char* now, const std::string& token = "") {
    test::FakeClock clock;
    ClientConfig config;
    config.host = "https://h";
    config.user = "dev";
    config.token = token;
    config.tls = std::move(tls);
    const auto source = CredentialSource::create(config, {}, clock).value();
    CHECK(source->identity().has_value());
    return source->refusal_hint(wall_time(*parse_timestamp(now)));
  };
  TlsConfig data;
  data.cert_data = kShort;
  data.key_data = "key";
  CHECK(hint(data, "2021-02-03T04:05:05Z").empty());
  CHECK(hint(data, "2021-02-03T04:05:06Z")
            .starts_with("the client certificate of the user \"dev\" expired on "
                         "2021-02-03T04:05:06Z; renew it"));
  CHECK(hint(data, "2030-01-01T00:00:00Z", "token").empty());
  TlsConfig files;
  files.cert_file = folder.write("dev.crt", kShort);
  files.key_file = folder.write("dev.key", "key");
  CHECK(hint(files, "2030-01-01T00:00:00Z")
            .starts_with("the client certificate " + files.cert_file + " expired on 2021-02-03"));
  CHECK(hint(files, "2020-06-01T00:00:00Z").empty());
  CHECK(hint(files, "2030-01-01T00:00:00Z", "token").empty());
}

}  // namespace
}  // namespace kinf
