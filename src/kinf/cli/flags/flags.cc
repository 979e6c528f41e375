// SPDX-License-Identifier: Apache-2.0
// Declares the flags. CLI11 finds them; the functions here parse their values.
#include "kinf/cli/flags/flags.h"

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <optional>

#include "kinf/base/ascii.h"
#include "kinf/base/duration.h"
#include "kinf/base/number_text.h"
#include "kinf/cli/flags/moment.h"

namespace kinf {
namespace {

/// Returns the words that `parse` accepts, separated by `|`. Empty: it has no fixed set of words.
template <class Parse>
std::string words_of(const Parse& parse) {
  std::string words;
  if constexpr (requires { parse.words; }) {
    for (const auto& [word, value] : parse.words) words += words.empty() ? word : "|" + word;
  }
  return words;
}

/// Adds a flag whose value `parse` converts. Errors use kubectl's wording. If the flag is repeated,
/// the last value wins. The description, which completion reads, is the words of the value.
template <class Target, class Parse>
CLI::Option* add_value(CLI::App& app, const std::string& names, Target& target, Parse parse) {
  const std::string shown = names.substr(names.find("--"));
  return app
      .add_option_function<std::string>(
          names,
          [&target, parse, shown](const std::string& text) {
            auto value = parse(text);
            if (!value) {
              throw CLI::ValidationError(fmt::format("invalid argument \"{}\" for \"{}\" flag: {}",
                                                     text, shown, value.error().message));
            }
            target = *std::move(value);
          },
          words_of(parse))
      ->multi_option_policy(CLI::MultiOptionPolicy::TakeLast);
}

CLI::Option* add_text(CLI::App& app, const std::string& names, std::string& target) {
  return app.add_option(names, target)->multi_option_policy(CLI::MultiOptionPolicy::TakeLast);
}

/// Adds the name of a file or folder. An empty one, as of a variable that a script forgot to set,
/// would otherwise be the same as no flag.
CLI::Option* add_file(CLI::App& app, const std::string& names, std::string& target) {
  return add_value(app, names, target, [](const std::string& text) -> Result<std::string> {
    if (text.empty()) return fail(ErrorKind::usage, "the name is empty");
    return text;
  });
}

/// Adds a flag that may be repeated and accepts comma-separated values.
CLI::Option* add_texts(CLI::App& app, const std::string& names, std::vector<std::string>& target) {
  return app.add_option(names, target)->delimiter(',')->allow_extra_args(false);
}

CLI::Option* add_switch(CLI::App& app, const std::string& names, bool& target) {
  return app.add_flag(names, target)->multi_option_policy(CLI::MultiOptionPolicy::TakeLast);
}

/// Parses an integer that is at least `least`.
template <class Number>
auto whole_number(Number least) {
  return [least](const std::string& text) -> Result<Number> {
    const std::optional<Number> number = parse_number<Number>(text);
    if (!number) return fail(ErrorKind::usage, "not a whole number");
    if (*number < least) return fail(ErrorKind::usage, fmt::format("must be {} or more", least));
    return *number;
  };
}

/// Parses one of the given words.
template <class Value>
struct OneOf {
  Result<Value> operator()(const std::string& text) const {
    std::string all;
    for (const auto& [word, value] : words) {
      if (word == text) return value;
      all += all.empty() ? word : ", " + word;
    }
    return fail(ErrorKind::usage, "it must be one of " + all);
  }

  std::vector<std::pair<std::string, Value>> words;
};
template <class Value>
OneOf<Value> one_of(std::vector<std::pair<std::string, Value>> words) {
  return {std::move(words)};
}

Result<double> parse_speed(const std::string& text) {
  const std::optional<double> speed = parse_number<double>(text);
  if (!speed || !(*speed > 0) || *speed > 1e6) {
    return fail(ErrorKind::usage, "not a number above 0");
  }
  return *speed;
}

/// Parses the period of resyncs. Informers round shorter ones up to a second.
Result<Clock::Duration> parse_resync(const std::string& text) {
  Result<Clock::Duration> period = parse_duration_flag(text);
  if (period && period->count() > 0 && *period < std::chrono::seconds(1)) {
    return fail(ErrorKind::usage, "must be 0 or at least 1s");
  }
  return period;
}

/// Parses a --timeout of kubectl: a negative one means a week.
Result<Clock::Duration> parse_kubectl_timeout(const std::string& text) {
  const bool is_negative = text.starts_with('-');
  Result<Clock::Duration> duration = parse_duration_flag(is_negative ? text.substr(1) : text);
  if (!duration || !is_negative || *duration == Clock::Duration::zero()) return duration;
  return std::chrono::hours(7 * 24);
}

/// The maximum for --concurrency. ProcessGuard can only track a limited number of processes.
constexpr int kMostWorkers = 1024;

/// The maximum for --nodes, the size of the largest supported cluster.
constexpr int kMostNodes = 5000;

auto number_between(int least, int most) {
  return [least, most](const std::string& text) -> Result<int> {
    Result<int> number = whole_number(least)(text);
    if (number && *number > most) {
      return fail(ErrorKind::usage, fmt::format("must be {} or less", most));
    }
    return number;
  };
}

/// Parses `MIN..MAX` (`5ms..1000s`), or `MIN` alone, which leaves the maximum unchanged.
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
    return fail(ErrorKind::usage, "MIN is longer than MAX");
  }
  return limits;
}

