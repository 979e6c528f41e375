// SPDX-License-Identifier: Apache-2.0
#include "kinf/sandbox/api/list_page.h"

#include <algorithm>

namespace kinf::sandbox {
namespace {

constexpr const char* kTokenExpired =
    "The provided continue parameter is too old to display a consistent list result. You can start "
    "a new list without the continue parameter, or use the continue token in this response to "
    "retrieve the remainder of the results. Continuing with the provided token results in an "
    "inconsistent list - objects that were created, modified, or deleted between the time the "
    "first chunk was returned and now may show up in the list.";

/// Returns the first key after `key`: `/namespace/name` and a NUL.
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
