// SPDX-License-Identifier: Apache-2.0
#include "kinf/sandbox/faults/fault_spec.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <vector>

#include "kinf/base/ascii.h"
#include "kinf/base/duration.h"
#include "kinf/base/limits.h"

namespace kinf::sandbox {
namespace {

constexpr Clock::Duration kDefaultAfter = std::chrono::seconds(1);

constexpr std::string_view kTimeUsage = "expected :every=DURATION or :after=DURATION";
constexpr std::string_view kCountUsage = "expected a number of requests, such as :3";
constexpr std::string_view kNoUsage = "expected nothing after the name";

struct NamedFault {
  std::string_view name;
  FaultKind kind;
  std::string_view usage;
};

constexpr std::array<NamedFault, 15> kFaults = {{
    {"cut", FaultKind::cut, kTimeUsage},
    {"reset", FaultKind::reset, kTimeUsage},
    {"stall", FaultKind::stall, kTimeUsage},
    {"slow", FaultKind::slow, "expected a speed, such as slow:1KBps"},
    {"latency", FaultKind::latency, "expected a round trip up to 10s, such as latency:50ms"},
    {"truncate", FaultKind::truncate, kTimeUsage},
    {"gone", FaultKind::gone, kCountUsage},
    {"expire-continue", FaultKind::expire_continue, kCountUsage},
    {"error", FaultKind::error,
     "expected a status from 400 to 599, then optionally :COUNT and :retry-after=SECONDS"},
    {"too-many", FaultKind::too_many,
     "expected any of :429, :COUNT, :retry-after=SECONDS and :text"},
    {"garbage", FaultKind::garbage, kCountUsage},
    {"no-bookmark-end", FaultKind::no_bookmark_end, kNoUsage},
    {"deny", FaultKind::deny, "expected a resource, such as deny:secrets"},
    {"random", FaultKind::random,
     "expected a rate up to 1 and optionally a seed, such as random:seed=7:rate=0.2"},
    {"none", FaultKind::none, kNoUsage},
}};

/// Parses a speed such as `300Bps`, `1KBps` or `2MBps`. Returns bytes per second.
std::optional<std::uint64_t> parse_speed(std::string_view text) {
  if (!text.ends_with("Bps")) return std::nullopt;
  text.remove_suffix(3);
  std::uint64_t unit = 1;
  if (text.ends_with('K')) unit = 1000;
  if (text.ends_with('M')) unit = 1'000'000;
  if (unit != 1) text.remove_suffix(1);
  const auto count = parse_number<std::uint64_t>(text);
  if (!count || *count == 0 || *count > 1'000'000) return std::nullopt;
  return *count * unit;
}

/// Parses the parts after the fault's name. take() returns false if a part is not valid for the
/// fault.
class PartParser {
 public:
  explicit PartParser(FaultSpec& spec) : spec_(spec) {}

  bool take(std::string_view part) {
    const std::size_t equals = part.find('=');
    if (equals == std::string_view::npos) return take_positional(part);
    return take_named(part.substr(0, equals), part.substr(equals + 1));
  }

  /// Returns whether all required parts were given.
  bool is_complete() const {
    const auto needs = [&](FaultKind kind, bool has_part) {
      return spec_.kind != kind || has_part;
    };
    return needs(FaultKind::slow, spec_.bytes_per_second > 0) &&
           needs(FaultKind::latency, spec_.latency.count() > 0) &&
           needs(FaultKind::error, spec_.code != 0) &&
           needs(FaultKind::deny, !spec_.resource.empty()) &&
           needs(FaultKind::random, spec_.rate > 0);
  }

