// SPDX-License-Identifier: Apache-2.0
// FaultRelay: forwards TCP connections to any server and injects faults into their bytes. A small
// HTTP server next to it adds faults at run time. TLS passes through unchanged.
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
  std::vector<std::string> faults = {};  ///< injected from the start
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

  /// Starts to forward. A usage error for a bad address, a bad fault or a fault that only the
  /// sandbox can inject; a network error for a port that is taken or a host without an address.
  Result<> start();
  /// Closes all connections and joins the threads. Idempotent.
  void stop();

  /// The address that clients connect to, such as `127.0.0.1:40213`.
  const std::string& address() const { return address_; }
  /// The URL that takes `POST /sandbox/fault?spec=…`.
  const std::string& control_url() const { return control_url_; }
  /// Adds a fault; `none` removes all. A usage error as of start().
  Result<> inject(std::string_view spec);
  /// The number of connections accepted so far.
  std::uint64_t accepted() const;

 private:
  class Parts;
  FaultRelayOptions options_;
  std::string address_;
  std::string control_url_;
  std::unique_ptr<Parts> parts_;
};

}  // namespace kinf
