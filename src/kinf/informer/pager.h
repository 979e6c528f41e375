// SPDX-License-Identifier: Apache-2.0
// Pager: reads a complete list in pages. Never blocks: its owner polls it, and waits on the
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
  std::int64_t page_size = 500;  ///< the limit if the list options have none (0: no pages)
  /// If a later page fails with reason Expired: one list without pages, from the start.
  bool full_list_if_expired = true;
};

struct PagedList {
  std::vector<ObjectPtr> items;
  /// Of the first page, so that a watch from it may repeat changes but misses none.
  std::string resource_version;
  bool paginated = false;  ///< more than one page was requested
};

/// Collects all items of a list (client-go: tools/pager, ListPager.List). Continuing requests
/// carry neither resourceVersion nor resourceVersionMatch.
/// Threads: one owner.
class Pager final : private ListSink {
 public:
  /// `source` must outlive the pager.
  Pager(ListerWatcher& source, PagerOptions options);
  Pager(const Pager&) = delete;  // the call in flight knows its address
  Pager& operator=(const Pager&) = delete;

  /// Sends the first request. Once per pager.
  void start(const ListOptions& options);
  /// Does the work that needs no waiting. Empty while unfinished. Do not call it after a result.
  std::optional<Result<PagedList>> poll();
  /// Whether a page after the first was requested. Also valid if the list failed.
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

/// Passes the items of a list on as they arrive and keeps none (client-go:
/// ListPager.EachListItem). Continuing requests keep the resourceVersion; an expired page is an
/// error, because earlier items have been passed on already.
/// Threads: one owner.
class StreamingPager {
 public:
  /// `source` and `sink` must outlive the pager.
  StreamingPager(ListerWatcher& source, std::int64_t page_size, ListSink& sink);

  void start(const ListOptions& options);
  /// As Pager::poll; the result is the first page's resourceVersion.
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