 private:
  bool take_positional(std::string_view part) {
    switch (spec_.kind) {
      case FaultKind::slow:
        spec_.bytes_per_second = parse_speed(part).value_or(0);
        return spec_.bytes_per_second > 0;
      case FaultKind::latency:
        return spec_.latency.count() == 0 &&
               set(spec_.latency, parse_duration(part), Clock::Duration(1),
                   Clock::Duration(limits::kFaultLatency));
      case FaultKind::deny:
        if (part.empty() || !spec_.resource.empty()) return false;
        spec_.resource = part;
        return true;
      case FaultKind::error:
        return position_++ == 0 ? set(spec_.code, parse_number<int>(part), 400, 599)
                                : take_times(part);
      case FaultKind::too_many:
        if (part == "text") return spec_.as_text = true;
        return position_++ == 0 && part == "429" ? true : take_times(part);
      case FaultKind::gone:
      case FaultKind::expire_continue:
      case FaultKind::garbage: return take_times(part);
      default: return false;
    }
  }

  bool take_times(std::string_view part) {
    return set(spec_.times, parse_number<std::uint64_t>(part), std::uint64_t{1},
               limits::kFaultTimes);
  }

  bool take_named(std::string_view name, std::string_view value) {
    const FaultKind kind = spec_.kind;
    const bool is_scheduled = kind == FaultKind::cut || kind == FaultKind::reset ||
                              kind == FaultKind::stall || kind == FaultKind::truncate;
    if (is_scheduled && (name == "every" || name == "after")) return take_time(name, value);
    if (name == "retry-after" && (kind == FaultKind::too_many || kind == FaultKind::error)) {
      const auto seconds = parse_number<std::uint32_t>(value);
      if (seconds) spec_.retry_after = std::chrono::seconds(*seconds);
      return seconds.has_value();
    }
    if (kind != FaultKind::random) return false;
    if (name == "seed") {
      return set(spec_.seed, parse_number<std::uint64_t>(value), std::uint64_t{0}, UINT64_MAX);
    }
    return name == "rate" && set(spec_.rate, parse_number<double>(value), 1e-300, 1.0);
  }

  bool take_time(std::string_view name, std::string_view value) {
    // The shortest period is 10 ms: with more frequent faults, no client makes progress.
    const auto least = std::chrono::milliseconds(name == "every" ? 10 : 0);
    if (!set(spec_.after, parse_duration(value), Clock::Duration(least),
             Clock::Duration(std::chrono::hours(24 * 365)))) {
      return false;
    }
    if (name == "every") spec_.every = spec_.after;
    return true;
  }

  template <class Value>
  static bool set(Value& into, std::optional<Value> value, Value least, Value most) {
    if (!value || !(*value >= least && *value <= most)) return false;
    into = *value;
    return true;
  }

  FaultSpec& spec_;
  int position_ = 0;
};

}  // namespace

Result<FaultSpec> parse_fault(std::string_view text) {
  std::string_view rest = text;
  const std::string_view name = take_until(rest, ":");
  const auto fault = std::ranges::find(kFaults, name, &NamedFault::name);
  if (fault == kFaults.end()) {
    std::vector<std::string_view> names;
    for (const NamedFault& each : kFaults) names.push_back(each.name);
    return fail(ErrorKind::usage, fmt::format("unknown fault \"{}\"; available faults: {}", name,
                                              fmt::join(names, ", ")));
  }
  FaultSpec spec;
  spec.kind = fault->kind;
  spec.after = kDefaultAfter;
  PartParser parser(spec);
  for (bool has_more = name.size() < text.size(); has_more;) {
    has_more = rest.find(':') != std::string_view::npos;
    const std::string_view part = take_until(rest, ":");
    if (parser.take(part)) continue;
    return fail(ErrorKind::usage,
                fmt::format("fault \"{}\": invalid part \"{}\"; {}", text, part, fault->usage));
  }
  if (!parser.is_complete()) {
    return fail(ErrorKind::usage, fmt::format("fault \"{}\": {}", text, fault->usage));
  }
  return spec;
}

bool is_byte_fault(FaultKind kind) {
  return kind <= FaultKind::truncate || kind == FaultKind::random || kind == FaultKind::none;
}

bool is_protocol_fault(FaultKind kind) { return kind >= FaultKind::gone; }

}  // namespace kinf::sandbox
