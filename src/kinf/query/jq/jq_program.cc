// SPDX-License-Identifier: Apache-2.0
#include "kinf/query/jq/jq_program.h"

#include <algorithm>
#include <utility>

#include "kinf/base/limits.h"
#include "kinf/base/visible_text.h"
#include "kinf/query/jq/libjq.h"

namespace kinf {
namespace {

constexpr std::size_t kShownFailure = 300;

/// Returns the loaded library. Call it only after libjq() has succeeded, for example if a JqValue
/// exists.
const LibJq& jq() { return *libjq(); }

std::string string_of(jv text) {
  std::string copy(jq().jv_string_value(text),
                   static_cast<std::size_t>(jq().jv_string_length_bytes(jq().jv_copy(text))));
  jq().jv_free(text);
  return copy;
}

bool is_valid(jv value) { return jq().jv_get_kind(value) != JV_KIND_INVALID; }

/// Returns the error message of an invalid value, shortened and without control characters. Returns
/// an empty string if the value has no message.
std::string message_of(jv invalid) {
  if (jq().jv_invalid_has_msg(jq().jv_copy(invalid)) == 0) {
    jq().jv_free(invalid);
    return {};
  }
  const jv message = jq().jv_invalid_get_msg(invalid);
  std::string text = jq().jv_get_kind(message) == JV_KIND_STRING
                         ? string_of(message)
                         : string_of(jq().jv_dump_string(message, 0)) + " (not a string)";
  if (text.size() > kShownFailure) {
    std::size_t end = kShownFailure;
    while (end > 0 && (static_cast<unsigned char>(text[end]) & 0xC0U) == 0x80U) --end;
    text = text.substr(0, end) + "…";
  }
  return visible_line(text);
}

/// Releases the last input of a state, because libjq's reference counts are not atomic. Also
/// replaces the exit code and message of halt_error: libjq 1.6 would free them again at each
/// jq_start().
void reset(jq_state* state) {
  jq().jq_start(state, jq().jv_null(), 0);
  jq().jq_halt(state, jq().jv_invalid(), jq().jv_invalid());
}

/// Called by libjq with an error message. Stores the first message in the string at `data`.
void keep_first(void* data, jv message) {
  auto& first = *static_cast<std::string*>(data);
  std::string text = jq().jv_get_kind(message) == JV_KIND_STRING ? string_of(message) : "";
  if (first.empty()) first = std::move(text);
}

}  // namespace

struct JqValue::Impl {
  explicit Impl(jv value_in) : value(value_in) {}
  ~Impl() { jq().jv_free(value); }
  Impl(const Impl&) = delete;
  Impl& operator=(const Impl&) = delete;

  jv copy() const { return jq().jv_copy(value); }

  const jv value;
};

Result<JqValue> JqValue::parse(std::string_view json, const JqReads& reads) {
  if (!libjq()) return fail(libjq());
  constexpr std::size_t kLengths = std::size_t{1} << 30U;  // libjq stores lengths as int
  if (json.size() > kLengths) return fail(ErrorKind::protocol, "jq: the document is too large");
  jv value = read_jq_object(json, reads);
  if (!is_valid(value)) value = jq().jv_parse_sized(json.data(), static_cast<int>(json.size()));
  if (!is_valid(value)) return fail(ErrorKind::protocol, "jq: " + message_of(value));
  return JqValue(std::make_shared<const Impl>(value));
}

bool JqValue::is_truthy() const {
  const jv_kind kind = jq().jv_get_kind(impl_->value);
  return kind != JV_KIND_NULL && kind != JV_KIND_FALSE;
}

std::string JqValue::text() const {
  switch (jq().jv_get_kind(impl_->value)) {
    case JV_KIND_NULL: return {};
    case JV_KIND_STRING: return string_of(impl_->copy());
    default: return string_of(jq().jv_dump_string(impl_->copy(), 0));
  }
}

bool JqProgram::uses_old(std::string_view expression) {
  return expression.find("$old") != std::string_view::npos;
}

JqProgram::~JqProgram() {
  if (state_ != nullptr) jq().jq_teardown(&state_);
}

Result<std::unique_ptr<JqProgram>> JqProgram::compile(std::string_view expression,
                                                      std::string& reported) {
  if (!libjq()) return fail(libjq());
  std::unique_ptr<JqProgram> program(new JqProgram);
  program->uses_old_ = uses_old(expression);
  program->state_ = jq().jq_init();
  if (program->state_ == nullptr) return fail(ErrorKind::internal, "jq: cannot start");
  jq().jq_set_nomem_handler(program->state_, on_no_jq_memory, nullptr);
  jq().jq_set_error_cb(program->state_, keep_first, &reported);
  // The prefix also makes `import` a syntax error, because jq allows it only at the start of a
  // program.
  const std::string text =
      (program->uses_old_ ? ".old as $old | .object | " : ". | ") + std::string(expression);
  const bool compiled = jq().jq_compile(program->state_, text.c_str()) != 0;
  jq().jq_set_error_cb(program->state_, nullptr, nullptr);
  return compiled ? std::move(program) : nullptr;
}

Result<void> JqProgram::run(const JqValue& input, const JqValue* old, const std::stop_token& stop,
                            const Take& take) {
  const LibJq& lib = jq();
  jq_state* const state = state_;
  jv value = input.impl_->copy();
  if (uses_old_) {
    jv both = lib.jv_object();
    both = lib.jv_object_set(both, lib.jv_string("object"), value);
    value = lib.jv_object_set(both, lib.jv_string("old"),
                              old != nullptr ? old->impl_->copy() : lib.jv_null());
  }
  lib.jq_start(state, value, 0);
  const std::unique_ptr<jq_state, void (*)(jq_state*)> release(state, reset);
  // jq_halt() sets a flag that the interpreter checks before each instruction. jq_start() clears
  // the flag, so the callback is registered after it.
  const std::stop_callback halt(stop, [&lib, state] {
    if (lib.jq_halted(state) == 0) lib.jq_halt(state, lib.jv_invalid(), lib.jv_invalid());
  });
  for (;;) {
    const JqValue result(std::make_shared<const JqValue::Impl>(lib.jq_next(state)));
    if (stop.stop_requested()) return fail(ErrorKind::stopped, "jq: stopped");
    if (is_valid(result.impl_->value)) {
      if (!take(result)) return {};
      continue;
    }
    if (std::string message = message_of(result.impl_->copy()); !message.empty()) {
      return fail(ErrorKind::protocol, "jq: " + message);
    }
    if (lib.jq_halted(state) == 0) return {};
    const jv code = lib.jq_get_exit_code(state);
    const bool failed = lib.jv_get_kind(code) == JV_KIND_NUMBER && lib.jv_number_value(code) != 0;
    lib.jv_free(code);
    if (failed) return fail(ErrorKind::protocol, "jq: the program called halt_error");
    return {};
  }
}

Result<void> JqProgram::print(const JqValue& input, const JqValue* old, const std::stop_token& stop,
                              std::size_t document_size,
                              const std::function<void(std::string_view text)>& take) {
  const std::size_t most = std::max(limits::kResultBytes, 4 * document_size);
  std::size_t printed = 0;
  Result<void> done = run(input, old, stop, [&](const JqValue& result) {
    const std::string text = result.text();
    printed += text.size() + 1;
    if (printed <= most) take(text);
    return printed <= most;
  });
  if (done && printed > most) {
    return fail(ErrorKind::protocol, "jq: the results are longer than {} MiB", most / limits::kMiB);
  }
  return done;
}

}  // namespace kinf
