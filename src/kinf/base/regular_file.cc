// SPDX-License-Identifier: Apache-2.0
#include "kinf/base/regular_file.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>

#include <cerrno>
#include <system_error>

namespace kinf {

Result<FileDescriptor> open_regular_file(const std::string& path, int flags) {
  FileDescriptor file(::open(path.c_str(), flags | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC, 0600));
  const int reason = errno;
  struct stat status{};
  if (file.is_open() && ::fstat(file.get(), &status) == 0 && S_ISREG(status.st_mode)) return file;
  if (file.is_open() || reason == ENXIO) {  // a pipe without a reader
    return fail(ErrorKind::internal, fmt::format("{}: not a regular file", path));
  }
  if (reason == ELOOP) {
    return fail(ErrorKind::internal,
                fmt::format("{}: a symbolic link, which kinf does not follow", path));
  }
  return fail(reason == ENOENT ? ErrorKind::not_found : ErrorKind::internal,
              fmt::format("{}: {}", path, std::generic_category().message(reason)));
}

}  // namespace kinf
