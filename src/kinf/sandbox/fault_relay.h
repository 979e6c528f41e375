// SPDX-License-Identifier: Apache-2.0
// FaultRelay: forwards TCP connections to any server and injects faults into the forwarded bytes.
// It does not decrypt TLS. A small HTTP server, the control server, adds faults at run time.
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
  std::string listen = "127.0.0.1:0";    ///< IPv4 address and port; port 0 selects a free port
  std::string server;                    ///< the server to forward to, as HOST:PORT
  std::vector<std::string> faults = {};  ///< faults that are active from the start
  bool listen_any = false;               ///< allows `listen` addresses outside 127.0.0.0/8
};

/// Threads: call start(), stop() and the destructor from one thread. inject() and accepted() may be
/// called from any thread.
class FaultRelay {
 public:
  /// `clock` must outlive the relay.
  FaultRelay(FaultRelayOptions options, Clock& clock);
  ~FaultRelay();
  FaultRelay(const FaultRelay&) = delete;
  FaultRelay& operator=(const FaultRelay&) = delete;

  /// Starts to forward connections. Fails with a usage error if an address or a fault is invalid or
  /// if only the sandbox can inject a fault, and with a network error if the port is in use or the
  /// server's name does not resolve.
  Result<void> start();
  /// Closes all connections and joins the threads. Idempotent.
  void stop();

  /// Returns the address that clients connect to, such as `127.0.0.1:40213`.
  const std::string& address() const { return address_; }
  /// Returns the base URL of the control server, which accepts `POST /sandbox/fault?spec=SPEC`.
  const std::string& control_url() const { return control_url_; }
  /// Adds a fault. `none` removes all faults. Fails with a usage error if the spec is invalid or if
  /// only the sandbox can inject the fault.
  Result<void> inject(std::string_view spec);
  /// Returns the number of connections accepted so far.
  std::uint64_t accepted() const;

 private:
  class Parts;
  FaultRelayOptions options_;
  std::string address_;
  std::string control_url_;
  std::unique_ptr<Parts> parts_;
};

}  // namespace kinf
