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

void EventYaml::print(const PrintedEvent& event, Clock::Wall now, std::string& out) {
  (void)now;
  const ObjectDocument document = object_document(event, show_secrets_, scratch_);
  std::string text;
  if (with_events_) {
    append_event_json(text, event, document);
  } else {
    text = document.text;
  }
  const Result<JsonTree> tree = JsonTree::parse(text);
  if (!tree) {
    log::warning("{}: {} cannot be written as YAML: {}", event.resource->gvr.resource,
                 event.object->key(), tree.error().message);
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
