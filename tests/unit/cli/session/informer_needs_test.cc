// SPDX-License-Identifier: Apache-2.0
#include "kinf/cli/session/informer_needs.h"

#include <doctest/doctest.h>
#include <fmt/format.h>

#include <sstream>

#include "kinf/cli/flags/command_line.h"
#include "kinf/cli/flags/index_flags.h"
#include "kinf/cli/flags/inspect_flags.h"
#include "kinf/cli/flags/run_flags.h"
#include "kinf/cli/flags/sandbox_flags.h"
#include "kinf/cli/flags/wait_flags.h"
#include "kinf/cli/flags/watch_flags.h"

namespace kinf {
namespace {

/// Names what the command line needs, such as `table document manager`.
std::string needs(const std::string& line, bool several_types = false) {
  std::istringstream words(line);
  std::vector<std::string> arguments;
  for (std::string word; words >> word;) arguments.push_back(word);
  const Result<CommandLine> parsed = parse_command_line(arguments);
  if (!parsed) return parsed.error().message;
  const InformerNeeds found = [&] {
    if (const auto* index = std::get_if<IndexCommand>(&*parsed)) return needs_of(*index);
    if (const auto* wait = std::get_if<WaitCommand>(&*parsed)) return needs_of(*wait);
    if (const auto* run = std::get_if<RunCommand>(&*parsed)) return needs_of(*run);
    if (const auto* get = std::get_if<GetCommand>(&*parsed)) return needs_of(*get);
    if (const auto* history = std::get_if<HistoryCommand>(&*parsed)) return needs_of(*history);
    return needs_of(std::get<WatchCommand>(*parsed), several_types);
  }();
  std::string text;
  switch (found.representation) {
    case Representation::object: text = "object"; break;
    case Representation::metadata: text = "metadata"; break;
    case Representation::table: text = "table"; break;
    case Representation::table_with_object: text = "table+object"; break;
  }
  if (found.form == ObjectForm::raw) text += " document";
  if (found.manager) text += " manager";
  if (found.keep_managed_fields) text += " managedFields";
  if (found.trim) text += " trim";
  if (found.list_only) text += " list";
  return text;
}

TEST_CASE("each command requests as little of the objects as it needs") {
  struct Case {
    std::string line;
    std::string needs;
  };
  for (const Case& each : std::vector<Case>{
           {"get po", "table list"},
           {"get po -o wide", "table list"},
           {"get po -o csv", "table+object document list"},
           {"get po --server-print=false", "metadata list"},
           {"get po --sort-by .spec.a", "table+object document list"},
           {"get po --sort-by .metadata.creationTimestamp", "table document list"},
           {"get po --sort-by .metadata.name,.spec.a", "table+object document list"},
           {"get po -o name --sort-by .spec.a", "object document list"},
           {"get po -o jsonpath={.items[*].a}", "object document managedFields list"},
           {"get po -o jsonpath={.items[*].metadata.name}", "metadata document managedFields list"},
           {"get po -o jsonpath={.items[*].spec}", "object document managedFields list"},
           {"get po a -o jsonpath={.metadata.name}", "metadata document managedFields list"},
           {"get po a -o jsonpath={.items[*].metadata}", "object document managedFields list"},
           {"get po -o custom-columns=N:.metadata.name,L:.metadata.labels.app",
            "metadata document managedFields list"},
           {"get po -o custom-columns=N:.metadata.name,K:.kind",
            "object document managedFields list"},
           {"get po -o name", "metadata list"},
           {"get po -o json", "object document list"},
           {"get po -o yaml --show-managed-fields", "object document managedFields list"},
           {"watch po", "table"},
           {"watch po --show-managed-fields", "table"},
           {"watch po -o name", "metadata"},
           {"watch po -o tsv", "table+object document"},
           {"watch po -o custom-columns=A:.a", "object document managedFields"},
           {"watch po -o custom-columns=E:EVENT,N:.metadata.name,W:OLD.metadata.labels",
            "metadata document managedFields"},
           {"watch po -o jsonpath={.metadata.name}", "metadata document managedFields"},
           {"watch po -o jsonpath={.type}", "object document managedFields"},
           {"watch po -o jsonpath={.type} --output-watch-events",
            "metadata document managedFields"},
           {"watch po -o jsonpath={.object.spec} --output-watch-events",
            "object document managedFields"},
           {"watch po -o jsonpath={.type} --output-watch-events -d",
            "object document manager managedFields"},
           {"watch po -o json", "object document manager"},
           {"watch po -o json --output-watch-events=false", "object document"},
           {"watch po -o json --show-managed-fields", "object document manager managedFields"},
           {"watch po -d", "object document manager"},
           {"watch po --ignore noise", "table+object document"},
           {"watch po --changed .spec.x", "table+object document"},
           {"watch po --changed .metadata.labels", "table document"},
           {"watch po -o name --changed .metadata.labels", "metadata document"},
           {"watch po -o name --changed .status", "object document"},
           {"watch po -o json --drop .spec", "object document manager trim"},
           {"watch po --until create", "table"},
           {"watch po --until condition=Ready", "table+object document"},
           {"watch po --until jsonpath={.metadata.labels.app}=x", "table document"},
           {"watch po --until jsonpath={.status.phase}=x", "table+object document"},
           {"watch po --until jq=.metadata.labels.app", "table document"},
           {"watch po --until jq=.spec", "table+object document"},
           {"watch po --until .type", "table document manager"},
           {"watch po --until .object.metadata.name", "table document manager"},
           {"watch po --until .object", "table+object document manager"},
           {"watch po --until .old.status", "table+object document manager"},
           {"watch po --jq .key", "object document manager"},
           {"get po --jq .items", "object document list"},
           {"get po --where .a", "table+object document list"},
           {"get po -o name --where .a", "object document list"},
           {"get po --where .metadata.labels.app", "table document list"},
           {"get po --where .metadata.labels.app --where .spec", "table+object document list"},
           {"get po --where any", "table+object document list"},
           {"index po --by app", "metadata list"},
           {"index po --by app --where .a", "object document list"},
           {"index po --by app -w", "metadata"},
           {"index po --by @owner --count", "metadata list"},
           {"index po --by @namespace -o keys", "metadata list"},
           {"index po --by annotation:a", "metadata document list"},
           {"index po --by @node -o name", "object document list"},
           {"index po --by @node -w", "object document"},
           {"index po --by app=web", "table list"},
           {"index po --by app=web -o jsonpath={.items}", "object document managedFields list"},
           {"index po --by app -o jsonpath={.a}", "metadata list"},
           {"index po --by app=web -o custom-columns=N:.metadata.name",
            "metadata document managedFields list"},
           {"index po --by app=web --sort-by .metadata.name", "table document list"},
           {"index po --by @node=n", "table+object document list"},
           {"index po --by app=web -o json --objects", "object document list"},
           {"index po --by app --show-managed-fields", "metadata list"},
           {"run po -- true", "object document"},
           {"run po --changed .data -- true", "object document manager"},
           {"run po --keep .data -- true", "object document trim"},
       }) {
    CHECK_MESSAGE(needs(each.line) == each.needs, each.line);
  }
}

TEST_CASE("a table of the events of several types needs complete objects for its column STATE") {
  CHECK(needs("watch po,svc", true) == "table+object document");
  CHECK(needs("watch po,svc --output-watch-events=false", true) == "table");
  CHECK(needs("watch po,svc -o name", true) == "metadata");
  CHECK(needs("get po,svc", true) == "table list");
  CHECK(needs("watch po,svc -o csv --output-watch-events=false", true) == "table+object document");
  CHECK(needs("watch po,svc --server-print=false", true) == "metadata");
  CHECK(needs("get po,svc -o csv", true) == "table+object document list");
}

TEST_CASE("watch reads whole Events, for their times") {
  const auto representation = [](std::initializer_list<std::string> line, const char* resource) {
    const auto command = std::get<WatchCommand>(*parse_command_line(line));
    const ResourceType type{{"", "v1", resource}, "", "", true};
    const InformerNeeds found = needs_of_type(needs_of(command, false), type, command.informer);
    return found.representation;
  };
  CHECK(representation({"watch", "events"}, "events") == Representation::table_with_object);
  CHECK(representation({"watch", "events", "-o", "name"}, "events") == Representation::object);
  CHECK(representation({"watch", "events", "--metadata"}, "events") == Representation::metadata);
  CHECK(representation({"watch", "pods"}, "pods") == Representation::table);
}

TEST_CASE("--metadata requests metadata alone, or complete objects") {
  CHECK(needs("get po --metadata") == "metadata list");
  CHECK(needs("get po -o json --metadata=true") == "metadata document list");
  CHECK(needs("watch po -d --metadata") == "metadata document manager");
  CHECK(needs("watch po,svc --metadata", true) == "metadata document");
  CHECK(needs("index po --by app=web --metadata") == "metadata list");
  CHECK(needs("run po --metadata -- true") == "metadata document");
  CHECK(needs("get po -o name --metadata=false") == "object list");
  CHECK(needs("get po --metadata=false") == "table+object list");
  CHECK(needs("index po --by app --metadata=false") == "object list");
  CHECK(needs("get po --metadata=auto") == "table list");
}

TEST_CASE("--metadata refuses paths outside of metadata") {
  const std::string refusal = "with --metadata, only paths in .metadata can be used";
  CHECK(needs("watch po --metadata --changed .spec.x") == refusal);
  CHECK(needs("watch po --metadata --changed .metadata.labels --ignore noise") ==
        "metadata document");
  CHECK(needs("index po --metadata --by @node") == refusal);
  CHECK(needs("watch po --metadata --until condition=Ready") ==
        "--metadata requests no status, which --until condition= and rollout need");
  CHECK(needs("watch po --metadata --until create") == "metadata");
  CHECK(needs("get po --metadata --where .metadata.labels") == "metadata document list");
  CHECK(needs("run po --metadata --changed .data -- true") == refusal);
}

TEST_CASE("wait reads metadata alone unless a condition reads more") {
  CHECK(needs("wait pod/a --for=delete") == "metadata document");
  CHECK(needs("wait pod/a --for=create --fail-on=delete") == "metadata document");
  CHECK(needs("wait pod/a --for=condition=Ready") == "object document");
  CHECK(needs("wait pod/a --for=create -o name") == "metadata document");
  CHECK(needs("wait pod/a --for=create -o yaml") == "object document");
  CHECK(needs("wait pod/a --for=delete --fail-on=condition=Ready") == "object document");
}

}  // namespace
}  // namespace kinf
