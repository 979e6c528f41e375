// SPDX-License-Identifier: Apache-2.0
#include "kinf/informer/list_round.h"

#include <utility>

#include "kinf/api/api_status.h"
#include "kinf/informer/resource_version.h"

namespace kinf {
namespace {

constexpr std::int64_t kDefaultPageSize = 500;

}  // namespace

ListRound::ListRound(ListerWatcher& source, VersionTracker& versions, DialPacer& pacer,
                     const Clock& clock, const InformerOptions& options)
    : source_(source), versions_(versions), pacer_(pacer), clock_(clock), options_(options) {}

void ListRound::start() {
  first_version_ = versions_.for_list();
  const bool any_or_newest = first_version_.empty() || first_version_ == "0";
  if (options_.page_size > 0) {
    page_size_ = options_.page_size;
  } else {
    page_size_ = always_pages_ || any_or_newest ? kDefaultPageSize : 0;
  }
  asked_again_ = false;
  send();
}

void ListRound::send() {
  PagerOptions paging;
  paging.page_size = page_size_;
  ListOptions request;
  request.resource_version = versions_.for_list();
  pager_.emplace(source_, paging);
  pager_->start(request);
}

std::optional<Result<PagedList>> ListRound::poll() {
  std::optional<Result<PagedList>> outcome = pager_->poll();
  if (!outcome) return std::nullopt;
  pager_.reset();
  if (asks_again(*outcome)) {
    asked_again_ = true;
    versions_.mark_unavailable();
    pacer_.dialled(clock_.now());
    send();
    return std::nullopt;
  }
  if (*outcome && first_version_ == "0" && (*outcome)->paginated) always_pages_ = true;
  return outcome;
}

bool ListRound::asks_again(const Result<PagedList>& outcome) {
  if (asked_again_) return false;
  if (!outcome) {
    return is_expired(outcome.error()) || is_too_large_resource_version(outcome.error());
  }
  // The server was restored from a backup or lags behind: ask for the newest state.
  return options_.behaviour == Behaviour::strict && !versions_.unavailable() &&
         is_older_version(outcome->resource_version, versions_.last());
}

}  // namespace kinf
