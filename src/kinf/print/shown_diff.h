// SPDX-License-Identifier: Apache-2.0
// ShownDiff: the differences between the two states of an updated object, prepared for printing.
#pragma once

#include <deque>
#include <optional>
#include <string>

#include "kinf/api/change.h"
#include "kinf/api/group_version_resource.h"
#include "kinf/print/secret_mask.h"
#include "kinf/query/diff.h"
#include "kinf/query/ignored_paths.h"

namespace kinf {

enum class DiffForm;
struct PrintOptions;

/// The differences of an update, prepared for printing. Masks the values of Secrets.
/// DiffForm::patch has all differences. The other forms leave out ignored changes, and omit
/// resourceVersion, generation and managedFields unless nothing else changed.
/// Threads: one owner.
class ShownDiff {
 public:
  explicit ShownDiff(const PrintOptions& options);

  /// Returns the differences. Returns null if `change` is a resync or has no old object, or if the
  /// documents cannot be compared, which is logged. The result is valid until the next call, but
  /// only while the objects of `change` exist.
  const ObjectDiff* of(const ResourceType& type, const Change& change);

  const std::optional<DiffForm>& form() const { return form_; }

 private:
  void mask(ObjectDiff& diff, std::string_view uid);
  std::string_view masked(const DiffPath& path, std::string_view value, MaskForm form,
                          std::string_view uid);
  std::string_view marked_changed(std::string_view masked);

  std::optional<DiffForm> form_;
  bool show_secrets_;
  IgnoredPaths ignored_;
  Scratch old_scratch_;
  Scratch new_scratch_;
  SecretValues secret_;             ///< the values of the Secret that is compared
  std::deque<std::string> masked_;  ///< masked values, to which views in diff_ point
  ObjectDiff diff_;
};

}  // namespace kinf
