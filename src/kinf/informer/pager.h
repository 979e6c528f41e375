// SPDX-License-Identifier: Apache-2.0
// Pager: reads a complete list in pages, and requests pages ahead of time. Does not block: the
// owner calls poll() and waits on the ListerWatcher. Does not retry.
#pragma once

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <deque>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_set>
#include <vector>

#include "kinf/api/lister_watcher.h"
#include "kinf/base/clock.h"

namespace kinf {

// DialPacer: limits the rate of requests to the server: a short burst, then one request per
// interval. Works in addition to the backoff after failures.

/// A token bucket that returns a time instead of waiting. Threads: one thread at a time.
class DialPacer {
 public:
  /// Allows `burst` requests at once, then one per `interval`.
  DialPacer(int burst, Clock::Duration interval)
      : slack_(interval * (burst - 1)), interval_(interval) {}

  /// Returns the earliest time of the next request, but not before `now`.
  Clock::Mono earliest(Clock::Mono now) const { return std::max(now, free_at_ - slack_); }
  /// Counts a request that is sent at `now`.
  void dialled(Clock::Mono now) { free_at_ = std::max(now, free_at_) + interval_; }
  /// Undoes dialled() for a request that made progress.
  void refund() { free_at_ -= interval_; }

 private:
  Clock::Duration slack_;
  Clock::Duration interval_;
  Clock::Mono free_at_{};  ///< the time at which the bucket is full again
};

struct PagerOptions {
  /// Objects per page if the list options set no limit (0: no pages).
  std::int64_t page_size = 500;
  /// How many pages may be requested before the first of them is complete (1: one after the other,
  /// as client-go does).
  int pages_in_flight = 1;
  /// Each page is twice as large as the one before, up to this number of objects (0: all pages have
  /// the same size).
  std::int64_t largest_page = 0;
  /// After a page that is not full, the next request waits for this time divided by the number of
  /// items in the page; longer after several such pages in a row.
  Clock::Duration short_page_pause = std::chrono::milliseconds(20);
};

struct PagedList {
  std::vector<ObjectPtr> items;
  /// The resourceVersion of the first page. A watch from this version may repeat changes but misses
  /// none.
  std::string resource_version;
  bool paginated = false;  ///< whether more than one page was requested
};

/// Collects all items of a list (client-go: tools/pager, ListPager.List). Requests for later pages
/// set neither resourceVersion nor resourceVersionMatch. If a page after the first fails with
/// reason Expired, lists once more from the start, without pages.
///
/// An API server sends the continue token before the items, and needs longer to produce a page than
/// to find where the next one begins. Therefore the pager requests the next page as soon as it has
/// read the token. The result is the same as if the pages were requested one after the other: an
/// error counts only when all earlier pages are complete, and the pages after it are discarded.
///
/// Each request needs the token of the page before, so a list takes at least one round trip per
/// page. For each page, the server walks all the objects that are left. With pages that double in
/// size, up to `largest_page`, the first objects arrive soon and few requests are needed.
///
/// A server must not be able to make the pager send requests in a loop. A continue token that the
/// server sent before is an error. After a page without new objects, the next request waits for the
/// DialPacer. After a page that is not full, it waits 20 ms divided by the number of items, and
/// after each further one in a row twice as long, up to 16 times. If each page has only one new
/// object, there are about three requests a second. Threads: one thread at a time.
class Pager final {
 public:
  /// All references must outlive the pager. The caller counts the first request in `pacer`.
  Pager(ListerWatcher& source, PagerOptions options, DialPacer& pacer, const Clock& clock);
  Pager(const Pager&) = delete;
  Pager& operator=(const Pager&) = delete;
  ~Pager();

  /// Sends the first request. Call it once per pager.
  void start(const ListOptions& options);
  /// Does the work that is ready, without waiting. Returns nullopt while the list is incomplete. Do
  /// not call it again after a result.
  std::optional<Result<PagedList>> poll();
  /// Returns when poll() must be called even if no data arrives; kNever if there is no such time.
  Clock::Mono next_request() const;
  /// Returns whether a byte of the list has arrived.
  bool has_begun() const { return begun_; }
  /// Returns whether more than one page was requested. Also valid after a failure.
  bool paginated() const { return list_.paginated; }

 private:
  class Page;

  void request(const ListOptions& options);
  bool request_ahead();
  std::optional<std::string_view> next_token() const;
  bool was_requested(std::string_view token) const;
  Clock::Mono earliest_request() const;
  std::optional<Result<PagedList>> take_page();
  std::optional<Result<PagedList>> take_error(Error error, bool later_page);
  void pace(const Page& page);

  ListerWatcher& source_;
  const PagerOptions options_;
  DialPacer& pacer_;
  const Clock& clock_;
  ListOptions first_;
  std::int64_t limit_ = 0;  ///< the limit of the last request
  PagedList list_;
  bool full_list_ = false;
  bool begun_ = false;
  /// The requested pages that list_ does not contain yet, in list order.
  std::deque<std::unique_ptr<Page>> pages_;
  std::string last_token_;                     ///< the continue token of the last page in list_
  std::unordered_set<std::size_t> requested_;  ///< hashes of the continue tokens of all requests
  std::unordered_set<std::size_t> ends_;       ///< hashes of the keys of each page's last item
  bool progress_ = true;                       ///< the last page in list_ contained a new object
  Clock::Mono not_before_{};                   ///< the earliest time of the next request
  std::int64_t slowdown_ = 1;  ///< multiplies the pause after a page that is not full
};

}  // namespace kinf
