// SPDX-License-Identifier: Apache-2.0
// Jq: runs jq programs on JSON: a harmless program in this process, any other one in a worker
// process with bounds. libjq is loaded for the first program.
#pragma once

#include <functional>
#include <memory>
#include <stop_token>
#include <string>
#include <string_view>

#include "kinf/base/error.h"
#include "kinf/query/jq/jq_reads.h"

namespace kinf {

class JqValue;

/// A JSON document for several programs, which is parsed at most once. Threads: one at a time.
class JqInput {
 public:
  /// `json` must stay valid, and `reads` too: the members that the programs read.
  explicit JqInput(std::string_view json) : json_(json) {}
  JqInput(std::string_view json, const JqReads& reads) : json_(json), reads_(&reads) {}

  std::string_view json() const { return json_; }
  /// Returns the parsed document. Fails like JqValue::parse().
  const Result<JqValue>& value() const;

 private:
  std::string_view json_;
  const JqReads* reads_ = nullptr;  ///< null means everything
  mutable std::shared_ptr<const Result<JqValue>> value_;
};

/// A compiled program. Compiling takes 20 ms, because jq compiles its own functions each time.
/// Threads: any. A program runs in one thread at a time; other calls wait.
class Jq {
 public:
  /// Called with each result of a program, as JqValue::text() returns it.
  using Take = std::function<void(std::string_view result)>;

  /// Compiles `expression`, in which `$old` is the second input. Unless is_harmless_jq(), compiles
  /// it in a worker process, which is started now: call it while this process has one thread. Fails
  /// with kind `usage` and a hint if it is not a jq expression or is longer than 64 KiB.
  static Result<Jq> compile(std::string_view expression);
  /// Like compile(), for a program that is used as a condition. Also fails if the program has a
  /// `=`: an assignment is always true, so the user probably meant `==`.
  static Result<Jq> compile_condition(std::string_view expression);

  /// Returns whether the expression mentions `$old`.
  bool uses_old() const;
  /// Returns which members of the object and of `$old` the program reads.
  const JqReads& reads() const;
  /// Runs the program. `old` may be null. Fails with kind `protocol` if the program fails, with
  /// jq's message, or exceeds a bound of its worker; with kind `stopped` if a stop is requested,
  /// even in an endless program; with kind `internal` if it has exceeded bounds on three documents
  /// in a row: then the caller ends the command.
  Result<void> run(const JqInput& input, const JqInput* old, const std::stop_token& stop,
                   const Take& take);
  /// Returns whether one of the results is truthy. Ends the program at the first truthy result.
  /// Fails like run().
  Result<bool> holds(const JqInput& input, const JqInput* old, const std::stop_token& stop);

 private:
  struct Program;
  static Result<std::string> compile_into(Program& program, std::string_view expression);
  static Result<Jq> compile_for(std::string_view expression, bool is_condition);
  explicit Jq(std::shared_ptr<Program> program) : program_(std::move(program)) {}
  std::shared_ptr<Program> program_;
};

}  // namespace kinf
