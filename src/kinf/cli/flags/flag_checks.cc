// SPDX-License-Identifier: Apache-2.0
#include "kinf/cli/flags/flag_checks.h"

#include "kinf/cli/flags/usage_error.h"

namespace kinf {

Result<void> check_metadata(const InformerFlags& flags, bool reads_more, std::string_view command) {
  if (flags.metadata != MetadataMode::on) return {};
  if (reads_more || (flags.where && flags.where->reads_beyond_metadata())) {
    return usage("with --metadata, only paths in .metadata can be used", command);
  }
  return {};
}

bool reads_beyond_metadata(const OutputFlags& output, bool prints_events) {
  using jsonpath::Document;
  if (output.sort.reads_beyond_metadata()) return true;
  if (output.columns) return output.columns->reads_beyond_metadata();
  if (!output.jsonpath) return false;
  if (prints_events) return output.jsonpath->reads_beyond_metadata(Document::event);
  return output.jsonpath->reads_beyond_metadata(Document::object) ||
         output.jsonpath->reads_beyond_metadata(Document::list);
}

Result<void> check_moment(const ReplayFlags& replay, std::string_view command) {
  if (!replay.from.empty()) return {};
  if (!replay.at.empty()) return usage("--at needs --from", command);
  if (!replay.since.empty()) return usage("--since needs --from", command);
  return {};
}

Result<void> check_replay(const GlobalFlags& global, const InformerFlags& flags, bool watches,
                          std::string_view command) {
  const ReplayFlags& replay = global.replay;
  if (replay.from.empty()) {
    if (!replay.until_time.empty()) return usage("--until-time needs --from", command);
    if (replay.speed) return usage("--speed needs --from", command);
    return check_moment(replay, command);
  }
  if (!replay.at.empty() && watches) {
    return usage("--at shows one moment; use --since to watch from it on", command);
  }
  if (!replay.since.empty() && !watches) {
    return usage("--since needs --watch; use --at to show one moment", command);
  }
  if (!replay.until_time.empty() && !watches) {
    return usage("--until-time needs --watch; use --at to show one moment", command);
  }
  if (replay.speed && !watches) return usage("--speed needs --watch", command);
  const ConfigOverrides& overrides = global.config.overrides;
  return reject({{"--sandbox", global.sandbox.has_value()},
                 {"--kubeconfig", !global.config.kubeconfig.empty()},
                 {"--context", !overrides.context.empty()},
                 {"--cluster", !overrides.cluster.empty()},
                 {"--user", !overrides.user.empty()},
                 {"--server", !overrides.server.empty()},
                 {"--token", !overrides.token.empty()},
                 {"--in-cluster", global.config.in_cluster},
                 {"--record", !flags.record.file.empty()},
                 {"--resync", flags.resync.count() > 0},
                 {"--wait-for-type", flags.wait_for_type},
                 {"--owner", !flags.owner.empty()},
                 {"--namespace-selector", !flags.namespace_selector.empty()}},
                "--from", command);
}

Result<void> check_recording(const GlobalFlags& global, const InformerFlags& flags, bool watches,
                             std::string_view command) {
  if (flags.record.file.empty()) return {};
  const std::string flag = command == "record" ? "record" : "--record";
  if (!watches) return usage("--record needs --watch", command);
  if (global.config.overrides.context.find(',') != std::string::npos) {
    return usage(flag + " cannot be used with several contexts", command);
  }
  if (flags.wait_for_type && command != "record") {
    return usage("--wait-for-type cannot be used with --record; use kinf record", command);
  }
  return {};
}

Result<void> check_state(const GlobalFlags& global, const InformerFlags& flags, bool watches,
                         std::string_view command) {
  if (flags.state.file.empty()) return {};
  if (!watches) return usage("--state needs --watch", command);
  if (global.config.overrides.context.find(',') != std::string::npos) {
    return usage("--state cannot be used with several contexts; run kinf once for each", command);
  }
  return reject({{"--sandbox", global.sandbox.has_value()},  // is a new server each time
                 {"--from", !global.replay.from.empty()},
                 {"--wait-for-type", flags.wait_for_type},
                 {"--accessible", flags.accessible},
                 {"--owner", !flags.owner.empty()},
                 {"--namespace-selector", !flags.namespace_selector.empty()}},
                "--state", command);
}

}  // namespace kinf
