// SPDX-License-Identifier: Apache-2.0
#include "kinf/informer/list_round.h"

#include <algorithm>

#include "kinf/api/api_status.h"
#include "kinf/base/log.h"

namespace kinf {
namespace {

constexpr std::int64_t kDefaultPageSize = 500;
/// The size to which pages may grow if the first page has the default size.
constexpr std::int64_t kLargestPage = 8 * kDefaultPageSize;
/// How long to wait for the first byte of a list of the newest state. The server sends nothing if
/// its etcd does not respond.
constexpr std::chrono::seconds kNewestPatience(5);

}  // namespace

ListRound::ListRound(ListerWatcher& source, VersionTracker& versions, DialPacer& pacer,
                     const Clock& clock, const InformerOptions& options)
    : source_(source), versions_(versions), pacer_(pacer), clock_(clock), options_(options) {}

std::string ListRound::start() {
  first_version_ = versions_.for_list();
  asked_again_ = from_memory_ = false;
  send();
  return newest_ ? std::string() : first_version_;
}

void ListRound::send() {
  ListOptions request;
  request.resource_version = choose_version();
  PagerOptions paging;
  paging.page_size = choose_page_size(request.resource_version);
  if (options_.behaviour == Behaviour::strict) {
    paging.pages_in_flight = options_.pages_in_flight;
    if (paging.page_size == kDefaultPageSize) paging.largest_page = kLargestPage;
  } else {
    paging.short_page_pause = {};
  }
  sent_at_ = clock_.now();
  pager_.emplace(source_, paging, pacer_, clock_);
  pager_->start(request);
}

std::string ListRound::choose_version() {
  newest_ = options_.behaviour == Behaviour::strict && !from_memory_ && !versions_.unavailable() &&
            source_.newest_from_memory() != NewestFromMemory::none;
  return newest_ ? std::string() : versions_.for_list();
}

std::int64_t ListRound::choose_page_size(const std::string& version) const {
  const bool any_or_newest = first_version_.empty() || first_version_ == "0";
  const std::int64_t as_client_go =
      options_.page_size.value_or(always_pages_ || any_or_newest ? kDefaultPageSize : 0);
  if (options_.behaviour == Behaviour::client_go) return as_client_go;
  if (from_memory_ && !asked_again_) return 0;
  if (!version.empty()) return version == "0" ? as_client_go : 0;
  switch (source_.newest_from_memory()) {
    case NewestFromMemory::pages: return options_.page_size.value_or(kDefaultPageSize);
    case NewestFromMemory::whole: return 0;
    case NewestFromMemory::none: break;
  }
  return as_client_go;
}

Clock::Mono ListRound::memory_deadline() const {
  return newest_ && !pager_->has_begun() ? sent_at_ + kNewestPatience : Clock::kNever;
}

Clock::Mono ListRound::deadline() const {
  return pager_ ? std::min(pager_->next_request(), memory_deadline()) : send_at_;
}

std::optional<Result<PagedList>> ListRound::poll() {
  while (true) {
    if (!pager_) {
      if (clock_.now() < send_at_) return std::nullopt;
      pacer_.dialled(clock_.now());
      send();
    }
    std::optional<Result<PagedList>> outcome = pager_->poll();
    if (!outcome) {
      if (clock_.now() < memory_deadline()) return std::nullopt;
      log::verbose(2, "{}: no response within {} s; listing what the server has in memory",
                   source_.description(), kNewestPatience.count());
      from_memory_ = true;
    } else if (asks_again(*outcome)) {
      asked_again_ = true;
      versions_.mark_unavailable();
    } else {
      if (*outcome && first_version_ == "0" && !newest_ && (*outcome)->paginated) {
        always_pages_ = true;
      }
      pager_.reset();
      return outcome;
    }
    pager_.reset();
    send_at_ = pacer_.earliest(clock_.now());
  }
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
