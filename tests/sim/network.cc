// SPDX-License-Identifier: Apache-2.0
#include "sim/network.h"

#include <algorithm>
#include <chrono>

namespace kinf::sim {
namespace {

Error broken() { return {ErrorKind::network, "connection reset", NetworkFault::reset}; }

}  // namespace

std::shared_ptr<Exchange> Network::send(std::size_t client, bool is_watch, ListOptions options,
                                        bool red_only, Clock::Mono now) {
  std::erase_if(exchanges_, [](const auto& known) { return known->is_cancelled; });
  auto exchange = std::make_shared<Exchange>();
  exchange->options = std::move(options);
  exchange->is_watch = is_watch;
  exchange->red_only = red_only;
  exchange->client = client;
  exchange->server = random_.next() % servers_;
  const Condition& condition = clients_.at(client);
  exchange->due = now + condition.latency + std::chrono::milliseconds(random_.next() % 4);
  exchange->newest = now;
  if (condition.stalled) exchange->frozen = now;
  if (now < condition.down_until) {
    const NetworkFault fault =
        random_.next() % 2 == 0 ? NetworkFault::refused : NetworkFault::timeout;
    exchange->send(Error(ErrorKind::network, "no connection", fault), now);
    exchange->phase = Exchange::Phase::over;
  }
  exchanges_.push_back(exchange);
  return exchange;
}

std::vector<std::shared_ptr<Exchange>> Network::take_arrived(Clock::Mono now) {
  std::vector<std::shared_ptr<Exchange>> arrived;
  for (const auto& exchange : exchanges_) {
    const bool is_due = exchange->phase == Exchange::Phase::travelling && now >= exchange->due;
    if (is_due && !exchange->frozen) arrived.push_back(exchange);
  }
  return arrived;
}

Clock::Mono Network::next_event() const {
  Clock::Mono next = Clock::kNever;
  for (const auto& exchange : exchanges_) {
    next = std::min(next, exchange->next_arrival());
    if (exchange->phase == Exchange::Phase::travelling && !exchange->frozen) {
      next = std::min(next, exchange->due);
    }
  }
  return next;
}

void Network::cut(Exchange& exchange, bool by_reset, Clock::Mono now) {
  if (exchange.is_cancelled) return;
  const bool is_open_watch = exchange.is_watch && exchange.phase == Exchange::Phase::streaming;
  exchange.cut(is_open_watch && !by_reset ? Payload(Closed()) : Payload(broken()), now);
}

void Network::cut_client(std::size_t client, bool by_reset, Clock::Mono now) {
  for (const auto& exchange : exchanges_) {
    if (exchange->client == client) cut(*exchange, by_reset, now);
  }
}

void Network::cut_server(std::size_t server, Clock::Mono now) {
  for (const auto& exchange : exchanges_) {
    if (exchange->server == server) cut(*exchange, random_.next() % 2 == 0, now);
  }
}

void Network::stall(std::size_t client, Clock::Mono now) {
  clients_.at(client).stalled = true;
  for (const auto& exchange : exchanges_) {
    if (exchange->client == client && !exchange->frozen) exchange->frozen = now;
  }
}

void Network::heal() {
  for (Condition& condition : clients_) condition = {.stalled = condition.stalled};
}

}  // namespace kinf::sim
