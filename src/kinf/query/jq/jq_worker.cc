// SPDX-License-Identifier: Apache-2.0
// A request is a byte for what is wanted, a byte that is `o` if there is a second document, the
// length of the first document, and the documents. An answer starts with a byte: `=` for a result,
// `!` for an error of the program.
#include "kinf/query/jq/jq_worker.h"

#include <algorithm>
#include <array>
#include <cstdint>
#include <cstring>

#include "kinf/base/limits.h"
#include "kinf/base/log.h"
#include "kinf/base/visible_text.h"
#include "kinf/query/jq/jq_program.h"

namespace kinf {
namespace {

constexpr WorkerBounds kBounds{.memory = limits::kWorkerBytes,
                               .stack = limits::kWorkerStackBytes,
                               .time = limits::kWorkerTime,
                               .memory_per_byte = limits::kWorkerMemoryFactor,
                               .bytes_per_second = limits::kWorkerSecondBytes};
constexpr char kRun = 'r';
constexpr char kHolds = 'h';
constexpr char kResult = '=';
constexpr char kError = '!';
constexpr char kMissing = '?';  ///< prepare() has no libjq

struct RequestHead {
  char mode = kRun;
  char has_old = 0;
  std::uint64_t input_size = 0;
};

std::string error_answer(std::string_view message) { return kError + std::string(message); }

/// The program in the worker.
class Served {
 public:
  explicit Served(std::string_view expression) : expression_(expression) {}

  /// Returns the answer of prepare(): libjq's message after kError, or kResult.
  std::string compile() {
    std::string reported;
    Result<std::unique_ptr<JqProgram>> compiled = JqProgram::compile(expression_, reported);
    if (!compiled) return kMissing + compiled.error().message + '\n' + compiled.error().hint;
    program_ = *std::move(compiled);
    reads_ = JqReads::of(expression_);
    return program_ != nullptr ? std::string(1, kResult) : error_answer(reported);
  }
  std::string answer(std::string_view request, const WorkerTask::Send& send) {
    RequestHead head;
    std::memcpy(&head, request.data(), sizeof head);
    const std::string_view documents = request.substr(sizeof head);
    const Result<JqValue> input = JqValue::parse(documents.substr(0, head.input_size), reads_);
    if (!input) return error_answer(input.error().message);
    std::optional<JqValue> old;
    if (head.has_old != 0) {
      Result<JqValue> parsed = JqValue::parse(documents.substr(head.input_size), reads_);
      if (!parsed) return error_answer(parsed.error().message);
      old = *std::move(parsed);
    }
    const JqValue* const old_input = old ? &*old : nullptr;
    bool holds = false;
    Result<void> done;
    if (head.mode == kHolds) {
      done = program_->run(*input, old_input, {}, [&](const JqValue& result) {
        holds = result.is_truthy();
        return !holds;
      });
    } else {
      done = program_->print(*input, old_input, {}, documents.size(), send);
    }
    return done ? std::string{kResult, holds ? '1' : '0'} : error_answer(done.error().message);
  }

 private:
  const std::string expression_;
  std::unique_ptr<JqProgram> program_;
  JqReads reads_;
};

}  // namespace

Result<std::unique_ptr<JqWorker>> JqWorker::start(std::string_view expression,
                                                  std::string& reported) {
  const auto served = std::make_shared<Served>(expression);
  const WorkerTask task{[served] { return served->compile(); },
                        [served](std::string_view request, const WorkerTask::Send& send) {
                          return served->answer(request, send);
                        }};
  Result<std::unique_ptr<WorkerProcess>> process = WorkerProcess::start(task, kBounds);
  if (!process) {
    Error error = std::move(process).error();
    if (error.kind == ErrorKind::internal) return fail(std::move(error).within("jq"));
    return fail(ErrorKind::usage, "jq: compiling the expression {}", error.message);
  }
  const std::string_view prepared = (*process)->prepared();
  if (prepared.starts_with(kResult)) {
    return std::unique_ptr<JqWorker>(new JqWorker(*std::move(process)));
  }
  const std::string_view text = prepared.substr(std::min<std::size_t>(1, prepared.size()));
  if (prepared.starts_with(kMissing)) {
    const std::size_t end = std::min(text.find('\n'), text.size() - 1);
    return fail(ErrorKind::internal, std::string(text.substr(0, end)))
        .with_hint(std::string(text.substr(end + 1)));
  }
  reported = text;
  return nullptr;
}

Result<std::string> JqWorker::ask(char mode, std::string_view input,
                                  std::optional<std::string_view> old, const std::stop_token& stop,
                                  const WorkerProcess::Take& take) {
  const RequestHead head{mode, static_cast<char>(old ? 1 : 0), input.size()};
  const std::array<std::string_view, 3> request = {
      std::string_view(reinterpret_cast<const char*>(&head), sizeof head), input,
      old.value_or(std::string_view())};
  Result<WorkerProcess::Answer> answer = process_->ask(request, stop, take);
  if (!answer) {
    const std::string_view what = answer.error().kind == ErrorKind::stopped ? "" : "the program ";
    const bool is_end = answer.error().kind == ErrorKind::internal;
    return fail(answer.error().kind, "jq: {}{}", what, answer.error().message)
        .with_hint(is_end ? "man kinf-options describes the bounds of an expression" : "");
  }
  if (!answer->written.empty()) log::notice("jq: {}", answer->written);
  if (answer->last.starts_with(kError)) {
    return fail(ErrorKind::protocol, visible_line(answer->last.substr(1)));
  }
  return std::move(answer->last);
}

Result<void> JqWorker::run(std::string_view input, std::optional<std::string_view> old,
                           const std::stop_token& stop, const WorkerProcess::Take& take) {
  const Result<std::string> answer = ask(kRun, input, old, stop, take);
  return answer ? Result<void>() : fail(answer);
}

Result<bool> JqWorker::holds(std::string_view input, std::optional<std::string_view> old,
                             const std::stop_token& stop) {
  const Result<std::string> answer = ask(kHolds, input, old, stop, [](std::string_view) {});
  if (!answer) return fail(answer);
  return answer->ends_with('1');
}

}  // namespace kinf
