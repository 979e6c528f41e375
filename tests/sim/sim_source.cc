// SPDX-License-Identifier: Apache-2.0
#include "sim/sim_source.h"

#include <chrono>
#include <utility>

#include "kinf/api/list_decoder.h"
#include "kinf/api/watch_decoder.h"
#include "sim/documents.h"

namespace kinf::sim {
namespace {

/// How long a list may be silent, as HttpListerWatcher limits it.
constexpr std::chrono::seconds kListSilence(60);
/// Promise 4: the most requests in one second that bring nothing new.
constexpr std::size_t kMostRequests = 5;

DecodeOptions decode_options(const HeldObjects& held) {
  DecodeOptions options;
  options.held = held;
  return options;
}

/// Cancels the exchange at the end.
class Hold {
 public:
  explicit Hold(std::shared_ptr<Exchange> exchange) : exchange_(std::move(exchange)) {}
  ~Hold() { exchange_->cancel(); }
  Hold(const Hold&) = delete;
  Hold& operator=(const Hold&) = delete;
  Exchange* operator->() const { return exchange_.get(); }

 private:
  std::shared_ptr<Exchange> exchange_;
};

}  // namespace

class SimSource::Listing final : public ListCall {
 public:
  /// `is_check`: only the version is read, so the client does not know the objects.
  Listing(SimSource& source, std::shared_ptr<Exchange> exchange, ListSink& sink, bool is_check)
      : source_(source),
        is_check_(is_check),
        exchange_(std::move(exchange)),
        started_(source.clock_.now()),
        decoder_(decode_options(source.held_), sink) {}

  std::optional<Result<ListPage>> poll() override {
    const Clock::Mono now = source_.clock_.now();
    while (std::optional<Payload> got = exchange_->take(now)) {
      if (Error* const error = std::get_if<Error>(&*got)) return std::unexpected(*error);
      if (std::holds_alternative<Closed>(*got)) return finish();
      if (const std::string* const bytes = std::get_if<std::string>(&*got)) {
        if (Result<void> fed = decoder_.feed(*bytes); !fed) return std::unexpected(fed.error());
      }
    }
    const Clock::Mono last = last_byte();
    if (now < (last == Clock::kNever ? started_ : last) + kListSilence) return std::nullopt;
    source_.network_.reset(source_.options_.client);
    return fail(ErrorKind::network, "the list is silent");
  }
  std::optional<std::string_view> continue_token() const override {
    return decoder_.continue_token();
  }
  Clock::Mono last_byte() const override { return exchange_->last_byte; }

 private:
  Result<ListPage> finish() {
    Result<ListPage> page = decoder_.finish();
    if (!page) return page;
    source_.verdict_.trace("client {} got a page of {} at {}, continue {:?}", exchange_->client,
                           decoder_.items(), page->resource_version, page->continue_token);
    if (is_check_) return page;
    if (exchange_->options.continue_token.empty()) {
      source_.wire_.newest = number_of(page->resource_version);
    }
    if (page->continue_token.empty()) {
      source_.wire_.has_list = true;
      source_.wire_.list_epoch = exchange_->epoch;
      source_.wire_.lists.push_back(number_of(page->resource_version));
    }
    return page;
  }

  SimSource& source_;
  const bool is_check_;
  const Hold exchange_;
  const Clock::Mono started_;
  ListDecoder decoder_;
};

class SimSource::Watching final : public WatchCall {
 public:
  Watching(SimSource& source, std::shared_ptr<Exchange> exchange)
      : source_(source),
        exchange_(std::move(exchange)),
        is_initial_(exchange_->options.send_initial_events),
        decoder_(decode_options(is_initial_ ? source.held_ : HeldObjects())) {}

  WatchPoll poll() override {
    if (std::optional<WatchPoll> next = decode()) return std::move(*next);
    while (std::optional<Payload> got = exchange_->take(source_.clock_.now())) {
      if (Error* const error = std::get_if<Error>(&*got)) return *error;
      if (std::holds_alternative<Closed>(*got)) return closed();
      if (std::holds_alternative<Accepted>(*got)) {
        is_open_ = true;
        return WatchOpened();
      }
      decoder_.feed(std::get<std::string>(*got));
      // One read returns everything that has arrived.
      if (exchange_->has_bytes(source_.clock_.now())) continue;
      if (std::optional<WatchPoll> next = decode()) return std::move(*next);
    }
    return WatchPending();
  }
  Clock::Mono last_byte() const override { return exchange_->last_byte; }

