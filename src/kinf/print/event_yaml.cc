// SPDX-License-Identifier: Apache-2.0
#include "kinf/print/event_yaml.h"

#include "kinf/base/log.h"
#include "kinf/print/event_json.h"
#include "kinf/print/json_tree.h"
#include "kinf/print/object_document.h"
#include "kinf/print/yaml_text.h"

namespace kinf {
namespace {

/// The fields of an event keep their order; what is below them is sorted by key.
void append_event(std::string& out, const JsonTree& tree) {
  for (const JsonTree::Node* field : tree.children(tree.root())) {
    out += field->key.substr(1, field->key.size() - 2);
    out += ':';
    append_yaml(out, tree, *field, 2, YamlPlace::behind_key);
  }
}

}  // namespace

void EventYaml::print(const ResourceType& type, const Change& change, Clock::Wall now,
                      std::string& out) {
  (void)now;
  const ObjectDocument document = change_document(type, change, show_secrets_, scratch_);
  std::string text;
  if (with_events_) {
    append_event_json(text, type, change, document);
  } else {
    text = document.text;
  }
  const Result<JsonTree> tree = JsonTree::parse(text);
  if (!tree) {
    log::warning("{}: {} cannot be written as YAML: {}", type.gvr.resource, change.key,
                 tree.error().message);
    return;
  }
  if (with_events_) {
    append_event(out, *tree);
  } else {
    append_yaml(out, *tree, tree->root(), 0, YamlPlace::document);
  }
  out += "---\n";
}

}  // namespace kinf
