// SPDX-License-Identifier: Apache-2.0
#include "kinf/query/jq.h"

#include <fmt/format.h>

#include <utility>

#include "kinf/base/limits.h"
#include "kinf/base/sync.h"
#include "kinf/base/unicode.h"
#include "kinf/base/visible_text.h"
#include "kinf/query/libjq.h"

namespace kinf {
namespace {

constexpr std::size_t kShownMessage = 300;

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
  if (text.size() > kShownMessage) {
    std::size_t end = kShownMessage;
    while (end > 0 && (static_cast<unsigned char>(text[end]) & 0xC0U) == 0x80U) --end;
    text = text.substr(0, end) + "…";
  }
  return visible_line(text);
}

/// Returns the hint for a compile error. A word that is not defined is often a string without
/// quotes.
std::string hint_for(std::string_view expression, std::string_view message) {
  constexpr std::string_view kUndefined = "/0 is not defined";
  if (!message.ends_with(kUndefined)) return "man jq describes the language";
  const std::string_view word = message.substr(0, message.size() - kUndefined.size());
  const auto continues = [&](std::size_t at) {
    return at < expression.size() && (is_word_rune(static_cast<unsigned char>(expression[at])));
  };
  for (std::size_t at = expression.find(word); at != std::string_view::npos;
       at = expression.find(word, at + 1)) {
    if ((at > 0 && (continues(at - 1) || expression[at - 1] == '.')) ||
        continues(at + word.size())) {
      continue;
    }
    return fmt::format("a string needs quotes: {}\"{}\"{}", expression.substr(0, at), word,
                       expression.substr(at + word.size()));
  }
  return "man jq describes the language";
}

/// Converts a message that libjq reported while compiling to an Error. A typical message is
/// `jq: error: f/0 is not defined at <top-level>, line 1:`.
Error compile_error(std::string_view expression, std::string_view reported) {
  constexpr std::string_view kStart = "jq: error: ";
  if (reported.starts_with(kStart)) reported.remove_prefix(kStart.size());
  reported = reported.substr(0, reported.find(" at <top-level>"));
  reported = reported.substr(0, reported.find(" (Unix shell quoting issues?)"));
  reported = reported.substr(0, std::min(kShownMessage, reported.find('\n')));
  return Error(ErrorKind::usage, "jq: " + visible_line(reported))
      .with_hint(visible_line(hint_for(expression, reported)));
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

/// Returns whether the program has a single `=` outside of strings.
bool assigns(std::string_view program) {
  bool in_string = false;
  for (std::size_t i = 0; i < program.size(); ++i) {
    const char c = program[i];
    if (in_string && c == '\\') {
      ++i;
    } else if (c == '"') {
      in_string = !in_string;
    } else if (!in_string && c == '=') {
      const char before = i > 0 ? program[i - 1] : ' ';
      const char behind = i + 1 < program.size() ? program[i + 1] : ' ';
      if (behind == '=') {
        ++i;
      } else if (std::string_view("!<>|+-*/%").find(before) == std::string_view::npos) {
        return true;
      }
    }
  }
  return false;
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

struct Jq::Program {
  ~Program() {
    if (state != nullptr) jq().jq_teardown(&state);
  }

  jq_state* state = nullptr;
  bool uses_old = false;
  JqReads reads;
  Mutex mu;  ///< held while the program runs: a jq_state serves one thread at a time
};

Result<Jq> Jq::compile(std::string_view expression) {
  if (!libjq()) return fail(libjq());
  if (expression.size() > limits::kExpressionBytes) {
    return fail(ErrorKind::usage, "jq: the expression is longer than 64 KiB");
  }
  if (expression.find_first_not_of(" \t\n") == std::string_view::npos) {
    return fail(ErrorKind::usage, "jq: the expression is empty");
  }
  auto program = std::make_shared<Program>();
  program->uses_old = expression.find("$old") != std::string_view::npos;
  program->state = jq().jq_init();
  if (program->state == nullptr) return fail(ErrorKind::internal, "jq: cannot start");
  jq().jq_set_nomem_handler(program->state, on_no_jq_memory, nullptr);
  std::string reported;
  jq().jq_set_error_cb(program->state, keep_first, &reported);
  // The prefix also makes `import` a syntax error, because jq allows it only at the start of a
  // program.
  const std::string text =
      (program->uses_old ? ".old as $old | .object | " : ". | ") + std::string(expression);
  const bool compiled = jq().jq_compile(program->state, text.c_str()) != 0;
  jq().jq_set_error_cb(program->state, nullptr, nullptr);
  if (!compiled) return fail(compile_error(expression, reported));
  program->reads = JqReads::of(expression);
  return Jq(std::move(program));
}

Result<Jq> Jq::compile_condition(std::string_view expression) {
  Result<Jq> program = compile(expression);
  if (program && assigns(expression)) {
    return fail(ErrorKind::usage, "jq: = assigns a value, so the condition is always true")
        .with_hint("== compares");
  }
  return program;
}

bool Jq::uses_old() const { return program_->uses_old; }
const JqReads& Jq::reads() const { return program_->reads; }

Result<void> Jq::run(const JqValue& input, const JqValue* old, const std::stop_token& stop,
                     const Take& take) {
  const LibJq& lib = jq();
  const MutexLock lock(program_->mu);
  jq_state* const state = program_->state;
  jv value = input.impl_->copy();
  if (program_->uses_old) {
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

Result<bool> Jq::holds(const JqValue& input, const JqValue* old, const std::stop_token& stop) {
  bool found = false;
  Result<void> done = run(input, old, stop, [&](const JqValue& result) {
    found = result.is_truthy();
    return !found;
  });
  if (!done) return fail(done);
  return found;
}

}  // namespace kinf
