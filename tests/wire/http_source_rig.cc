// SPDX-License-Identifier: Apache-2.0
#include "wire/http_source_rig.h"

#include <doctest/doctest.h>

#include <utility>
#include <variant>

namespace kinf::test {

const ResourceType& pod_resource() {
  static const ResourceType kPods{{"", "v1", "pods"}, "Pod", "pod", true};
  return kPods;
}

HttpSource pods_of(std::string ns) {
  HttpSource source;
  source.type = pod_resource();
  source.ns = std::move(ns);
  return source;
}

std::unique_ptr<HttpListerWatcher> source_at(const ScriptedServer& server, Clock& clock,
                                             HttpSource source, ClientConfig config) {
  config.host = server.url();
  return HttpListerWatcher::create(config, {}, nullptr, std::move(source), clock).value();
}

Result<ListPage> run_list(HttpListerWatcher& source, Items& items, const ListOptions& options) {
  return run_call(source, *source.list(options, items));
}

Result<ListPage> run_call(HttpListerWatcher& source, ListCall& call) {
  for (;;) {
    if (auto page = call.poll()) return *std::move(page);
    source.wait(Clock::kNever, {});
  }
}

std::string describe(const WatchEvent& event) {
  static constexpr const char* kNames[] = {"ADDED", "MODIFIED", "DELETED", "BOOKMARK", "ERROR"};
  std::string text = kNames[static_cast<int>(event.type)];
  if (event.object) text.append(" ").append(event.object->name());
  return text + " " + event.resource_version;
}

WatchPoll next_of(HttpListerWatcher& source, WatchCall& call) {
  for (;;) {
    WatchPoll poll = call.poll();
    if (!std::holds_alternative<WatchPending>(poll)) return poll;
    source.wait(Clock::kNever, {});
  }
}

WatchResult run_watch(HttpListerWatcher& source, const ListOptions& options) {
  const auto call = source.watch(options);
  WatchResult result;
  for (;;) {
    WatchPoll poll = next_of(source, *call);
    if (std::holds_alternative<WatchOpened>(poll)) {
      CHECK(result.events.empty());
      result.opened = true;
    } else if (const auto* event = std::get_if<WatchEvent>(&poll)) {
      result.events.push_back(describe(*event));
    } else if (auto* error = std::get_if<Error>(&poll)) {
      result.error = std::move(*error);
      return result;
    } else {
      result.closed = true;
      return result;
    }
  }
}

const std::vector<std::string>& story_events() {
  static const std::vector<std::string> kEvents = {"ADDED nettool 230",    "MODIFIED nettool 231",
                                                   "MODIFIED nettool 232", "MODIFIED nettool 233",
                                                   "MODIFIED nettool 234", "MODIFIED nettool 235",
                                                   "MODIFIED nettool 236", "DELETED nettool 237",
                                                   "BOOKMARK 237",         "BOOKMARK 237"};
  return kEvents;
}

}  // namespace kinf::test
