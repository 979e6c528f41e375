// SPDX-License-Identifier: Apache-2.0
#include "fakes/manual_source.h"

#include <utility>

namespace kinf::test {

/// What both kinds of call share: the exchange, and that destroying a call cancels it.
class ManualSource::Call {
 public:
  Call(ManualSource& source, std::shared_ptr<Exchange> exchange)
      : source_(source), exchange_(std::move(exchange)) {}
  ~Call() {
    MutexLock lock(source_.mu_);
    exchange_->is_cancelled = true;
    exchange_->is_open = false;
  }
  Call(const Call&) = delete;
  Call& operator=(const Call&) = delete;

  ManualSource& source_;
  std::shared_ptr<Exchange> exchange_;
};

class ManualSource::Listing final : public ListCall {
 public:
  Listing(ManualSource& source, std::shared_ptr<Exchange> exchange, ListSink& sink)
      : call_(source, std::move(exchange)), sink_(sink) {}

  std::optional<Result<ListPage>> poll() override {
    std::vector<ObjectPtr> items;
    std::optional<Result<ListPage>> page;
    {
      MutexLock lock(call_.source_.mu_);
      items = std::exchange(call_.exchange_->items, {});
      continue_token_ = call_.exchange_->continue_token;
      page = std::exchange(call_.exchange_->page, std::nullopt);
    }
    for (ObjectPtr& item : items) sink_.item(std::move(item));
    return page;
  }

  std::optional<std::string_view> continue_token() const override { return continue_token_; }

  Clock::Mono last_byte() const override {
    MutexLock lock(call_.source_.mu_);
    return call_.exchange_->last_byte;
  }

 private:
  Call call_;
  ListSink& sink_;
  std::optional<std::string> continue_token_;
};

class ManualSource::Watching final : public WatchCall {
 public:
  Watching(ManualSource& source, std::shared_ptr<Exchange> exchange)
      : call_(source, std::move(exchange)) {}

  WatchPoll poll() override {
    MutexLock lock(call_.source_.mu_);
    auto& polls = call_.exchange_->polls;
    if (polls.empty()) return WatchPending{};
    WatchPoll found = std::move(polls.front());
    polls.pop_front();
    return found;
  }

  Clock::Mono last_byte() const override {
    MutexLock lock(call_.source_.mu_);
    return call_.exchange_->last_byte;
  }

 private:
  Call call_;
};

std::shared_ptr<ManualSource::Exchange> ManualSource::begin(bool is_watch,
                                                            const ListOptions& options) {
  auto exchange = std::make_shared<Exchange>();
  exchange->request = {is_watch, options, clock_.now()};
  MutexLock lock(mu_);
  asked_.push_back(exchange->request);
  current_ = exchange;
  exchanges_.push_back(exchange);
  return exchange;
}

std::unique_ptr<ListCall> ManualSource::list(const ListOptions& options, ListSink& sink) {
  return std::make_unique<Listing>(*this, begin(false, options), sink);
}

std::unique_ptr<WatchCall> ManualSource::watch(const ListOptions& options) {
  return std::make_unique<Watching>(*this, begin(true, options));
}

std::unique_ptr<ListCall> ManualSource::newest_version(ListSink& sink) {
  if (!tells_version_) return nullptr;
  ListOptions options;
  options.limit = 1;
  return list(options, sink);
}

bool ManualSource::is_pending_locked() const {
  return current_ && !current_->is_answered && !current_->is_cancelled;
}

std::optional<AskedRequest> ManualSource::pending() const {
  MutexLock lock(mu_);
  if (!is_pending_locked()) return std::nullopt;
  return current_->request;
}

bool ManualSource::choose(std::size_t number) {
  MutexLock lock(mu_);
  if (number >= exchanges_.size() || exchanges_[number]->is_cancelled) return false;
  current_ = exchanges_[number];
  return true;
}

void ManualSource::begin_list(std::vector<ObjectPtr> items, std::string continue_token) {
  {
    MutexLock lock(mu_);
    current_->items = std::move(items);
    current_->continue_token = std::move(continue_token);
    current_->last_byte = clock_.now();
  }
  wake();
}

void ManualSource::answer_list(std::vector<ObjectPtr> items, std::string resource_version,
                               std::string continue_token) {
  {
    MutexLock lock(mu_);
    current_->is_answered = true;
    current_->last_byte = clock_.now();
    current_->items = std::move(items);
    current_->page = ListPage{std::move(resource_version), std::move(continue_token)};
  }
  wake();
}

void ManualSource::answer_watch() {
  {
    MutexLock lock(mu_);
    current_->is_answered = true;
    current_->is_open = true;
  }
  put(WatchOpened{}, false);
}

void ManualSource::answer_error(Error error) {
  {
    MutexLock lock(mu_);
    current_->is_answered = true;
    if (!current_->request.is_watch) {
      current_->page = std::unexpected(std::move(error));
      signalled_ = true;
      changed_.notify_all();
      return;
    }
  }
  put(std::move(error), true);
}

bool ManualSource::stream_open() const {
  MutexLock lock(mu_);
  return current_ && current_->is_open;
}

void ManualSource::put(WatchPoll poll, bool ends) {
  {
    MutexLock lock(mu_);
    current_->polls.push_back(std::move(poll));
    current_->last_byte = clock_.now();
    if (ends) current_->is_open = false;
  }
  wake();
}

void ManualSource::send(WatchEvent event) { put(std::move(event), false); }

void ManualSource::send(WatchEventType type, ObjectPtr object) {
  WatchEvent event;
  event.type = type;
  event.resource_version = object->resource_version();
  event.object = std::move(object);
  send(std::move(event));
}

void ManualSource::send_bookmark(std::string resource_version, bool initial_events_end) {
  WatchEvent event;
  event.type = WatchEventType::bookmark;
  event.resource_version = std::move(resource_version);
  event.initial_events_end = initial_events_end;
  send(std::move(event));
}

void ManualSource::send_error(Error error) {
  WatchEvent event;
  event.type = WatchEventType::error;
  event.error = std::move(error);
  send(std::move(event));
}

void ManualSource::break_stream(Error error) { put(std::move(error), true); }

void ManualSource::close_stream() { put(WatchClosed{}, true); }

std::vector<AskedRequest> ManualSource::asked() const {
  MutexLock lock(mu_);
  return asked_;
}

int ManualSource::resets() const {
  MutexLock lock(mu_);
  return resets_;
}

void ManualSource::wait(Clock::Mono deadline, const std::stop_token& stop) {
  MutexLock lock(mu_);
  while (!signalled_ && !stop.stop_requested() && clock_.now() < deadline) {
    clock_.wait_until(changed_, mu_, deadline, stop);
  }
  signalled_ = false;
}

void ManualSource::wake() {
  MutexLock lock(mu_);
  signalled_ = true;
  changed_.notify_all();
}

void ManualSource::reset_connections() {
  MutexLock lock(mu_);
  ++resets_;
}

}  // namespace kinf::test
