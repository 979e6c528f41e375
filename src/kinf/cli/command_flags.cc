// SPDX-License-Identifier: Apache-2.0
#include "kinf/base/duration.h"
#include "kinf/cli/flag_values.h"
#include "kinf/cli/flags.h"

namespace kinf {
namespace {

Result<double> parse_speed(const std::string& text) {
  double speed = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), speed);
  if (error != std::errc() || end != text.data() + text.size() || !(speed > 0) || speed > 1e6) {
    return fail(ErrorKind::usage, "not a number above 0");
  }
  return speed;
}

Result<IndexCommand::Output> parse_index_output(const std::string& text) {
  using Form = IndexCommand::Form;
  for (const auto& [word, form] :
       {std::pair(std::string_view("custom-columns="), Form::custom_columns),
        std::pair(std::string_view("jsonpath="), Form::jsonpath)}) {
    if (text.starts_with(word)) return IndexCommand::Output{form, text.substr(word.size())};
  }
  const Result<Form> form = one_of<Form>({{"table", Form::table},
                                          {"wide", Form::wide},
                                          {"json", Form::json},
                                          {"jsonl", Form::json_lines},
                                          {"yaml", Form::yaml},
                                          {"name", Form::name},
                                          {"keys", Form::keys},
                                          {"csv", Form::csv}})(text);
  if (form) return IndexCommand::Output{*form, ""};
  Error error = form.error();
  error.message += ", custom-columns=, jsonpath=";
  return std::unexpected(std::move(error));
}

/// More would be no faster, and the guard of their processes has a limit.
constexpr int kMostWorkers = 1024;

auto number_between(int least, int most) {
  return [least, most](const std::string& text) -> Result<int> {
    Result<int> number = whole_number(least)(text);
    if (number && *number > most) {
      return fail(ErrorKind::usage, fmt::format("must be {} or less", most));
    }
    return number;
  };
}

/// `5ms..1000s`, or `5ms` with the longest as it was.
Result<RunLimits> with_backoff(RunLimits limits, const std::string& text) {
  const std::size_t dots = text.find("..");
  const Result<Clock::Duration> first = parse_duration_flag(text.substr(0, dots));
  if (!first) return std::unexpected(first.error());
  limits.first_backoff = *first;
  if (dots != std::string::npos) {
    const Result<Clock::Duration> longest = parse_duration_flag(text.substr(dots + 2));
    if (!longest) return std::unexpected(longest.error());
    limits.longest_backoff = *longest;
  }
  if (limits.first_backoff > limits.longest_backoff) {
    return fail(ErrorKind::usage, "the first pause is longer than the longest");
  }
  return limits;
}

}  // namespace

void add_watch_flags(CLI::App& app, WatchCommand& command) {
  add_value(app, "-o,--output", command.output.format,
            one_of<OutputFormat>({{"table", OutputFormat::table},
                                  {"wide", OutputFormat::wide},
                                  {"json", OutputFormat::json},
                                  {"yaml", OutputFormat::yaml},
                                  {"name", OutputFormat::name}}));
  add_switch(app, "--once", command.once);
  add_switch(app, "--watch-only", command.watch_only);
  add_switch(app, "--latest", command.latest);
  add_value(app, "--output-watch-events", command.output_watch_events,
            one_of<bool>({{"true", true}, {"false", false}}));
  add_value(app, "--max-events", command.max_events, whole_number<std::uint64_t>(1));
  add_value(app, "--timeout", command.timeout, parse_duration_flag);
  add_switch(app, "--no-headers", command.output.no_headers);
  add_texts(app, "-L,--label-columns", command.output.label_columns);
  add_switch(app, "--show-labels", command.output.show_labels);
  add_switch(app, "--show-secrets", command.output.show_secrets);
  add_switch(app, "--show-managed-fields", command.output.show_managed_fields);
}

void add_index_flags(CLI::App& app, IndexCommand& command, std::vector<std::string>& by) {
  app.add_option("--by", by)->allow_extra_args(false);
  add_value(app, "-o,--output", command.output, parse_index_output);
  add_value(app, "--key-format", command.key_format,
            [](const std::string& text) { return KeyFormat::parse(text); });
  add_value(app, "--sort-by", command.order,
            one_of<GroupOrder>({{"count", GroupOrder::count}, {"value", GroupOrder::value}}));
  add_value(app, "--top", command.top, whole_number<std::size_t>(1));
  add_switch(app, "--no-headers", command.no_headers);
  add_switch(app, "--count", command.count);
  add_switch(app, "--objects", command.objects);
  add_switch(app, "--dump", command.dump);
  add_switch(app, "-w,--watch", command.watch);
  add_switch(app, "-e,--exit-status", command.exit_status);
  add_switch(app, "--show-secrets", command.show_secrets);
  add_switch(app, "--show-managed-fields", command.show_managed_fields);
}

void add_run_flags(CLI::App& app, RunCommand& command, std::vector<std::string>& changed) {
  RunLimits& limits = command.limits;
  app.add_option("--changed", changed)->allow_extra_args(false);
  add_value(app, "--concurrency", command.concurrency, number_between(1, kMostWorkers));
  add_value(app, "--max-retries", limits.max_retries, number_between(-1, 1'000'000));
  add_value(app, "--backoff", limits,
            [&limits](const std::string& text) { return with_backoff(limits, text); });
  add_value(app, "--debounce", limits.debounce, parse_duration_flag);
  add_value(app, "--min-interval", limits.min_interval, parse_duration_flag);
  add_value(app, "--batch", limits.batch, whole_number<std::size_t>(1))
      ->each([&command](const std::string&) { command.as_batch = true; });
  add_value(app, "--cmd-timeout", command.command_timeout, parse_duration_flag);
  add_switch(app, "--no-initial", command.no_initial);
  add_switch(app, "--fail-fast", command.fail_fast);
  add_value(app, "--drain", command.drain, parse_duration_flag);
  add_switch(app, "--show-secrets", command.show_secrets);
  add_switch(app, "--show-managed-fields", command.show_managed_fields);
}

void add_demo_flags(CLI::App& app, DemoCommand& command) {
  add_switch(app, "--explain", command.explain);
  add_text(app, "--listen", command.listen);
  add_value(app, "--resync", command.resync, parse_duration_flag);
  add_value(app, "--speed", command.speed, parse_speed);
}

void add_sandbox_flags(CLI::App& app, SandboxCommand& command) {
  add_text(app, "--listen", command.listen);
  add_switch(app, "--listen-any", command.listen_any);
  add_switch(app, "--tls", command.tls);
  add_text(app, "--kubeconfig-out", command.kubeconfig_out);
  add_text(app, "--scenario", command.scenario);
  app.add_option("--load", command.load);
  add_text(app, "--data", command.data);
  add_value(app, "--speed", command.speed, parse_speed);
  app.add_option("--fault", command.faults)->allow_extra_args(false);
  add_text(app, "--relay", command.relay);
}

}  // namespace kinf
