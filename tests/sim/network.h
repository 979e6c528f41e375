// SPDX-License-Identifier: Apache-2.0
// Network: carries the requests of the clients to the API servers, and injects faults of
// connections.
#pragma once

#include <memory>
#include <vector>

#include "kinf/base/random.h"
#include "sim/exchange.h"

namespace kinf::sim {

class Network {
 public:
  Network(std::size_t clients, std::size_t servers, Random& random)
      : clients_(clients), servers_(servers), random_(random) {}

  /// Sends a request. A load balancer picks the server.
  std::shared_ptr<Exchange> send(std::size_t client, bool is_watch, ListOptions options,
                                 bool red_only, Clock::Mono now);
  /// Returns the requests that have arrived at their servers.
  std::vector<std::shared_ptr<Exchange>> take_arrived(Clock::Mono now);
  /// Returns when a request arrives at a server, or a response at a client; kNever if none is under
  /// way.
  Clock::Mono next_event() const;

  /// Ends the open requests of a client, as `by_reset` or as if the server had closed them.
  void cut_client(std::size_t client, bool by_reset, Clock::Mono now);
  void cut_server(std::size_t server, Clock::Mono now);
  /// The connection of a client stays open and carries nothing, until reset().
  void stall(std::size_t client, Clock::Mono now);
  void reset(std::size_t client) { clients_.at(client).stalled = false; }
  /// Requests fail at once until this time.
  void take_down(std::size_t client, Clock::Mono until) { clients_.at(client).down_until = until; }
  /// The time that a request takes to reach its server.
  void set_latency(std::size_t client, Clock::Duration latency) {
    clients_.at(client).latency = latency;
  }
  /// Ends all faults, except that a stalled connection stays dead.
  void heal();

 private:
  struct Condition {
    bool stalled = false;
    Clock::Mono down_until{};
    Clock::Duration latency{};
  };

  void cut(Exchange& exchange, bool by_reset, Clock::Mono now);

  std::vector<Condition> clients_;
  const std::size_t servers_;
  Random& random_;
  std::vector<std::shared_ptr<Exchange>> exchanges_;
};

}  // namespace kinf::sim
