// SPDX-License-Identifier: Apache-2.0
#include "kinf/client/client_config.h"

#include <doctest/doctest.h>

#include <string>

#include "kinf/client/http_transport.h"

using namespace kinf;

namespace {

std::string url_of(std::string host, bool insecure = false) {
  ClientConfig config;
  config.host = std::move(host);
  config.tls.insecure = insecure;
  const Result<Url> url = server_url(config);
  return url ? url->origin() + url->path : "error: " + url.error().message;
}

}  // namespace

TEST_CASE("server_url() adds the scheme and drops trailing slashes and the query") {
  CHECK(url_of("https://10.0.0.1:6443") == "https://10.0.0.1:6443");
  CHECK(url_of("HTTPS://h/prefix/path/") == "https://h/prefix/path");
  CHECK(url_of("https://h/a?x=1#y") == "https://h/a");
  CHECK(url_of("https://[::1]:6443") == "https://[::1]:6443");
  CHECK(url_of("") == "http://localhost");
  CHECK(url_of("localhost:8080") == "http://localhost:8080");
  CHECK(url_of("10.0.0.1") == "http://10.0.0.1");
  CHECK(url_of("10.0.0.1:443/") == "http://10.0.0.1:443");
  CHECK(url_of("10.0.0.1:443", true) == "https://10.0.0.1:443");
}

TEST_CASE("a server address that cannot be used is an error that names it") {
  for (const char* host : {"h/path", "https://", "https://h:port", "h:99999", "a b", "https://[::1",
                           "https://h/a b", "://h", "https://h\r\nX: y", "https://[]:1",
                           "http://::1:80", "https://a:0", "https://[::1]6443", "https://a%b"}) {
    CAPTURE(host);
    CHECK(url_of(host) ==
          "error: host must be a URL or a host:port pair: \"" + std::string(host) + "\"");
  }
  CHECK(url_of("ftp://h") == "error: unsupported protocol scheme \"ftp\" in \"ftp://h\"");
}

TEST_CASE("J1: a password in an address is dropped, also in messages") {
  CHECK(url_of("https://me:secret@example.test") == "https://example.test");
  CHECK(url_of("https://me:secret@exa mple.test") ==
        "error: host must be a URL or a host:port pair: \"https://exa mple.test\"");
}

TEST_CASE("describe_origin() names context and file") {
  ClientConfig config;
  config.source = "~/.kube/config";
  CHECK(describe_origin(config) == "~/.kube/config");
  config.context = "prod";
  CHECK(describe_origin(config) == "context \"prod\", ~/.kube/config");
}

TEST_CASE("a certificate counts only with its key") {
  TlsConfig tls;
  tls.cert_file = "/c";
  CHECK_FALSE(tls.has_client_cert());
  tls.key_data = "k";
  CHECK(tls.has_client_cert());
}

TEST_CASE("J24: skipping the verification of the server together with a CA is refused") {
  RealClock clock;
  ClientConfig config;
  config.host = "https://h";
  config.tls.insecure = true;
  CHECK(HttpTransport::create(config, {}, clock).has_value());
  for (std::string* ca : {&config.tls.ca_file, &config.tls.ca_data}) {
    *ca = "ca";
    CHECK(HttpTransport::create(config, {}, clock).error().message ==
          "specifying a root certificates file with the insecure flag is not allowed");
    ca->clear();
  }
  config.tls.ca_data = "ca";
  config.host = "http://h";
  CHECK(HttpTransport::create(config, {}, clock).has_value());
}
