// SPDX-License-Identifier: Apache-2.0
#include "kinf/client/system_cas.h"

#include <doctest/doctest.h>

#include "fakes/temp_folder.h"

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
