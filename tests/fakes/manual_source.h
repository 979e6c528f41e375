// SPDX-License-Identifier: Apache-2.0
// ManualSource: a ListerWatcher whose requests the test answers, one call at a time, and which
// records the requests. For tests that play the server step by step.
#pragma once

#include <cstddef>
#include <deque>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "kinf/api/lister_watcher.h"
#include "kinf/base/sync.h"

namespace kinf::test {

/// One request as it was sent.
struct AskedRequest {
  bool is_watch = false;
  ListOptions options;
  Clock::Mono at{};
};

/// Threads: every call from any thread.
class ManualSource final : public ListerWatcher {
 public:
  explicit ManualSource(Clock& clock, std::string description = "pods")
      : clock_(clock), description_(std::move(description)) {}

  // For the test. The answers go to the pending request, which must exist.
  std::optional<AskedRequest> pending() const;
  /// Makes the request `number` (in the order of asked()) the pending one, for sources with several
  /// open requests; otherwise it is the newest. Returns false if that request was cancelled.
  bool choose(std::size_t number);
  /// The page has begun: these items, and its continue token, come before its end.
  void begin_list(std::vector<ObjectPtr> items, std::string continue_token);
  void answer_list(std::vector<ObjectPtr> items, std::string resource_version,
                   std::string continue_token = {});
  void answer_watch();
  void answer_error(Error error);
  bool stream_open() const;
  void send(WatchEvent event);
  void send(WatchEventType type, ObjectPtr object);
  void send_bookmark(std::string resource_version, bool initial_events_end = false);
  void send_error(Error error);
  /// The stream fails.
  void break_stream(Error error);
  void close_stream();

  std::vector<AskedRequest> asked() const;
  int resets() const;
  void set_watch_list(bool supported) { watch_list_ = supported; }
  /// Whether newest_version() sends a request, a list with a limit of 1, or returns null.
  void set_tells_version(bool tells) { tells_version_ = tells; }
  void set_fresh_list(bool fresh) { fresh_list_ = fresh; }
  void set_newest_from_memory(NewestFromMemory newest) { newest_ = newest; }

  // For the informer.
  std::unique_ptr<ListCall> list(const ListOptions& options, ListSink& sink) override;
  std::unique_ptr<WatchCall> watch(const ListOptions& options) override;
  void wait(Clock::Mono deadline, const std::stop_token& stop) override;
  void wake() override;
  void reset_connections() override;
  bool supports_watch_list() const override { return watch_list_; }
  void give_up_watch_list() override { watch_list_ = false; }
  NewestFromMemory newest_from_memory() const override { return newest_; }
  bool has_fresh_list() const override { return fresh_list_; }
  std::unique_ptr<ListCall> newest_version(ListSink& sink) override;
  std::string description() const override { return description_; }

 private:
  /// One request and the answers that have not been polled yet.
  struct Exchange {
    AskedRequest request;
    bool is_answered = false;
    bool is_cancelled = false;
    std::vector<ObjectPtr> items;
    std::optional<std::string> continue_token;
    std::optional<Result<ListPage>> page;
    std::deque<WatchPoll> polls;
    bool is_open = false;
    Clock::Mono last_byte = Clock::kNever;
  };
  class Call;
  class Listing;
  class Watching;

  std::shared_ptr<Exchange> begin(bool is_watch, const ListOptions& options);
  void put(WatchPoll poll, bool ends);
  bool is_pending_locked() const KINF_REQUIRES(mu_);

  Clock& clock_;
  const std::string description_;
  bool watch_list_ = false;
  bool tells_version_ = false;
  bool fresh_list_ = true;
  NewestFromMemory newest_ = NewestFromMemory::none;
  mutable Mutex mu_;
  CondVar changed_;
  bool signalled_ KINF_GUARDED_BY(mu_) = false;
  std::shared_ptr<Exchange> current_ KINF_GUARDED_BY(mu_);
  std::vector<std::shared_ptr<Exchange>> exchanges_ KINF_GUARDED_BY(mu_);
  std::vector<AskedRequest> asked_ KINF_GUARDED_BY(mu_);
  int resets_ KINF_GUARDED_BY(mu_) = 0;
};

}  // namespace kinf::test
