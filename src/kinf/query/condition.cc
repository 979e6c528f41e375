// SPDX-License-Identifier: Apache-2.0
#include "kinf/query/condition.h"

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <utility>

#include "kinf/base/ascii.h"
#include "kinf/base/log.h"
#include "kinf/kubernetes/json_fields.h"
#include "kinf/kubernetes/rollout_status.h"
#include "kinf/query/jsonpath_scope.h"

namespace kinf {
namespace {

using fields::field;
using fields::text;
using Json = nlohmann::json;

/// Splits `text` at each `=` that is not part of `==`.
std::vector<std::string> split_at_equals(std::string_view text) {
  std::vector<std::string> parts(1);
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (text[i] != '=') {
      parts.back() += text[i];
    } else if (text.substr(i, 2) == "==") {
      parts.back() += "==";
      ++i;
    } else {
      parts.emplace_back();
    }
  }
  return parts;
}

std::string_view without_quotes(std::string_view text) {
  constexpr std::string_view kQuotes = "'\"";
  const std::size_t start = text.find_first_not_of(kQuotes);
  if (start == std::string_view::npos) return {};
  return text.substr(start, text.find_last_not_of(kQuotes) - start + 1);
}

/// Returns whether `condition` describes an older generation of the object.
bool is_outdated(const Json& document, const Json& condition) {
  const Json& generation = field(document, "metadata", "generation");
  const Json& observed = condition.contains("observedGeneration")
                             ? condition["observedGeneration"]
                             : field(document, "status", "observedGeneration");
  return generation.is_number_integer() && observed.is_number_integer() &&
         observed.get<std::int64_t>() < generation.get<std::int64_t>();
}

}  // namespace

Result<std::optional<Condition>> Condition::parse(std::string_view text) {
  Result<std::optional<Condition>> condition = parse_form(text);
  if (condition && *condition) (*condition)->text_ = text;
  return condition;
}

Result<std::optional<Condition>> Condition::parse_form(std::string_view text) {
  const std::string lower = to_lower(text);
  if (lower == "create") return Condition(Form::create);
  if (lower == "delete") return Condition(Form::deletion);
  if (lower == "rollout") return Condition(Form::rollout);
  const std::string_view form = text.substr(0, text.find('='));
  if (form.size() == text.size()) return std::nullopt;
  const std::string_view rest = text.substr(form.size() + 1);
  if (form == "condition") {
    Condition condition(Form::status);
    condition.subject_ = rest.substr(0, rest.find('='));
    const bool has_value = condition.subject_.size() < rest.size();
    condition.value_ = has_value ? std::string(rest.substr(condition.subject_.size() + 1)) : "true";
    if (condition.subject_.empty()) {
      return fail(ErrorKind::usage, "{}: no type of a condition", text);
    }
    return condition;
  }
  if (form == "jsonpath") {
    const std::vector<std::string> parts = split_at_equals(rest);
    if (parts.size() > 2 || parts[0].empty()) {
      return fail(ErrorKind::usage,
                  "jsonpath wait format must be "
                  "--for=jsonpath='{.status.readyReplicas}'=3 or "
                  "--for=jsonpath='{.status.readyReplicas}'");
    }
    Condition condition(Form::jsonpath);
    Result<JsonPath> path = JsonPath::parse(in_braces(parts[0]));
    if (!path) return fail(path);
    condition.path_ = *std::move(path);
    const bool is_in_braces = parts[0].starts_with('{') && parts[0].ends_with('}');
    condition.subject_ = is_in_braces ? parts[0].substr(1, parts[0].size() - 2) : parts[0];
    if (parts.size() == 2) {
      condition.value_ = without_quotes(parts[1]);
      if (condition.value_->empty()) {
        return fail(ErrorKind::usage,
                    "jsonpath wait has to have a value after equal sign, like "
                    "--for=jsonpath='{.status.readyReplicas}'=3");
      }
    }
    return condition;
  }
  if (form == "rollout") {
    Condition condition(Form::rollout);
    condition.revision_ = parse_number<std::int64_t>(rest);
    if (condition.revision_.value_or(0) > 0) return condition;
    return fail(ErrorKind::usage, "{}: the revision must be a whole number above 0", text);
  }
  if (form == "jq") {
    Condition condition(Form::jq);
    Result<Jq> program = Jq::compile_condition(rest);
    if (!program) return fail(program);
    condition.program_ = std::make_shared<Jq>(*std::move(program));
    return condition;
  }
  return std::nullopt;
}

Result<bool> Condition::holds(const Object* object, const std::stop_token& stop) const {
  if (form_ == Form::create || form_ == Form::deletion || object == nullptr) {
    return (object == nullptr) == (form_ == Form::deletion);
  }
  if (form_ == Form::status) return has_status(*object);
  if (form_ == Form::jsonpath) return has_value(*object);
  if (form_ == Form::rollout) return has_rolled_out(*object);
  Scratch scratch;
  return program_->holds(JqInput(object->json(scratch), program_->reads()), nullptr, stop);
}

