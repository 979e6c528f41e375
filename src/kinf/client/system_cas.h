// SPDX-License-Identifier: Apache-2.0
// Finds the CA certificates of the system, which are used for servers without a configured CA and
// for proxies. Looks where Go's crypto/x509 does (root_unix.go, root_linux.go), so that kinf trusts
// what kubectl trusts.
#pragma once

#include <string>

namespace kinf {

/// The environment variables that select other CAs. Read once in kinf/client.
struct SystemCaEnvironment {
  std::string cert_file;  ///< $SSL_CERT_FILE
  std::string cert_dir;   ///< $SSL_CERT_DIR: folders, separated by colons
};

/// Both are used if both are set. Empty means: the default of libcurl.
struct SystemCas {
  std::string file;    ///< a PEM file with certificates
  std::string folder;  ///< certificates in files named by their hash, as `openssl rehash` makes
};

/// Returns what differs from `defaults`: the file and folders of the environment if they exist, or
/// else, if the defaults do not exist, the bundle of this distribution. `root` is put before all
/// paths but those of the environment, for tests. Blocks on the disk. Threads: any.
SystemCas find_system_cas(const SystemCaEnvironment& environment, const SystemCas& defaults,
                          const std::string& root = "");

/// Returns the places that libcurl was built with. Threads: any.
SystemCas libcurl_cas();

}  // namespace kinf
