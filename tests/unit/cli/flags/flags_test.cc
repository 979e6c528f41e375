// SPDX-License-Identifier: Apache-2.0
// The values of flags, through the whole command line.
#include <doctest/doctest.h>

#include "kinf/cli/flags/command_line.h"
#include "kinf/cli/flags/index_flags.h"
#include "kinf/cli/flags/inspect_flags.h"
#include "kinf/cli/flags/run_flags.h"
#include "kinf/cli/flags/sandbox_flags.h"
#include "kinf/cli/flags/wait_flags.h"
#include "kinf/cli/flags/watch_flags.h"
#include "unit/cli/flags/parsed_command.h"

namespace kinf {
namespace {

using namespace std::chrono_literals;
using test::parsed;
using Words = std::vector<std::string>;

std::string message_of(const Words& words) {
  const Result<CommandLine> line = parse_command_line(words);
  return line ? "no error" : line.error().message;
}

TEST_CASE("flags that are not given have their documented defaults") {
  const auto watch = parsed<WatchCommand>({"watch", "po"});
  CHECK(watch.informer.chunk_size == 500);
  CHECK(watch.informer.stall_timeout == Clock::Duration(90s));
  CHECK(watch.informer.max_retry_interval == Clock::Duration(30s));
  CHECK(watch.informer.watch_list == WatchListMode::automatic);
  CHECK_FALSE(watch.informer.sync_timeout.has_value());
  CHECK_FALSE(watch.informer.retry_forbidden);
  CHECK(watch.output.format == OutputFormat::table);
  CHECK_FALSE(watch.global.sandbox.has_value());
  CHECK(watch.global.verbosity == 0);
  const auto run = parsed<RunCommand>({"run", "cm", "--", "true"});
  CHECK(run.limits.max_retries == 15);
  CHECK(run.limits.first_backoff == Clock::Duration(5ms));
  CHECK(run.limits.longest_backoff == Clock::Duration(1000s));
  CHECK(run.concurrency == 1);
  CHECK(run.drain == Clock::Duration(10s));
  CHECK_FALSE(parsed<DemoCommand>({"demo", "http"}).listen.has_value());
  CHECK(parsed<SandboxCommand>({"sandbox"}).options.listen == "127.0.0.1:0");
  CHECK_FALSE(parsed<SandboxCommand>({"sandbox"}).options.listen_any);
}

TEST_CASE("the flags for the server and the user are kubectl's") {
  struct Case {
    const char* flag;
    std::string ConfigOverrides::* value;
  };
  for (const Case& one :
       {Case{"--context", &ConfigOverrides::context}, Case{"--cluster", &ConfigOverrides::cluster},
        Case{"--user", &ConfigOverrides::user}, Case{"--namespace", &ConfigOverrides::name_space},
        Case{"-n", &ConfigOverrides::name_space}, Case{"--server", &ConfigOverrides::server},
        Case{"-s", &ConfigOverrides::server}, Case{"--token", &ConfigOverrides::token},
        Case{"--certificate-authority", &ConfigOverrides::ca_file},
        Case{"--client-certificate", &ConfigOverrides::client_cert},
        Case{"--client-key", &ConfigOverrides::client_key},
        Case{"--tls-server-name", &ConfigOverrides::tls_server_name},
        Case{"--as", &ConfigOverrides::as}, Case{"--as-uid", &ConfigOverrides::as_uid}}) {
    CAPTURE(one.flag);
    const auto watch = parsed<WatchCommand>({"watch", "po", one.flag, "value"});
    CHECK(watch.global.config.overrides.*one.value == "value");
  }
  const auto watch =
      parsed<WatchCommand>({"--insecure-skip-tls-verify", "watch", "po", "--as-group", "a,b",
                            "--as-group=c", "--in-cluster", "--cache-dir", "/c"});
  CHECK(watch.global.config.overrides.insecure);
  CHECK(watch.global.config.overrides.as_groups == Words{"a", "b", "c"});
  CHECK(watch.global.config.in_cluster);
  CHECK(watch.global.cache_dir == "/c");
}

TEST_CASE("switches set what they name") {
  struct Case {
    const char* flag;
    bool InformerFlags::* value;
  };
  for (const Case& one : {Case{"--retry-forbidden", &InformerFlags::retry_forbidden},
                          Case{"--must-exist", &InformerFlags::must_exist},
                          Case{"--wait-for-type", &InformerFlags::wait_for_type},
                          Case{"--stats", &InformerFlags::stats}}) {
    CAPTURE(one.flag);
    CHECK(parsed<WatchCommand>({"watch", "po", one.flag}).informer.*one.value);
    CHECK_FALSE(parsed<WatchCommand>({"watch", "po"}).informer.*one.value);
  }
  struct OutputCase {
    const char* flag;
    bool OutputFlags::* value;
  };
  for (const OutputCase& one :
       {OutputCase{"--no-headers", &OutputFlags::no_headers},
        OutputCase{"--show-labels", &OutputFlags::show_labels},
        OutputCase{"--show-secrets", &OutputFlags::show_secrets},
        OutputCase{"--show-managed-fields", &OutputFlags::show_managed_fields}}) {
    CAPTURE(one.flag);
    CHECK(parsed<GetCommand>({"get", "po", one.flag}).output.*one.value);
  }
}

TEST_CASE("of a flag that is given several times the last value counts") {
  const auto watch = parsed<WatchCommand>(
      {"watch", "po", "-n", "a", "-n", "b", "-o", "json", "-o=yaml", "-l", "x=1", "-l", "y=2"});
  CHECK(watch.global.config.overrides.name_space == "b");
  CHECK(watch.output.format == OutputFormat::yaml);
  CHECK(watch.informer.selector == "y=2");
}

TEST_CASE("the words of a flag are its only values") {
  CHECK(parsed<WatchCommand>({"watch", "po", "--color=always"}).global.colour ==
        ColourChoice::always);
  CHECK(parsed<WatchCommand>({"watch", "po", "--color", "never"}).global.colour ==
        ColourChoice::never);
  CHECK(parsed<WatchCommand>({"watch", "po", "--watch-list=on"}).informer.watch_list ==
        WatchListMode::on);
  CHECK(message_of({"watch", "po", "--color=sometimes"}) ==
        "invalid argument \"sometimes\" for \"--color\" flag: it must be one of auto, always, "
        "never");
  CHECK(message_of({"watch", "po", "--output-watch-events=maybe"}) ==
        "invalid argument \"maybe\" for \"--output-watch-events\" flag: it must be one of true, "
        "false");
}

TEST_CASE("numbers and durations outside their range are refused with the reason") {
  struct Case {
    Words words;
    std::string reason;
  };
  for (const Case& one :
       {Case{{"watch", "po", "--chunk-size", "-1"}, "must be 0 or more"},
        Case{{"watch", "po", "--chunk-size", "many"}, "not a whole number"},
        Case{{"watch", "po", "--max-events", "1.5"}, "not a whole number"},
        Case{{"index", "po", "--top", "0"}, "must be 1 or more"},
        Case{{"run", "cm", "--concurrency", "1025", "--", "true"}, "must be 1024 or less"},
        Case{{"run", "cm", "--batch", "0", "--", "true"}, "must be 1 or more"},
        Case{{"run", "cm", "--backoff", "2s..1s", "--", "true"}, "MIN is longer than MAX"},
        Case{{"run", "cm", "--backoff", "1s..x", "--", "true"}, "\"x\" is not a duration"},
        Case{{"demo", "http", "--speed", "0"}, "not a number above 0"},
        Case{{"sandbox", "--speed", "fast"}, "not a number above 0"},
        Case{{"watch", "po", "--resync", "999ms"}, "must be 0 or at least 1s"},
        Case{{"watch", "po", "--stall-timeout", "-3s"}, "is not a duration"}}) {
    CAPTURE(one.words);
    const std::string message = message_of(one.words);
    CHECK(message.starts_with("invalid argument \""));
    CHECK(message.find(one.reason) != std::string::npos);
  }
}

TEST_CASE("one duration of --backoff is the first pause, two are the first and the longest") {
  const auto first = parsed<RunCommand>({"run", "cm", "--backoff", "1s", "--", "true"});
  CHECK(first.limits.first_backoff == Clock::Duration(1s));
  CHECK(first.limits.longest_backoff == Clock::Duration(1000s));
  const auto both = parsed<RunCommand>({"run", "cm", "--backoff=10ms..1m", "--", "true"});
  CHECK(both.limits.first_backoff == Clock::Duration(10ms));
  CHECK(both.limits.longest_backoff == Clock::Duration(1min));
}

TEST_CASE("the flags of run and sandbox reach their commands") {
  const auto run = parsed<RunCommand>({"run", "cm", "--debounce", "1s", "--min-interval=2s",
                                       "--cmd-timeout", "3s", "--no-initial", "--fail-fast",
                                       "--drain=0s", "--batch", "7", "--", "true"});
  CHECK(run.limits.debounce == Clock::Duration(1s));
  CHECK(run.limits.min_interval == Clock::Duration(2s));
  CHECK(run.command_timeout == Clock::Duration(3s));
  CHECK(run.no_initial);
  CHECK(run.fail_fast);
  CHECK(run.drain == Clock::Duration(0s));
  CHECK(run.limits.batch == 7);
  const auto sandbox = parsed<SandboxCommand>(
      {"sandbox", "--tls", "--kubeconfig-out", "k", "--scenario", "churn", "--load", "a", "--data",
       "d", "--fault", "gone", "--fault", "cut:every=30s", "--listen-any"});
  CHECK(sandbox.options.tls);
  CHECK(sandbox.options.listen_any);
  CHECK(sandbox.kubeconfig_out == "k");
  CHECK(sandbox.scenario == "churn");
  CHECK(sandbox.options.load == Words{"a"});
  CHECK(sandbox.options.data == "d");
  CHECK(sandbox.options.faults == Words{"gone", "cut:every=30s"});
}

TEST_CASE("a relay refuses the flags of the server that it does not have") {
  for (const char* flag : {"--tls", "--token=t", "--kubeconfig-out=k", "--scenario=s", "--load=l",
                           "--data=d", "--speed=2"}) {
    CAPTURE(flag);
    const std::string message = message_of({"sandbox", "--relay", "h:1", flag});
    const std::string name = std::string(flag).substr(0, std::string(flag).find('='));
    CHECK(message == name + " cannot be used with --relay");
  }
  CHECK(parsed<SandboxCommand>({"sandbox", "--relay", "h:1"}).relay == "h:1");
}

TEST_CASE("each format of -o has its word") {
  struct Case {
    const char* word;
    OutputFormat format;
  };
  for (const Case& one :
       {Case{"table", OutputFormat::table}, Case{"wide", OutputFormat::wide},
        Case{"json", OutputFormat::json}, Case{"jsonl", OutputFormat::json_lines},
        Case{"yaml", OutputFormat::yaml}, Case{"name", OutputFormat::name},
        Case{"keys", OutputFormat::keys}, Case{"csv", OutputFormat::csv},
        Case{"tsv", OutputFormat::tsv}, Case{"custom-columns=A:.a", OutputFormat::custom_columns},
        Case{"jsonpath={.a}", OutputFormat::jsonpath},
        Case{"jsonpath-as-json={.a}", OutputFormat::jsonpath_as_json}}) {
    CAPTURE(one.word);
    const auto index = parsed<IndexCommand>({"index", "po", "-o", one.word});
    CHECK(index.output.format == one.format);
    const bool of_index =
        one.format == OutputFormat::json_lines || one.format == OutputFormat::keys;
    if (of_index) {
      CHECK_FALSE(message_of({"watch", "po", "-o", one.word}).empty());
    } else {
      CHECK(parsed<WatchCommand>({"watch", "po", "-o", one.word}).output.format == one.format);
    }
  }
  CHECK(message_of({"index", "po", "-o", "xml"}).ends_with(", custom-columns-file="));
}

TEST_CASE("flags that an output cannot show are refused") {
  for (const auto& [flags, message] :
       {std::pair<std::vector<std::string>, const char*>{{"-d", "-o", "csv"},
                                                         "--diff cannot be shown with -o csv"},
        {{"-d", "-o", "jsonpath={.a}"}, "--diff needs --output-watch-events with -o jsonpath"},
        {{"-t", "-o", "jsonpath={.a}"}, "--timestamps cannot be shown with -o jsonpath"},
        {{"--show-old", "-o", "custom-columns=A:.a"},
         "--show-old cannot be shown with -o custom-columns"},
        {{"--bookmarks", "end"}, "--bookmarks needs the events of -o json or -o yaml"},
        {{"--bookmarks", "all", "--latest", "-o", "json"},
         "--bookmarks=all cannot be used with --latest"},
        {{"--group", "-o", "json"}, "--group needs -o table or wide"},
        {{"--once", "-o", "custom-columns=A:EVENT"},
         "the custom columns EVENT, TIME and OLD need --watch"}}) {
    std::vector<std::string> words = {"watch", "po"};
    words.insert(words.end(), flags.begin(), flags.end());
    CHECK(message_of(words) == message);
  }
}

TEST_CASE("a flag with an empty value does not take the next argument") {
  const auto types = parsed<ApiResourcesCommand>({"api-resources", "--api-group=", "--no-headers"});
  CHECK(types.api_group == "");
  CHECK(types.no_headers);
}

TEST_CASE("the flags of api-resources are kubectl's") {
  const auto all = parsed<ApiResourcesCommand>({"api-resources"});
  CHECK_FALSE(all.api_group.has_value());
  CHECK_FALSE(all.namespaced.has_value());
  const auto some = parsed<ApiResourcesCommand>({"api-resources", "--namespaced",
                                                 "--verbs=list,watch", "--categories", "all", "-o",
                                                 "wide", "--sort-by=kind", "--cached"});
  CHECK(some.namespaced == true);
  CHECK(some.verbs == Words{"list", "watch"});
  CHECK(some.categories == Words{"all"});
  CHECK(some.output == ResourceOutput::wide);
  CHECK(some.order == ResourceOrder::kind);
  CHECK(some.cached);
  CHECK(parsed<ApiResourcesCommand>({"api-resources", "--namespaced=false"}).namespaced == false);
  CHECK(message_of({"api-resources", "pods"}) == "unexpected argument \"pods\"");
  CHECK(message_of({"api-resources", "-o", "json"}) ==
        "invalid argument \"json\" for \"--output\" flag: it must be one of wide, name");
}

TEST_CASE("the types of check may be separated by commas or spaces") {
  CHECK(parsed<CheckCommand>({"check", "pods,svc", "deploy"}).types ==
        Words{"pods", "svc", "deploy"});
}

TEST_CASE("selectors, namespaces and times are checked before any connection") {
  CHECK(message_of({"get", "po", "-l", "app=web,tier in (a,b),!old"}) == "no error");
  CHECK(message_of({"get", "po", "--field-selector", "status.phase!=Running"}) == "no error");
  for (const Words& flag : {Words{"-l", "app in (a"}, Words{"-l", "=a"},
                            Words{"--field-selector", "phase"}, Words{"--namespace-selector", "=a"},
                            Words{"-n", "a/b"}, Words{"--timezone", "Mars/Olympus"}}) {
    CAPTURE(flag.back());
    const Result<CommandLine> line = parse_command_line({"get", "po", flag.front(), flag.back()});
    REQUIRE_FALSE(line.has_value());
    CHECK(line.error().kind == ErrorKind::usage);
    CHECK(line.error().hint.starts_with("for example: "));
  }
  CHECK(message_of({"get", "po", "-A", "-n", "a/b"}) == "no error");
  CHECK(message_of({"get", "po", "--from", "f", "--at", "noon"}).starts_with("--at: "));
  CHECK(message_of({"watch", "po", "--from", "f", "--until-time", "noon"})
            .starts_with("--until-time: "));
}

}  // namespace
}  // namespace kinf
