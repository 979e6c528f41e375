// SPDX-License-Identifier: Apache-2.0
#include "kinf/print/secret_mask.h"

#include <fmt/format.h>

#include <optional>

#include "kinf/base/ascii.h"
#include "kinf/base/json_string.h"
#include "kinf/print/json_tree.h"

namespace kinf {
namespace {

using Node = JsonTree::Node;

constexpr std::string_view kLastApplied = "kubectl.kubernetes.io/last-applied-configuration";
/// Annotations with the name and the uid of a service account. The name of its namespace is a value
/// of the Secret, and often equal to the name of the account.
constexpr std::string_view kServiceAccount = "kubernetes.io/service-account.";
/// How the base64 of gzip begins. Such an annotation has a whole manifest: that of Rancher's Fleet.
constexpr std::string_view kGzipInBase64 = "H4sI";
/// The most manifests inside each other, each in an annotation of the one around it.
constexpr int kDeepest = 4;

/// Copies a document and replaces some of its values.
class Editor {
 public:
  explicit Editor(std::string_view text) : text_(text) {}

  /// Replaces `piece`, a part of the document, with `by`. Replace pieces in document order.
  void replace(std::string_view piece, std::string_view by) {
    const auto begin = static_cast<std::size_t>(piece.data() - text_.data());
    out_ += text_.substr(copied_, begin - copied_);
    out_ += by;
    copied_ = begin + piece.size();
  }
  std::string finish() && {
    out_ += text_.substr(copied_);
    return std::move(out_);
  }

 private:
  std::string_view text_;
  std::string out_;
  std::size_t copied_ = 0;
};

std::string length_mark(std::size_t bytes) { return fmt::format("\"<{} bytes>\"", bytes); }

/// Masks the document of a Secret, and those in its annotations.
class Masker {
 public:
  Masker(MaskForm form, std::string_view uid, const SecretValues& values)
      : form_(form), uid_(uid), values_(values) {}

  std::string mask(std::string_view json, const JsonTree& tree, int depth) const;

 private:
  void mask_values(Editor& editor, const JsonTree& tree, const Node& values, bool is_base64) const;
  void mask_annotations(Editor& editor, const JsonTree& tree, const Node& metadata,
                        int depth) const;
  std::optional<std::string> masked_annotation(std::string_view key, const std::string& text,
                                               int depth) const;

  MaskForm form_;
  std::string_view uid_;
  const SecretValues& values_;
};

void Masker::mask_values(Editor& editor, const JsonTree& tree, const Node& values,
                         bool is_base64) const {
  const auto mask_one = [&](const Node& value) {
    const bool is_string = value.kind == JsonTree::Kind::string;
    const std::string text = is_string ? json_unquoted(value.text) : std::string(value.text);
    if (length_in_mark(text)) return;
    if (form_ == MaskForm::placeholder) {
      const std::string name = json_unquoted(value.key);
      std::string by;
      append_json_string(by, secret_placeholder({uid_, name, text, is_base64}));
      return editor.replace(value.text, by);
    }
    editor.replace(value.text,
                   length_mark(is_string && is_base64 ? decoded_size(text) : text.size()));
  };
  if (values.text == "null") return;
  if (values.kind != JsonTree::Kind::object) return mask_one(values);
  for (const Node* value : tree.children(values)) mask_one(*value);
}

/// Returns what to show instead of an annotation, nullopt if it may be shown. Masks manifests in
/// annotations, and replaces any other text that contains a value, or may contain one, with its
/// length.
std::optional<std::string> Masker::masked_annotation(std::string_view key, const std::string& text,
                                                     int depth) const {
  if (length_in_mark(text) || key.starts_with(kServiceAccount)) return std::nullopt;
  const std::string length = fmt::format("<{} bytes>", text.size());
  const bool is_last_applied = key == kLastApplied;
  if (text.starts_with(kGzipInBase64)) return length;
  if (!is_last_applied && !trimmed(text).starts_with('{')) {
    return values_.occur_in(text) ? std::optional(length) : std::nullopt;
  }
  const Result<JsonTree> tree = JsonTree::parse(text);
  if (!tree || depth >= kDeepest) return length;
  std::string masked = mask(text, *tree, depth + 1);
  // The values in the manifest of kubectl are masked. Its other texts may be equal to one: a name.
  if (!is_last_applied && values_.occur_in(masked)) return length;
  return masked == text ? std::nullopt : std::optional(std::move(masked));
}

void Masker::mask_annotations(Editor& editor, const JsonTree& tree, const Node& metadata,
                              int depth) const {
  for (const Node* field : tree.children(metadata)) {
    if (json_unquoted(field->key) != "annotations") continue;
    for (const Node* annotation : tree.children(*field)) {
      const auto masked =
          masked_annotation(json_unquoted(annotation->key), json_unquoted(annotation->text), depth);
      if (!masked) continue;
      std::string quoted;
      append_json_string(quoted, *masked);
      editor.replace(annotation->text, quoted);
    }
  }
}

std::string Masker::mask(std::string_view json, const JsonTree& tree, int depth) const {
  Editor editor(json);
  if (tree.root().kind != JsonTree::Kind::object) return std::move(editor).finish();
  for (const Node* field : tree.children(tree.root())) {
    const std::string key = json_unquoted(field->key);
    if (key == "data" || key == "stringData") {
      mask_values(editor, tree, *field, key == "data");
    } else if (key == "metadata" && field->kind == JsonTree::Kind::object) {
      mask_annotations(editor, tree, *field, depth);
    }
  }
  return std::move(editor).finish();
}

std::string uid_in(const JsonTree& tree) {
  if (tree.root().kind != JsonTree::Kind::object) return {};
  for (const Node* field : tree.children(tree.root())) {
    if (json_unquoted(field->key) != "metadata") continue;
    if (field->kind != JsonTree::Kind::object) continue;
    for (const Node* member : tree.children(*field)) {
      if (json_unquoted(member->key) == "uid") return json_unquoted(member->text);
    }
  }
  return {};
}

void add_values(SecretValues& values, const JsonTree& tree) {
  if (tree.root().kind != JsonTree::Kind::object) return;
  for (const Node* field : tree.children(tree.root())) {
    const std::string key = json_unquoted(field->key);
    if ((key != "data" && key != "stringData") || field->kind != JsonTree::Kind::object) continue;
    for (const Node* value : tree.children(*field)) {
      const std::string text = json_unquoted(value->text);
      if (length_in_mark(text)) continue;
      if (key == "data") values.add_base64(text);
      if (key == "stringData") values.add_plain(text);
    }
  }
}

}  // namespace

bool is_secret_type(const ResourceType& type) {
  return type.gvr.group.empty() && type.gvr.resource == "secrets";
}

void add_secret_values(SecretValues& values, std::string_view json) {
  if (const Result<JsonTree> tree = JsonTree::parse(json)) add_values(values, *tree);
}

Result<std::string> mask_secret(std::string_view json, MaskForm form, const SecretValues& known,
                                std::string_view uid) {
  const Result<JsonTree> tree = JsonTree::parse(json);
  if (!tree) return fail(tree);
  SecretValues values = known;
  add_values(values, *tree);
  const std::string own_uid = uid_in(*tree);
  return Masker(form, own_uid.empty() ? uid : own_uid, values).mask(json, *tree, 0);
}

Result<std::string> mask_secret(std::string_view json) {
  return mask_secret(json, MaskForm::length, {}, {});
}

Result<std::string> mask_recorded_secret(std::string_view json) {
  return mask_secret(json, MaskForm::placeholder, {}, {});
}

}  // namespace kinf
