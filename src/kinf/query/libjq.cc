// SPDX-License-Identifier: Apache-2.0
#include "kinf/query/libjq.h"

#include <fmt/format.h>

#include <new>
#include <utility>

#ifndef KINF_LINK_JQ
#include <dlfcn.h>
#endif

namespace kinf {
namespace {

#ifdef KINF_LINK_JQ

Result<LibJq> load() {
  LibJq library;
#define KINF_JQ_ADDRESS(name) library.name = &::name;
  KINF_JQ_FUNCTIONS(KINF_JQ_ADDRESS)
#undef KINF_JQ_ADDRESS
  return library;
}

#else

constexpr const char* kFile = "libjq.so.1";

Result<LibJq> load() {
  void* const handle = ::dlopen(kFile, RTLD_NOW | RTLD_LOCAL);  // never closed
  if (handle == nullptr) {
    Error error(ErrorKind::internal, fmt::format("cannot load {}: {}", kFile, ::dlerror()));
    error.hint = "install libjq: apt-get install libjq1";
    return std::unexpected(std::move(error));
  }
  LibJq library;
  const char* missing = nullptr;
  const auto find = [&]<class Function>(Function& function, const char* name) {
    function = reinterpret_cast<Function>(::dlsym(handle, name));
    if (function == nullptr) missing = name;
  };
#define KINF_JQ_FIND(name) find(library.name, #name);
  KINF_JQ_FUNCTIONS(KINF_JQ_FIND)
#undef KINF_JQ_FIND
  if (missing != nullptr) {
    return fail(ErrorKind::internal, fmt::format("{} has no function {}", kFile, missing));
  }
  return library;
}

#endif

}  // namespace

void on_no_jq_memory(void*) {
  if (const std::new_handler handler = std::get_new_handler(); handler != nullptr) handler();
}

const Result<LibJq>& libjq() {
  static const Result<LibJq> library = load();
  static thread_local bool has_handler = false;
  if (library && !std::exchange(has_handler, true)) {
    library->jv_nomem_handler(on_no_jq_memory, nullptr);
  }
  return library;
}

}  // namespace kinf
