// SPDX-License-Identifier: Apache-2.0
#include "kinf/cli/run/object_command.h"

#include <fmt/format.h>

#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstring>
#include <utility>

#include "kinf/base/duration.h"
#include "kinf/base/log.h"
#include "kinf/print/event_document.h"
#include "kinf/print/event_printer.h"
#include "kinf/print/object_document.h"
#include "kinf/process/child_process.h"

namespace kinf {
namespace {

constexpr std::chrono::seconds kPatience{5};

constexpr std::array<std::string_view, 12> kVariables = {
    "KINF_TYPE",  "KINF_SOURCE",    "KINF_RESOURCE",
    "KINF_KIND",  "KINF_NAMESPACE", "KINF_NAME",
    "KINF_KEY",   "KINF_UID",       "KINF_RESOURCE_VERSION",
    "KINF_RETRY", "KINF_CLUSTER",   "KINF_COUNT"};

/// Appends the event in the format of `kinf watch -o json`, including `old`. Fails, and appends
/// nothing, if the document is damaged. Leaves out a damaged old document.
Result<void> append_event(std::string& out, const RunItem& item, bool show_secrets) {
  const Change& change = item.change;
  Scratch scratch;
  Scratch old_scratch;
  JsonCheck check;
  const ObjectDocument document = change_document(*item.key.type, change, show_secrets, scratch);
  if (Result<void> checked = check.check(document.text); !checked) return checked;
  ObjectDocument old_document;
  if (change.old) {
    old_document = object_document(*item.key.type, *change.old, show_secrets, old_scratch);
    if (!check.check(old_document.text)) old_document = {};
  }
  append_event_json(out, *item.key.type, change, document, old_document,
                    {.cluster = item.key.cluster});
  return {};
}

/// Returns the standard input of the program: events, one per line or in one array. A batch leaves
/// out damaged objects, and logs them. Fails if no object is left.
Result<std::string> run_input(const std::vector<RunItem>& items, bool as_batch, bool show_secrets) {
  std::string out;
  std::vector<std::string> left_out;
  Result<void> last;
  for (const RunItem& item : items) {
    std::string event;
    last = append_event(event, item, show_secrets);
    if (last) {
      out += (out.empty() ? "" : ",\n") + event;
    } else {
      left_out.push_back(fmt::format("{} {}: not in the batch: {}", item.key.type->gvr.resource,
                                     item.change.key, last.error().message));
    }
  }
  if (out.empty() && !last) return fail(last);
  for (const std::string& message : left_out) log::warning("{}", message);
  return as_batch ? "[" + out + "]\n" : out + "\n";
}

/// Returns the KINF_ variables. A batch has no variables about single objects.
std::vector<std::string> run_variables(const std::vector<RunItem>& items, bool as_batch,
                                       const std::string& cluster) {
  std::vector<std::string> variables;
  const auto set = [&](std::string_view name, std::string_view value) {
    // Cut at a zero byte, which an environment variable cannot contain.
    variables.push_back(fmt::format("KINF_{}={}", name, value.substr(0, value.find('\0'))));
  };
  const RunItem& item = items.front();
  const bool one_type = std::ranges::all_of(
      items, [&](const RunItem& other) { return other.key.type == item.key.type; });
  int retry = 0;
  for (const RunItem& each : items) retry = std::max(retry, each.retry);
  const bool one_cluster = std::ranges::all_of(
      items, [&](const RunItem& other) { return other.key.cluster == item.key.cluster; });
  if (one_cluster) set("CLUSTER", item.key.cluster.empty() ? cluster : item.key.cluster);
  set("RETRY", fmt::format("{}", retry));
  if (one_type) {
    set("RESOURCE", item.key.type->gvr.group_resource());
    set("KIND", item.key.type->kind);
  }
  if (as_batch) {
    set("COUNT", fmt::format("{}", items.size()));
    return variables;
  }
  const Change& change = item.change;
  set("TYPE", wire_word(change.type));
  set("SOURCE", source_word(change.origin.source));
  set("KEY", change.key);
  set("NAMESPACE", change.object->ns());
  set("NAME", change.object->name());
  set("UID", change.object->uid());
  set("RESOURCE_VERSION", change.object->resource_version());
  return variables;
}

}  // namespace

Result<std::unique_ptr<ObjectCommand>> ObjectCommand::create(ObjectCommandOptions options,
                                                             Clock& clock) {
  const std::string& name = options.command.front();
  std::string path = find_executable(name, options.environment);
  if (path.empty()) return fail(ErrorKind::usage, "{}: no such program in PATH", name);
  struct stat info{};
  if (::stat(path.c_str(), &info) == 0 && S_ISDIR(info.st_mode)) errno = EISDIR;
  if (S_ISDIR(info.st_mode) || ::access(path.c_str(), X_OK) != 0) {
    return fail(ErrorKind::usage, "{}: {}", name, std::strerror(errno));
  }
  // Remove the KINF_ variables of an outer `kinf run`.
  std::erase_if(options.environment, [](const std::string& entry) {
    return std::ranges::find(kVariables, std::string_view(entry).substr(0, entry.find('='))) !=
           kVariables.end();
  });
  Result<std::unique_ptr<ProcessGuard>> guard = ProcessGuard::start();
  if (!guard) return fail(std::move(guard).error().within("starting the guard"));
  return std::unique_ptr<ObjectCommand>(
      new ObjectCommand(std::move(options), std::move(path), *std::move(guard), clock));
}

std::optional<std::string> ObjectCommand::run(const std::vector<RunItem>& items,
                                              const std::stop_token& stop) const {
  ChildCommand command;
  command.path = path_;
  command.arguments.assign(options_.command.begin() + 1, options_.command.end());
  command.environment = options_.environment;
  for (std::string& variable : run_variables(items, options_.as_batch, options_.cluster)) {
    command.environment.push_back(std::move(variable));
  }
  Result<std::string> input = run_input(items, options_.as_batch, options_.show_secrets);
  if (!input) return input.error().message;
  command.input = *std::move(input);
  command.shares_output = true;
  command.patience = kPatience;
  command.guard = guard_.get();
  const Clock::Mono deadline = options_.timeout ? clock_.now() + *options_.timeout : Clock::kNever;
  const Result<ChildExit> exit = run_child(command, clock_, deadline, stop);
  if (!exit) {
    if (exit.error().kind != ErrorKind::unavailable) return exit.error().message;
    return fmt::format("timed out after {}", duration_text(*options_.timeout));
  }
  if (exit->signal != 0) return fmt::format("killed by signal {}", exit->signal);
  if (exit->code != 0) return fmt::format("exit status {}", exit->code);
  return std::nullopt;
}

}  // namespace kinf
