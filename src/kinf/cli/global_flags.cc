// SPDX-License-Identifier: Apache-2.0
#include "kinf/base/duration.h"
#include "kinf/cli/flag_values.h"
#include "kinf/cli/flags.h"

namespace kinf {

void add_global_flags(CLI::App& app, GlobalFlags& flags) {
  add_text(app, "--kubeconfig", flags.kubeconfig);
  add_text(app, "--context", flags.context);
  add_text(app, "--cluster", flags.cluster);
  add_text(app, "--user", flags.user);
  add_text(app, "-n,--namespace", flags.ns);
  add_switch(app, "-A,--all-namespaces", flags.all_namespaces);
  add_text(app, "-s,--server", flags.server);
  add_text(app, "--token", flags.token);
  add_text(app, "--certificate-authority", flags.certificate_authority);
  add_text(app, "--client-certificate", flags.client_certificate);
  add_text(app, "--client-key", flags.client_key);
  add_text(app, "--tls-server-name", flags.tls_server_name);
  add_switch(app, "--insecure-skip-tls-verify", flags.insecure_skip_tls_verify);
  add_text(app, "--as", flags.as);
  add_text(app, "--as-uid", flags.as_uid);
  add_texts(app, "--as-group", flags.as_groups);
  add_switch(app, "--in-cluster", flags.in_cluster);
  add_text(app, "--cache-dir", flags.cache_dir);
  add_value(app, "--sandbox", flags.sandbox,
            [](const std::string& text) { return Result<std::string>(text); });
  add_value(app, "-v,--v", flags.verbosity, whole_number(0));
  add_switch(app, "-q,--quiet", flags.quiet);
  add_value(app, "--color", flags.colour,
            one_of<ColourChoice>({{"auto", ColourChoice::automatic},
                                  {"always", ColourChoice::always},
                                  {"never", ColourChoice::never}}));
}

void add_informer_flags(CLI::App& app, InformerFlags& flags) {
  add_text(app, "-l,--selector", flags.selector);
  add_text(app, "--field-selector", flags.field_selector);
  add_value(app, "--chunk-size", flags.chunk_size, whole_number<std::int64_t>(0));
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
}

}  // namespace kinf