void add_diff_flag(CLI::App& app, OutputFlags& output) {
  add_value(
      app, "-d,--diff", output.diff,
      one_of<DiffForm>(
          {{"lines", DiffForm::lines}, {"yaml", DiffForm::yaml}, {"patch", DiffForm::patch}}));
}

void add_time_flags(CLI::App& app, OutputFlags& output) {
  add_value(app, "-t,--timestamps", output.time_form,
            one_of<TimeForm>({{"short", TimeForm::short_form},
                              {"rfc3339", TimeForm::rfc3339},
                              {"unix", TimeForm::unix_time},
                              {"relative", TimeForm::relative}}));
  add_text(app, "--timezone", output.time_zone);
}

/// Commas separate the names of --context, and a name is shown in tables.
Result<std::string> parse_context_name(const std::string& text) {
  const bool is_name = std::ranges::all_of(text, [](unsigned char c) {
    return std::isalnum(c) != 0 ||
           std::string_view("-_.@:/").find(static_cast<char>(c)) != std::string_view::npos;
  });
  if (is_name && !text.empty()) return text;
  return fail(ErrorKind::usage,
              fmt::format("\"{}\" is not a name: letters, digits and -_.@:/", text));
}

}  // namespace

void add_global_flags(CLI::App& app, GlobalFlags& flags) {
  ConfigOverrides& overrides = flags.config.overrides;
  add_text(app, "--kubeconfig", flags.config.kubeconfig);
  add_text(app, "--context", overrides.context);
  add_text(app, "--cluster", overrides.cluster);
  add_text(app, "--user", overrides.user);
  add_text(app, "-n,--namespace", overrides.name_space);
  add_switch(app, "-A,--all-namespaces", flags.all_namespaces);
  add_text(app, "-s,--server", overrides.server);
  add_text(app, "--token", overrides.token);
  add_text(app, "--certificate-authority", overrides.ca_file);
  add_text(app, "--client-certificate", overrides.client_cert);
  add_text(app, "--client-key", overrides.client_key);
  add_text(app, "--tls-server-name", overrides.tls_server_name);
  add_switch(app, "--insecure-skip-tls-verify", overrides.insecure);
  add_text(app, "--as", overrides.as);
  add_text(app, "--as-uid", overrides.as_uid);
  add_texts(app, "--as-group", overrides.as_groups);
  add_switch(app, "--in-cluster", flags.config.in_cluster);
  add_text(app, "--cache-dir", flags.cache_dir);
  add_text(app, "--config", flags.config_file);
  add_value(app, "--sandbox", flags.sandbox,
            [](const std::string& text) { return Result<std::string>(text); });
  add_value(app, "-v,--v", flags.verbosity, whole_number(0));
  add_switch(app, "-q,--quiet", flags.quiet);
  add_value(app, "--log-format", flags.log_json, one_of<bool>({{"text", false}, {"json", true}}));
  add_value(app, "--color", flags.colour,
            one_of<ColourChoice>({{"auto", ColourChoice::automatic},
                                  {"always", ColourChoice::always},
                                  {"never", ColourChoice::never}}));
}

void add_informer_flags(CLI::App& app, InformerFlags& flags, std::vector<std::string>& where) {
  add_text(app, "-l,--selector", flags.selector);
  add_text(app, "--field-selector", flags.field_selector);
  app.add_option("--where", where)->allow_extra_args(false);
  add_text(app, "--namespace-selector", flags.namespace_selector);
  add_switch(app, "--accessible", flags.accessible);
  add_text(app, "--owner", flags.owner);
  add_value(app, "--chunk-size", flags.chunk_size, whole_number<std::int64_t>(0));
  add_value(app, "--pages-in-flight", flags.pages_in_flight, number_between(1, 64));
  add_value(app, "--watch-list", flags.watch_list,
            one_of<WatchListMode>({{"auto", WatchListMode::automatic},
                                   {"on", WatchListMode::on},
                                   {"off", WatchListMode::off}}));
  add_value(app, "--stall-timeout", flags.stall_timeout, parse_duration_flag);
  add_value(app, "--max-retry-interval", flags.max_retry_interval, parse_duration_flag);
  add_switch(app, "--retry-forbidden", flags.retry_forbidden);
  add_value(app, "--sync-timeout", flags.sync_timeout, parse_duration_flag);
  add_value(app, "--request-timeout", flags.request_timeout, parse_duration_flag);
  add_switch(app, "--must-exist", flags.must_exist);
  add_switch(app, "--wait-for-type", flags.wait_for_type);
  add_switch(app, "--stats", flags.stats);
  add_value(app, "--metadata", flags.metadata,
            one_of<MetadataMode>({{"auto", MetadataMode::automatic},
                                  {"true", MetadataMode::on},
                                  {"false", MetadataMode::off}}));
}

