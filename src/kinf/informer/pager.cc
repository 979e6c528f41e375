// SPDX-License-Identifier: Apache-2.0
#include "kinf/informer/pager.h"

#include <utility>

#include "kinf/api/api_status.h"

namespace kinf {

Pager::Pager(ListerWatcher& source, PagerOptions options) : source_(source), options_(options) {}

void Pager::start(const ListOptions& options) {
  first_ = options;
  if (first_.limit == 0) first_.limit = options_.page_size;
  request_ = first_;
  call_ = source_.list(request_, *this);
}

std::optional<Result<PagedList>> Pager::poll() {
  while (true) {
    std::optional<Result<ListPage>> page = call_->poll();
    if (!page) return std::nullopt;
    call_.reset();
    if (!*page) {
      if (fall_back(page->error())) continue;
      return std::unexpected(std::move(page->error()));
    }
    if (auto done = turn_page(std::move(**page))) return done;
  }
}

std::optional<Result<PagedList>> Pager::turn_page(ListPage page) {
  if (request_.continue_token.empty()) {
    list_.resource_version = std::move(page.resource_version);
  }
  if (page.continue_token.empty()) return std::move(list_);
  list_.paginated = true;
  request_.continue_token = std::move(page.continue_token);
  request_.resource_version.clear();
  request_.resource_version_match.clear();
  call_ = source_.list(request_, *this);
  return std::nullopt;
}

bool Pager::fall_back(const Error& error) {
  // Only the reason Expired refers to the continue token; Gone does not.
  const bool token_expired = error.status && error.status->reason == "Expired";
  if (!options_.full_list_if_expired || full_list_ || !token_expired ||
      request_.continue_token.empty()) {
    return false;
  }
  full_list_ = true;
  list_.items.clear();
  request_ = first_;
  request_.limit = 0;
  request_.continue_token.clear();
  call_ = source_.list(request_, *this);
  return true;
}

StreamingPager::StreamingPager(ListerWatcher& source, std::int64_t page_size, ListSink& sink)
    : source_(source), page_size_(page_size), sink_(sink) {}

void StreamingPager::start(const ListOptions& options) {
  request_ = options;
  if (request_.limit == 0) request_.limit = page_size_;
  call_ = source_.list(request_, sink_);
}

std::optional<Result<std::string>> StreamingPager::poll() {
  while (true) {
    std::optional<Result<ListPage>> page = call_->poll();
    if (!page) return std::nullopt;
    call_.reset();
    if (!*page) return std::unexpected(std::move(page->error()));
    if (request_.continue_token.empty()) {
      resource_version_ = std::move((*page)->resource_version);
    }
    if ((*page)->continue_token.empty()) return std::move(resource_version_);
    request_.continue_token = std::move((*page)->continue_token);
    call_ = source_.list(request_, sink_);
  }
}

}  // namespace kinf
