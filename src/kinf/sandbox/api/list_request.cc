// SPDX-License-Identifier: Apache-2.0
#include "kinf/sandbox/api/list_request.h"

#include <fmt/format.h>

#include <algorithm>

#include "kinf/base/ascii.h"
#include "kinf/base/base64.h"

namespace kinf::sandbox {
namespace {

ApiResult<VersionMatch> parse_match(const HttpRequest& request, bool is_watch) {
  const auto refuse = [](const char* reason, std::string message) {
    return std::unexpected(invalid("meta.k8s.io", "ListOptions", "",
                                   {{reason, std::move(message), "resourceVersionMatch"}}));
  };
  const auto forbid = [&](const char* why) {
    return refuse("FieldValueForbidden", std::string("Forbidden: ") + why);
  };
  constexpr const char* kNeedsMatch =
      "sendInitialEvents requires setting resourceVersionMatch to NotOlderThan";
  const std::string match = request.parameter("resourceVersionMatch");
  const std::string version = request.parameter("resourceVersion");
  const bool initial = request.flag("sendInitialEvents");
  if (match.empty() && !initial) return VersionMatch::unset;
  if (match.empty()) return forbid(kNeedsMatch);
  if (match != "Exact" && match != "NotOlderThan") {
    return refuse(
        "FieldValueNotSupported",
        fmt::format("Unsupported value: \"{}\": supported values: \"Exact\", \"NotOlderThan\"",
                    match));
  }
  if (is_watch && !initial) {
    return forbid(
        "resourceVersionMatch is forbidden for watch unless sendInitialEvents is provided");
  }
  if (!is_watch && version.empty()) {
    return forbid("resourceVersionMatch is forbidden unless resourceVersion is provided");
  }
  if (match == "NotOlderThan") return VersionMatch::not_older_than;
  if (is_watch) return forbid(kNeedsMatch);
  if (version == "0") {
    return forbid("resourceVersionMatch \"exact\" is forbidden for resourceVersion \"0\"");
  }
  return VersionMatch::exact;
}

constexpr const char* kTokenExpired =
    "The provided continue parameter is too old to display a consistent list result. You can start "
    "a new list without the continue parameter, or use the continue token in this response to "
    "retrieve the remainder of the results. Continuing with the provided token results in an "
    "inconsistent list - objects that were created, modified, or deleted between the time the "
    "first chunk was returned and now may show up in the list.";

/// Returns the first key after `key`, as text: `/namespace/name` and a NUL.
std::string start_after(const ObjectKey& key) {
  return "/" + key.ns + "/" + key.name + std::string(1, '\0');
}

/// Returns the key of the last object that the client already has.
ObjectKey reached(const ContinueToken& token) {
  const std::string_view path = std::string_view(token.start).substr(1);
  const std::size_t slash = path.find('/');
  ObjectKey key;
  if (slash != std::string_view::npos) key.ns = path.substr(0, slash);
  key.name = slash == std::string_view::npos ? path : path.substr(slash + 1);
  if (key.name.ends_with('\0')) key.name.pop_back();
  return key;
}

/// Returns the state of the store that the request asks for.
ApiResult<Snapshot> requested_state(const ResourceStore& store, const ApiType& type,
                                    const ListRequest& request) {
  const std::string key = type.storage_key();
  if (request.token && request.token->version >= 0) {
    auto state = store.list_at(key, static_cast<std::uint64_t>(request.token->version));
    return state ? ApiResult<Snapshot>(*std::move(state))
                 : std::unexpected(expired_token(*request.token));
  }
  if (request.token) return store.list(key);
  const std::uint64_t version = request.version.value_or(0);
  if (request.match == VersionMatch::exact) {
    auto state = store.list_at(key, version);
    if (state) return *std::move(state);
    return std::unexpected(state.error() == VersionProblem::expired
                               ? expired("The resourceVersion for the provided list is too old.")
                               : too_large_version(version, store.version()));
  }
  Snapshot snapshot = store.list(key);
  if (version > snapshot.version) {
    return std::unexpected(too_large_version(version, snapshot.version));
  }
  return snapshot;
}

}  // namespace

std::string to_text(const ContinueToken& token) {
  const Json json = {{"v", "meta.k8s.io/v1"}, {"rv", token.version}, {"start", token.start}};
  // Use base64url without padding.
  std::string text = base64_encode(to_text(json));
  std::ranges::replace(text, '+', '-');
  std::ranges::replace(text, '/', '_');
  text.resize(std::min(text.size(), text.find('=')));
  return text;
}

ApiResult<ContinueToken> parse_continue_token(std::string encoded) {
  std::ranges::replace(encoded, '-', '+');
  std::ranges::replace(encoded, '_', '/');
  encoded.resize((encoded.size() + 3) / 4 * 4, '=');
  const std::optional<std::string> decoded = base64_decode(encoded);
  const std::optional<Json> json = decoded ? parse_json(*decoded) : std::nullopt;
  const Json token = json.value_or(Json());
  const std::string start = text(field(token, "start"));
  if (!field(token, "rv").is_number_integer() || !start.starts_with('/')) {
    return std::unexpected(bad_request(
        "invalid continue token: continue key is not valid: it was not made by this server"));
  }
  return ContinueToken{token["rv"].get<std::int64_t>(), start};
}

ApiResult<ListRequest> parse_list_request(const HttpRequest& request, bool is_watch) {
  ListRequest result;
  const std::string version = request.parameter("resourceVersion");
  if (!version.empty()) {
    result.version = parse_number<std::uint64_t>(version);
    if (!result.version) {
      return std::unexpected(bad_request(
          fmt::format("invalid resource version: resourceVersion: Invalid value: \"{}\": "
                      "strconv.ParseUint: parsing \"{}\": invalid syntax",
                      version, version)));
    }
  }
  const ApiResult<VersionMatch> match = parse_match(request, is_watch);
  if (!match) return std::unexpected(match.error());
  result.match = *match;
  result.limit = parse_number<std::size_t>(request.parameter("limit")).value_or(0);
  const std::string token = request.parameter("continue");
  if (!token.empty() && !is_watch) {
    if (!version.empty() && version != "0") {
      return std::unexpected(
          bad_request("specifying resource version is not allowed when using continue"));
    }
    ApiResult<ContinueToken> parsed = parse_continue_token(token);
    if (!parsed) return std::unexpected(std::move(parsed).error());
    result.token = std::move(*parsed);
  }
  result.bookmarks = request.flag("allowWatchBookmarks");
  result.send_initial_events = is_watch && request.flag("sendInitialEvents");
  result.timeout_seconds =
      parse_number<std::int64_t>(request.parameter("timeoutSeconds")).value_or(0);
  return result;
}

ApiStatus expired_token(const ContinueToken& token) {
  ApiStatus status = expired(kTokenExpired);
  status.continue_token = to_text(ContinueToken{-1, token.start});
  return status;
}

ApiResult<Page> list_page(const ResourceStore& store, const ApiType& type,
                          const ListRequest& request, const ObjectFilter& filter) {
  ApiResult<Snapshot> state = requested_state(store, type, request);
  if (!state) return std::unexpected(std::move(state).error());
  auto next = state->objects.begin();
  if (request.token) {
    next = std::upper_bound(
        next, state->objects.end(), reached(*request.token),
        [](const ObjectKey& key, const StoredPtr& object) { return key < object->key; });
  }
  Page page;
  page.metadata.version = std::to_string(state->version);
  for (; next != state->objects.end(); ++next) {
    if (!filter.matches(**next)) continue;
    if (request.limit != 0 && page.objects.size() == request.limit) break;
    page.objects.push_back(*next);
  }
  if (next == state->objects.end()) return page;
  const std::int64_t version =
      request.token ? request.token->version : static_cast<std::int64_t>(state->version);
  page.metadata.continue_token =
      to_text(ContinueToken{version, start_after(page.objects.back()->key)});
  if (!filter.selects()) {
    page.metadata.remaining = static_cast<std::size_t>(
        std::count_if(next, state->objects.end(),
                      [&](const StoredPtr& object) { return filter.matches(*object); }));
  }
  return page;
}

}  // namespace kinf::sandbox
