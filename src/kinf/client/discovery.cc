// SPDX-License-Identifier: Apache-2.0
// Since Kubernetes 1.26, two requests return all types: /api/v1 returns the core group, and /apis
// an aggregated list of all other groups. Older servers respond to /apis with an APIGroupList, and
// each group version needs its own request. If such a request fails, for example because a metrics
// adapter is down, that group version is skipped.
#include "kinf/client/discovery.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <iterator>
#include <set>
#include <span>

#include "kinf/base/ascii.h"
#include "kinf/base/file_descriptor.h"
#include "kinf/base/files.h"
#include "kinf/base/limits.h"
#include "kinf/base/log.h"
#include "kinf/client/api_client.h"
#include "kinf/client/discovery_document.h"
#include "kinf/client/paths.h"
#include "kinf/client/type_names.h"

namespace kinf {
namespace {

constexpr const char* kAcceptAggregated =
    "application/json;g=apidiscovery.k8s.io;v=v2;as=APIGroupDiscoveryList,"
    "application/json;g=apidiscovery.k8s.io;v=v2beta1;as=APIGroupDiscoveryList,application/json";

constexpr const char* kVersionPath = "/version";

}  // namespace

/// Returns the body of a response, from the cache or from the server.
Result<std::string> Discovery::document(ApiRequest request, const std::stop_token& stop) {
  const std::string path = request.path;
  if (std::optional<std::string> kept = cached(path)) return *std::move(kept);
  Result<ApiAnswer> answer = get(std::move(request), stop);
  if (!answer) return fail(answer);
  if (cache_ != nullptr) cache_->keep(path, answer->body);
  return std::move(answer->body);
}

/// Returns the document of `path` from the cache, if the cache also has the server's version.
std::optional<std::string> Discovery::cached(std::string_view path) {
  if (cache_ == nullptr || !read_cache_) return std::nullopt;
  if (!asked_version_) {
    const std::optional<std::string> version = cache_->find(kVersionPath);
    if (!version) return std::nullopt;
    version_ = parse_server_version(*version);
    asked_version_ = true;
  }
  std::optional<std::string> kept = cache_->find(path);
  used_cache_ = used_cache_ || kept;
  return kept;
}

/// Sends `request` and a request for the server's version. If the last attempt got no response,
/// sends them one after the other, so that an attempt that fails again sends only one request.
std::pair<Result<ApiAnswer>, Result<ApiAnswer>> Discovery::get_with_version(
    ApiRequest request, const std::stop_token& stop) {
  ApiRequest version{.path = kVersionPath};
  if (!is_unreachable_) return client_->get_both(std::move(request), std::move(version), stop);
  Result<ApiAnswer> answer = client_->get(std::move(request), stop);
  if (!answer && answer.error().kind == ErrorKind::network) return {answer, answer};
  return {std::move(answer), client_->get(std::move(version), stop)};
}

/// Sends `request`, and a request for the server's version unless that was requested before.
Result<ApiAnswer> Discovery::get(ApiRequest request, const std::stop_token& stop) {
  if (asked_version_) return client_->get(std::move(request), stop);
  auto [answer, found] = get_with_version(std::move(request), stop);
  is_unreachable_ = !found && !answer && answer.error().kind == ErrorKind::network;
  if (found) version_ = parse_server_version(found->body);
  if (found || answer) {
    asked_version_ = true;
    if (cache_ != nullptr) cache_->keep(kVersionPath, version_ ? found->body : "{}");
  }
  return std::move(answer);
}

void Discovery::forget() {
  core_.reset();
  groups_.reset();
  loaded_at_.reset();
  read_cache_ = used_cache_ = false;
}

Result<void> Discovery::load_core(const std::stop_token& stop) {
  if (core_) return {};
  Result<std::vector<ApiResource>> loaded = load_group_version("", "v1", stop);
  if (!loaded && loaded.error().kind == ErrorKind::not_found && !version_) {
    return fail(ErrorKind::protocol,
                "{} is no Kubernetes API server: it has neither /api/v1 nor /version",
                client_->server())
        .with_hint("check the server's address, with its path if it has one");
  }
  if (!loaded) return fail(loaded);
  core_ = *std::move(loaded);
  if (!loaded_at_) loaded_at_ = client_->clock().now();
  return {};
}

Result<std::vector<ApiResource>> Discovery::load_group_version(const std::string& group,
                                                               const std::string& version,
                                                               const std::stop_token& stop) {
  const Result<std::string> path = group_version_path(group, version);
  if (!path) return fail(path);
  const Result<std::string> body = document({.path = *path}, stop);
  if (!body) return fail(body);
  return parse_resource_list(*body, group, version);
}

Result<void> Discovery::load_groups(const std::stop_token& stop) {
  if (groups_) return {};
  if (!loaded_at_) loaded_at_ = client_->clock().now();
  const Result<std::string> body = document({.path = "/apis", .accept = kAcceptAggregated}, stop);
  if (!body) return fail(body);
  Result<ApiGroups> groups = parse_groups(*body);
  if (!groups) return fail(groups);
  if (!groups->is_aggregated) return load_legacy_groups(std::move(groups->versions), stop);
  groups_ = std::move(groups->resources);
  return {};
}

Result<void> Discovery::load_legacy_groups(std::vector<GroupVersion> versions,
                                           const std::stop_token& stop) {
  if (versions.size() > limits::kGroupVersions) versions.resize(limits::kGroupVersions);
  std::vector<ApiResource> all;
  for (const auto& [group, version] : versions) {
    Result<std::vector<ApiResource>> loaded = load_group_version(group, version, stop);
    if (!loaded) {
      if (loaded.error().kind == ErrorKind::stopped || loaded.error().kind == ErrorKind::network) {
        return fail(loaded);
      }
      log::verbose(2, "API discovery: skipping {}/{}: {}", group, version, loaded.error().message);
      continue;
    }
    for (ApiResource& resource : *loaded) all.push_back(std::move(resource));
  }
  groups_ = std::move(all);
  return {};
}

Result<ApiResource> Discovery::resolve(std::string_view name, const std::stop_token& stop) {
  Result<ApiResource> found = resolve_known(name, stop);
  if (found || !may_be_outdated(found.error())) return found;
  forget();
  return resolve_known(name, stop);
}

bool Discovery::may_be_outdated(const Error& error) const {
  if (used_cache_) return error.kind != ErrorKind::stopped;
  return error.kind == ErrorKind::usage && loaded_at_ &&
         client_->clock().now() - *loaded_at_ >= kMissLifetime;
}

/// Returns the types of a category; none if there is no such category.
Result<std::vector<ApiResource>> Discovery::category(std::string_view name,
                                                     const std::stop_token& stop) {
  return all_where(
      [&](const ApiResource& type) {
        return std::ranges::find(type.categories, name) != type.categories.end() &&
               type.has_verb("list") && type.has_verb("watch");
      },
      stop);
}

Result<std::vector<ApiResource>> Discovery::all_in_namespaces(const std::stop_token& stop) {
  Result<std::vector<ApiResource>> types = all_where(
      [](const ApiResource& type) {
        return type.type.namespaced && type.has_verb("list") && type.has_verb("watch");
      },
      stop);
  if (!types) return types;
  // The groups "" and events.k8s.io have the same Events.
  const auto is_core_event = [](const ApiResource& type) {
    return type.type.gvr.resource == "events" && type.type.gvr.group.empty();
  };
  if (std::ranges::any_of(*types, is_core_event)) {
    std::erase_if(*types, [](const ApiResource& type) {
      return type.type.gvr.resource == "events" && type.type.gvr.group == "events.k8s.io";
    });
  }
  return types;
}

Result<std::vector<ApiResource>> Discovery::expand(std::string_view name,
                                                   const std::stop_token& stop) {
  if (name == kAllTypes) return all_in_namespaces(stop);
  for (bool is_second = false;; is_second = true) {
    Result<ApiResource> found = resolve_known(name, stop);
    if (found) return std::vector<ApiResource>{*std::move(found)};
    if (found.error().kind == ErrorKind::usage) {
      Result<std::vector<ApiResource>> types = category(name, stop);
      if (!types || !types->empty()) return types;
    }
    if (is_second || !may_be_outdated(found.error())) return fail(found);
    forget();  // the documents in the cache may be out of date
  }
}

/// Returns a type with a full name if its document is in memory, without a request.
const ApiResource* Discovery::find_loaded(const TypeName& name) const {
  const std::string_view group = name.group_behind_version;
  const auto& loaded = group.empty() ? core_ : groups_;
  if (!loaded) return nullptr;
  const auto found = std::ranges::find_if(*loaded, [&](const ApiResource& one) {
    const GroupVersionResource& type = one.type.gvr;
    return type.group == group && type.version == name.version && type.resource == name.type;
  });
  return found == loaded->end() ? nullptr : &*found;
}

Result<ApiResource> Discovery::resolve_known(std::string_view name, const std::stop_token& stop) {
  const TypeName split = split_type_name(name);
  // A full name (TYPE.VERSION.GROUP) needs the document of only one group version.
  if (split.has_version()) {
    if (const ApiResource* found = find_loaded(split)) return *found;
    Result<std::vector<ApiResource>> own = load_group_version(
        std::string(split.group_behind_version), std::string(split.version), stop);
    if (own) {
      if (const ApiResource* found = find_type(*own, split.type)) return *found;
    } else if (own.error().kind != ErrorKind::not_found) {
      return fail(own);
    }
  }
  if (split.group.empty()) {
    if (Result<void> loaded = load_core(stop); !loaded) return fail(loaded);
    if (const ApiResource* found = find_type(*core_, split.type)) return *found;
  }
  if (Result<void> loaded = load_groups(stop); !loaded) return fail(loaded);
  const ApiResource* found = split.group.empty()
                                 ? find_type(*groups_, split.type)
                                 : find_type_in_group(*groups_, split.type, split.group);
  if (found != nullptr) return *found;
  // The core group is needed for similar names only, so its error is not reported.
  const bool has_core = load_core(stop).has_value();
  const std::span<const ApiResource> core = has_core ? *core_ : std::span<const ApiResource>();
  return fail(unknown_type(name, {core, *groups_}));
}

Result<std::vector<ApiResource>> Discovery::all(const std::stop_token& stop) {
  return all_where([](const ApiResource&) { return true; }, stop);
}

/// Returns the types of all() for which `wanted` returns true.
Result<std::vector<ApiResource>> Discovery::all_where(
    const std::function<bool(const ApiResource&)>& wanted, const std::stop_token& stop) {
  if (Result<void> loaded = load_core(stop); !loaded) return fail(loaded);
  if (Result<void> loaded = load_groups(stop); !loaded) return fail(loaded);
  std::vector<ApiResource> types;
  std::ranges::copy_if(*core_, std::back_inserter(types), wanted);
  std::set<std::pair<std::string_view, std::string_view>> seen;  // pairs of group and resource
  for (const ApiResource& type : *groups_) {
    const bool is_preferred = seen.emplace(type.type.gvr.group, type.type.gvr.resource).second;
    if (is_preferred && wanted(type)) types.push_back(type);
  }
  return types;
}

// Each file of the cache contains the server, user and path of its document, the time when the file
// was written, and the document. find() compares the first three, because shortened file names may
// collide. It ignores a file whose time is in the future: the clock was wrong when the file was
// written.

namespace {

std::int64_t seconds_of(Clock::Wall time) {
  return std::chrono::duration_cast<std::chrono::seconds>(time.time_since_epoch()).count();
}

/// Replaces characters that are unsafe in a file name, and shortens the name.
std::string plain_name(std::string_view text) {
  constexpr std::size_t kNameBytes = 80;
  std::string name;
  for (const char c : text.substr(0, kNameBytes)) {
    const bool plain = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
                       (c == '.' && !name.empty()) || c == '-';
    name += plain ? c : '_';
  }
  return name;
}

}  // namespace

DiscoveryCache::DiscoveryCache(std::string_view folder, std::string server, std::string user,
                               Clock& clock)
    : server_(std::move(server)), user_(std::move(user)), clock_(clock) {
  const std::size_t mark = std::hash<std::string>()(server_ + '\n' + user_);
  folder_ = fmt::format("{}/discovery/{}-{:016x}", folder, plain_name(server_), mark);
}

std::string DiscoveryCache::file_of(std::string_view path) const {
  return folder_ + "/" + plain_name(path);
}

std::string DiscoveryCache::head(std::string_view path) const {
  return fmt::format("kinf discovery 1\n{}\n{}\n{}\n", server_, user_, path);
}

std::optional<std::string> DiscoveryCache::find(std::string_view path) const {
  const Result<std::string> text = read_regular_file(file_of(path), limits::kCachedDiscoveryBytes);
  const std::string expected = head(path);
  if (!text || !text->starts_with(expected)) return std::nullopt;
  const std::string_view rest = std::string_view(*text).substr(expected.size());
  const std::size_t line_end = rest.find('\n');
  const auto written = parse_number<std::int64_t>(rest.substr(0, line_end));
  if (!written || line_end == std::string_view::npos) return std::nullopt;
  const std::int64_t now = seconds_of(clock_.wall());
  if (*written > now || now - *written > std::chrono::seconds(kLifetime).count()) {
    return std::nullopt;
  }
  return std::string(rest.substr(line_end + 1));
}

void DiscoveryCache::keep(std::string_view path, std::string_view document) const {
  make_private_folders(folder_);
  std::error_code failed;
  std::string name = folder_ + "/.new.XXXXXX";
  const FileDescriptor file(::mkstemp(name.data()));  // created with mode 0600
  if (!file.is_open()) {
    log::verbose(4, "API discovery is not cached: cannot write to {}", folder_);
    return;
  }
  set_close_on_exec(file.get());
  const std::string begin = fmt::format("{}{}\n", head(path), seconds_of(clock_.wall()));
  const bool written = write_fully(file.get(), begin) && write_fully(file.get(), document);
  if (written) std::filesystem::rename(name, file_of(path), failed);
  if (!written || failed) std::filesystem::remove(name, failed);
}

}  // namespace kinf
