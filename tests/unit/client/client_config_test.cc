// SPDX-License-Identifier: Apache-2.0

#include <doctest/doctest.h>

#include <string>

#include "fakes/temp_folder.h"
#include "kinf/base/url.h"
#include "kinf/client/client_config.h"
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

namespace kinf {
namespace {

const SystemCas kDebianDefaults{"/etc/ssl/certs/ca-certificates.crt", "/etc/ssl/certs"};

/// Returns what is found without variables, with the paths as seen in `root`.
SystemCas found_in(const test::TempFolder& root, const SystemCas& defaults) {
  SystemCas found = find_system_cas({}, defaults, root.path());
  for (std::string* place : {&found.file, &found.folder}) {
    if (!place->empty()) place->erase(0, root.path().size());
  }
  return found;
}

TEST_CASE("CAs are found in the layout of each distribution") {
  struct Row {
    const char* distribution;
    const char* bundle;
  };
  for (const Row& row : {
           Row{"Debian", "/etc/ssl/certs/ca-certificates.crt"},
           Row{"Fedora", "/etc/pki/tls/certs/ca-bundle.crt"},
           Row{"RHEL", "/etc/pki/ca-trust/extracted/pem/tls-ca-bundle.pem"},
           Row{"SUSE", "/etc/ssl/ca-bundle.pem"},
           Row{"Alpine", "/etc/ssl/cert.pem"},
       }) {
    CAPTURE(row.distribution);
    const test::TempFolder root;
    root.write(std::string(row.bundle).substr(1), "a certificate");
    CHECK(found_in(root, {}).file == row.bundle);
    CHECK(found_in(root, {}).folder.empty());
  }
}

TEST_CASE("the first bundle with content wins, and a folder of hashes needs no bundle") {
  const test::TempFolder root;
  root.write("etc/ssl/certs/4042bcee.0", "a certificate");
  CHECK(found_in(root, {}).folder == "/etc/ssl/certs");
  root.write("etc/ssl/certs/ca-certificates.crt", "");
  root.write("etc/ssl/cert.pem", "certificates");
  CHECK(found_in(root, {}).file == "/etc/ssl/cert.pem");
  CHECK(found_in(root, {}).folder.empty());
  root.write("etc/pki/tls/certs/ca-bundle.crt", "certificates");
  CHECK(found_in(root, {}).file == "/etc/pki/tls/certs/ca-bundle.crt");
}

TEST_CASE("the places that libcurl was built with are left to it if they exist") {
  const test::TempFolder root;
  root.write("etc/ssl/cert.pem", "certificates");
  CHECK(found_in(root, kDebianDefaults).file == "/etc/ssl/cert.pem");
  root.write("etc/ssl/certs/ca-certificates.crt", "certificates");
  CHECK(found_in(root, kDebianDefaults).file.empty());
  CHECK(found_in(root, {"", "/etc/ssl/certs"}).file.empty());
}

TEST_CASE("without any CA, nothing is found") {
  const test::TempFolder root;
  CHECK(found_in(root, kDebianDefaults).file.empty());
  CHECK(found_in(root, {}).folder.empty());
}

TEST_CASE("SSL_CERT_FILE and SSL_CERT_DIR replace the system's CAs") {
  const test::TempFolder root;
  root.write("etc/ssl/certs/ca-certificates.crt", "certificates");
  const std::string own = root.write("own.pem", "certificates");
  for (const SystemCas& defaults : {SystemCas(), kDebianDefaults}) {
    const SystemCas found = find_system_cas({own, "/a:/b"}, defaults, root.path());
    CHECK(found.file == own);
    CHECK(found.folder == "/a:/b");
  }
  CHECK(find_system_cas({root.path("missing"), ""}, {}, root.path()).file ==
        root.path("etc/ssl/certs/ca-certificates.crt"));
}

}  // namespace

}  // namespace kinf

namespace kinf {
namespace {

Url server(const char* url) { return parse_url(url).value(); }

TEST_CASE("J20: the proxy of the kubeconfig wins, else the environment decides by scheme") {
  const ProxyEnvironment environment{"http://secure:1", "http://plain:2", ""};
  CHECK(choose_proxy(server("https://k.test"), "socks5://s:3", environment).value() ==
        "socks5h://s:3");
  CHECK(choose_proxy(server("https://k.test"), "", environment).value() == "http://secure:1");
  CHECK(choose_proxy(server("http://k.test"), "", environment).value() == "http://plain:2");
  CHECK(choose_proxy(server("https://k.test"), "", {}).value().empty());
  CHECK(choose_proxy(server("https://k.test"), "", {"proxy:3128", "", ""}).value() ==
        "http://proxy:3128");
}

TEST_CASE("J20: another proxy scheme is refused") {
  const Result<std::string> proxy = choose_proxy(server("https://k.test"), "ftp://p", {});
  REQUIRE_FALSE(proxy);
  CHECK(proxy.error().kind == ErrorKind::usage);
  CHECK(proxy.error().message.find("\"ftp\"") != std::string::npos);
  CHECK_FALSE(choose_proxy(server("https://k.test"), "p:80", {}));
}

TEST_CASE("J20: NO_PROXY matches names, addresses, blocks and ports") {
  struct Row {
    const char* url;
    const char* no_proxy;
    bool bypassed;
  };
  for (const Row& row : {
           Row{"https://k.test", "*", true},
           Row{"https://k.test", "a, K.test ,b", true},
           Row{"https://api.k.test", "k.test", true},
           Row{"https://apik.test", "k.test", false},
           Row{"https://api.k.test", ".k.test", true},
           Row{"https://k.test", ".k.test", false},
           Row{"https://api.k.test", "*.k.test", true},
           Row{"https://10.1.2.3:6443", "10.0.0.0/8", true},
           Row{"https://11.1.2.3:6443", "10.0.0.0/8", false},
           Row{"https://11.1.2.3", "0.0.0.0/0", true},
           Row{"https://[fd00::1]", "fd00::/8", true},
           Row{"https://10.1.2.3", "fd00::/8", false},
           Row{"https://10.1.2.3", "10.1.2.3", true},
           Row{"https://10.1.2.3", "10.1.2.0/33", false},
           Row{"https://k.test:6443", "k.test:6443", true},
           Row{"https://k.test:6443", "k.test:443", false},
           Row{"https://[fd00::1]:6443", "[fd00::1]:6443", true},
           Row{"https://127.0.0.1:6443", "", true},
           Row{"https://localhost", "", true},
           Row{"https://[::1]", "", true},
           Row{"https://k.test", ",, ,", false},
       }) {
    CAPTURE(row.url);
    CAPTURE(row.no_proxy);
    CHECK(bypasses_proxy(server(row.url), row.no_proxy) == row.bypassed);
  }
}

}  // namespace

}  // namespace kinf
