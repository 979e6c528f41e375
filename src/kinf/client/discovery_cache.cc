// SPDX-License-Identifier: Apache-2.0
// Each file begins with its server, user and path, because shortened file names may collide, and
// with the time. A file from the future, written while the clock was wrong, is invalid.
#include "kinf/client/discovery_cache.h"

#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <charconv>
#include <filesystem>
#include <fstream>
#include <functional>
#include <sstream>

#include "kinf/base/descriptor_flags.h"
#include "kinf/base/file_descriptor.h"
#include "kinf/base/log.h"
#include "kinf/base/write_file.h"

namespace kinf {
namespace {

/// Larger than any real document. Documents take a few KiB, or a few MiB with thousands of types.
constexpr std::uintmax_t kMostBytes = std::uintmax_t{32} << 20;

std::int64_t seconds_of(Clock::Wall time) {
  return std::chrono::duration_cast<std::chrono::seconds>(time.time_since_epoch()).count();
}

/// Replaces characters that are unsafe in a file name, and shortens the name.
std::string plain_name(std::string_view text) {
  constexpr std::size_t kLongest = 80;
  std::string name;
  for (const char c : text.substr(0, kLongest)) {
    const bool plain = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
                       (c == '.' && !name.empty()) || c == '-';
    name += plain ? c : '_';
  }
  return name;
}

}  // namespace

DiscoveryCache::DiscoveryCache(std::string_view folder, std::string server, std::string user,
                               Clock& clock)
    : server_(std::move(server)), user_(std::move(user)), clock_(clock) {
  const std::size_t mark = std::hash<std::string>()(server_ + '\n' + user_);
  folder_ = fmt::format("{}/discovery/{}-{:016x}", folder, plain_name(server_), mark);
}

std::string DiscoveryCache::file_of(std::string_view path) const {
  return folder_ + "/" + plain_name(path);
}

std::string DiscoveryCache::head(std::string_view path) const {
  return fmt::format("kinf discovery 1\n{}\n{}\n{}\n", server_, user_, path);
}

std::optional<std::string> DiscoveryCache::find(std::string_view path) const {
  const std::string name = file_of(path);
  std::error_code failed;
  if (std::filesystem::file_size(name, failed) > kMostBytes || failed) return std::nullopt;
  std::ifstream file(name, std::ios::binary);
  std::ostringstream all;
  all << file.rdbuf();
  const std::string text = std::move(all).str();
  const std::string expected = head(path);
  if (!file || !text.starts_with(expected)) return std::nullopt;
  const char* const begin = text.data() + expected.size();
  const char* const end = text.data() + text.size();
  std::int64_t written = 0;
  const auto [behind, error] = std::from_chars(begin, end, written);
  if (error != std::errc() || behind == end || *behind != '\n') return std::nullopt;
  const std::int64_t now = seconds_of(clock_.wall());
  if (written > now || now - written > std::chrono::seconds(kLifetime).count()) return std::nullopt;
  return std::string(behind + 1, end);
}

void DiscoveryCache::keep(std::string_view path, std::string_view document) const {
  std::error_code failed;
  std::filesystem::create_directories(folder_, failed);
  std::string name = folder_ + "/.new.XXXXXX";
  const FileDescriptor file(::mkstemp(name.data()));  // mode 0600
  if (!file.is_open()) {
    log::verbose(4, "API discovery is not cached: cannot write to {}", folder_);
    return;
  }
  set_close_on_exec(file.get());
  const std::string begin = fmt::format("{}{}\n", head(path), seconds_of(clock_.wall()));
  const bool written = write_fully(file.get(), begin) && write_fully(file.get(), document);
  if (written) std::filesystem::rename(name, file_of(path), failed);
  if (!written || failed) std::filesystem::remove(name, failed);
}

}  // namespace kinf
