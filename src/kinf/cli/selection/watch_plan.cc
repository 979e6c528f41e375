// SPDX-License-Identifier: Apache-2.0
#include "kinf/cli/selection/watch_plan.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "kinf/base/assign.h"
#include "kinf/base/log.h"
#include "kinf/cli/connection/connection.h"
#include "kinf/cli/flags/informer_flags.h"
#include "kinf/cli/runtime/error_report.h"
#include "kinf/cli/selection/memberships.h"
#include "kinf/cli/selection/namespace_access.h"
#include "kinf/client/discovery.h"
#include "kinf/print/event_note.h"
#include "kinf/print/secret_mask.h"

namespace kinf {
namespace {

/// Returns the namespaces that the flags select by name. `-n a,b` means two namespaces; kubectl
/// would look for one named `a,b`.
Result<NamespaceFilter> chosen_namespaces(const Connection& connection, const GlobalFlags& global,
                                          const InformerFlags& flags) {
  // The namespace of the context does not limit --namespace-selector, and a stream has no context.
  const bool is_named = !global.config.overrides.name_space.empty();
  const bool has_default = flags.namespace_selector.empty() && connection.has_default_namespace();
  const bool all = global.all_namespaces && flags.manifests.files.empty();
  if (all || (!has_default && !is_named)) return NamespaceFilter::all();
  Result<NamespaceFilter> filter = NamespaceFilter::parse(connection.config().default_namespace);
  if (filter && flags.accessible && filter->is_exact()) {
    return fail(ErrorKind::usage, "--accessible needs -A or a namespace with a wildcard")
        .with_hint("for example: kinf get pods -A --accessible");
  }
  return filter;
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

/// Returns the namespaces to read one by one, for a user who may not read all of them at once.
Result<std::vector<std::string>> namespaces_one_by_one(NamespaceAccess& access,
                                                       const WatchPlan& plan,
                                                       const ResourceType& type,
                                                       const InformerFlags& flags) {
  Result<std::vector<std::string>> names = access.names(flags.namespace_selector);
  if (!names) return names;
  std::erase_if(*names, [&](const std::string& name) { return !plan.filter.selects(name); });
  const std::string resource = type.gvr.group_resource();
  if (flags.accessible) {
    names = access.readable(type, *names);
    if (!names) return names;
    if (names->empty()) {
      return fail(ErrorKind::forbidden, "{} cannot be listed in any of the selected namespaces",
                  resource);
    }
  }
  if (names->empty()) {
    return fail(ErrorKind::forbidden,
                "no namespace matches, and {} cannot be listed in "
                "all namespaces",
                resource);
  }
  if (names->size() <= kNamespacesOneByOne) return names;
  return fail(ErrorKind::usage, "{} namespaces match, but kinf watches at most {} one by one",
              names->size(), kNamespacesOneByOne)
      .with_hint(fmt::format("{} cannot be listed in all namespaces; select fewer, for example "
                             "-n 'team-*'",
                             resource));
}

/// Checks that -n does not exclude `ns`, the namespace of an object in a manifest. Errors: usage,
/// in kubectl's words.
Result<void> check_namespace(const WatchPlan& plan, const GlobalFlags& global,
                             const std::string& ns) {
  const std::string& given = global.config.overrides.name_space;
  if (global.all_namespaces || given.empty() || plan.filter.selects(ns)) return {};
  return fail(ErrorKind::usage,
              "the namespace from the provided object \"{}\" does not match the namespace \"{}\". "
              "You must pass '--namespace={}' to perform this operation.",
              ns, given, ns);
}

/// Returns the namespaces of the informers of one type. An empty name means all namespaces.
Result<std::vector<std::string>> namespaces_of(NamespaceAccess& access, const WatchPlan& plan,
                                               const ResourceType& type,
                                               const InformerFlags& flags) {
  const std::vector<std::string> one_for_all = {""};
  if (!type.namespaced) return one_for_all;
  if (plan.filter.is_exact()) return plan.filter.names();
  const bool limited = !plan.filter.is_all() || !flags.namespace_selector.empty();
  if (!limited && !flags.accessible) return one_for_all;
  const Result<bool> everywhere = access.may_list_everywhere(type);
  if (!everywhere) return fail(everywhere);
  if (*everywhere) return one_for_all;
  return namespaces_one_by_one(access, plan, type, flags);
}

/// Plans the informers of one type in one namespace: one for each name, and one for all globs.
std::vector<PlannedInformer> informers_for(const ResourceType& type, const std::string& ns,
                                           const std::vector<std::string>& names, bool one_of_all) {
  if (names.empty()) return {{&type, ns, "", {}, one_of_all}};
  std::vector<PlannedInformer> planned;
  PlannedInformer globs{&type, ns, "", {}};
  for (const std::string& name : names) {
    if (is_glob(name)) globs.names.emplace_back(name);
  }
  for (const std::string& name : names) {
    const bool in_globs = std::ranges::any_of(
        globs.names, [&](const ValuePattern& glob) { return glob.matches(name); });
    if (!is_glob(name) && !in_globs) planned.push_back({&type, ns, name, {}});
  }
  if (!globs.names.empty()) planned.push_back(std::move(globs));
  return planned;
}

void add_informers(WatchPlan& plan, const ResourceType& type,
                   const std::vector<std::string>& namespaces,
                   const std::vector<std::string>& names, bool one_of_all) {
  for (const std::string& ns : namespaces) {
    for (PlannedInformer& planned : informers_for(type, ns, names, one_of_all)) {
      const bool known = std::ranges::any_of(plan.informers, [&](const PlannedInformer& other) {
        const bool has_all = other.name.empty() && other.names.empty();
        const bool has_same = other.name == planned.name && other.names == planned.names;
        return other.type == &type && other.ns == ns && (has_all || has_same);
      });
      if (!known) plan.informers.push_back(std::move(planned));
    }
  }
}

Result<void> plan_type(WatchPlan& plan, NamespaceAccess& access, ResourceType type,
                       const RequestedType& requested, const GlobalFlags& global,
                       const InformerFlags& flags) {
  const bool in_all = global.all_namespaces && flags.manifests.files.empty();
  if (in_all && requested.has_exact_name() && type.namespaced) {
    return fail(ErrorKind::usage, "a resource cannot be retrieved by name across all namespaces")
        .with_hint("a name with a wildcard can");
  }
  const ResourceType& added = *add_type(plan, std::move(type));
  if (requested.ns && added.namespaced) {
    const Result<void> fits = check_namespace(plan, global, *requested.ns);
    if (fits) add_informers(plan, added, {*requested.ns}, requested.names, false);
    return fits;
  }
  const Result<std::vector<std::string>> namespaces = namespaces_of(access, plan, added, flags);
  if (!namespaces) return fail(namespaces);
  add_informers(plan, added, *namespaces, requested.names, requested.is_all());
  if (!plan.filter.is_exact() && !namespaces->front().empty()) {
    NamespacedType& joined = plan.one_by_one.emplace_back(
        &added, requested.names, *namespaces, std::vector<std::string>(), requested.is_all());
    if (flags.accessible) {
      Result<std::vector<std::string>> all = access.names(flags.namespace_selector);
      if (!all) return fail(all);
      joined.refused = *std::move(all);
      std::erase_if(joined.refused, [&](const std::string& name) {
        return std::ranges::find(*namespaces, name) != namespaces->end();
      });
    }
  }
  return {};
}

Result<void> plan_types(WatchPlan& plan, NamespaceAccess& access, std::vector<ResourceType> types,
                        const RequestedType& requested, const GlobalFlags& global,
                        const InformerFlags& flags) {
  std::vector<std::string> denied;
  for (ResourceType& type : types) {
    const std::string name = type.gvr.group_resource();
    Result<void> done = plan_type(plan, access, std::move(type), requested, global, flags);
    const bool is_denied = !done && done.error().kind == ErrorKind::forbidden;
    if (is_denied && requested.is_all() && denied.size() + 1 < types.size()) {
      denied.push_back(name + " (denied)");
    } else if (!done) {
      return done;
    }
  }
  log_left_out(plan.cluster, denied);
  return {};
}

/// Resolves the types of --except. Errors: usage, for an unknown one.
Result<std::vector<ResourceType>> excluded_types(Connection& connection,
                                                 const InformerFlags& flags) {
  std::vector<ResourceType> types;
  for (const std::string& word : flags.except) {
    Result<ResourceType> type = connection.resolve(word);
    if (!type) return fail(type.error().within("--except"));
    types.push_back(*std::move(type));
  }
  return types;
}

/// Returns whether a type is excluded, in any version. Events are one type with two groups.
bool is_excluded(const ResourceType& type, const WatchPlan& plan) {
  return std::ranges::any_of(plan.excluded, [&](const ResourceType& one) {
    return one.gvr.group_resource() == type.gvr.group_resource() ||
           (is_event_type(one) && is_event_type(type));
  });
}

/// Returns the types that `requested` stands for and that are not excluded.
Result<std::vector<ResourceType>> types_of(Connection& connection, const WatchPlan& plan,
                                           const RequestedType& requested,
                                           const InformerFlags& flags, Clock::Mono deadline,
                                           PlanTypes types) {
  if (requested.is_all()) return all_types(connection, plan, flags);
  Result<std::vector<ResourceType>> found = flags.wait_for_type && types == PlanTypes::all
                                                ? connection.wait_for_type(requested.type, deadline)
                                                : connection.expand(requested.type);
  if (found) std::erase_if(*found, [&](const auto& type) { return is_excluded(type, plan); });
  return found;
}

}  // namespace

void WatchPlan::join(NamespacedType& type, const std::string& ns) {
  type.namespaces.push_back(ns);
  add_informers(*this, *type.type, {ns}, type.names, type.one_of_all);
  if (events) add_informers(*this, *events, {ns}, {}, false);
}

bool WatchPlan::is_joined(const PlannedInformer& planned) const {
  return !planned.ns.empty() && std::ranges::any_of(one_by_one, [&](const NamespacedType& known) {
    return known.type == planned.type;
  });
}

void WatchPlan::leave(std::size_t informer) {
  const auto at = informers.begin() + static_cast<std::ptrdiff_t>(informer);
  const PlannedInformer left = *at;
  informers.erase(at);
  const bool has_more = std::ranges::any_of(informers, [&](const PlannedInformer& planned) {
    return planned.type == left.type && planned.ns == left.ns;
  });
  if (has_more) return;
  for (NamespacedType& known : one_by_one) {
    if (known.type == left.type) std::erase(known.namespaces, left.ns);
  }
}

void WatchPlan::forget(const ResourceType& type) {
  std::erase_if(one_by_one, [&](const NamespacedType& known) { return *known.type == type; });
}

std::vector<std::string> WatchPlan::informer_namespaces() const {
  std::vector<std::string> all;
  for (const PlannedInformer& planned : informers) {
    if (!planned.type->namespaced) continue;
    if (planned.ns.empty()) return {};
    if (std::ranges::find(all, planned.ns) == all.end()) all.push_back(planned.ns);
  }
  return all;
}

Selection WatchPlan::selection_of(const PlannedInformer& planned) const {
  Selection selection;
  if (!planned.names.empty()) {
    selection.add([names = planned.names](const Object& object, const Object*) {
      return std::ranges::any_of(
          names, [&](const ValuePattern& name) { return name.matches(object.name()); });
    });
  }
  if (planned.type->namespaced && planned.ns.empty() && !filter.is_all()) {
    selection.add([filter = filter](const Object& object, const Object*) {
      return filter.selects(object.ns());
    });
  }
  if (memberships) memberships->add_to(selection, *planned.type);
  return selection;
}

bool WatchPlan::has_namespaced_types() const {
  return !awaited.empty() ||
         std::ranges::any_of(types, [](const auto& type) { return type->namespaced; });
}

bool WatchPlan::reads_masked_secrets() const {
  return secrets_masked &&
         std::ranges::any_of(types, [](const auto& type) { return is_secret_type(*type); });
}

std::string WatchPlan::where() const {
  if (namespaces.empty() || !has_namespaced_types()) return {};
  return fmt::format("{} namespace", fmt::join(namespaces, ", "));
}

Result<WatchPlan> make_plan(Connection& connection, const GlobalFlags& global,
                            const InformerFlags& flags, Clock::Mono deadline, PlanTypes types) {
  Result<NamespaceFilter> filter = chosen_namespaces(connection, global, flags);
  if (!filter) return fail(filter);
  WatchPlan plan;
  plan.filter = *std::move(filter);
  plan.namespaces = plan.filter.names();
  NamespaceAccess access(connection);
  if (auto known = assign(plan.excluded, excluded_types(connection, flags)); !known) {
    return fail(known);
  }
  for (const RequestedType& requested : flags.types) {
    Result<std::vector<ResourceType>> found =
        types_of(connection, plan, requested, flags, deadline, types);
    if (!found && found.error().kind == ErrorKind::usage && flags.wait_for_type &&
        types == PlanTypes::known) {
      log::notice("the server has no resource type \"{}\" yet; waiting for it", requested.type);
      plan.awaited.push_back({requested, std::move(found).error()});
      continue;
    }
    if (!found) return fail(found);
    if (Result<void> done = plan_types(plan, access, *std::move(found), requested, global, flags);
        !done) {
      return fail(done);
    }
  }
  if (flags.types.empty()) {
    auto held = connection.take_all_types();  // the types in the recording or stream
    if (!held) return fail(held);
    std::erase_if(*held, [&](const auto& type) { return is_excluded(type, plan); });
    Result<void> done = plan_types(plan, access, *std::move(held), {}, global, flags);
    if (!done) return fail(done);
  }
  if (plan.informers.empty() && plan.awaited.empty() && !flags.except.empty()) {
    return fail(ErrorKind::usage, "--except leaves no type");
  }
  plan.single_object = plan.informers.size() == 1 && !plan.informers.front().name.empty();
  if (flags.manifests.files.empty()) return plan;
  plan.namespaces = plan.informer_namespaces();
  const Result<bool> may_be_one = may_be_one_object(flags.manifests);
  plan.single_object = plan.single_object && may_be_one && *may_be_one;
  return plan;
}

Result<void> add_events(WatchPlan& plan, Connection& connection) {
  Result<ResourceType> type = connection.resolve("events");
  if (!type && type.error().kind == ErrorKind::usage && connection.played() != nullptr) {
    return fail(ErrorKind::usage, "--with-events: {} holds no Events", connection.origin())
        .with_hint("record them too, for example: kinf record pods,events --to FILE");
  }
  if (!type) return fail(type);
  if (std::ranges::any_of(plan.types, [&](const auto& known) { return *known == *type; })) {
    return fail(ErrorKind::usage, "--with-events cannot be used with the type events");
  }
  plan.events = std::make_unique<ResourceType>(*std::move(type));
  std::vector<std::string> namespaces =
      plan.namespaces.empty() ? plan.informer_namespaces() : plan.namespaces;
  // Events about cluster-scoped objects are in the namespace default.
  const bool any_cluster_scoped =
      std::ranges::any_of(plan.types, [](const auto& known) { return !known->namespaced; });
  if (any_cluster_scoped && std::ranges::find(namespaces, "default") == namespaces.end() &&
      !namespaces.empty()) {
    namespaces.emplace_back("default");
  }
  if (namespaces.empty()) namespaces.emplace_back();
  for (const std::string& ns : namespaces) plan.informers.push_back({plan.events.get(), ns, ""});
  return {};
}

Result<void> add_awaited_types(WatchPlan& plan, Connection& connection, const GlobalFlags& global,
                               const InformerFlags& flags) {
  connection.forget_types();
  NamespaceAccess access(connection);
  for (auto awaited = plan.awaited.begin(); awaited != plan.awaited.end();) {
    Result<std::vector<ResourceType>> found = connection.expand(awaited->requested.type);
    if (!found && found.error().kind == ErrorKind::usage) {
      ++awaited;
      continue;
    }
    if (!found) return fail(found);
    Result<void> done =
        plan_types(plan, access, *std::move(found), awaited->requested, global, flags);
    if (!done) return done;
    awaited = plan.awaited.erase(awaited);
  }
  return {};
}

Result<std::vector<ResourceType>> all_types(Connection& connection, const WatchPlan& plan,
                                            const InformerFlags& flags) {
  if (flags.all_types) connection.forget_types();  // the discovery cache may lack new types
  Result<std::vector<ResourceType>> types = connection.expand(RequestedType::kAll);
  if (types && flags.all_types) {
    Result<std::vector<ApiResource>> every = connection.all_types();
    if (!every) return fail(every);
    for (ApiResource& one : *every) {
      const bool is_watchable = one.has_verb("list") && one.has_verb("watch");
      if (is_watchable && !one.type.namespaced) types->push_back(std::move(one.type));
    }
  }
  if (types) std::erase_if(*types, [&](const auto& type) { return is_excluded(type, plan); });
  return types;
}

Result<void> add_types(WatchPlan& plan, Connection& connection, std::vector<ResourceType> types,
                       const InformerFlags& flags) {
  NamespaceAccess access(connection);
  const RequestedType all{std::string(RequestedType::kAll), {}};
  std::vector<std::string> denied;
  for (ResourceType& type : types) {
    const std::string name = type.gvr.group_resource();
    const Result<void> done = plan_type(plan, access, std::move(type), all, {}, flags);
    if (done) continue;
    if (done.error().kind == ErrorKind::stopped) return done;
    denied.push_back(fmt::format("{} ({})", name, done.error().message));
  }
  log_left_out(plan.cluster, denied);
  return {};
}

InformerFlags flags_of(const PlannedInformer& planned, const WatchPlan& plan, InformerFlags flags) {
  if (planned.type != plan.events.get()) return flags;
  flags.selector.clear();
  flags.field_selector.clear();
  return flags;
}

}  // namespace kinf
