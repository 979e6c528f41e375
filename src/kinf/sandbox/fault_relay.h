// SPDX-License-Identifier: Apache-2.0
// FaultRelay: a relay before any server that lets faults befall the bytes that pass, with a small
// HTTP server beside it that takes faults at run time. TLS goes through untouched.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "kinf/base/clock.h"
#include "kinf/base/error.h"

namespace kinf {

struct FaultRelayOptions {
  std::string listen = "127.0.0.1:0";    ///< port 0 takes a free one
  std::string server;                    ///< HOST:PORT
  std::vector<std::string> faults = {};  ///< from the start
  bool listen_any = false;               ///< `listen` need not be a loopback address
};

/// Threads: start(), stop() and the destructor from one thread; inject() and accepted() from any.
class FaultRelay {
 public:
  /// The clock must outlive the relay.
  FaultRelay(FaultRelayOptions options, Clock& clock);
  ~FaultRelay();
  FaultRelay(const FaultRelay&) = delete;
  FaultRelay& operator=(const FaultRelay&) = delete;

  /// Relays. A usage error for addresses and faults that make no sense, or that need a server of
  /// our own; a network error for a port that is taken and a host without an address.
  Result<> start();
  /// Ends all connections. Idempotent.
  void stop();

  /// `127.0.0.1:40213`: where clients connect to.
  const std::string& address() const { return address_; }
  /// Where `POST /sandbox/fault?spec=…` goes.
  const std::string& control_url() const { return control_url_; }
  /// Adds a fault; `none` ends all.
  Result<> inject(std::string_view spec);
  /// Connections taken so far.
  std::uint64_t accepted() const;

 private:
  class Parts;
  FaultRelayOptions options_;
  std::string address_;
  std::string control_url_;
  std::unique_ptr<Parts> parts_;
};

}  // namespace kinf
