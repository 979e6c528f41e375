// SPDX-License-Identifier: Apache-2.0
// The short texts that users and servers write: durations, times, sizes, quantities, addresses,
// rules and schedules. A value that is printed is read as the same value again.
#include <chrono>
#include <cstdint>
#include <string>

#include "fuzz/properties.h"
#include "kinf/api/object.h"
#include "kinf/base/duration.h"
#include "kinf/base/number_text.h"
#include "kinf/base/timestamp.h"
#include "kinf/base/url.h"
#include "kinf/cli/flags/moment.h"
#include "kinf/cli/flags/wait_goal.h"
#include "kinf/http/http_server.h"
#include "kinf/query/quantity.h"
#include "kinf/sandbox/controllers/cron_schedule.h"
#include "kinf/sandbox/faults/fault_spec.h"

namespace kinf::fuzz {
namespace {

template <class T>
void demand_usage(const Result<T>& result) {
  demand(result || (result.error().kind == ErrorKind::usage && !result.error().message.empty()));
}

void check_durations(std::string_view text) {
  demand_usage(parse_duration_flag(text));
  const auto duration = parse_duration(text);
  if (!duration) return;
  const auto again = parse_duration(duration_text(*duration));
  demand(again.has_value());
  demand(duration_text(*again) == duration_text(*duration));
}

void check_times(std::string_view text) {
  const auto time = parse_timestamp(text);
  demand(time.has_value() == parse_precise_timestamp(text).has_value());
  if (time) demand(parse_timestamp(timestamp_text(*time)) == time);
  const Clock::Wall now{std::chrono::years(55)};
  demand_usage(parse_moment(text, now));
  demand_usage(parse_recorded_moment(text, now));
}

void check_addresses(std::string_view text) {
  if (const auto url = parse_url(text)) url->origin();
  demand(without_secrets(text).size() <= text.size());
  if (const auto parts = split_host_port(text)) {
    const std::string joined = join_host_port(parts->host, parts->port);
    const auto again = split_host_port(joined);
    demand(again && again->host == parts->host && again->port == parts->port);
  }
  demand_usage(parse_host_port(text));
  demand_usage(parse_listen(text, text.size() % 2 == 0));
}

void check_rules(std::string_view text) {
  if (const auto quantity = parse_quantity(text)) {
    demand((quantity->units >= 0) || (quantity->billionths <= 0));
  }
  demand_usage(parse_size(text));
  demand_usage(parse_object_key(text));
  demand_usage(CountRule::parse(text));
  demand_usage(sandbox::parse_fault(text));
  const auto schedule = sandbox::CronSchedule::parse(text);
  demand_usage(schedule);
  const sandbox::CronSchedule::Time start{std::chrono::years(50)};
  if (schedule) demand(schedule->next(start).value_or(start + std::chrono::seconds(1)) > start);
}

}  // namespace
}  // namespace kinf::fuzz

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  kinf::fuzz::check_durations(text);
  kinf::fuzz::check_times(text);
  kinf::fuzz::check_addresses(text);
  kinf::fuzz::check_rules(text);
  return 0;
}