void add_queue_flags(CLI::App& app, InformerFlags& flags) {
  add_value(
      app, "--queue", flags.queue,
      one_of<QueueKind>({{"in-order", QueueKind::in_order_atomic}, {"delta", QueueKind::delta}}));
  add_value(app, "--resync", flags.resync, parse_resync);
}

void add_parts_flags(CLI::App& app, InformerFlags& flags) {
  app.add_option("--drop", flags.drop)->allow_extra_args(false);
  app.add_option("--keep", flags.keep)->allow_extra_args(false);
}

void add_moment_flags(CLI::App& app, ReplayFlags& flags) {
  add_file(app, "--from", flags.from);
  add_text(app, "--at", flags.at);
  add_text(app, "--since", flags.since);
}

void add_replay_flags(CLI::App& app, ReplayFlags& flags) {
  add_moment_flags(app, flags);
  add_text(app, "--until-time", flags.until_time);
  add_value(app, "--speed", flags.speed, parse_speed);
}

void add_recording_flag(CLI::App& app, RecordFlags& flags) {
  add_file(app, "--record", flags.file);
}

void add_state_flag(CLI::App& app, StateFlags& flags) { add_file(app, "--state", flags.file); }

void add_record_flags(CLI::App& app, RecordFlags& flags) {
  add_file(app, "--to", flags.file);
  add_value(app, "--keep", flags.keep, parse_duration_flag);
  add_value(app, "--max-size", flags.max_bytes, parse_size);
  add_switch(app, "--show-secrets", flags.show_secrets);
}

void add_output_flags(CLI::App& app, OutputFlags& flags, OutputTexts& texts) {
  add_text(app, "-o,--output", texts.output);
  add_text(app, "--sort-by", texts.sort_by);
  add_value(app, "--allow-missing-template-keys", flags.allow_missing_keys,
            one_of<bool>({{"true", true}, {"false", false}}));
  add_value(app, "--server-print", flags.server_print,
            one_of<bool>({{"true", true}, {"false", false}}));
  add_switch(app, "--no-headers", flags.no_headers);
  add_switch(app, "--show-kind", flags.show_kind);
  add_texts(app, "-L,--label-columns", flags.label_columns);
  add_switch(app, "--show-labels", flags.show_labels);
  add_switch(app, "--show-secrets", flags.show_secrets);
  add_switch(app, "--show-managed-fields", flags.show_managed_fields);
}

void add_watch_flags(CLI::App& app, WatchCommand& command, bool& once,
                     WatchExpressions& expressions) {
  add_switch(app, "--once", once);
  add_switch(app, "--watch-only", command.watch_only);
  add_value(app, "--bookmarks", command.bookmarks,
            one_of<Bookmarks>(
                {{"none", Bookmarks::none}, {"end", Bookmarks::end}, {"all", Bookmarks::all}}));
  add_switch(app, "--latest", command.latest);
  add_switch(app, "--with-events", command.with_events);
  add_value(app, "--output-watch-events", command.output_watch_events,
            one_of<bool>({{"true", true}, {"false", false}}));
  app.add_option("--changed", expressions.changed)->allow_extra_args(false);
  app.add_option("--ignore", expressions.ignored)->allow_extra_args(false);
  add_value(app, "--events", command.events,
            [](const std::string& text) { return EventTypes::parse(text); });
  const auto any_text = [](const std::string& text) { return Result<std::string>(text); };
  add_value(app, "--jq", expressions.jq, any_text);
  add_value(app, "--until", expressions.until, any_text);
  add_diff_flag(app, command.output);
  add_switch(app, "--show-old", command.output.show_old);
  add_time_flags(app, command.output);
  add_value(app, "--max-events", command.max_events, whole_number<std::uint64_t>(1));
  add_value(app, "--timeout", command.timeout, parse_duration_flag);
  add_switch(app, "--group", command.output.group);
}

