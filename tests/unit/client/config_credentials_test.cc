// SPDX-License-Identifier: Apache-2.0
#include "kinf/client/credentials.h"

#include <doctest/doctest.h>
#include <sys/stat.h>

#include <filesystem>
#include <thread>

#include "fakes/fake_clock.h"
#include "fakes/temp_folder.h"
#include "kinf/base/base64.h"

using namespace kinf;
using kinf::test::FakeClock;
using kinf::test::TempFolder;
using namespace std::chrono_literals;
using Headers = std::vector<std::string>;

namespace {

ClientConfig https_config() {
  ClientConfig config;
  config.host = "https://h";
  return config;
}

std::string problem_of(const ClientConfig& config) {
  FakeClock clock;
  const auto source = CredentialSource::create(config, {}, clock);
  return source ? "" : source.error().message;
}

Headers headers_of(const ClientConfig& config) {
  FakeClock clock;
  const auto source = CredentialSource::create(config, {}, clock);
  REQUIRE(source.has_value());
  return (*source)->identity()->headers;
}

/// The only header, or the error.
std::string header_now(CredentialSource& source) {
  const auto identity = source.identity();
  if (!identity) return "error: " + identity.error().message;
  return identity->headers.empty() ? "" : identity->headers.back();
}

struct FileToken {
  TempFolder folder;
  FakeClock clock;
  std::unique_ptr<CredentialSource> source;

  explicit FileToken(const std::string& content, const std::string& fallback = "") {
    ClientConfig config = https_config();
    config.token_file = folder.write("token", content);
    config.token = fallback;
    source = std::move(CredentialSource::create(config, {}, clock).value());
  }
};

}  // namespace

TEST_CASE("J26: a token file is read again at least once a minute") {
  FileToken token(" one\n");
  CHECK(header_now(*token.source) == "Authorization: Bearer one");
  token.folder.write("token", "two");
  token.clock.advance(49s);
  CHECK(header_now(*token.source) == "Authorization: Bearer one");
  token.clock.advance(1s);
  CHECK(header_now(*token.source) == "Authorization: Bearer two");
  CHECK(token.source->description() == "token file " + token.folder.path("token"));
}

TEST_CASE("J26: a token file that cannot be read leaves the last good token in use") {
  FileToken token("one");
  CHECK(header_now(*token.source) == "Authorization: Bearer one");
  token.folder.remove("token");
  token.clock.advance(2min);
  CHECK(header_now(*token.source) == "Authorization: Bearer one");
  token.folder.write("token", " \n");
  CHECK(header_now(*token.source) == "Authorization: Bearer one");
  token.folder.write("token", "two");
  CHECK(header_now(*token.source) == "Authorization: Bearer two");
}

TEST_CASE("J26: an empty or missing token file without a token is an error") {
  FileToken token("");
  const std::string path = token.folder.path("token");
  CHECK(header_now(*token.source) == "error: read empty token from file \"" + path + "\"");
  CHECK(token.source->identity().error().kind == ErrorKind::auth);
  token.folder.remove("token");
  CHECK(header_now(*token.source) == "error: failed to read token file \"" + path + "\": open " +
                                         path + ": no such file or directory");
  token.folder.write("token", "a\nb");
  CHECK(header_now(*token.source) ==
        "error: the token in \"" + path + "\" contains control characters");
}

TEST_CASE("J26: the configured token is used until the file has been read") {
  FileToken token("", "static\n");
  CHECK(header_now(*token.source) == "Authorization: Bearer static");
  token.folder.write("token", "fresh");
  CHECK(header_now(*token.source) == "Authorization: Bearer fresh");
}

TEST_CASE("J27: a refused token is read again at once, a newer one is kept") {
  FileToken token("one");
  const auto first = token.source->identity();
  token.folder.write("token", "two");
  token.source->invalidate(*first);
  CHECK(header_now(*token.source) == "Authorization: Bearer two");
  token.folder.write("token", "three");
  token.source->invalidate(*first);
  CHECK(header_now(*token.source) == "Authorization: Bearer two");
}

TEST_CASE("J23: the files of a client certificate are read for each request") {
  const TempFolder folder;
  ClientConfig config = https_config();
  config.token = "t";
  config.tls.cert_file = folder.write("c", "cert 1");
  config.tls.key_file = folder.write("k", "key 1");
  FakeClock clock;
  const auto source = CredentialSource::create(config, {}, clock).value();
  const RequestIdentity first = source->identity().value();
  CHECK(first == RequestIdentity{{"Authorization: Bearer t"}, "cert 1", "key 1"});
  folder.write("c", "cert 2");
  folder.write("k", "key 2");
  CHECK(source->identity() == RequestIdentity{first.headers, "cert 2", "key 2"});

  // A renewal in progress: the key is missing, so the last pair stays in use.
  folder.write("c", "cert 3");
  std::filesystem::remove(config.tls.key_file);
  CHECK(source->identity() == RequestIdentity{first.headers, "cert 2", "key 2"});
  folder.write("k", "key 3");
  CHECK(source->identity() == RequestIdentity{first.headers, "cert 3", "key 3"});
}