 private:
  WatchPoll closed() const {
    if (is_open_) return WatchClosed();
    return Error(ErrorKind::network, "the server closed the connection", NetworkFault::closed);
  }
  std::optional<WatchPoll> decode() {
    Result<std::optional<WatchEvent>> next = decoder_.next();
    if (!next) return next.error();
    if (!*next) return std::nullopt;
    note(**next);
    return WatchPoll(std::move(**next));
  }
  void note(const WatchEvent& event) {
    const std::uint32_t revision = number_of(event.resource_version);
    source_.verdict_.trace("client {} got event {} at {}", exchange_->client,
                           static_cast<int>(event.type), event.resource_version);
    if (event.type == WatchEventType::error || !source_.options_.checks_versions) return;
    if (is_initial_) {
      if (!event.initial_events_end) return;
      is_initial_ = false;
      source_.wire_.has_list = true;
      source_.wire_.list_epoch = exchange_->epoch;
      source_.wire_.newest = newest_ = revision;
      source_.wire_.lists.push_back(revision);
      return;
    }
    // Ordered and unique: a decoder that repeats or swaps events fails here.
    const bool is_bookmark = event.type == WatchEventType::bookmark;
    source_.verdict_.expect(is_bookmark ? revision >= newest_ : revision > newest_, "wire order",
                            "{} after {}", revision, newest_);
    newest_ = revision;
    source_.wire_.newest = std::max(source_.wire_.newest, revision);
  }

  SimSource& source_;
  const Hold exchange_;
  bool is_initial_;
  bool is_open_ = false;
  std::uint32_t newest_ = 0;
  WatchDecoder decoder_;
};

std::unique_ptr<ListCall> SimSource::list(const ListOptions& options, ListSink& sink) {
  verdict_.trace("client {} lists from {:?}, limit {}, continue {:?}", options_.client,
                 options.resource_version, options.limit, options.continue_token);
  if (options.continue_token.empty()) count_request();
  return std::make_unique<Listing>(*this, send(false, options), sink, false);
}

std::unique_ptr<ListCall> SimSource::newest_version(ListSink& sink) {
  if (options_.newest == NewestFromMemory::none) return nullptr;
  verdict_.trace("client {} asks for the newest version", options_.client);
  count_request();
  ListOptions options;
  options.limit = 1;
  return std::make_unique<Listing>(*this, send(false, options), sink, true);
}

std::unique_ptr<WatchCall> SimSource::watch(const ListOptions& options) {
  verdict_.trace("client {} watches from {:?}{}", options_.client, options.resource_version,
                 options.send_initial_events ? " with initial events" : "");
  count_request();
  if (!options.send_initial_events && options_.checks_versions) {
    const std::uint32_t from = number_of(options.resource_version);
    verdict_.expect(from > 0 && from <= wire_.newest, "resumable",
                    "a watch from {:?}, but the newest version received is {}",
                    options.resource_version, wire_.newest);
  }
  return std::make_unique<Watching>(*this, send(true, options));
}

std::shared_ptr<Exchange> SimSource::send(bool is_watch, const ListOptions& options) {
  return network_.send(options_.client, is_watch, options, options_.red_only, clock_.now());
}

void SimSource::count_request() {
  if (!options_.is_paced) return;
  const Clock::Mono now = clock_.now();
  requests_.push_back(now);
  while (requests_.front() + std::chrono::seconds(1) <= now) requests_.pop_front();
  verdict_.expect(requests_.size() <= kMostRequests, "request rate", "{} requests in one second",
                  requests_.size());
}

void SimSource::wait(Clock::Mono deadline, const std::stop_token& stop) {
  (void)deadline, (void)stop;  // the simulation never blocks
}

}  // namespace kinf::sim