void add_history_flags(CLI::App& app, WatchCommand& command, OutputTexts& texts) {
  add_text(app, "-o,--output", texts.output);
  add_diff_flag(app, command.output);
  add_switch(app, "--no-headers", command.output.no_headers);
  add_switch(app, "--show-secrets", command.output.show_secrets);
  add_time_flags(app, command.output);
  add_value(app, "--max-events", command.max_events, whole_number<std::uint64_t>(1));
  add_value(app, "--timeout", command.timeout, parse_duration_flag);
}

void add_index_flags(CLI::App& app, IndexCommand& command, std::vector<std::string>& by) {
  app.add_option("--by", by)->allow_extra_args(false);
  add_value(app, "--key-format", command.key_format,
            [](const std::string& text) { return KeyFormat::parse(text); });
  add_value(app, "--top", command.top, whole_number<std::size_t>(1));
  add_switch(app, "--count", command.count);
  add_switch(app, "--objects", command.objects);
  add_switch(app, "--dump", command.dump);
  add_switch(app, "-w,--watch", command.watch);
  add_value(app, "--max-events", command.max_events, whole_number<std::uint64_t>(1));
  add_value(app, "--timeout", command.timeout, parse_duration_flag);
  add_switch(app, "-e,--exit-status", command.exit_status);
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

void add_wait_flags(CLI::App& app, WaitCommand& command, WaitTexts& texts) {
  WaitGoal& goal = command.goal;
  app.add_option("--for", texts.conditions)->allow_extra_args(false);
  app.add_option("--fail-on", texts.failures)->allow_extra_args(false);
  add_switch(app, "--any", goal.any);
  add_switch(app, "--ever", goal.ever);
  add_switch(app, "--all", command.all);
  add_value(app, "--count", goal.count,
            [](const std::string& text) { return CountRule::parse(text); });
  add_value(app, "--for-duration", goal.duration, parse_duration_flag);
  add_value(app, "--timeout", texts.timeout, parse_kubectl_timeout);
  add_text(app, "-o,--output", texts.output);
  add_value(app, "--allow-missing-template-keys", command.output.allow_missing_keys,
            one_of<bool>({{"true", true}, {"false", false}}));
  add_switch(app, "--show-secrets", command.output.show_secrets);
  add_switch(app, "--show-managed-fields", command.output.show_managed_fields);
}

void add_demo_flags(CLI::App& app, DemoCommand& command) {
  add_switch(app, "--explain", command.explain);
  add_switch(app, "--live", command.live);
  add_value(app, "--keys", command.keys,
            [](const std::string& text) { return Result<std::string>(text); });
  add_value(app, "--listen", command.listen,
            [](const std::string& text) { return Result<std::string>(text); });
  add_value(app, "--resync", command.resync, parse_resync);
  add_value(app, "--speed", command.speed, parse_speed);
}

void add_check_flags(CLI::App& app, CheckCommand& command) {
  add_switch(app, "--verify", command.verify);
  add_value(app, "--request-timeout", command.request_timeout, parse_duration_flag);
}

void add_api_resources_flags(CLI::App& app, ApiResourcesCommand& command) {
  add_value(app, "--api-group", command.api_group,
            [](const std::string& text) { return Result<std::string>(text); });
  add_texts(app, "--categories", command.categories);
  add_texts(app, "--verbs", command.verbs);
  add_value(app, "--namespaced", command.namespaced,
            one_of<bool>({{"true", true}, {"false", false}}));
  add_value(
      app, "-o,--output", command.output,
      one_of<ResourceOutput>({{"wide", ResourceOutput::wide}, {"name", ResourceOutput::name}}));
  add_value(app, "--sort-by", command.order,
            one_of<ResourceOrder>({{"name", ResourceOrder::name}, {"kind", ResourceOrder::kind}}));
  add_switch(app, "--no-headers", command.no_headers);
  add_switch(app, "--cached", command.cached);
}

void add_sandbox_flags(CLI::App& app, SandboxCommand& command) {
  add_text(app, "--listen", command.listen);
  add_switch(app, "--listen-any", command.listen_any);
  add_switch(app, "--tls", command.tls);
  add_file(app, "--kubeconfig-out", command.kubeconfig_out);
  add_value(app, "--name", command.name, parse_context_name);
  add_text(app, "--scenario", command.scenario);
  app.add_option("--load", command.load);
  add_file(app, "--data", command.data);
  add_value(app, "--speed", command.speed, parse_speed);
  add_value(app, "--nodes", command.nodes, number_between(0, kMostNodes));
  add_switch(app, "--no-controllers", command.no_controllers);
  app.add_option("--fault", command.faults)->allow_extra_args(false);
  add_text(app, "--relay", command.relay);
}

}  // namespace kinf
