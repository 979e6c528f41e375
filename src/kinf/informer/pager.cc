// SPDX-License-Identifier: Apache-2.0
#include "kinf/informer/pager.h"

#include <fmt/format.h>

#include <algorithm>
#include <functional>
#include <iterator>
#include <utility>

#include "kinf/api/api_status.h"
#include "kinf/base/quote.h"

namespace kinf {
namespace {

/// The size of a full page if the request sets no limit.
constexpr std::int64_t kFullPage = 500;
/// How many times as long the pause after a page becomes, if page after page is not full.
constexpr std::int64_t kSlowest = 16;

std::size_t hash_of(std::string_view text) { return std::hash<std::string_view>()(text); }

Error repeated_token(std::string_view token) {
  constexpr std::size_t kShownBytes = 64;
  return {ErrorKind::protocol,
          fmt::format("the server returned the continue token {}{} again, so the list has no end",
                      quoted(token.substr(0, kShownBytes)), token.size() > kShownBytes ? "…" : "")};
}

}  // namespace

/// A requested page and its items.
class Pager::Page final : private ListSink {
 public:
  Page(ListerWatcher& source, const ListOptions& options)
      : is_later(!options.continue_token.empty()),
        asked_token(options.continue_token),
        call_(source.list(options, *this)) {}
  Page(const Page&) = delete;  // call_ holds the address of this Page
  Page& operator=(const Page&) = delete;
  ~Page() override = default;

  void poll() {
    if (outcome) return;
    outcome = call_->poll();
    begun_ = begun_ || call_->last_byte() != Clock::kNever;
    if (outcome) call_.reset();
  }
  /// Returns the continue token of this page; nullopt while it is not known (see ListCall).
  std::optional<std::string_view> continue_token() const {
    if (!outcome) return call_->continue_token();
    if (!*outcome) return std::nullopt;
    return (*outcome)->continue_token;
  }
  bool has_begun() const { return begun_ || !items.empty() || continue_token(); }

  const bool is_later;            ///< whether this is not the first page
  const std::string asked_token;  ///< the continue token of the request
  std::vector<ObjectPtr> items;
  std::optional<Result<ListPage>> outcome;

 private:
  void item(ObjectPtr object) override { items.push_back(std::move(object)); }

  bool begun_ = false;
  std::unique_ptr<ListCall> call_;  ///< null once `outcome` is set
};

Pager::Pager(ListerWatcher& source, PagerOptions options, DialPacer& pacer, const Clock& clock)
    : source_(source), options_(options), pacer_(pacer), clock_(clock) {}

Pager::~Pager() = default;

void Pager::start(const ListOptions& options) {
  first_ = options;
  if (first_.limit == 0) first_.limit = options_.page_size;
  limit_ = first_.limit;
  request(first_);
}

void Pager::request(const ListOptions& options) {
  pages_.push_back(std::make_unique<Page>(source_, options));
}

std::optional<Result<PagedList>> Pager::poll() {
  while (true) {
    for (const auto& page : pages_) page->poll();
    begun_ = begun_ || pages_.empty() || pages_.front()->has_begun();
    if (request_ahead()) continue;
    if (pages_.empty() || !pages_.front()->outcome) return std::nullopt;
    if (auto done = take_page()) return done;
  }
}

/// Returns the continue token for the next request: empty after the last page, nullopt while it is
/// not known.
std::optional<std::string_view> Pager::next_token() const {
  return pages_.empty() ? last_token_ : pages_.back()->continue_token();
}

bool Pager::was_requested(std::string_view token) const {
  return requested_.contains(hash_of(token));
}

Clock::Mono Pager::earliest_request() const {
  return progress_ ? not_before_ : std::max(not_before_, pacer_.earliest(not_before_));
}

Clock::Mono Pager::next_request() const {
  if (pages_.size() >= static_cast<std::size_t>(options_.pages_in_flight)) return Clock::kNever;
  const std::optional<std::string_view> token = next_token();
  if (!token || token->empty() || was_requested(*token)) return Clock::kNever;
  return earliest_request();
}

/// Requests the next page if its token is known and the time next_request() has come. Returns
/// whether a request was sent.
bool Pager::request_ahead() {
  const Clock::Mono now = clock_.now();
  if (now < next_request()) return false;
  ListOptions options = first_;
  options.continue_token = *next_token();
  limit_ = std::max(limit_, std::min(limit_ * 2, options_.largest_page));
  options.limit = limit_;
  options.resource_version.clear();
  options.resource_version_match.clear();
  requested_.insert(hash_of(options.continue_token));
  pacer_.dialled(now);
  list_.paginated = true;
  request(options);
  return true;
}

/// Removes the first page, whose outcome must be set, and appends its items to the list. Returns
/// the outcome of the list if this was the last page, or if the list has failed.
std::optional<Result<PagedList>> Pager::take_page() {
  const std::unique_ptr<Page> page = std::move(pages_.front());
  pages_.pop_front();
  if (!*page->outcome) return take_error(std::move(page->outcome->error()), page->is_later);
  ListPage& end = **page->outcome;
  pace(*page);
  if (!page->is_later) list_.resource_version = std::move(end.resource_version);
  if (list_.items.empty()) {
    list_.items = std::move(page->items);
  } else {
    std::ranges::move(page->items, std::back_inserter(list_.items));
  }
  last_token_ = std::move(end.continue_token);
  if (last_token_.empty()) return std::move(list_);
  if (!pages_.empty() && pages_.front()->asked_token == last_token_) return std::nullopt;
  pages_.clear();  // drop pages that were requested with another token
  if (was_requested(last_token_)) return fail(repeated_token(last_token_));
  return std::nullopt;
}

std::optional<Result<PagedList>> Pager::take_error(Error error, bool later_page) {
  pages_.clear();
  // Only the reason Expired refers to the continue token. The reason Gone does not.
  const bool token_expired = later_page && error.status && error.status->reason == "Expired";
  if (full_list_ || !token_expired) return fail(std::move(error));
  full_list_ = true;
  list_.items.clear();
  requested_.clear();
  ends_.clear();
  first_.limit = limit_ = 0;
  request(first_);
  return std::nullopt;
}

/// Decides when the page after `page` may be requested.
void Pager::pace(const Page& page) {
  const std::size_t count = page.items.size();
  progress_ = count > 0 && ends_.insert(hash_of(page.items.back()->key())).second;
  if (!progress_) return;
  if (page.is_later) pacer_.refund();
  const std::int64_t full = first_.limit > 0 ? first_.limit : kFullPage;
  if (count >= static_cast<std::size_t>(full)) {
    slowdown_ = 1;
    return;
  }
  not_before_ = std::max(not_before_, clock_.now()) +
                options_.short_page_pause * slowdown_ / static_cast<std::int64_t>(count);
  slowdown_ = std::min(slowdown_ * 2, kSlowest);
}

}  // namespace kinf
