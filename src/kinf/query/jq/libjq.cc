// SPDX-License-Identifier: Apache-2.0
#include "kinf/query/jq/libjq.h"

#include <simdjson.h>

#include <new>
#include <optional>
#include <utility>

#include "kinf/api/json_members.h"

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
  void* const handle = ::dlopen(kFile, RTLD_NOW | RTLD_LOCAL);  // never closed with dlclose()
  if (handle == nullptr) {
    return fail(ErrorKind::internal, "cannot load {}: {}", kFile, ::dlerror())
        .with_hint("install libjq: apt-get install libjq1");
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
  if (missing != nullptr) return fail(ErrorKind::internal, "{} has no function {}", kFile, missing);
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

namespace {

namespace ondemand = simdjson::ondemand;

constexpr int kBuiltDepth =
    64;  // below the limits of jq 1.6: 128 nested objects, 256 nested arrays

/// Builds the jq value of one document. After a failure, every function returns a partial value.
class Builder {
 public:
  explicit Builder(const LibJq& jq) : jq_(jq), empty_(jq.jv_object()) {}
  ~Builder() { jq_.jv_free(empty_); }
  Builder(const Builder&) = delete;
  Builder& operator=(const Builder&) = delete;

  jv document(std::string_view padded, const JqReads& reads) {
    ondemand::parser parser;
    ondemand::document document;
    ondemand::object root;
    const std::size_t readable = padded.size() + simdjson::SIMDJSON_PADDING;
    if (!get(parser.iterate(padded.data(), padded.size(), readable), document) ||
        !get(document.get_object(), root)) {
      return jq_.jv_invalid();
    }
    const jv built = object(root, [&](std::string_view name, ondemand::value member) {
      const JqReads::Names* const names = reads.everything() ? &everything_ : reads.find(name);
      return names != nullptr ? std::optional(some_of(member, *names)) : std::nullopt;
    });
    if (!failed_ && document.current_location().error() == simdjson::OUT_OF_BOUNDS) return built;
    jq_.jv_free(built);
    return jq_.jv_invalid();
  }

 private:
  /// Builds an object. `read(name, value)` returns the value of a member, or nullopt to omit it.
  template <class Read>
  jv object(ondemand::object object, Read read) {
    jv built = jq_.jv_copy(empty_);
    for (auto entry : object) {
      ondemand::field field;
      std::string_view name;
      if (!get(std::move(entry), field) || !get(field.unescaped_key(), name)) break;
      const std::optional<jv> member = read(name, field.value());
      if (member) built = jq_.jv_object_set(built, string(name), *member);
      if (failed_) break;
    }
    return built;
  }
  jv value(ondemand::value value, int depth) {
    ondemand::json_type type{};
    if (depth > kBuiltDepth || !get(value.type(), type)) return fail();
    switch (type) {
      case ondemand::json_type::object: {
        ondemand::object object;
        if (!get(value.get_object(), object)) return fail();
        return this->object(object, [&](std::string_view, ondemand::value member) {
          return std::optional(this->value(member, depth + 1));
        });
      }
      case ondemand::json_type::array: {
        ondemand::array array;
        return get(value.get_array(), array) ? this->array(array, depth) : fail();
      }
      case ondemand::json_type::string: {
        std::string_view text;
        return get(value.get_string(), text) ? string(text) : fail();
      }
      case ondemand::json_type::number: {
        double number = 0;
        return get(value.get_double(), number) ? jq_.jv_number(number) : fail();
      }
      case ondemand::json_type::boolean: {
        bool is_true = false;
        return get(value.get_bool(), is_true) ? jq_.jv_bool(is_true ? 1 : 0) : fail();
      }
      case ondemand::json_type::null: break;
    }
    bool is_null = false;
    return get(value.is_null(), is_null) && is_null ? jq_.jv_null() : fail();
  }
  jv array(ondemand::array array, int depth) {
    jv built = jq_.jv_array();
    for (auto entry : array) {
      ondemand::value element;
      if (!get(std::move(entry), element)) break;
      built = jq_.jv_array_append(built, value(element, depth + 1));
      if (failed_) break;
    }
    return built;
  }
  /// Builds the value of a top-level member. If it is an object, keeps only its members in `names`,
  /// or all of them if `names` is empty.
  jv some_of(ondemand::value value, const JqReads::Names& names) {
    ondemand::json_type type{};
    if (!get(value.type(), type)) return fail();
    if (names.empty() || type != ondemand::json_type::object) return this->value(value, 1);
    ondemand::object object;
    if (!get(value.get_object(), object)) return fail();
    return this->object(object, [&](std::string_view name, ondemand::value member) {
      return names.contains(name) ? std::optional(this->value(member, 2)) : std::nullopt;
    });
  }
  jv string(std::string_view text) const {
    return jq_.jv_string_sized(text.data(), static_cast<int>(text.size()));
  }
  /// Moves the value of `result` into `out`. Returns false after a failure.
  template <class T>
  bool get(simdjson::simdjson_result<T>&& result, T& out) {
    failed_ = failed_ || std::move(result).get(out) != simdjson::SUCCESS;
    return !failed_;
  }
  jv fail() {
    failed_ = true;
    return jq_.jv_null();
  }

  const LibJq& jq_;
  const jv empty_;  ///< `{}`: every object starts as a copy of it; libjq copies on write
  const JqReads::Names everything_;
  bool failed_ = false;
};

}  // namespace

jv read_jq_object(std::string_view json, const JqReads& reads) {
  PaddedText padded;
  return Builder(*libjq()).document(padded.copy(json), reads);
}

}  // namespace kinf
