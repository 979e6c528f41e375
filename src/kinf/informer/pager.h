// SPDX-License-Identifier: Apache-2.0
// Pager: reads a complete list in pages. Does not block: the owner calls poll() and waits on the
// ListerWatcher. Does not retry.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "kinf/api/lister_watcher.h"

namespace kinf {

struct PagerOptions {
  /// Objects per page if the list options set no limit (0: no pages).
  std::int64_t page_size = 500;
  /// If a page after the first fails with reason Expired, list once more from the start, without
  /// pages.
  bool full_list_if_expired = true;
};

struct PagedList {
  std::vector<ObjectPtr> items;
  /// The resourceVersion of the first page: a watch from it may repeat changes but misses none.
  std::string resource_version;
  bool paginated = false;  ///< more than one page was requested
};

/// Collects all items of a list (client-go: tools/pager, ListPager.List). Requests for later pages
/// set neither resourceVersion nor resourceVersionMatch.
/// Threads: one thread at a time.
class Pager final : private ListSink {
 public:
  /// `source` must outlive the pager.
  Pager(ListerWatcher& source, PagerOptions options);
  Pager(const Pager&) = delete;  // the running ListCall holds its address
  Pager& operator=(const Pager&) = delete;

  /// Sends the first request. Call it once per pager.
  void start(const ListOptions& options);
  /// Does the work that is ready, without waiting. Returns nothing while the list is incomplete. Do
  /// not call it again after a result.
  std::optional<Result<PagedList>> poll();
  /// Returns true if more than one page was requested. Also valid after a failure.
  bool paginated() const { return list_.paginated; }

 private:
  void item(ObjectPtr object) override { list_.items.push_back(std::move(object)); }
  std::optional<Result<PagedList>> turn_page(ListPage page);
  bool fall_back(const Error& error);

  ListerWatcher& source_;
  const PagerOptions options_;
  ListOptions first_;
  ListOptions request_;
  PagedList list_;
  bool full_list_ = false;
  std::unique_ptr<ListCall> call_;
};

/// Passes the items of a list to a sink as they arrive and keeps none (client-go:
/// ListPager.EachListItem). Requests for later pages keep the resourceVersion. An expired page is
/// an error, because the sink already has the earlier items.
/// Threads: one thread at a time.
class StreamingPager {
 public:
  /// `source` and `sink` must outlive the pager.
  StreamingPager(ListerWatcher& source, std::int64_t page_size, ListSink& sink);

  void start(const ListOptions& options);
  /// Like Pager::poll. The result is the resourceVersion of the first page.
  std::optional<Result<std::string>> poll();

 private:
  ListerWatcher& source_;
  const std::int64_t page_size_;
  ListSink& sink_;
  ListOptions request_;
  std::string resource_version_;
  std::unique_ptr<ListCall> call_;
};

}  // namespace kinf
