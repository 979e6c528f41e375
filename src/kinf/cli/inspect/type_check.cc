// SPDX-License-Identifier: Apache-2.0
#include "kinf/cli/inspect/type_check.h"

#include <fmt/format.h>

#include <cmath>

#include "kinf/base/number_text.h"
#include "kinf/base/quote.h"
#include "kinf/cli/connection/connection.h"
#include "kinf/cli/runtime/blocking_calls.h"
#include "kinf/client/http_lister_watcher.h"

namespace kinf {
namespace {

/// The number of objects on the first page. Their average size is used to estimate that of all
/// objects.
constexpr std::int64_t kSampledObjects = 20;

/// Returns how to see all rights of the user. `kubectl auth can-i` takes one verb, so it cannot be
/// asked for list and watch at once. kubectl has the flags of the connection, except --in-cluster
/// and --sandbox.
std::string rights_hint(Connection& connection, const ResourceType& type, const std::string& ns) {
  const bool is_own = connection.sandbox() != nullptr || connection.config().source == "in-cluster";
  return fmt::format("kubectl auth can-i --list{}{} prints what this user may do",
                     type.namespaced && !ns.empty() ? " -n " + shell_word(ns) : "",
                     is_own ? "" : connection.repeated_flags());
}

std::string yes_or_no(bool is_possible) { return is_possible ? "yes" : "no"; }

}  // namespace

Result<TypeCheck> TypeCheck::run(Connection& connection, const ResourceType& type,
                                 const std::string& ns) {
  const auto watcher = connection.source({.type = type,
                                          .ns = type.namespaced ? ns : "",
                                          .representation = Representation::table_with_object});
  if (!watcher) return fail(watcher);
  TypeCheck check;
  const auto take_problem = [&](Error error) {
    if (error.kind == ErrorKind::forbidden) error.hint = rights_hint(connection, type, ns);
    if (!check.problem) check.problem = std::move(error);
  };
  const std::stop_token stop = connection.stop_token();
  std::vector<ObjectPtr> sample;
  ListOptions options;
  options.limit = kSampledObjects;
  const Result<ListPage> page = list_page(**watcher, options, sample, stop);
  check.can_list = page.has_value();
  if (page) {
    const auto count = static_cast<std::int64_t>(sample.size());
    check.objects = count + page->remaining_items;
    check.is_estimate = page->remaining_items > 0;
    std::size_t bytes = 0;
    for (const ObjectPtr& object : sample) bytes += object->memory_size();
    if (count > 0) {
      check.has_table = sample.back()->columns() != nullptr;
      const double share = static_cast<double>(check.objects) / static_cast<double>(count);
      check.bytes = std::llround(static_cast<double>(bytes) * share);
    }
  } else {
    take_problem(page.error());
  }
  options.limit = 0;
  options.resource_version = page ? page->resource_version : "0";
  options.allow_watch_bookmarks = true;
  const Result<void> watched = try_watch(**watcher, options, stop);
  check.can_watch = watched.has_value();
  if (!watched) take_problem(watched.error());
  options.resource_version_match = "NotOlderThan";
  options.send_initial_events = true;
  check.can_stream = check.can_watch && try_watch(**watcher, options, stop).has_value();
  return check;
}

std::string TypeCheck::text() const {
  std::string text =
      fmt::format("list {:<3}   watch {:<3}", yes_or_no(can_list), yes_or_no(can_watch));
  if (can_watch) text += fmt::format("   streaming list {:<3}", yes_or_no(can_stream));
  if (can_list) {
    if (objects > 0) text += fmt::format("   table {:<3}", yes_or_no(has_table));
    text += "   " + counted(static_cast<std::size_t>(objects), "object");
    if (objects > 0) text += (is_estimate ? ", about " : ", ") + size_text(bytes) + " cached";
  }
  if (problem) text += fmt::format("   ({})", problem->message);
  return text;
}

}  // namespace kinf