bool Condition::reads_only_metadata() const {
  if (form_ == Form::status || form_ == Form::rollout) return false;
  if (form_ == Form::jsonpath) return path_->reads_only_metadata(jsonpath::Document::object);
  return form_ != Form::jq || program_->reads().only("metadata");
}

bool Condition::reads_beyond_metadata() const {
  if (form_ == Form::status || form_ == Form::rollout) return true;
  if (form_ == Form::jsonpath) return path_->reads_beyond_metadata(jsonpath::Document::object);
  return form_ == Form::jq && program_->reads().beyond_metadata();
}

std::vector<StatusCondition> status_conditions(const Object& object) {
  Scratch scratch;
  const Json document = parse_document(object.json(scratch));
  std::vector<StatusCondition> conditions;
  for (const Json& entry : fields::elements(field(document, "status", "conditions"))) {
    StatusCondition condition{text(field(entry, "type")), text(field(entry, "status")),
                              text(field(entry, "reason")), text(field(entry, "message")),
                              is_outdated(document, entry)};
    if (!condition.type.empty() && !condition.status.empty()) {
      conditions.push_back(std::move(condition));
    }
  }
  return conditions;
}

std::optional<StatusCondition> Condition::status_of(const Object& object) const {
  std::vector<StatusCondition> conditions = status_conditions(object);
  const auto found = std::ranges::find_if(conditions, [&](const StatusCondition& condition) {
    return equals_ignoring_case(condition.type, subject_);
  });
  return found == conditions.end() ? std::nullopt : std::optional(std::move(*found));
}

bool Condition::has_status(const Object& object) const {
  const std::optional<StatusCondition> condition = status_of(object);
  return condition && !condition->outdated && equals_ignoring_case(condition->status, *value_);
}

Rollout Condition::rollout_of(const Object& object) const {
  Scratch scratch;
  return kinf::rollout_of(object.kind(), parse_document(object.json(scratch)), revision_);
}

Result<bool> Condition::has_rolled_out(const Object& object) const {
  const std::string_view version = object.api_version();
  if (!has_rollout(version.substr(0, version.find('/')), object.kind())) {
    return fail(ErrorKind::usage, "{}: a {} has no rollout", text_, object.kind());
  }
  const Rollout rollout = rollout_of(object);
  if (rollout.phase == Rollout::Phase::manual) {
    return fail(ErrorKind::usage, "{}: {}", object.name(), rollout.text);
  }
  return rollout.phase == Rollout::Phase::complete;
}

Result<std::vector<std::string>> Condition::values_of(const Object& object) const {
  Scratch scratch;
  return path_->values(parse_document(object.json(scratch)), JsonPath::Structured::as_go);
}

Result<bool> Condition::has_value(const Object& object) const {
  Scratch scratch;
  const Json document = parse_document(object.json(scratch));
  const Result<std::vector<std::string>> values =
      path_->values(document, JsonPath::Structured::as_go);
  if (!values) return fail(values);
  if (values->empty()) return false;
  if (values->size() > 1) {
    return fail(ErrorKind::protocol, "given jsonpath expression matches more than one value");
  }
  if (!value_) return true;
  if (trimmed(values->front()) == trimmed(*value_)) return true;
  const Result<std::vector<Json>> found = path_->find(document);
  if (found && !found->empty() && found->front().is_structured()) {
    return fail(ErrorKind::protocol,
                "jsonpath leads to a nested object or list which is not supported");
  }
  return false;
}

Result<std::shared_ptr<Where>> Where::parse(std::span<const std::string> expressions) {
  std::shared_ptr<Where> where(new Where);
  for (const std::string& expression : expressions) {
    Result<Jq> program = Jq::compile_condition(expression);
    if (!program) return fail(std::move(program).error().within("--where"));
    where->uses_old_ = where->uses_old_ || program->uses_old();
    if (where->programs_.empty()) {
      where->reads_ = program->reads();
    } else {
      where->reads_.merge(program->reads());
    }
    where->programs_.push_back(*std::move(program));
  }
  return where;
}

Result<bool> Where::evaluate(const Object& object, const Object* old, const std::stop_token& stop) {
  Scratch scratch;
  Scratch old_scratch;
  const JqInput input(object.json(scratch), reads_);
  std::optional<JqInput> old_input;
  if (uses_old_ && old != nullptr) old_input.emplace(old->json(old_scratch), reads_);
  for (Jq& program : programs_) {
    Result<bool> holds = program.holds(input, old_input ? &*old_input : nullptr, stop);
    if (!holds || !*holds) return holds;
  }
  return true;
}

Result<bool> Where::matches(const Object& object, const Object* old, std::string_view name,
                            bool is_secret, const std::stop_token& stop) {
  if (stop.stop_requested()) return false;
  Result<bool> holds = evaluate(object, old, stop);
  if (holds) return holds;
  if (holds.error().kind == ErrorKind::stopped) return false;
  if (holds.error().kind == ErrorKind::internal) {
    return fail(std::move(holds).error().within(fmt::format("--where: {}", name)));
  }
  if (++failures_ > 1) return false;
  log::notice("--where: {} does not match: {}; further failures are only counted (--stats)", name,
              is_secret ? "jq failed" : holds.error().message);
  return false;
}

}  // namespace kinf
