// SPDX-License-Identifier: Apache-2.0
#include "kinf/base/write_file.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <system_error>

#include "kinf/base/file_descriptor.h"

namespace kinf {

bool write_fully(int descriptor, std::string_view content) {
  while (!content.empty()) {
    const ssize_t written = ::write(descriptor, content.data(), content.size());
    if (written < 0 && errno == EINTR) continue;
    if (written < 0) return false;
    content.remove_prefix(static_cast<std::size_t>(written));
  }
  return true;
}

Result<> write_private_file(const std::string& path, std::string_view content) {
  const auto failure = [&] {
    return fail(ErrorKind::internal,
                fmt::format("{}: {}", path, std::generic_category().message(errno)));
  };
  const FileDescriptor file(::open(path.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600));
  if (!file.is_open()) return failure();
  // Changes the mode of regular files only, not of a pipe or terminal.
  struct stat status{};
  if (::fstat(file.get(), &status) != 0) return failure();
  if (S_ISREG(status.st_mode) && ::fchmod(file.get(), 0600) != 0) return failure();
  return write_fully(file.get(), content) ? Result<>() : failure();
}

}  // namespace kinf
