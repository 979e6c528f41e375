// SPDX-License-Identifier: Apache-2.0
// JqProgram: compiles and runs a jq program in this process. Only Jq and its worker use it.
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <stop_token>
#include <string>
#include <string_view>

#include "kinf/base/error.h"
#include "kinf/query/jq/jq_reads.h"

struct jq_state;

namespace kinf {

/// An immutable JSON value. jq keeps numbers as doubles: integers above 2^53 lose digits.
/// Threads: one thread at a time for a value, its copies and the results that a JqProgram computes
/// from them, because libjq's reference counts are not atomic.
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
  friend class JqProgram;
  struct Impl;
  explicit JqValue(std::shared_ptr<const Impl> impl) : impl_(std::move(impl)) {}
  std::shared_ptr<const Impl> impl_;
};

/// Threads: one at a time.
class JqProgram {
 public:
  /// Called for each result of a program. Returns false to end the program.
  using Take = std::function<bool(const JqValue& result)>;

  /// Compiles `expression`, in which `$old` is the second input. If it is not a jq expression, the
  /// result is null, and `reported` is libjq's message. Errors: internal, if libjq is missing.
  static Result<std::unique_ptr<JqProgram>> compile(std::string_view expression,
                                                    std::string& reported);
  ~JqProgram();
  JqProgram(const JqProgram&) = delete;
  JqProgram& operator=(const JqProgram&) = delete;

  /// Returns whether an expression mentions `$old`.
  static bool uses_old(std::string_view expression);
  /// Runs the program. `old` may be null. Fails with kind `protocol` and jq's message if the
  /// program fails, and with kind `stopped` if a stop is requested, even in an endless program.
  Result<void> run(const JqValue& input, const JqValue* old, const std::stop_token& stop,
                   const Take& take);
  /// Like run(), and passes the text of each result on. Also fails if the results are longer than
  /// limits::kResultBytes and than four times `document_size`.
  Result<void> print(const JqValue& input, const JqValue* old, const std::stop_token& stop,
                     std::size_t document_size,
                     const std::function<void(std::string_view text)>& take);

 private:
  JqProgram() = default;

  jq_state* state_ = nullptr;
  bool uses_old_ = false;
};

}  // namespace kinf
