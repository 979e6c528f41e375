// SPDX-License-Identifier: Apache-2.0
// ApiServer: a model of one kube-apiserver: a watch cache that follows etcd, lists from memory or
// from etcd, pages, watches, bookmarks and streaming lists (KEP-3157).
#pragma once

#include <memory>
#include <vector>

#include "kinf/base/random.h"
#include "sim/etcd.h"
#include "sim/exchange.h"

namespace kinf::sim {

class ApiServer {
 public:
  /// `etcd` and `random` must outlive the server.
  ApiServer(const Etcd& etcd, Random& random) : etcd_(etcd), random_(random) {}

  /// A request has arrived. The server answers it now or in a later tick().
  void receive(const std::shared_ptr<Exchange>& request, Clock::Mono now);
  /// Does what is due: answers held requests, ends watches. `etcd_answers`: etcd is up.
  void tick(Clock::Mono now, bool etcd_answers);
  /// Returns when tick() has something to do; kNever if nothing is due.
  Clock::Mono next_event() const;

  /// While a server lags, its watch cache moves only in apply().
  void set_lagging(bool lags) { lags_ = lags; }
  /// Takes up to `count` revisions into the watch cache, and sends them to the watches.
  void apply(std::uint32_t count, Clock::Mono now);
  /// Starts again with the state of etcd and an empty window. The caller cuts the connections.
  void restart();
  /// Watches from before now get 410.
  void lose_window() { oldest_ = applied_; }
  /// Most servers do not send bookmarks that are older than what a watch asked for. `may_be_old`:
  /// this one sometimes does. client-go believes it, so it must not.
  void send_bookmarks(bool may_be_old, Clock::Mono now);
  /// A server that accepts streaming lists and never completes them.
  void set_forgets_end_marks(bool forgets) { forgets_end_marks_ = forgets; }
  /// The next `count` requests get this HTTP code.
  void deny(int code, int count) { code_ = code, denials_ = count; }

 private:
  using Request = std::shared_ptr<Exchange>;

  void answer(Exchange& request, Clock::Mono now);
  void hold(Exchange& request, std::uint32_t revision, Clock::Mono now);
  bool is_ready(const Exchange& request, bool etcd_answers) const;
  void answer_list(Exchange& request, Clock::Mono now);
  void send_list(Exchange& request, std::uint32_t revision, std::size_t first, std::size_t limit,
                 Clock::Mono now);
  void answer_watch(Exchange& request, Clock::Mono now);
  void send_initial_events(Exchange& watch, Clock::Mono now);
  void send_events(Exchange& watch, Clock::Mono now);
  void send_end_mark(Exchange& watch, Clock::Mono now);
  void refuse(Exchange& request, int code, Clock::Mono now);
  void send_body(Exchange& request, std::string bytes, Clock::Mono now);
  bool one_in(std::uint64_t n) { return random_.next() % n == 0; }

  const Etcd& etcd_;
  Random& random_;
  std::vector<Request> held_;
  std::vector<Request> watches_;
  std::uint32_t applied_ = 1;  ///< the revision of the watch cache
  std::uint32_t oldest_ = 1;   ///< the window has all later revisions
  bool lags_ = false;
  bool forgets_end_marks_ = false;
  int code_ = 0;
  int denials_ = 0;
};

}  // namespace kinf::sim
