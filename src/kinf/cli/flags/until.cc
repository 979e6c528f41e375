// SPDX-License-Identifier: Apache-2.0
#include "kinf/cli/flags/until.h"

#include <array>
#include <utility>

#include "kinf/base/log.h"
#include "kinf/print/event_document.h"
#include "kinf/print/secret_mask.h"

namespace kinf {

Result<std::shared_ptr<Until>> Until::parse(const std::string& text) {
  std::shared_ptr<Until> until(new Until);
  Result<std::optional<Condition>> condition = Condition::parse(text);
  if (!condition) return fail(std::move(condition).error().within("--until"));
  until->condition_ = *std::move(condition);
  if (until->condition_) return until;
  Result<Jq> program = Jq::compile_condition(text);
  if (!program) return fail(std::move(program).error().within("--until"));
  until->on_event_ = *std::move(program);
  return until;
}

bool Until::needs_document() const { return on_event_ || condition_->needs_document(); }

bool Until::reads_only_metadata() const {
  if (condition_) return condition_->reads_only_metadata();
  constexpr std::array<std::string_view, 2> kObjects = {"object", "old"};
  return on_event_->reads().only_below(kObjects, "metadata");
}

bool Until::needs_status() const {
  return condition_ && (condition_->form() == Condition::Form::status ||
                        condition_->form() == Condition::Form::rollout);
}

Result<bool> Until::evaluate(const ResourceType& type, const Change& change,
                             const std::stop_token& stop) {
  if (condition_) {
    const bool is_deletion = change.type == ChangeType::deleted;
    if (condition_->form() == Condition::Form::create) return change.type == ChangeType::added;
    return condition_->holds(is_deletion ? nullptr : change.object.get(), stop);
  }
  Scratch scratch;
  Scratch old_scratch;
  const ObjectDocument document = change_document(type, change, true, scratch);
  ObjectDocument old_document;
  if (change.old) old_document = object_document(type, *change.old, true, old_scratch);
  std::string event;
  append_event_json(event, type, change, document, old_document);
  return on_event_->holds(JqInput(event, on_event_->reads()), nullptr, stop);
}

Result<bool> Until::holds(const ResourceType& type, const Change& change,
                          const std::stop_token& stop) {
  Result<bool> holds = evaluate(type, change, stop);
  if (holds) return holds;
  if (holds.error().kind == ErrorKind::internal) {
    return fail(std::move(holds).error().within("--until"));
  }
  if (holds.error().kind == ErrorKind::stopped || std::exchange(has_failed_, true)) return false;
  log::notice("--until: {} {}: {}", type.gvr.group_resource(), change.key,
              is_secret_type(type) ? "cannot be evaluated" : holds.error().message);
  return false;
}

}  // namespace kinf
