// SPDX-License-Identifier: Apache-2.0
#include "kinf/client/system_cas.h"

#include <curl/curl.h>
#include <unistd.h>

#include <array>
#include <filesystem>

namespace kinf {
namespace {

constexpr std::array kBundles = {
    "/etc/ssl/certs/ca-certificates.crt",                 // Debian, Arch, Gentoo, Alpine
    "/etc/pki/tls/certs/ca-bundle.crt",                   // Fedora, RHEL 6
    "/etc/ssl/ca-bundle.pem",                             // SUSE
    "/etc/pki/tls/cacert.pem",                            // OpenELEC
    "/etc/pki/ca-trust/extracted/pem/tls-ca-bundle.pem",  // RHEL 7 and later
    "/etc/ssl/cert.pem",                                  // Alpine, macOS, the BSDs
};

constexpr std::array kFolders = {
    "/etc/ssl/certs",      // SUSE
    "/etc/pki/tls/certs",  // Fedora
};

bool is_bundle(const std::string& path) {
  std::error_code failed;
  return std::filesystem::is_regular_file(path, failed) &&
         std::filesystem::file_size(path, failed) > 0 && !failed &&
         ::access(path.c_str(), R_OK) == 0;
}

bool is_folder(const std::string& path) {
  std::error_code failed;
  return std::filesystem::is_directory(path, failed);
}

std::string text_or_empty(const char* text) { return text == nullptr ? "" : text; }

/// Returns whether the file exists, or if there is none, the folder.
bool exist(const SystemCas& places, const std::string& root) {
  if (!places.file.empty()) return is_bundle(root + places.file);
  return !places.folder.empty() && is_folder(root + places.folder);
}

/// Returns the places of this distribution: a bundle, or a folder if there is no bundle.
SystemCas search(const std::string& root) {
  for (const char* bundle : kBundles) {
    if (is_bundle(root + bundle)) return {root + bundle, ""};
  }
  for (const char* folder : kFolders) {
    if (is_folder(root + folder)) return {"", root + folder};
  }
  return {};
}

}  // namespace

SystemCas find_system_cas(const SystemCaEnvironment& environment, const SystemCas& defaults,
                          const std::string& root) {
  SystemCas found = exist(defaults, root) ? SystemCas() : search(root);
  if (is_bundle(environment.cert_file)) found.file = environment.cert_file;
  if (!environment.cert_dir.empty()) found.folder = environment.cert_dir;
  return found;
}

SystemCas libcurl_cas() {
  const curl_version_info_data* curl = curl_version_info(CURLVERSION_NOW);
  return {text_or_empty(curl->cainfo), text_or_empty(curl->capath)};
}

}  // namespace kinf
