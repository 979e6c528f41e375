// SPDX-License-Identifier: Apache-2.0
// Jq: runs jq programs on JSON. The only interface to libjq, which is loaded on the first call.
#pragma once

#include <functional>
#include <memory>
#include <stop_token>
#include <string>
#include <string_view>

#include "kinf/base/error.h"
#include "kinf/query/jq_reads.h"

namespace kinf {

/// An immutable JSON value. jq keeps numbers as doubles: integers above 2^53 lose digits.
/// Threads: one thread at a time for a value, its copies and the results that a Jq computes from
/// them, because libjq's reference counts are not atomic.
class JqValue {
 public:
  /// Parses one JSON document. Fails with kind `protocol` if `json` is not valid or nested more
  /// than 256 levels deep. `reads` is the set of members that the programs read. May leave out
  /// other members without checking their JSON.
  static Result<JqValue> parse(std::string_view json, const JqReads& reads = {});

  /// Returns false for null and false, as jq's select() does.
  bool is_truthy() const;
  /// Returns the text that `gh --jq` prints: a string as it is, null as an empty line, every other
  /// value as one line of JSON.
  std::string text() const;

 private:
  friend class Jq;
  struct Impl;
  explicit JqValue(std::shared_ptr<const Impl> impl) : impl_(std::move(impl)) {}
  std::shared_ptr<const Impl> impl_;
};

/// A compiled program. Compiling takes 20 ms, because jq compiles its own functions each time.
/// Threads: any. A program runs in one thread at a time; other calls of run() wait.
class Jq {
 public:
  /// Called for each result of a program. Returns false to end the program.
  using Take = std::function<bool(const JqValue& result)>;

  /// Compiles `expression`, in which `$old` is the second input. Fails with kind `usage` and a hint
  /// if it is not a jq expression or is longer than 64 KiB.
  static Result<Jq> compile(std::string_view expression);
  /// Like compile(), for a program that is used as a condition. Also fails if the program has a
  /// `=`: an assignment is always true, so the user probably meant `==`.
  static Result<Jq> compile_condition(std::string_view expression);

  /// Returns whether the expression mentions `$old`.
  bool uses_old() const;
  /// Returns which members of the object and of `$old` the program reads.
  const JqReads& reads() const;
  /// Runs the program. `old` may be null. Fails with kind `protocol` and jq's message if the
  /// program fails, and with kind `stopped` if a stop is requested, even in an endless program.
  Result<void> run(const JqValue& input, const JqValue* old, const std::stop_token& stop,
                   const Take& take);
  /// Returns whether one of the results is truthy. Ends the program at the first truthy result.
  Result<bool> holds(const JqValue& input, const JqValue* old, const std::stop_token& stop);

 private:
  struct Program;
  explicit Jq(std::shared_ptr<Program> program) : program_(std::move(program)) {}
  std::shared_ptr<Program> program_;
};

}  // namespace kinf
