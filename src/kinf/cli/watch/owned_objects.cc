// SPDX-License-Identifier: Apache-2.0
#include "kinf/cli/watch/owned_objects.h"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>

#include "kinf/api/list_decoder.h"
#include "kinf/api/lister_watcher.h"
#include "kinf/base/limits.h"
#include "kinf/cli/connection/connection.h"
#include "kinf/cli/runtime/blocking_calls.h"
#include "kinf/cli/selection/watch_plan.h"
#include "kinf/client/api_client.h"
#include "kinf/client/discovery.h"

namespace kinf {
namespace {

constexpr std::string_view kTables =
    "application/json;as=Table;v=v1;g=meta.k8s.io,application/json";
constexpr std::int64_t kPage = 500;

/// Keeps the objects that have an owner.
class OwnedSink final : public ListSink {
 public:
  explicit OwnedSink(std::vector<ObjectPtr>& objects) : objects_(objects) {}
  void item(ObjectPtr object) override {
    if (object->owner_count() > 0) objects_.push_back(std::move(object));
  }

 private:
  std::vector<ObjectPtr>& objects_;
};

/// Reads one page. Returns the continue token.
Result<std::string> read_page(ApiClient& client, const ResourceType& type, const std::string& ns,
                              const ListOptions& options, const std::stop_token& stop,
                              std::vector<ObjectPtr>& objects) {
  const Result<ApiAnswer> answer = get_list(client, type.gvr, ns, options, kTables, stop);
  if (!answer) return fail(answer);
  DecodeOptions decode;
  decode.form = ObjectForm::metadata;
  decode.api_version = type.api_version();
  decode.kind = type.kind;
  OwnedSink sink(objects);
  ListDecoder decoder(decode, sink);
  if (Result<void> fed = decoder.feed(answer->body); !fed) return fail(fed);
  Result<ListPage> page = decoder.finish();
  if (!page) return fail(page);
  return std::move(page->continue_token);
}

/// Reads the objects of one type in one namespace.
Result<void> read_type(ApiClient& client, const ResourceType& type, const std::string& ns,
                       const std::stop_token& stop, std::vector<ObjectPtr>& objects) {
  ListOptions options;
  options.limit = kPage;
  for (std::size_t page = 0; page < limits::kTreePages; ++page) {
    Result<std::string> token = read_page(client, type, ns, options, stop, objects);
    if (!token) return fail(token);
    if (token->empty()) return {};
    if (*token == options.continue_token) {
      return fail(ErrorKind::protocol, "the server repeats a continue token");
    }
    options.continue_token = *std::move(token);
  }
  return fail(ErrorKind::protocol, "the list has more than {} pages", limits::kTreePages);
}

std::string reason_of(const Error& error) {
  constexpr std::size_t kReasonSize = 100;
  if (error.kind == ErrorKind::forbidden) return "forbidden";
  return error.message.size() <= kReasonSize ? error.message
                                             : error.message.substr(0, kReasonSize) + "…";
}

bool is_searched(const ApiResource& resource, bool cluster_scoped) {
  const ResourceType& type = resource.type;
  if (!resource.has_verb("list") || type.gvr.resource == "events") return false;
  return type.namespaced || cluster_scoped;
}

}  // namespace

Result<OwnedObjects> owned_objects(Connection& connection, const WatchPlan& plan,
                                   const std::stop_token& stop) {
  const Result<std::vector<ApiResource>> types = connection.all_types();
  if (!types) return fail(types);
  Result<std::unique_ptr<ApiClient>> client = connection.new_client();
  if (!client) return fail(client);
  const bool cluster_scoped =
      std::ranges::any_of(plan.types, [](const auto& type) { return !type->namespaced; });
  std::vector<std::string> namespaces = plan.informer_namespaces();
  if (namespaces.empty() || cluster_scoped) namespaces = {""};
  OwnedObjects found;
  for (const ApiResource& resource : *types) {
    if (!is_searched(resource, cluster_scoped)) continue;
    const std::vector<std::string> everywhere = {""};
    for (const std::string& ns : resource.type.namespaced ? namespaces : everywhere) {
      const Result<void> read = read_type(**client, resource.type, ns, stop, found.objects);
      if (read) continue;
      if (read.error().kind == ErrorKind::stopped) return fail(read);
      found.only_denied = found.only_denied && read.error().kind == ErrorKind::forbidden;
      found.unread.push_back(
          fmt::format("{} ({})", resource.type.gvr.group_resource(), reason_of(read.error())));
      break;
    }
  }
  return found;
}

}  // namespace kinf
