// SPDX-License-Identifier: Apache-2.0
// Exchange: one request of a client, and what of its response is under way. The server puts bytes
// in at one end, the client takes them out at the other, in the same order.
#pragma once

#include <algorithm>
#include <cstdint>
#include <deque>
#include <optional>
#include <string>
#include <utility>
#include <variant>

#include "kinf/api/lister_watcher.h"
#include "kinf/base/clock.h"
#include "kinf/base/error.h"

namespace kinf::sim {

struct Accepted {};  ///< the head of a response with code 200
struct Closed {};    ///< the end of the response
/// What reaches a client: a head, a part of the body, the end, or a failure.
using Payload = std::variant<Accepted, std::string, Closed, Error>;

struct Exchange {
  enum class Phase {
    travelling,  ///< has not reached the server
    held,        ///< the server waits until it can answer
    streaming,   ///< an open watch
    over,        ///< the server has sent everything
  };
  struct Arrival {
    Clock::Mono at;
    Payload what;
  };

  ListOptions options;
  bool is_watch = false;
  bool red_only = false;
  std::size_t client = 0;
  std::size_t server = 0;

  // The server's side.
  Phase phase = Phase::travelling;
  Clock::Mono due{};           ///< travelling: arrives then; held: the server gives up then
  std::uint32_t needed = 0;    ///< held until the server has this revision
  bool needs_etcd = false;     ///< held until etcd answers
  std::uint32_t position = 0;  ///< of a watch: the newest revision that it covers
  bool owes_end = false;       ///< the end mark of a streaming list is missing
  Clock::Mono end_due{};       ///< when it is sent
  Clock::Mono closes{};        ///< when the server closes the watch
  std::uint32_t epoch = 0;     ///< of etcd, when it was answered

  // The client's side.
  std::deque<Arrival> arrivals;
  Clock::Mono newest{};                 ///< the time of the last arrival
  std::optional<Clock::Mono> frozen{};  ///< later arrivals never come
  bool is_cancelled = false;
  Clock::Mono last_byte = Clock::kNever;

  void send(Payload what, Clock::Mono at) {
    newest = std::max(newest, at);
    arrivals.push_back({newest, std::move(what)});
  }
  void cancel() {
    is_cancelled = true;
    phase = Phase::over;
    arrivals.clear();
  }
  /// Ends the exchange: what has not arrived is lost, and `what` arrives instead.
  void cut(Payload what, Clock::Mono now) {
    while (!arrivals.empty() && arrivals.back().at > now) arrivals.pop_back();
    arrivals.push_back({now, std::move(what)});
    phase = Phase::over;
  }
  /// Returns when the client can take something; kNever if nothing is under way.
  Clock::Mono next_arrival() const {
    if (arrivals.empty()) return Clock::kNever;
    const Clock::Mono at = arrivals.front().at;
    return frozen && at > *frozen ? Clock::kNever : at;
  }
  /// Returns whether the next thing that the client can take now is a part of the body.
  bool has_bytes(Clock::Mono now) const {
    return next_arrival() <= now && std::holds_alternative<std::string>(arrivals.front().what);
  }
  std::optional<Payload> take(Clock::Mono now) {
    const Clock::Mono at = next_arrival();
    if (at == Clock::kNever || at > now) return std::nullopt;
    Payload what = std::move(arrivals.front().what);
    arrivals.pop_front();
    if (!std::holds_alternative<Error>(what)) last_byte = at;
    return what;
  }
};

}  // namespace kinf::sim
