// SPDX-License-Identifier: Apache-2.0
#include "kinf/sandbox/faults/byte_relay.h"

#include <fmt/format.h>
#include <netdb.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <sys/socket.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstring>
#include <memory>
#include <utility>

#include "kinf/base/limits.h"
#include "kinf/base/stream_socket.h"

namespace kinf::sandbox {
namespace {

constexpr Clock::Duration kTick = std::chrono::seconds(1);
constexpr std::array<FaultKind, 4> kMixture = {FaultKind::cut, FaultKind::reset, FaultKind::stall,
                                               FaultKind::truncate};

/// The pause after accept() has failed, for example because no file descriptors are left.
constexpr std::chrono::milliseconds kAcceptPause(100);

void send_at_once(const FileDescriptor& socket) {
  const int on = 1;
  ::setsockopt(socket.get(), IPPROTO_TCP, TCP_NODELAY, &on, sizeof on);
}

}  // namespace

void ByteFaultPlan::add(const FaultSpec& spec) {
  if (spec.kind == FaultKind::none) {
    *this = {};
  } else if (spec.kind == FaultKind::random) {
    random_.emplace(spec.seed);
    rate_ = spec.rate;
    next_tick_.reset();
  } else if (spec.kind == FaultKind::slow) {
    link_.bytes_per_second = spec.bytes_per_second;
  } else if (spec.kind == FaultKind::latency) {
    link_.latency = spec.latency;
  } else if (is_byte_fault(spec.kind)) {
    scheduled_.push_back({spec, std::nullopt});
  }
}

std::vector<FaultKind> ByteFaultPlan::due(Clock::Mono now, bool has_connections) {
  std::vector<FaultKind> result;
  std::erase_if(scheduled_, [&](Scheduled& fault) {
    // A fault without a delay is due at once, even if there is no connection. It then applies to
    // the next connection.
    if (!fault.at && (has_connections || fault.spec.after.count() == 0)) {
      fault.at = now + fault.spec.after;
    }
    if (!fault.at || now < *fault.at) return false;
    result.push_back(fault.spec.kind);
    if (!fault.spec.every) return true;
    while (*fault.at <= now) *fault.at += *fault.spec.every;
    return false;
  });
  if (random_ && !next_tick_ && has_connections) next_tick_ = now + kTick;
  return result;
}

bool ByteFaultPlan::tick(Clock::Mono now) {
  if (!next_tick_ || now < *next_tick_) return false;
  while (*next_tick_ <= now) *next_tick_ += kTick;
  return true;
}

std::optional<FaultKind> ByteFaultPlan::random_fault() {
  if (!random_ || random_->unit() >= rate_) return std::nullopt;
  return kMixture[random_->next() % kMixture.size()];
}

Clock::Mono ByteFaultPlan::next() const {
  Clock::Mono next = next_tick_.value_or(Clock::kNever);
  for (const Scheduled& fault : scheduled_) {
    if (fault.at) next = std::min(next, *fault.at);
  }
  return next;
}

Result<int> ByteRelay::start(const std::string& listen_host, int listen_port,
                             const std::string& server_host, int server_port) {
  addrinfo hints{};
  hints.ai_socktype = SOCK_STREAM;
  addrinfo* found = nullptr;
  const std::string port = std::to_string(server_port);
  if (const int error = ::getaddrinfo(server_host.c_str(), port.c_str(), &hints, &found)) {
    return fail(ErrorKind::network,
                fmt::format("{}:{}: {}", server_host, server_port, ::gai_strerror(error)));
  }
  const std::unique_ptr<addrinfo, void (*)(addrinfo*)> owned(found, &::freeaddrinfo);
  const char* bytes = reinterpret_cast<const char*>(found->ai_addr);
  server_ = {{bytes, bytes + found->ai_addrlen}, found->ai_family};

  Result<ListenSocket> listening = listen_on(listen_host, listen_port);
  if (!listening) return std::unexpected(std::move(listening).error());
  listener_ = std::move(listening->socket);
  if (wake_.descriptor() < 0) {
    return fail(ErrorKind::internal, fmt::format("cannot relay: {}", std::strerror(errno)));
  }
  thread_ = std::jthread([this](const std::stop_token& stop) { run(stop); });
  return listening->port;
}

void ByteRelay::stop() {
  if (!thread_.joinable()) return;
  thread_.request_stop();
  wake_.signal();
  thread_.join();
  listener_.reset();
}

void ByteRelay::add(const FaultSpec& spec) {
  {
    MutexLock lock(mu_);
    new_faults_.push_back(spec);
  }
  wake_.signal();
}

void ByteRelay::run(const std::stop_token& stop) {
  std::vector<pollfd> fds;
  while (!stop.stop_requested()) {
    take_new_faults();
    apply_due_faults(clock_.now());
    connections_.remove_if([](const RelayConnection& each) { return each.is_closed(); });
    const Clock::Mono before = clock_.now();
    const bool has_room =
        connections_.size() < limits::kRelayConnections && before >= accept_again_;
    fds.assign(2 + 2 * connections_.size(), {});
    fds[0] = {wake_.descriptor(), POLLIN, 0};
    fds[1] = {has_room ? listener_.get() : -1, POLLIN, 0};
    std::size_t at = 2;
    for (RelayConnection& each : connections_) {
      each.poll_for(fds[at], fds[at + 1], before, plan_.link());
      at += 2;
    }
    if (poll_for(fds, poll_timeout(before)) < 0) continue;
    if (fds[0].revents != 0) wake_.clear();
    at = 2;
    for (RelayConnection& each : connections_) {
      each.move(fds[at], fds[at + 1], clock_.now(), plan_.link());
      at += 2;
    }
    if ((fds[1].revents & POLLIN) != 0) accept_one();
  }
  connections_.clear();
}

void ByteRelay::take_new_faults() {
  std::vector<FaultSpec> taken;
  {
    MutexLock lock(mu_);
    taken.swap(new_faults_);
  }
  for (const FaultSpec& spec : taken) {
    plan_.add(spec);
    if (spec.kind != FaultKind::none) continue;
    for_next_connection_.clear();
    for (RelayConnection& each : connections_) each.clear_faults();
  }
}

void ByteRelay::apply_due_faults(Clock::Mono now) {
  for (const FaultKind kind : plan_.due(now, !connections_.empty())) {
    for (RelayConnection& each : connections_) each.apply(kind, false);
    if (connections_.empty()) for_next_connection_.push_back(kind);
  }
  if (!plan_.tick(now)) return;
  for (RelayConnection& each : connections_) {
    if (const auto kind = plan_.random_fault()) each.apply(*kind, false);
  }
}

Clock::Duration ByteRelay::poll_timeout(Clock::Mono now) const {
  constexpr Clock::Duration kHour = std::chrono::hours(1);
  Clock::Mono next = plan_.next();
  if (accept_again_ > now) next = std::min(next, accept_again_);
  for (const RelayConnection& each : connections_) {
    next = std::min(next, each.next_send(now, plan_.link()));
  }
  if (next == Clock::kNever) return kHour;
  return std::clamp(next - now, Clock::Duration(0), kHour);
}

void ByteRelay::accept_one() {
  FileDescriptor client = accept_connection(listener_.get());
  if (!client.is_open()) {
    // Without a pause, the waiting connection would wake the loop again at once.
    accept_again_ = clock_.now() + kAcceptPause;
    return;
  }
  accepted_.fetch_add(1, std::memory_order_relaxed);
  FileDescriptor upstream = dial();
  if (!upstream.is_open()) return;  // the destructor closes the client's connection
  send_at_once(client);
  send_at_once(upstream);
  connections_.emplace_back(std::move(client), std::move(upstream), clock_.now());
  for (const FaultKind kind : std::exchange(for_next_connection_, {})) {
    connections_.back().apply(kind, true);
  }
}

FileDescriptor ByteRelay::dial() const {
  FileDescriptor socket = open_stream_socket(server_.family);
  const auto* address = reinterpret_cast<const sockaddr*>(server_.bytes.data());
  const auto size = static_cast<socklen_t>(server_.bytes.size());
  if (::connect(socket.get(), address, size) != 0 && errno != EINPROGRESS) socket.reset();
  return socket;
}

}  // namespace kinf::sandbox
