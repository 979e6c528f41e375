// SPDX-License-Identifier: Apache-2.0
#include "kinf/sandbox/fault_spec.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <utility>
#include <vector>

#include "kinf/base/duration.h"

namespace kinf::sandbox {
namespace {

constexpr std::uint64_t kMaxTimes = 1'000'000;
constexpr Clock::Duration kDefaultAfter = std::chrono::seconds(1);

constexpr std::array<std::pair<std::string_view, FaultKind>, 14> kNames = {{
    {"cut", FaultKind::cut},
    {"reset", FaultKind::reset},
    {"stall", FaultKind::stall},
    {"slow", FaultKind::slow},
    {"truncate", FaultKind::truncate},
    {"gone", FaultKind::gone},
    {"expire-continue", FaultKind::expire_continue},
    {"error", FaultKind::error},
    {"too-many", FaultKind::too_many},
    {"garbage", FaultKind::garbage},
    {"no-bookmark-end", FaultKind::no_bookmark_end},
    {"deny", FaultKind::deny},
    {"random", FaultKind::random},
    {"none", FaultKind::none},
}};

std::vector<std::string_view> split(std::string_view text) {
  std::vector<std::string_view> parts;
  while (true) {
    const std::size_t colon = text.find(':');
    parts.push_back(text.substr(0, colon));
    if (colon == std::string_view::npos) return parts;
    text.remove_prefix(colon + 1);
  }
}

template <class Number>
std::optional<Number> number_in(std::string_view text) {
  Number value{};
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc() || end != text.data() + text.size()) return std::nullopt;
  return value;
}

/// `1KBps`, `300Bps`, `2MBps`.
std::optional<std::uint64_t> speed_in(std::string_view text) {
  if (!text.ends_with("Bps")) return std::nullopt;
  text.remove_suffix(3);
  std::uint64_t unit = 1;
  if (text.ends_with('K')) unit = 1000;
  if (text.ends_with('M')) unit = 1'000'000;
  if (unit != 1) text.remove_suffix(1);
  const auto count = number_in<std::uint64_t>(text);
  if (!count || *count == 0 || *count > 1'000'000) return std::nullopt;
  return *count * unit;
}

/// Takes the parts behind the name one by one; each knows what may stand there.
class Reader {
 public:
  explicit Reader(FaultSpec& spec) : spec_(spec) {}

  bool take(std::string_view part) {
    const std::size_t equals = part.find('=');
    if (equals == std::string_view::npos) return take_bare(part);
    return take_named(part.substr(0, equals), part.substr(equals + 1));
  }

  bool is_complete() const {
    switch (spec_.kind) {
      case FaultKind::slow:
        return spec_.bytes_per_second > 0;
      case FaultKind::error:
        return spec_.code != 0;
      case FaultKind::deny:
        return !spec_.resource.empty();
      case FaultKind::random:
        return spec_.rate > 0;
      default:
        return true;
    }
  }

 private:
  bool take_bare(std::string_view part) {
    switch (spec_.kind) {
      case FaultKind::slow:
        spec_.bytes_per_second = speed_in(part).value_or(0);
        return spec_.bytes_per_second > 0;
      case FaultKind::deny:
        if (part.empty() || !spec_.resource.empty()) return false;
        spec_.resource = part;
        return true;
      case FaultKind::error:
        return position_++ == 0 ? take_code(part) : take_times(part);
      case FaultKind::too_many:
        if (part == "text") return spec_.as_text = true;
        return position_++ == 0 && part == "429" ? true : take_times(part);
      case FaultKind::gone:
      case FaultKind::expire_continue:
      case FaultKind::garbage:
        return take_times(part);
      default:
        return false;
    }
  }

  bool take_code(std::string_view part) {
    spec_.code = number_in<int>(part).value_or(0);
    return spec_.code >= 400 && spec_.code <= 599;
  }

  bool take_times(std::string_view part) {
    const auto times = number_in<std::uint64_t>(part);
    if (!times || *times == 0 || *times > kMaxTimes) return false;
    spec_.times = *times;
    return true;
  }

