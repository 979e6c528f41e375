// SPDX-License-Identifier: Apache-2.0
#include "kinf/print/secret_mask.h"

#include <fmt/format.h>

#include <algorithm>

#include "kinf/base/ascii.h"
#include "kinf/base/json_string.h"
#include "kinf/print/json_tree.h"

namespace kinf {
namespace {

using Node = JsonTree::Node;

constexpr std::string_view kLastApplied = "kubectl.kubernetes.io/last-applied-configuration";

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

/// Returns the number of bytes that a base64 text encodes.
std::size_t decoded_size(std::string_view base64) {
  const auto digits = static_cast<std::size_t>(
      std::ranges::count_if(base64, [](char c) { return c != '=' && c != '\n' && c != '\r'; }));
  return digits * 3 / 4;
}

/// Returns whether `text` looks like a result of length_mark(). Secrets in a recording may already
/// be masked in this way.
bool is_mark(std::string_view text) {
  constexpr std::string_view kEnd = " bytes>";
  if (!text.starts_with('<') || !text.ends_with(kEnd)) return false;
  const std::string_view digits = text.substr(1, text.size() - 1 - kEnd.size());
  return !digits.empty() && std::ranges::all_of(digits, is_digit);
}

void mask_values(Editor& editor, const JsonTree& tree, const Node& values, bool is_base64) {
  const auto mask_one = [&](const Node& value) {
    const bool is_string = value.kind == JsonTree::Kind::string;
    const std::string text = is_string ? json_unquoted(value.text) : std::string(value.text);
    if (is_mark(text)) return;
    const std::size_t size = is_string && is_base64 ? decoded_size(text) : text.size();
    editor.replace(value.text, length_mark(size));
  };
  if (values.text == "null") return;
  if (values.kind != JsonTree::Kind::object) return mask_one(values);
  for (const Node* value : tree.children(values)) mask_one(*value);
}

void mask_document(Editor& editor, const JsonTree& tree);

/// Masks the manifest in the annotation of `kubectl apply`. If the manifest is invalid, replaces it
/// with its length.
void mask_last_applied(Editor& editor, const Node& annotation) {
  const std::string manifest = json_unquoted(annotation.text);
  const Result<JsonTree> tree = JsonTree::parse(manifest);
  if (!tree) return editor.replace(annotation.text, length_mark(manifest.size()));
  Editor inner(manifest);
  mask_document(inner, *tree);
  std::string masked;
  append_json_string(masked, std::move(inner).finish());
  editor.replace(annotation.text, masked);
}

void mask_annotations(Editor& editor, const JsonTree& tree, const Node& metadata) {
  for (const Node* field : tree.children(metadata)) {
    if (json_unquoted(field->key) != "annotations") continue;
    for (const Node* annotation : tree.children(*field)) {
      if (json_unquoted(annotation->key) == kLastApplied) mask_last_applied(editor, *annotation);
    }
  }
}

void mask_document(Editor& editor, const JsonTree& tree) {
  if (tree.root().kind != JsonTree::Kind::object) return;
  for (const Node* field : tree.children(tree.root())) {
    const std::string key = json_unquoted(field->key);
    if (key == "data" || key == "stringData") {
      mask_values(editor, tree, *field, key == "data");
    } else if (key == "metadata" && field->kind == JsonTree::Kind::object) {
      mask_annotations(editor, tree, *field);
    }
  }
}

}  // namespace

bool is_secret_type(const ResourceType& type) {
  return type.gvr.group.empty() && type.gvr.resource == "secrets";
}

Result<std::string> mask_secret(std::string_view json) {
  const Result<JsonTree> tree = JsonTree::parse(json);
  if (!tree) return fail(tree);
  Editor editor(json);
  mask_document(editor, *tree);
  return std::move(editor).finish();
}

}  // namespace kinf
