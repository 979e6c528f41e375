// SPDX-License-Identifier: Apache-2.0
#include "kinf/process/unnamed_file.h"

#include <sys/mman.h>
#include <unistd.h>

#include <cstdio>
#include <cstdlib>
#include <string>

#include "kinf/base/descriptor_flags.h"

namespace kinf {

FileDescriptor open_unnamed_file() {
#if defined(__linux__)
  return FileDescriptor(::memfd_create("kinf-input", MFD_CLOEXEC));
#else
  return open_removed_file();
#endif
}

FileDescriptor open_removed_file() {
  std::string path = P_tmpdir "/kinf-input-XXXXXX";
  FileDescriptor file(::mkstemp(path.data()));
  if (!file.is_open()) return file;
  ::unlink(path.c_str());
  set_close_on_exec(file.get());
  return file;
}

}  // namespace kinf
