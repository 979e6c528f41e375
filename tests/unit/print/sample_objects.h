// SPDX-License-Identifier: Apache-2.0
// Sample objects for the tests of print.
#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "fakes/change_builder.h"
#include "kinf/api/group_version_resource.h"
#include "kinf/api/object.h"
#include "kinf/base/clock.h"
#include "kinf/print/event_printer.h"

namespace kinf::test {

inline const ResourceType kPods{{"", "v1", "pods"}, "Pod", "pod", true};
inline const ResourceType kServices{{"", "v1", "services"}, "Service", "service", true};
inline const ResourceType kSecrets{{"", "v1", "secrets"}, "Secret", "secret", true};
inline const ResourceType kEvents{{"", "v1", "events"}, "Event", "event", true};
inline const ResourceType kDeployments{
    {"apps", "v1", "deployments"}, "Deployment", "deployment", true};

/// The time in these tests: 2026-11-21T10:14:00Z.
inline constexpr std::chrono::sys_seconds kNow{std::chrono::seconds(1795256040)};

inline std::shared_ptr<const TableColumns> pod_columns() {
  return std::make_shared<const TableColumns>(
      TableColumns{{{"Name", "string", "name", "", 0},
                    {"Ready", "string", "", "", 0},
                    {"Status", "string", "", "", 0},
                    {"Restarts", "string", "", "", 0},
                    {"Age", "string", "", "CreationTimestamp is a timestamp", 0},
                    {"Node", "string", "", "", 1}}});
}

struct Sample {
  std::string ns = "default";
  std::string name;
  std::string cells;
  std::shared_ptr<const TableColumns> columns;
  std::chrono::seconds age = std::chrono::hours(24);
  std::vector<Label> labels;
  std::string json = "{}";
  std::string manager;
  std::string version;
};

inline ObjectPtr make_object(const Sample& sample) {
  ObjectFacts facts;
  facts.ns = sample.ns;
  facts.name = sample.name;
  facts.cells = sample.cells;
  facts.columns = sample.columns;
  facts.creation_time = kNow - sample.age;
  facts.labels = sample.labels;
  facts.json = sample.json;
  facts.manager = sample.manager;
  facts.resource_version = sample.version;
  return Object::create(facts);
}

inline ObjectPtr make_pod(std::string_view name, std::string_view ready, std::string_view status,
                          std::string_view restarts,
                          std::chrono::seconds age = std::chrono::hours(24)) {
  static const std::shared_ptr<const TableColumns> columns = pod_columns();
  const std::string quote = "\"";
  Sample sample;
  sample.name = name;
  for (const std::string_view cell :
       {name, ready, status, restarts, std::string_view("old"), std::string_view("n1")}) {
    sample.cells += (sample.cells.empty() ? "[" : ",") + quote + std::string(cell) + quote;
  }
  sample.cells += "]";
  sample.columns = columns;
  sample.age = age;
  return make_object(sample);
}

inline Change listed(ObjectPtr object) {
  Change change = make_added(std::move(object));
  change.initial = true;
  change.origin = {ChangeSource::list, Clock::Wall(kNow + std::chrono::milliseconds(4))};
  return change;
}

inline Change updated(ObjectPtr old_object, ObjectPtr object) {
  Change change = make_updated(std::move(old_object), std::move(object));
  change.origin.arrived = Clock::Wall(kNow + std::chrono::milliseconds(5));
  return change;
}

inline Change deleted(ObjectPtr object) {
  Change change = make_deleted(std::move(object));
  change.origin.arrived = Clock::Wall(kNow);
  return change;
}

/// Returns an object named `web` with the document `json`.
inline ObjectPtr web_with(std::string json) {
  Sample sample;
  sample.name = "web";
  sample.json = std::move(json);
  return make_object(sample);
}

/// Returns what the printer of `options` prints for `change`.
inline std::string printed(const Change& change, const ResourceType& type,
                           const PrintOptions& options) {
  std::string out;
  make_event_printer(options)->print(type, change, Clock::Wall(kNow), out);
  return out;
}

inline PrintOptions as(OutputFormat format, bool with_events = true) {
  PrintOptions options;
  options.format = format;
  options.with_events = with_events;
  return options;
}

}  // namespace kinf::test
