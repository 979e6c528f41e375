// SPDX-License-Identifier: Apache-2.0
// FaultSpec: a fault as users write it: `cut:every=30s`, `error:500:3`, `random:seed=7:rate=0.2`.
// ByteRelay and FaultInjector inject it.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "kinf/base/clock.h"
#include "kinf/base/error.h"

namespace kinf::sandbox {

enum class FaultKind {
  // Byte faults.
  cut,       ///< closes the connection with FIN
  reset,     ///< closes the connection with RST
  stall,     ///< passes no more bytes but keeps the connection open
  slow,      ///< limits the speed of responses
  truncate,  ///< closes the connection in the middle of the next response bytes
  // Protocol faults.
  gone,             ///< answers a watch with 410
  expire_continue,  ///< answers a continue token with 410
  error,            ///< answers a read with an error
  too_many,         ///< answers a read with 429
  garbage,          ///< puts invalid JSON into a response
  no_bookmark_end,  ///< leaves out the last bookmark of streaming lists
  deny,             ///< answers all requests for a resource with 403
  // Both.
  random,  ///< a random choice of the faults that affect one request or connection
  none,    ///< removes all faults
};

struct FaultSpec {
  FaultKind kind = FaultKind::none;
  std::optional<Clock::Duration> every = {};  ///< byte faults: repeats with this period
  Clock::Duration after{};                    ///< byte faults: delay from the first connection
  std::uint64_t bytes_per_second = 0;         ///< slow
  int code = 0;                               ///< error, too_many
  std::uint64_t times = 1;                    ///< the number of requests affected
  std::optional<std::chrono::seconds> retry_after = {};
  bool as_text = false;       ///< too_many: plain text, as the in-flight limit answers
  std::string resource = {};  ///< deny
  std::uint64_t seed = 1;
  double rate = 0;  ///< random: the share of requests and of seconds that are affected
};

/// Parses a fault. A usage error says what is wrong and what the fault accepts.
Result<FaultSpec> parse_fault(std::string_view text);

/// Whether a relay can inject it, in front of any server.
bool is_byte_fault(FaultKind kind);
bool is_protocol_fault(FaultKind kind);

}  // namespace kinf::sandbox
