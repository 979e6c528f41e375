// SPDX-License-Identifier: Apache-2.0
#include "kinf/query/jq.h"

#include <fmt/format.h>

#include <optional>
#include <utility>

#include "kinf/base/assign.h"
#include "kinf/base/limits.h"
#include "kinf/base/sync.h"
#include "kinf/base/unicode.h"
#include "kinf/base/visible_text.h"
#include "kinf/query/jq/jq_harmless.h"
#include "kinf/query/jq/jq_program.h"
#include "kinf/query/jq/jq_worker.h"

namespace kinf {
namespace {

constexpr std::size_t kShownMessage = 300;

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

const Result<JqValue>& JqInput::value() const {
  if (value_ == nullptr) {
    value_ = std::make_shared<const Result<JqValue>>(
        JqValue::parse(json_, reads_ != nullptr ? *reads_ : JqReads()));
  }
  return *value_;
}

/// Has one of the two pointers.
struct Jq::Program {
  std::unique_ptr<JqProgram> here;
  std::unique_ptr<JqWorker> worker;
  bool uses_old = false;
  JqReads reads;
  Mutex mu;  ///< held while the program runs, because libjq and a worker serve one thread at a time
};

Result<Jq> Jq::compile(std::string_view expression) {
  if (expression.size() > limits::kExpressionBytes) {
    return fail(ErrorKind::usage, "jq: the expression is longer than 64 KiB");
  }
  if (expression.find_first_not_of(" \t\n") == std::string_view::npos) {
    return fail(ErrorKind::usage, "jq: the expression is empty");
  }
  auto program = std::make_shared<Program>();
  std::string reported;
  Result<void> done;
  if (is_harmless_jq(expression)) {
    done = assign(program->here, JqProgram::compile(expression, reported));
  } else {
    done = assign(program->worker, JqWorker::start(expression, reported));
  }
  if (!done) return fail(done);
  if (!program->here && !program->worker) return fail(compile_error(expression, reported));
  program->uses_old = JqProgram::uses_old(expression);
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

namespace {

std::optional<std::string_view> text_of(const JqInput* input) {
  return input != nullptr ? std::optional(input->json()) : std::nullopt;
}

}  // namespace

Result<void> Jq::run(const JqInput& input, const JqInput* old, const std::stop_token& stop,
                     const Take& take) {
  const MutexLock lock(program_->mu);
  if (program_->worker) return program_->worker->run(input.json(), text_of(old), stop, take);
  if (!input.value()) return fail(input.value());
  if (old != nullptr && !old->value()) return fail(old->value());
  return program_->here->print(*input.value(), old != nullptr ? &*old->value() : nullptr, stop,
                               input.json().size(), take);
}

Result<bool> Jq::holds(const JqInput& input, const JqInput* old, const std::stop_token& stop) {
  const MutexLock lock(program_->mu);
  if (program_->worker) return program_->worker->holds(input.json(), text_of(old), stop);
  if (!input.value()) return fail(input.value());
  if (old != nullptr && !old->value()) return fail(old->value());
  bool found = false;
  Result<void> done = program_->here->run(*input.value(), old != nullptr ? &*old->value() : nullptr,
                                          stop, [&](const JqValue& result) {
                                            found = result.is_truthy();
                                            return !found;
                                          });
  if (!done) return fail(done);
  return found;
}

}  // namespace kinf
