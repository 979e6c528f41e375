// SPDX-License-Identifier: Apache-2.0
// kinf api-resources: prints the types of the server, with kubectl's columns and flags. With -o
// wide, also prints whether a type can be watched.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "kinf/base/log.h"
#include "kinf/cli/connection/connection.h"
#include "kinf/cli/flags/inspect_flags.h"
#include "kinf/cli/runtime/commands.h"
#include "kinf/cli/runtime/file_writer.h"
#include "kinf/cli/session/clusters.h"
#include "kinf/client/discovery.h"
#include "kinf/print/table_text.h"

namespace kinf {
namespace {

bool has_all(const std::vector<std::string>& of_type, const std::vector<std::string>& wanted) {
  return std::ranges::all_of(wanted, [&](const std::string& one) {
    return std::ranges::find(of_type, one) != of_type.end();
  });
}

bool is_wanted(const ApiResource& resource, const ApiResourcesCommand& command) {
  if (resource.verbs.empty()) return false;  // as kubectl does
  if (command.api_group && resource.type.gvr.group != *command.api_group) return false;
  if (command.namespaced && resource.type.namespaced != *command.namespaced) return false;
  return has_all(resource.verbs, command.verbs) && has_all(resource.categories, command.categories);
}

/// Returns the first sort key of a type. The second sort key is the name.
const std::string& sort_key(const ApiResource& resource, ResourceOrder order) {
  if (order == ResourceOrder::name) return resource.type.gvr.resource;
  return order == ResourceOrder::kind ? resource.type.kind : resource.type.gvr.group;
}

void sort(std::vector<ApiResource>& resources, ResourceOrder order) {
  std::ranges::stable_sort(resources, {}, [order](const ApiResource& resource) {
    return std::pair(sort_key(resource, order), resource.type.gvr.resource);
  });
}

void add_row(TableText& table, const ApiResource& resource, bool wide) {
  table.add_cell(resource.type.gvr.resource);
  table.add_cell(fmt::format("{}", fmt::join(resource.short_names, ",")));
  table.add_cell(resource.type.api_version());
  table.add_cell(resource.type.namespaced ? "true" : "false");
  table.add_cell(resource.type.kind);
  if (wide) {
    table.add_cell(fmt::format("{}", fmt::join(resource.verbs, ",")));
    table.add_cell(fmt::format("{}", fmt::join(resource.categories, ",")));
    table.add_cell(resource.has_verb("list") && resource.has_verb("watch") ? "true" : "false");
  }
  table.end_row();
}

std::string table_of(const std::vector<ApiResource>& resources, const ApiResourcesCommand& command,
                     const Environment& environment) {
  const bool wide = command.output == ResourceOutput::wide;
  TableText table(stdout_width(environment));
  if (!command.no_headers) {
    for (const char* name : {"NAME", "SHORTNAMES", "APIVERSION", "NAMESPACED", "KIND"}) {
      table.add_cell(name);
    }
    if (wide) {
      for (const char* name : {"VERBS", "CATEGORIES", "WATCH"}) table.add_cell(name);
    }
    table.end_header();
  }
  for (const ApiResource& resource : resources) add_row(table, resource, wide);
  return table.flush();
}

}  // namespace

Result<ExitCode> run_command(const ApiResourcesCommand& command, const CommandContext& context) {
  const auto contexts = chosen_contexts(command.global, context.environment);
  if (!contexts) return fail(contexts);
  if (!contexts->empty()) {
    return fail(ErrorKind::usage, "--context takes one name with api-resources");
  }
  const auto connection = Connection::open(command.global, {.play_scenario = false},
                                           context.environment, context.clock, context.stop);
  if (!connection) return fail(connection);
  if (!command.cached) (*connection)->forget_types();
  Result<std::vector<ApiResource>> resources = (*connection)->all_types();
  if (!resources) return fail(resources);
  std::erase_if(*resources, [&](const ApiResource& one) { return !is_wanted(one, command); });
  sort(*resources, command.order);
  if (resources->empty()) {
    log::write_stderr("No resources found\n");
    return ExitCode::ok;
  }
  if (command.output != ResourceOutput::name) {
    return write_stdout(table_of(*resources, command, context.environment), &context.exit_request);
  }
  std::string names;
  for (const ApiResource& one : *resources) names += one.type.gvr.group_resource() + "\n";
  return write_stdout(names, &context.exit_request);
}

}  // namespace kinf
