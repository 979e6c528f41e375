// SPDX-License-Identifier: Apache-2.0
// Condition: one condition on an object, in the grammar of `kubectl wait --for`, and `jq=`.
#pragma once

#include <atomic>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <stop_token>
#include <string>
#include <string_view>
#include <vector>

#include "kinf/api/object.h"
#include "kinf/query/jq.h"
#include "kinf/query/jsonpath.h"

namespace kinf {

/// An entry of status.conditions.
struct StatusCondition {
  std::string type;
  std::string status;  ///< `True`, `False` or `Unknown`
  std::string reason;
  std::string message;
  bool outdated = false;  ///< describes an older generation of the object
};

/// Returns the entries that have a type and a status. Threads: any.
std::vector<StatusCondition> status_conditions(const Object& object);

/// A condition has one of the forms `create`, `delete`, `condition=TYPE[=VALUE]` (VALUE: true),
/// `jsonpath=PATH[=VALUE]` (without VALUE: PATH has a value) or `jq=EXPRESSION`. Like kubectl's, a
/// condition of the status does not hold while its observedGeneration is older than the object.
/// Threads: any.
class Condition {
 public:
  enum class Form { create, deletion, status, jsonpath, jq };

  /// Returns nullopt if `text` has none of the forms. Fails with kind `usage` for a form with a
  /// wrong path or expression.
  static Result<std::optional<Condition>> parse(std::string_view text);

  /// Returns whether the condition holds. `object` is null if the object does not exist: then only
  /// `delete` holds. Fails with kind `protocol` if the object has several values at a path, or a
  /// map or list where VALUE is compared, or if jq fails; with kind `stopped` on `stop`.
  Result<bool> holds(const Object* object, const std::stop_token& stop) const;
  /// Returns the entry of status.conditions that holds() compares; nullopt if the object has none.
  /// Only for Form::status.
  std::optional<StatusCondition> status_of(const Object& object) const;
  /// Returns the values at the path, as text. Only for Form::jsonpath. Fails like
  /// JsonPath::print().
  Result<std::vector<std::string>> values_of(const Object& object) const;

  Form form() const { return form_; }
  /// Returns the text that was parsed.
  const std::string& text() const { return text_; }
  /// Returns the type of the condition of the status, or the path without its braces.
  const std::string& subject() const { return subject_; }
  /// Returns whether holds() reads the object's document.
  bool needs_document() const { return form_ != Form::create && form_ != Form::deletion; }
  /// Returns whether holds() certainly reads only the object's metadata.
  bool reads_only_metadata() const;
  /// Returns whether holds() certainly reads the object beyond its metadata.
  bool reads_beyond_metadata() const;

 private:
  explicit Condition(Form form) : form_(form) {}
  static Result<std::optional<Condition>> parse_form(std::string_view text);
  bool has_status(const Object& object) const;
  Result<bool> has_value(const Object& object) const;

  Form form_;
  std::string text_;
  std::string subject_;               ///< status, jsonpath; see subject()
  std::optional<std::string> value_;  ///< status, jsonpath; nullopt: any value
  std::optional<JsonPath> path_;
  std::shared_ptr<Jq> program_;
};

// Where: the jq predicates of `--where`.

/// Threads: matches() and failures() from any thread. Evaluates one object at a time.
class Where {
 public:
  /// Compiles `expressions`, which must all hold. Fails with kind `usage`; messages start with
  /// `--where: `.
  static Result<std::shared_ptr<Where>> parse(std::span<const std::string> expressions);

  /// Returns whether each expression has a truthy result for `object`. `old` is `$old`, or null. An
  /// object for which jq fails does not match; the first failure is logged with `name`, such as
  /// `pods default/web`, and without jq's message if `is_secret`. Returns false on `stop`.
  bool matches(const Object& object, const Object* old, std::string_view name, bool is_secret,
               const std::stop_token& stop);
  /// Returns whether the expressions certainly read only the objects' metadata.
  bool reads_only_metadata() const { return reads_.only("metadata"); }
  /// Returns whether an expression certainly reads the objects beyond their metadata.
  bool reads_beyond_metadata() const { return reads_.beyond_metadata(); }
  /// Returns how many objects jq failed on.
  std::uint64_t failures() const { return failures_; }

 private:
  Where() = default;
  Result<bool> evaluate(const Object& object, const Object* old, const std::stop_token& stop);

  std::vector<Jq> programs_;
  bool uses_old_ = false;
  JqReads reads_;  ///< of all programs
  std::atomic<std::uint64_t> failures_ = 0;
};

}  // namespace kinf
