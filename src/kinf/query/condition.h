// SPDX-License-Identifier: Apache-2.0
// Condition: one condition on an object, in the syntax of `kubectl wait --for`, extended by `jq=`.
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

struct Rollout;

/// An entry of status.conditions.
struct StatusCondition {
  std::string type;
  std::string status;  ///< `True`, `False` or `Unknown`
  std::string reason;
  std::string message;
  bool outdated = false;  ///< true if the entry describes an older generation of the object
};

/// Returns the entries of status.conditions that have a type and a status. Threads: any.
std::vector<StatusCondition> status_conditions(const Object& object);

/// A condition has one of the forms `create`, `delete`, `condition=TYPE[=VALUE]` (default: `true`),
/// `jsonpath=PATH[=VALUE]` (without VALUE, any value at PATH is enough), `jq=EXPRESSION` or
/// `rollout[=REVISION]`, which holds when the rollout is complete. As in kubectl, `condition=` does
/// not hold while the observedGeneration of the entry is lower than the object's generation.
/// Threads: any.
class Condition {
 public:
  enum class Form { create, deletion, status, jsonpath, jq, rollout };

  /// Returns nullopt if `text` has none of the forms. Fails with kind `usage` for a form with an
  /// invalid or missing part.
  static Result<std::optional<Condition>> parse(std::string_view text);

  /// Returns whether the condition holds. `object` is null if the object does not exist: then only
  /// `delete` holds. Fails with kind `protocol` if the object has several values at PATH, if VALUE
  /// is compared with a map or list, or if jq fails. Fails with kind `usage` if the JSONPath cannot
  /// be applied, or if the object cannot roll out by itself, and with kind `stopped` if `stop` ends
  /// a jq program.
  Result<bool> holds(const Object* object, const std::stop_token& stop) const;
  /// Returns the entry of status.conditions that holds() compares; nullopt if the object has none.
  /// Only for Form::status.
  std::optional<StatusCondition> status_of(const Object& object) const;
  /// Returns the values at the path, as text. Only for Form::jsonpath. Fails like
  /// JsonPath::print().
  Result<std::vector<std::string>> values_of(const Object& object) const;
  /// Returns the rollout of a Deployment, StatefulSet or DaemonSet. Only for Form::rollout.
  Rollout rollout_of(const Object& object) const;
  /// Returns whether REVISION of `rollout=` is given.
  bool has_revision() const { return revision_.has_value(); }

  Form form() const { return form_; }
  /// Returns the text that was parsed.
  const std::string& text() const { return text_; }
  /// Returns TYPE of `condition=`, or PATH of `jsonpath=` without its braces; otherwise empty.
  const std::string& subject() const { return subject_; }
  /// Returns whether holds() reads the object's document.
  bool needs_document() const { return form_ != Form::create && form_ != Form::deletion; }
  /// Returns whether holds() is known to read only the object's metadata.
  bool reads_only_metadata() const;
  /// Returns whether holds() is known to read more of the object than its metadata.
  bool reads_beyond_metadata() const;

 private:
  explicit Condition(Form form) : form_(form) {}
  static Result<std::optional<Condition>> parse_form(std::string_view text);
  bool has_status(const Object& object) const;
  Result<bool> has_rolled_out(const Object& object) const;
  Result<bool> has_value(const Object& object) const;

  Form form_;
  std::string text_;
  std::string subject_;               ///< see subject()
  std::optional<std::string> value_;  ///< VALUE; nullopt if any value is accepted
  std::optional<std::int64_t> revision_;
  std::optional<JsonPath> path_;
  std::shared_ptr<Jq> program_;
};

// Where: the jq conditions of `--where`.

/// Threads: any. Each expression evaluates one object at a time.
class Where {
 public:
  /// Compiles `expressions`, which must all hold. Fails with kind `usage`; messages start with
  /// `--where: `.
  static Result<std::shared_ptr<Where>> parse(std::span<const std::string> expressions);

  /// Returns whether each expression has a truthy result for `object`. `old` is the value of `$old`
  /// and may be null. If jq fails for an object, the object does not match. Logs only the first
  /// failure, with `name`, such as `pods default/web`, and without jq's message if `is_secret`.
  /// Returns false if a stop is requested. Fails with kind `internal` like Jq::run().
  Result<bool> matches(const Object& object, const Object* old, std::string_view name,
                       bool is_secret, const std::stop_token& stop);
  /// Returns whether the expressions are known to read only the objects' metadata.
  bool reads_only_metadata() const { return reads_.only("metadata"); }
  /// Returns whether an expression is known to read more of the objects than their metadata.
  bool reads_beyond_metadata() const { return reads_.beyond_metadata(); }
  /// Returns paths of the objects that the expressions name; see JqReads::paths().
  const std::vector<JqReads::Path>& paths() const { return reads_.paths(); }
  /// Returns for how many objects jq failed.
  std::uint64_t failures() const { return failures_; }

 private:
  Where() = default;
  Result<bool> evaluate(const Object& object, const Object* old, const std::stop_token& stop);

  std::vector<Jq> programs_;
  bool uses_old_ = false;
  JqReads reads_;  ///< what the programs read together
  std::atomic<std::uint64_t> failures_ = 0;
};

}  // namespace kinf