  bool take_named(std::string_view name, std::string_view value) {
    const bool strikes = spec_.kind == FaultKind::cut || spec_.kind == FaultKind::reset ||
                         spec_.kind == FaultKind::stall || spec_.kind == FaultKind::truncate;
    if (strikes && (name == "every" || name == "after")) return take_time(name, value);
    if (name == "retry-after" &&
        (spec_.kind == FaultKind::too_many || spec_.kind == FaultKind::error)) {
      const auto seconds = number_in<std::uint32_t>(value);
      if (seconds) spec_.retry_after = std::chrono::seconds(*seconds);
      return seconds.has_value();
    }
    if (spec_.kind != FaultKind::random) return false;
    if (name == "seed") {
      const auto seed = number_in<std::uint64_t>(value);
      spec_.seed = seed.value_or(0);
      return seed.has_value();
    }
    if (name != "rate") return false;
    spec_.rate = number_in<double>(value).value_or(0);
    return spec_.rate > 0 && spec_.rate <= 1;
  }

  bool take_time(std::string_view name, std::string_view value) {
    const auto duration = parse_duration(value);
    if (!duration || *duration < Clock::Duration(0) || *duration > std::chrono::hours(24 * 365)) {
      return false;
    }
    if (name == "after") {
      spec_.after = *duration;
      return true;
    }
    // More often than this no client ever gets anywhere.
    if (*duration < std::chrono::milliseconds(10)) return false;
    spec_.every = *duration;
    spec_.after = *duration;
    return true;
  }

  FaultSpec& spec_;
  int position_ = 0;
};

std::string_view usage_of(FaultKind kind) {
  switch (kind) {
    case FaultKind::cut:
    case FaultKind::reset:
    case FaultKind::stall:
    case FaultKind::truncate:
      return "it takes :every=DURATION or :after=DURATION";
    case FaultKind::slow:
      return "it takes a speed: slow:1KBps";
    case FaultKind::gone:
    case FaultKind::expire_continue:
    case FaultKind::garbage:
      return "it takes a number of times: :3";
    case FaultKind::error:
      return "it takes a status from 400 to 599 and how often: error:500:3, :retry-after=SECONDS";
    case FaultKind::too_many:
      return "it takes :429, how often, :retry-after=SECONDS and :text";
    case FaultKind::deny:
      return "it takes a resource: deny:secrets";
    case FaultKind::random:
      return "it takes a seed and a rate up to 1: random:seed=7:rate=0.2";
    case FaultKind::no_bookmark_end:
    case FaultKind::none:
      break;
  }
  return "it takes nothing more";
}

}  // namespace

Result<FaultSpec> parse_fault(std::string_view text) {
  const std::vector<std::string_view> parts = split(text);
  const auto named =
      std::ranges::find_if(kNames, [&](const auto& each) { return each.first == parts.front(); });
  if (named == kNames.end()) {
    std::string all;
    for (const auto& [name, kind] : kNames) {
      all += all.empty() ? "" : ", ";
      all += name;
    }
    return fail(ErrorKind::usage,
                fmt::format("no fault \"{}\"; there are: {}", parts.front(), all));
  }
  FaultSpec spec;
  spec.kind = named->second;
  spec.after = kDefaultAfter;
  Reader reader(spec);
  for (std::size_t i = 1; i < parts.size(); ++i) {
    if (reader.take(parts[i])) continue;
    return fail(ErrorKind::usage, fmt::format("fault \"{}\": \"{}\" does not fit; {}", text,
                                              parts[i], usage_of(spec.kind)));
  }
  if (!reader.is_complete()) {
    return fail(ErrorKind::usage, fmt::format("fault \"{}\": {}", text, usage_of(spec.kind)));
  }
  return spec;
}

bool is_byte_fault(FaultKind kind) {
  return kind <= FaultKind::truncate || kind == FaultKind::random || kind == FaultKind::none;
}

bool is_protocol_fault(FaultKind kind) { return kind >= FaultKind::gone; }

}  // namespace kinf::sandbox
