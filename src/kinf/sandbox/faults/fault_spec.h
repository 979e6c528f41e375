// SPDX-License-Identifier: Apache-2.0
// FaultSpec: a fault from the command line, such as `cut:every=30s`, `error:500:3` or
// `random:seed=7:rate=0.2`. ByteRelay and FaultInjector inject it.
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
  stall,     ///< stops forwarding bytes but keeps the connection open
  slow,      ///< limits the speed of responses
  latency,   ///< delays the bytes in both directions
  truncate,  ///< forwards half of the next response bytes and closes the connection
  // Protocol faults.
  gone,             ///< ends a watch with a 410 ERROR event
  expire_continue,  ///< rejects a continue token with 410
  error,            ///< answers a read with an error status
  too_many,         ///< answers a read with 429
  garbage,          ///< inserts invalid JSON into a list or watch
  no_bookmark_end,  ///< omits the bookmark that ends the initial events of streaming lists
  deny,             ///< answers all requests for a resource with 403
  // Both byte and protocol faults.
  random,  ///< injects random faults at a given rate
  none,    ///< removes all faults
};

struct FaultSpec {
  FaultKind kind = FaultKind::none;
  std::optional<Clock::Duration> every = {};  ///< byte faults: period; empty: occurs once
  Clock::Duration after{};                    ///< byte faults: delay after the first connection
  std::uint64_t bytes_per_second = 0;         ///< slow: limit per connection
  Clock::Duration latency{};                  ///< latency: a round trip
  int code = 0;                               ///< error: HTTP status
  std::uint64_t times = 1;                    ///< protocol faults: number of requests affected
  std::optional<std::chrono::seconds> retry_after = {};  ///< error, too_many: Retry-After header
  bool as_text = false;       ///< too_many: answer in plain text, as the in-flight limit does
  std::string resource = {};  ///< deny: the resource, such as `secrets`
  std::uint64_t seed = 1;     ///< random: seed of the generator
  double rate = 0;  ///< random: probability of a fault per read, and per connection and second
};

/// Parses a fault. Fails with a usage error that says what is wrong and what is expected.
Result<FaultSpec> parse_fault(std::string_view text);

/// Returns whether a relay can inject the fault. A relay works in front of any server.
bool is_byte_fault(FaultKind kind);
/// Returns whether the sandbox can inject the fault without a relay.
bool is_protocol_fault(FaultKind kind);

}  // namespace kinf::sandbox
