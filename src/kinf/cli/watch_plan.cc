// SPDX-License-Identifier: Apache-2.0
#include "kinf/cli/watch_plan.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "kinf/api/field_selector.h"
#include "kinf/api/label_selector.h"
#include "kinf/base/log.h"

namespace kinf {
namespace {

std::unexpected<Error> with_hint(Error error, std::string_view hint) {
  error.hint = hint;
  return std::unexpected(std::move(error));
}

Result<void> check_selectors(const InformerFlags& flags) {
  if (const auto labels = LabelSelector::parse(flags.selector); !labels) {
    return with_hint(labels.error(), "for example: -l 'app=web,tier in (a,b),!old'");
  }
  if (const auto fields = FieldSelector::parse(flags.field_selector); !fields) {
    return with_hint(fields.error(),
                     "for example: --field-selector status.phase!=Running,spec.nodeName=node-1");
  }
  return {};
}

/// Returns the requested namespaces (empty: all). `-n a,b` means two namespaces; kubectl would look
/// for one named `a,b`.
Result<std::vector<std::string>> chosen_namespaces(const Connection& connection,
                                                   const GlobalFlags& global) {
  if (global.all_namespaces) return std::vector<std::string>();
  std::vector<std::string> names = split_commas(connection.config().default_namespace);
  for (const std::string& name : names) {
    if (name.find_first_of("*?!/ ") != std::string::npos) {
      return fail(ErrorKind::usage, fmt::format("\"{}\" is not the name of a namespace", name));
    }
  }
  if (names.empty()) names.emplace_back("default");
  return names;
}

/// Adds `type` to the plan unless it is already there under another name. Returns the type in the
/// plan.
const ResourceType* add_type(WatchPlan& plan, ResourceType type) {
  const auto found =
      std::ranges::find_if(plan.types, [&](const auto& known) { return *known == type; });
  if (found != plan.types.end()) return found->get();
  plan.types.push_back(std::make_unique<ResourceType>(std::move(type)));
  return plan.types.back().get();
}

void add_informers(WatchPlan& plan, const ResourceType& type,
                   const std::vector<std::string>& names) {
  std::vector<std::string> namespaces = plan.namespaces;
  if (namespaces.empty() || !type.namespaced) namespaces = {""};
  std::vector<std::string> wanted = names;
  if (wanted.empty()) wanted = {""};
  for (const std::string& ns : namespaces) {
    for (const std::string& name : wanted) {
      const bool known = std::ranges::any_of(plan.informers, [&](const PlannedInformer& other) {
        return other.type == &type && other.ns == ns && (other.name == name || other.name.empty());
      });
      if (!known) plan.informers.push_back({&type, ns, name});
    }
  }
}

Result<void> plan_type(WatchPlan& plan, ResourceType type, const RequestedType& requested,
                       const GlobalFlags& global) {
  if (global.all_namespaces && !requested.names.empty() && type.namespaced) {
    return fail(ErrorKind::usage, "a resource cannot be retrieved by name across all namespaces");
  }
  add_informers(plan, *add_type(plan, std::move(type)), requested.names);
  return {};
}

}  // namespace

std::string WatchPlan::where() const {
  if (namespaces.empty() || (awaited.empty() && std::ranges::none_of(types, [](const auto& type) {
                               return type->namespaced;
                             }))) {
    return {};
  }
  return fmt::format("{} namespace", fmt::join(namespaces, ", "));
}

Result<WatchPlan> make_plan(Connection& connection, const GlobalFlags& global,
                            const InformerFlags& flags, Clock::Mono deadline, PlanTypes types) {
  if (const Result<void> fine = check_selectors(flags); !fine) {
    return std::unexpected(fine.error());
  }
  Result<std::vector<std::string>> namespaces = chosen_namespaces(connection, global);
  if (!namespaces) return std::unexpected(std::move(namespaces).error());
  WatchPlan plan;
  plan.namespaces = *std::move(namespaces);
  for (const RequestedType& requested : flags.types) {
    Result<ResourceType> type = flags.wait_for_type && types == PlanTypes::all
                                    ? connection.wait_for_type(requested.type, deadline)
                                    : connection.resolve(requested.type);
    if (!type && type.error().kind == ErrorKind::usage && flags.wait_for_type &&
        types == PlanTypes::known) {
      log::notice("the server has no resource type \"{}\" yet; waiting for it", requested.type);
      plan.awaited.push_back({requested, std::move(type).error()});
      continue;
    }
    if (!type) return std::unexpected(std::move(type).error());
    if (Result<void> done = plan_type(plan, *std::move(type), requested, global); !done) {
      return std::unexpected(std::move(done).error());
    }
  }
  plan.single_object = plan.informers.size() == 1 && !plan.informers.front().name.empty();
  return plan;
}

Result<void> add_awaited_types(WatchPlan& plan, Connection& connection, const GlobalFlags& global) {
  connection.forget_types();
  for (auto awaited = plan.awaited.begin(); awaited != plan.awaited.end();) {
    Result<ResourceType> type = connection.resolve(awaited->requested.type);
    if (!type && type.error().kind == ErrorKind::usage) {
      ++awaited;
      continue;
    }
    if (!type) return std::unexpected(std::move(type).error());
    Result<void> done = plan_type(plan, *std::move(type), awaited->requested, global);
    if (!done) return done;
    awaited = plan.awaited.erase(awaited);
  }
  return {};
}

}  // namespace kinf
