// SPDX-License-Identifier: Apache-2.0
#include "kinf/cli/duration.h"
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
  using Form = IndexCommand::Form;
  app.add_option("--by", by)->allow_extra_args(false);
  add_value(app, "-o,--output", command.form,
            one_of<Form>({{"table", Form::table},
                          {"json", Form::json},
                          {"jsonl", Form::json_lines},
                          {"name", Form::name},
                          {"keys", Form::keys}}));
  add_switch(app, "--no-headers", command.no_headers);
  add_switch(app, "--count", command.count);
  add_switch(app, "-e,--exit-status", command.exit_status);
}

void add_sandbox_flags(CLI::App& app, SandboxCommand& command) {
  add_text(app, "--listen", command.listen);
  add_text(app, "--kubeconfig-out", command.kubeconfig_out);
  add_text(app, "--scenario", command.scenario);
  add_value(app, "--speed", command.speed, parse_speed);
}

}  // namespace kinf
