// SPDX-License-Identifier: Apache-2.0
#include "kinf/print/shown_diff.h"

#include <algorithm>
#include <array>
#include <utility>

#include "kinf/base/json_string.h"
#include "kinf/base/log.h"
#include "kinf/print/diff_text.h"
#include "kinf/print/event_printer.h"
#include "kinf/print/object_document.h"
#include "kinf/print/secret_mask.h"

namespace kinf {
namespace {

/// The members of metadata that change with every update, or with every update of the spec, and
/// therefore are not informative.
constexpr std::array<std::string_view, 3> kAlways = {"resourceVersion", "generation",
                                                     "managedFields"};

bool changes_always(const Difference& change) {
  return change.path.size() >= 2 && change.path[0].name == "metadata" &&
         std::ranges::find(kAlways, change.path[1].name) != kAlways.end();
}

/// Returns whether a value of `data` in a diff may be from a file that masks Secrets.
bool is_state_value(std::string_view json) {
  return json.starts_with('"') && is_placeholder(json_unquoted(json), true);
}

}  // namespace

ShownDiff::ShownDiff(const PrintOptions& options)
    : form_(options.diff), show_secrets_(options.show_secrets), ignored_(options.ignored) {}

const ObjectDiff* ShownDiff::of(const ResourceType& type, const Change& change) {
  if (change.type == ChangeType::resync || !change.old || !change.object) return nullptr;
  Result<ObjectDiff> found =
      diff(change.old->json(old_scratch_), change.object->json(new_scratch_));
  if (!found) {
    log::warning("{}: {}: cannot compute the diff, so it is not shown: {}", type.gvr.resource,
                 change.key, found.error().message);
    return nullptr;
  }
  diff_ = *std::move(found);
  if (form_ != DiffForm::patch) {
    if (!std::ranges::all_of(diff_.changes, changes_always)) {
      std::erase_if(diff_.changes, changes_always);
    }
    ignored_.remove_ignored(type.kind, diff_.changes);
  }
  if (!show_secrets_ && is_secret_type(type)) {
    secret_ = {};
    add_secret_values(secret_, change.old->json(old_scratch_));
    add_secret_values(secret_, change.object->json(new_scratch_));
    mask(diff_, change.object->uid());
  }
  return &diff_;
}

void ShownDiff::mask(ObjectDiff& diff, std::string_view uid) {
  note_masked_values();
  masked_.clear();
  // An old object from the file of --state has masked values. They are equal to the new ones if
  // these look the same after the same masking.
  std::erase_if(diff.changes, [&](const Difference& change) {
    if (change.old_value.empty() || change.new_value.empty()) return false;
    return masked(change.path, change.new_value, MaskForm::length, uid) == change.old_value ||
           (is_state_value(change.old_value) && !is_state_value(change.new_value) &&
            masked(change.path, change.new_value, MaskForm::placeholder, uid) == change.old_value);
  });
  for (Difference& change : diff.changes) {
    for (std::string_view* value : {&change.old_value, &change.new_value}) {
      if (!value->empty()) *value = masked(change.path, *value, MaskForm::length, uid);
    }
    if (change.new_value == change.old_value) change.new_value = marked_changed(change.new_value);
  }
}

/// Returns `masked`, a value that became another of the same length, with a word that says so:
/// `"<7 bytes, changed>"`. Without it, the rotation of a password shows two equal values.
std::string_view ShownDiff::marked_changed(std::string_view masked) {
  constexpr std::string_view kEnd = " bytes>\"";
  if (!masked.ends_with(kEnd)) return masked;
  masked.remove_suffix(2);
  return masked_.emplace_back(std::string(masked) + ", changed>\"");
}

/// Returns the masked value at `path`: masks a document that has only this value.
std::string_view ShownDiff::masked(const DiffPath& path, std::string_view value, MaskForm form,
                                   std::string_view uid) {
  std::string document;
  for (const DiffStep& step : path) {
    if (step.kind != DiffStep::Kind::member) {
      return path.front().name == "metadata" ? value : "\"<hidden>\"";
    }
    document += '{';
    append_json_string(document, step.name);
    document += ':';
  }
  const std::size_t begin = document.size();
  document += value;
  document.append(path.size(), '}');
  const Result<std::string> shown = mask_secret(document, form, secret_, uid);
  // Only the value is replaced, so the text around it has the same length as before.
  masked_.push_back(shown ? shown->substr(begin, shown->size() - begin - path.size())
                          : "\"<hidden>\"");
  return masked_.back();
}

}  // namespace kinf
