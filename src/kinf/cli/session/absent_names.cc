// SPDX-License-Identifier: Apache-2.0
// Reports what the user named but the server does not have: objects, namespaces and the owner. A
// name may be a typing error, so that kinf would wait for ever in silence.
#include <fmt/format.h>

#include <algorithm>

#include "kinf/api/api_status.h"
#include "kinf/base/log.h"
#include "kinf/cli/flags/informer_flags.h"
#include "kinf/cli/runtime/blocking_calls.h"
#include "kinf/cli/runtime/error_report.h"
#include "kinf/cli/session/session.h"
#include "kinf/client/api_client.h"
#include "kinf/client/http_lister_watcher.h"
#include "kinf/client/paths.h"
#include "kinf/kubernetes/built_in_types.h"

namespace kinf {
namespace {

/// The requests only serve a notice, so they get little time.
constexpr std::chrono::seconds kPatienceForPlaces{2};
constexpr std::size_t kAskedNamespaces = 5;

/// Returns a hint if the requested name is rather a type or a value of -o or -t than the name of an
/// object.
std::string mistaken_name_hint(const PlannedInformer& planned) {
  const std::string& name = planned.name;
  const auto is_one_of = [&](std::initializer_list<std::string_view> words) {
    return std::ranges::find(words, name) != words.end();
  };
  if (is_one_of({"json", "yaml", "wide", "name", "csv", "tsv"})) {
    return fmt::format("did you mean -o {}?", name);
  }
  if (is_one_of({"short", "rfc3339", "unix", "relative"})) {
    return fmt::format("did you mean --timestamps={}?", name);
  }
  const bool is_type = std::ranges::any_of(
      built_in_types(), [&](const BuiltInType& type) { return type.is_called(name); });
  return is_type ? fmt::format("for both types: {},{}", planned.type->gvr.group_resource(), name)
                 : "";
}

/// Asks for namespaces and the owner, within kPatienceForPlaces.
class PlaceFinder {
 public:
  PlaceFinder(Session& session, ExitRequest& exit_request)
      : session_(session),
        timer_(time_up_, session.connection->clock(),
               session.connection->clock().now() + kPatienceForPlaces),
        ended_(exit_request.stop_token(), [this] { time_up_.set(ExitCode::ok); }) {}

  /// Returns whether the server says that the namespace does not exist.
  bool lacks_namespace(const std::string& ns) {
    const auto client = session_.connection->new_client();
    if (!client) return false;
    const Result<ApiAnswer> answer =
        (*client)->get("/api/v1/namespaces/" + percent_encode(ns), time_up_.stop_token());
    return !answer && answer.error().kind == ErrorKind::not_found;
  }
  /// Returns whether the server says that there is no such object in the namespaces of the plan.
  bool lacks_object(const ResourceType& type, const std::string& name) {
    std::vector<std::string> namespaces = session_.plan.namespaces;
    if (!type.namespaced || namespaces.empty() || namespaces.size() > kAskedNamespaces) {
      namespaces = {""};
    }
    ListOptions options;
    options.limit = 1;
    return std::ranges::all_of(namespaces, [&](const std::string& ns) {
      const auto source = session_.connection->source(
          {.type = type, .ns = ns, .name = name, .representation = Representation::metadata});
      std::vector<ObjectPtr> found;
      return source && list_page(**source, options, found, time_up_.stop_token()) && found.empty();
    });
  }

 private:
  Session& session_;
  ExitRequest time_up_;
  const ExitTimer timer_;
  const std::stop_callback<std::function<void()>> ended_;
};

bool is_empty(const Session& session, const std::string& ns) {
  return std::ranges::none_of(session.informers->members(), [&](const InformerSet::Member& member) {
    return member.planned.ns == ns && member.informer->indexer().size() > 0;
  });
}

/// Returns the namespaces of -n, or of the context, in which nothing was found.
std::vector<std::string> empty_namespaces(const Session& session) {
  std::vector<std::string> namespaces = session.plan.namespaces;
  if (!session.plan.has_namespaced_types() || namespaces.size() > kAskedNamespaces) return {};
  std::erase_if(namespaces, [&](const std::string& ns) {
    return ns == "default" || !is_empty(session, ns);  // every cluster has `default`
  });
  return namespaces;
}

/// Returns whether there is an --owner, but no object of that owner.
bool lacks_owned(const Session& session, const std::string& owner) {
  const bool is_exact =
      owner.find('/') != std::string::npos && owner.find_first_of("*?,") == std::string::npos;
  return is_exact &&
         std::ranges::all_of(session.informers->members(), [](const InformerSet::Member& member) {
           return member.objects().empty();
         });
}

void report_absent_places(Session& session, const InformerFlags& flags, ExitRequest& exit_request,
                          const std::string& cluster) {
  const std::string& owner = flags.owner;
  if (session.places_checked || !session.informers->has_synced()) return;
  session.places_checked = true;
  if (session.informers->is_replay() || flags.must_exist || exit_request.code()) return;
  const std::vector<std::string> namespaces = empty_namespaces(session);
  const bool has_no_owned = lacks_owned(session, owner);
  if (namespaces.empty() && !has_no_owned) return;
  PlaceFinder places(session, exit_request);
  for (const std::string& ns : namespaces) {
    if (!places.lacks_namespace(ns)) continue;
    log::notice("{}namespace \"{}\" not found; waiting for it", cluster, ns);
  }
  if (!has_no_owned) return;
  const std::size_t slash = owner.find('/');
  const std::string name = owner.substr(slash + 1);
  const Result<ResourceType> type = session.connection->resolve(owner.substr(0, slash));
  if (!type || !places.lacks_object(*type, name)) return;
  log::notice("{}--owner: {} \"{}\" not found; waiting for it", cluster, type->gvr.group_resource(),
              name);
}

}  // namespace

void report_absent(Session& session, const InformerFlags& flags, ExitRequest& exit_request) {
  const std::string cluster = session.plan.cluster.empty() ? "" : session.plan.cluster + ": ";
  for (InformerSet::Member& member : session.informers->members()) {
    const PlannedInformer& planned = member.planned;
    if (planned.name.empty() || member.absence_reported || !member.informer->has_synced()) continue;
    member.absence_reported = true;
    if (member.informer->indexer().size() > 0) continue;
    if (flags.must_exist) {
      report(not_found_error(session, planned), session.plan.cluster);
      exit_request.set(ExitCode::not_found);
    } else if (!session.informers->is_replay()) {
      std::string hint = mistaken_name_hint(planned);
      if (hint.empty() && !flags.record.is_purpose) hint = "--must-exist to fail";
      log::notice("{}{} \"{}\" not found{}; waiting for it{}", cluster,
                  planned.type->gvr.group_resource(), planned.name,
                  planned.ns.empty() ? "" : " in namespace " + planned.ns,
                  hint.empty() ? "" : " (" + hint + ")");
    }
  }
  report_absent_places(session, flags, exit_request, cluster);
}

Error not_found_error(const Session& session, const PlannedInformer& planned) {
  const std::string message =
      fmt::format("{} \"{}\" not found", planned.type->gvr.group_resource(), planned.name);
  if (session.connection->played() != nullptr) {
    return {ErrorKind::not_found, fmt::format("{} in {}", message, session.connection->origin())};
  }
  ApiStatus status;
  status.code = 404;
  status.reason = "NotFound";
  status.message = message;
  Error error = to_error(std::move(status));
  error.hint = session.connection->sandbox_hint(planned.name);
  if (error.hint.empty()) error.hint = mistaken_name_hint(planned);
  return error;
}

}  // namespace kinf