TEST_CASE("J23: a client certificate in the configuration wins over its file") {
  const TempFolder folder;
  ClientConfig config = https_config();
  config.tls.cert_data = "data";
  config.tls.cert_file = folder.path("missing");
  config.tls.key_file = folder.write("k", "key");
  FakeClock clock;
  const auto source = CredentialSource::create(config, {}, clock).value();
  CHECK(source->identity() == RequestIdentity{{}, "data", "key"});
  CHECK(source->description() == "client certificate");
}

TEST_CASE("J23: a client certificate that cannot be read is an error, and a pipe is read once") {
  const TempFolder folder;
  ClientConfig config = https_config();
  config.tls.cert_file = folder.path("c");
  config.tls.key_data = "key";
  FakeClock clock;
  auto source = CredentialSource::create(config, {}, clock).value();
  CHECK(header_now(*source) == "error: open " + folder.path("c") + ": no such file or directory");
  REQUIRE(::mkfifo(folder.path("c").c_str(), 0600) == 0);
  {
    const std::jthread writer([&] { folder.write("c", "cert"); });
    CHECK(source->identity()->cert_pem == "cert");
  }
  CHECK(source->identity()->cert_pem == "cert");
}

TEST_CASE("J36: basic auth together with a bearer token is an error") {
  ClientConfig config = https_config();
  config.username = "Aladdin";
  config.password = "open sesame";
  CHECK(headers_of(config) == Headers{"Authorization: Basic QWxhZGRpbjpvcGVuIHNlc2FtZQ=="});
  config.token = "t";
  CHECK(problem_of(config) == "username/password or bearer token may be set, but not both");
}

TEST_CASE("J38: no credential goes to a server that is not https") {
  ClientConfig config;
  config.host = "http://h";
  config.token = "t";
  config.impersonate.user = "jane";
  CHECK(headers_of(config) == Headers{"Impersonate-User: jane"});
  config.host = "h:6443";
  CHECK(headers_of(config) == Headers{"Impersonate-User: jane"});
  config.tls.ca_data = "CA";
  CHECK(headers_of(config) == Headers{"Impersonate-User: jane", "Authorization: Bearer t"});
}

TEST_CASE("J35: impersonation headers escape their keys") {
  ClientConfig config = https_config();
  config.impersonate = {"jane", "u-1", {"g1", "g2"}, {{"a/b %", {"x", "y"}}, {"\xc3\xa4", {"z"}}}};
  CHECK(headers_of(config) ==
        Headers{"Impersonate-User: jane", "Impersonate-Uid: u-1", "Impersonate-Group: g1",
                "Impersonate-Group: g2", "Impersonate-Extra-a%2Fb%20%25: x",
                "Impersonate-Extra-a%2Fb%20%25: y", "Impersonate-Extra-%C3%A4: z"});
  config.impersonate.groups = {"g\r\nX-Admin: yes"};
  CHECK(problem_of(config) == "impersonation: a name contains control characters");
  config.impersonate.user = "";
  CHECK(headers_of(config).empty());
}

TEST_CASE("a token with control characters is refused") {
  ClientConfig config = https_config();
  config.token = "a\r\nX: y";
  CHECK(problem_of(config) == "the token contains control characters");
  config.token = "t\n";
  CHECK(headers_of(config) == Headers{"Authorization: Bearer t"});
}

TEST_CASE("an auth-provider is refused by name unless there are other credentials") {
  ClientConfig config = https_config();
  config.auth_provider = {"gcp", {}};
  CHECK(problem_of(config) == "no Auth Provider found for name \"gcp\"");
  config.token = "t";
  CHECK(headers_of(config) == Headers{"Authorization: Bearer t"});
}

TEST_CASE("base64 encodes and decodes, canonical text only") {
  for (const std::string text : {"", "f", "fo", "foo", "foob", "fooba", "foobar"}) {
    CHECK(base64_decode(base64_encode(text)) == text);
  }
  CHECK(base64_encode("\xff\xfe") == "//4=");
  for (const char* bad : {"A", "AA", "AAA", "AA=", "A===", "AA==A", "AAA=A", "AA=A",
                          "AAAA=", "AA===", "A A=", "AA==AA=="}) {
    CAPTURE(bad);
    CHECK_FALSE(base64_decode(bad).has_value());
  }
}
