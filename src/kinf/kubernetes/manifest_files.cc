// SPDX-License-Identifier: Apache-2.0
#include "kinf/kubernetes/manifest_files.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <utility>

#include "kinf/base/files.h"
#include "kinf/base/limits.h"

namespace kinf {
namespace {

namespace fs = std::filesystem;

bool is_manifest_name(const fs::path& path) {
  return path.extension() == ".yaml" || path.extension() == ".yml" || path.extension() == ".json";
}

/// Adds the manifest files that `Iterator` finds in a folder.
template <class Iterator>
std::error_code add_files(const std::string& folder, std::vector<fs::path>& files) {
  std::error_code error;
  for (Iterator entry(folder, error), end; !error && entry != end; entry.increment(error)) {
    std::error_code ignored;
    // A pipe in a folder could block for ever.
    const bool is_file = is_manifest_name(entry->path()) && entry->is_regular_file(ignored);
    if (is_file) files.push_back(entry->path());
  }
  return error;
}

}  // namespace

Result<std::vector<std::string>> manifest_files(const std::string& path, bool recursive) {
  std::error_code error;
  if (path == "-" || !fs::is_directory(path, error)) return std::vector{path};
  std::vector<fs::path> found;
  error = recursive ? add_files<fs::recursive_directory_iterator>(path, found)
                    : add_files<fs::directory_iterator>(path, found);
  if (error) return fail(ErrorKind::usage, "{}: {}", path, error.message());
  if (found.empty()) {
    return fail(ErrorKind::usage, "{}: the folder contains no .yaml, .yml or .json files", path);
  }
  std::ranges::sort(found);
  std::vector<std::string> files;
  for (const fs::path& file : found) files.push_back(file.string());
  return files;
}

Result<std::string> read_manifest_file(const std::string& path) {
  Result<std::string> content = path == "-" ? read_standard_input(limits::kManifestBytes)
                                            : read_file(path, limits::kManifestBytes);
  if (!content) return fail(ErrorKind::usage, "{}", content.error().message);
  return content;
}

}  // namespace kinf
