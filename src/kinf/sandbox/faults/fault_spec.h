// SPDX-License-Identifier: Apache-2.0
// FaultSpec: one fault as users write it: `cut:every=30s`, `error:500:3`, `random:seed=7:rate=0.2`.
// Says what is wanted; FaultRelay and FaultInjector do it.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "kinf/base/clock.h"
#include "kinf/base/error.h"

namespace kinf::sandbox {

enum class FaultKind {
  // On the bytes of connections.
  cut,       ///< the connection is closed in good order, wherever it is
  reset,     ///< the same with RST
  stall,     ///< no byte passes any more, the connection stays open
  slow,      ///< answers trickle
  truncate,  ///< the next piece of an answer is cut in its middle
  // Of the protocol.
  gone,             ///< a watch is answered with 410
  expire_continue,  ///< a continue token is no longer good
  error,            ///< a request is answered with an error
  too_many,         ///< a request is answered with 429
  garbage,          ///< an answer holds bytes that are no JSON
  no_bookmark_end,  ///< streaming lists never say that they are complete
  deny,             ///< a resource is forbidden
  // Both.
  random,  ///< a mixture of all that pass by themselves
  none,    ///< ends all faults
};

struct FaultSpec {
  FaultKind kind = FaultKind::none;
  std::optional<Clock::Duration> every = {};  ///< byte faults: again and again
  Clock::Duration after{};             ///< byte faults: the first time; counted from a connection
  std::uint64_t bytes_per_second = 0;  ///< slow
  int code = 0;                        ///< error, too_many
  std::uint64_t times = 1;             ///< how many requests are hit
  std::optional<std::chrono::seconds> retry_after = {};
  bool as_text = false;       ///< too_many: in the words of the in-flight limit, which are no JSON
  std::string resource = {};  ///< deny
  std::uint64_t seed = 1;
  double rate = 0;  ///< random: the share of requests, and of seconds, that are hit
};

/// A usage error says what is wrong with `text`.
Result<FaultSpec> parse_fault(std::string_view text);

/// Whether a relay can do it, without a server of its own behind it.
bool is_byte_fault(FaultKind kind);
bool is_protocol_fault(FaultKind kind);

}  // namespace kinf::sandbox
