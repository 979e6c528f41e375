// SPDX-License-Identifier: Apache-2.0
#include "kinf/query/jq.h"

#include <fmt/format.h>

#include <optional>
#include <utility>

#include "kinf/base/assign.h"
#include "kinf/base/limits.h"
#include "kinf/base/sync.h"
#include "kinf/base/visible_text.h"
#include "kinf/query/jq/jq_harmless.h"
#include "kinf/query/jq/jq_hint.h"
#include "kinf/query/jq/jq_program.h"
#include "kinf/query/jq/jq_worker.h"

namespace kinf {
namespace {

constexpr std::size_t kShownMessage = 300;

/// Returns the essence of a message that libjq reported while compiling. A typical message is
/// `jq: error: f/0 is not defined at <top-level>, line 1:`.
std::string essence_of(std::string_view reported) {
  constexpr std::string_view kStart = "jq: error: ";
  if (reported.starts_with(kStart)) reported.remove_prefix(kStart.size());
  reported = reported.substr(0, reported.find(" at <top-level>"));
  reported = reported.substr(0, reported.find(" (Unix shell quoting issues?)"));
  reported = reported.substr(0, std::min(kShownMessage, reported.find('\n')));
  return reported.empty() ? "the expression cannot be compiled" : visible_line(reported);
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

Result<Jq> Jq::compile(std::string_view expression) { return compile_for(expression, false); }

Result<Jq> Jq::compile_condition(std::string_view expression) {
  return compile_for(expression, true);
}

/// Compiles the expression into `program`. Returns what is wrong with it; empty if nothing is.
Result<std::string> Jq::compile_into(Program& program, std::string_view expression) {
  std::string reported;
  Result<void> done;
  if (is_harmless_jq(expression)) {
    done = assign(program.here, JqProgram::compile(expression, reported));
  } else {
    done = assign(program.worker, JqWorker::start(expression, reported));
  }
  if (!done) return fail(done);
  return program.here || program.worker ? std::string() : essence_of(reported);
}

Result<Jq> Jq::compile_for(std::string_view expression, bool is_condition) {
  if (expression.size() > limits::kExpressionBytes) {
    return fail(ErrorKind::usage, "jq: the expression is longer than 64 KiB");
  }
  if (expression.find_first_not_of(" \t\n") == std::string_view::npos) {
    return fail(ErrorKind::usage, "jq: the expression is empty");
  }
  const auto problem_in = [&](std::string_view text, Program& into) -> Result<std::string> {
    Result<std::string> problem = compile_into(into, text);
    const bool assigns = is_condition && find_assignment(text) != std::string_view::npos;
    return problem && problem->empty() && assigns ? std::string(kAssigns) : problem;
  };
  auto program = std::make_shared<Program>();
  const Result<std::string> problem = problem_in(expression, *program);
  if (!problem) return fail(problem);
  if (!problem->empty()) {
    const auto problem_of = [&](const std::string& text) {
      Program unused;
      const Result<std::string> other = problem_in(text, unused);
      return other ? *other : other.error().message;
    };
    return fail(ErrorKind::usage, "jq: {}", *problem)
        .with_hint(visible_line(jq_hint(expression, *problem, problem_of)));
  }
  program->uses_old = JqProgram::uses_old(expression);
  program->reads = JqReads::of(expression);
  return Jq(std::move(program));
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
