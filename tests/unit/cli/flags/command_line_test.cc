// SPDX-License-Identifier: Apache-2.0
#include "kinf/cli/flags/command_line.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <sstream>

#include "kinf/cli/flags/command_table.h"
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

Error refused(const Words& words) {
  Result<CommandLine> line = parse_command_line(words);
  REQUIRE_FALSE(line.has_value());
  return line.error();
}

TEST_CASE("flags stand anywhere, as kubectl has them") {
  const auto watch =
      parsed<WatchCommand>({"-n", "shop", "watch", "po", "-l=app=web", "web-1", "-v=4", "-o",
                            "json", "--kubeconfig=x", "-A", "--sandbox", "-L", "a,b", "-L=c"});
  CHECK(watch.global.config.overrides.name_space == "shop");
  CHECK(watch.global.all_namespaces);
  CHECK(watch.global.verbosity == 4);
  CHECK(watch.global.config.kubeconfig == "x");
  CHECK(watch.global.sandbox == "nettool");
  CHECK(watch.informer.selector == "app=web");
  CHECK(watch.informer.types == std::vector<RequestedType>{{"po", {"web-1"}}});
  CHECK(watch.output.format == OutputFormat::json);
  CHECK(watch.output.label_columns == Words{"a", "b", "c"});
  CHECK_FALSE(watch.output_watch_events.has_value());
}

TEST_CASE("flags are read by the rows of their command, whatever objects are called") {
  CHECK(parsed<GetCommand>({"get", "po", "watch"}).informer.types ==
        std::vector<RequestedType>{{"po", {"watch"}}});
  CHECK(refused({"index", "watch", "-dt"}).message == "unknown shorthand flag: 'd' in -dt");
  CHECK(parsed<SandboxCommand>({"sandbox", "--load", "a", "b", "--tls"}).options.load ==
        Words{"a", "b"});
  CHECK(refused({"get", "po", "--quiet="}).message ==
        "invalid argument \"\" for \"--quiet\" flag: it must be true or false");
  CHECK(refused({"-o", "json", "get", "po"}).message == "unknown shorthand flag: 'o' in -o");
}

TEST_CASE("a number with a minus is an argument where no flag has its letter") {
  CHECK(parsed<GetCommand>({"get", "po", "-5"}).informer.types ==
        std::vector<RequestedType>{{"po", {"-5"}}});
  CHECK(parsed<GetCommand>({"get", "-1"}).informer.types == std::vector<RequestedType>{{"-1", {}}});
  CHECK(refused({"get", "po", "-v", "-1"}).message ==
        "invalid argument \"-1\" for \"--v\" flag: must be 0 or more");
  CHECK(refused({"-1", "get"}).message == "unknown shorthand flag: '1' in -1");
  CHECK(refused({"sandbox", "-1"}).message == "unknown shorthand flag: '1' in -1");
}

TEST_CASE("a switch is on or off by any word for it") {
  for (const char* off : {"no", "off", "n", "F", "disable", "0", "-2"}) {
    CAPTURE(off);
    CHECK_FALSE(parsed<GetCommand>({"get", "po", std::string("--group=") + off}).output.group);
    CHECK_FALSE(parsed<GetCommand>({"get", "po", std::string("-A=") + off}).global.all_namespaces);
  }
  for (const char* on : {"yes", "on", "T", "enable", "1", "2"}) {
    CAPTURE(on);
    CHECK(refused({"get", "po", std::string("--group=") + on}).message == "--group needs --watch");
    CHECK(global_flags(read_complete_line({"get", std::string("--quiet=") + on})).quiet);
  }
  CHECK(refused({"get", "po", "--quiet=x"}).message ==
        "invalid argument \"x\" for \"--quiet\" flag: it must be true or false");
}

TEST_CASE("a neutral value may be written in any way, and an empty text may count") {
  for (const char* zero : {"0", "0m", "0h", "0.0s", "00s"}) {
    CAPTURE(zero);
    parsed<GetCommand>({"get", "po", "--resync", zero});
  }
  CHECK(refused({"get", "po", "--resync=1m"}).message == "--resync needs --watch");
  parsed<SandboxCommand>({"sandbox", "--relay", "z", "--speed", "1.0"});
  CHECK(refused({"sandbox", "--relay", "z", "--speed", "2"}).message ==
        "--speed cannot be used with --relay");
  CHECK(refused({"watch", "po", "--from", "y", "--sandbox="}).message ==
        "--sandbox cannot be used with --from");
  CHECK(refused({"demo", "--listen="}).message ==
        "--listen cannot be used with demo without a stage");
}

TEST_CASE("an empty word and a word before the command are no command") {
  CHECK(refused({""}).message == "unknown command \"\" for \"kinf\"");
  CHECK(refused({"", "get"}).message == "unexpected argument \"\"");
  CHECK(refused({"--sandbox", "nettool", "get", "pods", "-o", "zz"}).message ==
        "unexpected argument \"nettool\"");
}

TEST_CASE("a value is what follows its letter") {
  CHECK(refused({"get", "po", "-l="}).message ==
        "found '=', expected: !, identifier, or 'end of string'");
  CHECK(refused({"get", "po", "-vx"}).message ==
        "invalid argument \"x\" for \"--v\" flag: not a whole number");
  CHECK(parsed<WatchCommand>({"watch", "po", "--max-events=18446744073709551615"}).max_events ==
        18446744073709551615U);
  CHECK(refused({"sandbox", "-n", "a"}).message == "unknown flag: --namespace");
}

TEST_CASE("--version wins over --help") {
  parsed<VersionCommand>({"get", "--help", "--version"});
  parsed<HelpCommand>({"get", "--help", "--version", "--frob"});
}

TEST_CASE("optional values never eat the type") {
  const auto watch =
      parsed<WatchCommand>({"watch", "--output-watch-events", "pods", "--watch-only", "a"});
  CHECK(watch.output_watch_events == true);
  CHECK(watch.watch_only);
  CHECK(watch.informer.types == std::vector<RequestedType>{{"pods", {"a"}}});
  CHECK(parsed<WatchCommand>({"watch", "po", "--output-watch-events=false"}).output_watch_events ==
        false);
  CHECK(parsed<WatchCommand>({"watch", "po", "--sandbox=quiet"}).global.sandbox == "quiet");
}

TEST_CASE("get is watch once, unless -w asks otherwise") {
  CHECK(parsed<GetCommand>({"get", "po"}).informer.types.size() == 1);
  CHECK(parsed<WatchCommand>({"get", "po", "-w"}).informer.types.size() == 1);
  CHECK(parsed<GetCommand>({"watch", "po", "-w", "--once"}).informer.types.size() == 1);
}

TEST_CASE("values are durations and numbers") {
  const auto watch =
      parsed<WatchCommand>({"watch", "po", "--timeout", "90", "--sync-timeout=1m", "--max-events",
                            "3", "--chunk-size=0", "--watch-list=off"});
  CHECK(watch.timeout == Clock::Duration(90s));
  CHECK(watch.informer.sync_timeout == Clock::Duration(1min));
  CHECK(watch.max_events == 3u);
  CHECK(watch.informer.chunk_size == 0);
  CHECK(watch.informer.watch_list == WatchListMode::off);
}

TEST_CASE("-d and -t need no value, and stand in groups with other short flags") {
  const auto watch = [](const std::string& flag) {
    return parsed<WatchCommand>({"watch", flag, "pods"}).output;
  };
  for (const char* flag : {"-td", "-dt", "-wdt", "-tAd", "-tdoyaml", "-tdnshop"}) {
    CAPTURE(flag);
    CHECK(watch(flag).diff == DiffForm::lines);
    CHECK(watch(flag).time_form == TimeForm::short_form);
  }
  CHECK(watch("-d").diff == DiffForm::lines);
  CHECK(watch("--diff").diff == DiffForm::lines);
  CHECK(watch("-td=yaml").diff == DiffForm::yaml);
  CHECK(watch("--diff=patch").diff == DiffForm::patch);
  CHECK(watch("-dt=unix").time_form == TimeForm::unix_time);
  CHECK(watch("--timestamps=relative").time_form == TimeForm::relative);
  // The letters of a value are no flags.
  CHECK_FALSE(watch("-ntd").diff);
  CHECK_FALSE(watch("-ltd=x").time_form);
  CHECK(parsed<WatchCommand>({"get", "po", "-wd"}).output.diff == DiffForm::lines);
}

TEST_CASE("flags about changes are refused where there are none, or where they cannot be shown") {
  for (const Words& words :
       {Words{"get", "po", "-d"}, Words{"get", "po", "-t"}, Words{"watch", "po", "-d", "--once"},
        Words{"get", "po", "--show-old"}, Words{"get", "po", "--ignore", "noise"},
        Words{"get", "po", "--changed", ".a"}, Words{"watch", "po", "-d", "-o", "name"},
        Words{"watch", "po", "-t", "-o", "name"}, Words{"watch", "po", "--show-old"},
        Words{"watch", "po", "-d", "-o", "json", "--output-watch-events=false"},
        Words{"watch", "po", "--ignore", "data"}, Words{"watch", "po", "--changed", "data"}}) {
    CHECK(refused(words).kind == ErrorKind::usage);
  }
  CHECK_FALSE(
      parsed<WatchCommand>({"watch", "po", "--ignore", ".data", "--ignore", "noise", "-o", "name"})
          .filter.passes_all());
}

TEST_CASE("resyncs need a command that goes on") {
  CHECK(parsed<WatchCommand>({"get", "-w", "pods", "--resync", "5s"}).informer.resync == 5s);
  CHECK(parsed<WatchCommand>({"watch", "pods", "--events=resync", "--resync=1s"})
            .events->contains(ChangeType::resync));
  CHECK(parsed<IndexCommand>({"index", "pods", "-w", "--resync=2s"}).informer.resync == 2s);
  CHECK(parsed<RunCommand>({"run", "pods", "--resync=1m", "--", "true"}).informer.resync == 60s);
  CHECK(parsed<GetCommand>({"get", "pods", "--queue=delta"}).informer.queue == QueueKind::delta);
  CHECK(refused({"get", "pods", "--resync=5s"}).message == "--resync needs --watch");
  CHECK(refused({"index", "pods", "--resync=5s"}).message == "--resync needs --watch");
  CHECK(refused({"watch", "pods", "--events=resync"}).message == "--events resync needs --resync");
  CHECK(refused({"watch", "pods", "--from=x", "--resync=5s"}).message ==
        "--resync cannot be used with --from");
}

TEST_CASE("index takes --by several times") {
  const auto index = parsed<IndexCommand>(
      {"index", "--by", "app=web", "pods", "--by=@node", "-o", "jsonl", "--count", "-e"});
  REQUIRE(index.by.size() == 2);
  CHECK(index.by[0].name() == "label:app");
  CHECK(index.by[1].name() == "@node");
  CHECK(index.output.format == OutputFormat::json_lines);
  CHECK(index.count);
  CHECK(index.exit_status);
  CHECK(refused({"index", "po,svc"}).kind == ErrorKind::usage);
  CHECK(refused({"index", "po", "--count", "--dump"}).message ==
        "--dump cannot be used with --count");
  CHECK(refused({"index", "po", "--max-events=1"}).message == "--max-events needs --watch");
}

TEST_CASE("index takes forms with an expression, and the flags of its answer") {
  const auto index =
      parsed<IndexCommand>({"index", "po", "--by", ".spec.x", "-o", "custom-columns=A:.a,B:.b",
                            "--top", "3", "--sort-by", "value", "--key-format", "{ns}---{name}"});
  CHECK(index.output.columns->headers() == std::vector<std::string>{"A", "B"});
  CHECK(index.top == 3);
  CHECK(index.order == GroupOrder::value);
  CHECK(parsed<IndexCommand>({"index", "po", "-w"}).watch);
  CHECK(refused({"index", "po", "-o", "xml"}).kind == ErrorKind::usage);
  CHECK(refused({"index", "po", "--key-format", "{ns}"}).kind == ErrorKind::usage);
}

TEST_CASE("run takes types before two dashes and its command behind them") {
  const auto run = parsed<RunCommand>({"run", "cm,secrets", "-l", "a=b", "--changed", ".data",
                                       "--backoff", "1s..10s", "--max-retries", "-1", "--batch",
                                       "1", "--concurrency=4", "--", "sh", "-c", "x", "--", "y"});
  CHECK(run.informer.types.size() == 2);
  CHECK(run.informer.selector == "a=b");
  CHECK_FALSE(run.filter.passes_all());
  CHECK(run.limits.first_backoff == std::chrono::seconds(1));
  CHECK(run.limits.longest_backoff == std::chrono::seconds(10));
  CHECK(run.limits.max_retries == -1);
  CHECK(run.as_batch);
  CHECK(run.concurrency == 4);
  CHECK(run.command == Words{"sh", "-c", "x", "--", "y"});
  CHECK_FALSE(parsed<RunCommand>({"run", "cm", "--", "true"}).as_batch);
  for (const Words& words :
       {Words{"run", "cm"}, Words{"run", "cm", "--"}, Words{"run", "--", "true"},
        Words{"run", "cm", "--changed", "data", "--", "true"},
        Words{"run", "cm", "--changed", ".a=b", "--", "true"},
        Words{"run", "cm", "--backoff", "2s..1s", "--", "true"},
        Words{"run", "cm", "--concurrency", "0", "--", "true"},
        Words{"run", "cm", "--max-retries", "-2", "--", "true"}}) {
    CHECK(refused(words).kind == ErrorKind::usage);
  }
}

TEST_CASE("demo takes one stage, or none and then no flags of stages") {
  const auto demo = parsed<DemoCommand>({"demo", "http", "--listen", ":0", "--explain"});
  CHECK(demo.stage == "http");
  CHECK(demo.listen == ":0");
  CHECK(demo.explain);
  CHECK(parsed<DemoCommand>({"demo", "--explain"}).stage.empty());
  CHECK(refused({"demo", "--resync=5s"}).kind == ErrorKind::usage);
  CHECK(refused({"demo", "a", "b"}).kind == ErrorKind::usage);
}

TEST_CASE("what stands behind two dashes is the sandbox's command") {
  const auto sandbox = parsed<SandboxCommand>(
      {"sandbox", "--speed", "2.5", "--token=t", "--", "sh", "-c", "kubectl get po --help"});
  CHECK(sandbox.options.speed == 2.5);
  CHECK(sandbox.global.config.overrides.token == "t");
  CHECK(sandbox.command == Words{"sh", "-c", "kubectl get po --help"});
}

TEST_CASE("help is found wherever it is asked for") {
  CHECK(parsed<HelpCommand>({}).topic.empty());
  CHECK(parsed<HelpCommand>({"--help"}).topic.empty());
  CHECK(parsed<HelpCommand>({"watch", "-h"}).topic == "watch");
  CHECK(parsed<HelpCommand>({"help", "index"}).topic == "index");
  CHECK_NOTHROW(parsed<VersionCommand>({"version"}));
}

TEST_CASE("a wrong command line is refused in kubectl's words") {
  struct Case {
    Words words;
    std::string message;
  };
  const Case cases[] = {
      {{"frob"}, "unknown command \"frob\" for \"kinf\""},
      {{"help", "frob"}, "unknown command \"frob\" for \"kinf\""},
      {{"watch", "po", "--frob"}, "unknown flag: --frob"},
      {{"watch", "po", "--frob=1"}, "unknown flag: --frob"},
      {{"watch", "po", "-x"}, "unknown shorthand flag: 'x' in -x"},
      {{"watch", "po", "-n"}, "flag needs an argument: --namespace"},
      {{"--selector", "get", "po"}, "flag needs an argument: --selector"},
      {{"--owner", "get", "po", "--sandbox"}, "flag needs an argument: --owner"},
      {{"--relay", "sandbox"}, "flag needs an argument: --relay"},
      {{"--to", "record", "po"}, "flag needs an argument: --to"},
      {{"watch", "po", "--timeout", "soon"},
       "invalid argument \"soon\" for \"--timeout\" flag: \"soon\" is not a duration such as 30s, "
       "2m or 1h30m"},
      {{"watch", "po", "-o", "xml"},
       "invalid argument \"xml\" for \"--output\" flag: it must be one of table, wide, json, yaml, "
       "name, csv, tsv, jsonpath=, jsonpath-file=, jsonpath-as-json=, "
       "custom-columns=, custom-columns-file="},
      {{"watch", "po", "--max-events=0"},
       "invalid argument \"0\" for \"--max-events\" flag: must be 1 or more"},
      {{"watch"}, "You must specify the type of resource to get"},
      {{"sandbox", "--context", "prod"}, "unknown flag: --context"},
      {{"version", "x"}, "unexpected argument \"x\""},
  };
  for (const Case& one : cases) {
    const Error error = refused(one.words);
    CHECK(error.message == one.message);
    CHECK(error.kind == ErrorKind::usage);
    CHECK_FALSE(error.hint.empty());
  }
}

TEST_CASE("a help text fits 80 columns and 74 lines") {
  for (const std::string command : {"watch", "get", "index", "wait", "run", "demo", "sandbox"}) {
    const std::string text = help_text(command);
    CHECK(std::ranges::count(text, '\n') <= 74);
    std::istringstream lines(text);
    for (std::string line; std::getline(lines, line);) CHECK(line.size() <= 80);
  }
}

TEST_CASE("wait has the conditions and the timeout of kubectl") {
  const auto wait =
      parsed<WaitCommand>({"wait", "job/x", "--for=condition=Complete", "--for", "create",
                           "--fail-on=condition=Failed", "--timeout", "-1s"});
  CHECK(wait.goal.conditions.size() == 2);
  CHECK(wait.goal.failures.size() == 1);
  CHECK(wait.timeout == 168h);
  CHECK(parsed<WaitCommand>({"wait", "po", "--all", "--for=create"}).timeout == 30s);
  CHECK(parsed<WaitCommand>({"wait", "po", "a", "--for=create", "--timeout=0"}).timeout == 0s);
  const auto counted = parsed<WaitCommand>({"wait", "po", "--count", ">=3"});
  CHECK(counted.goal.conditions.front().form() == Condition::Form::create);
  CHECK(counted.goal.count->words() == "at least 3");
}

TEST_CASE("wait prints objects in the formats of kubectl wait") {
  CHECK_FALSE(parsed<WaitCommand>({"wait", "po", "a", "--for=create"}).has_output);
  for (const char* form : {"json", "yaml", "name", "jsonpath={.a}", "jsonpath-as-json={.a}"}) {
    CHECK(parsed<WaitCommand>({"wait", "po", "a", "--for=create", "-o", form}).has_output);
  }
  for (const char* form : {"table", "wide", "csv", "custom-columns=A:.a", "jsonl"}) {
    CHECK(refused({"wait", "po", "a", "--for=create", "-o", form}).kind == ErrorKind::usage);
  }
}

TEST_CASE("wait refuses what selects nothing or can never be met") {
  for (const Words& words :
       {Words{"wait", "po", "--all"}, Words{"wait", "--for=create"},
        Words{"wait", "po", "--for=create"}, Words{"wait", "po", "a", "--for=ready"},
        Words{"wait", "po", "a", "--for=jsonpath={.a"},
        Words{"wait", "po", "a", "--for=create", "--fail-on=x"},
        Words{"wait", "po", "--for=create", "--count", "many"},
        Words{"wait", "po", "a", "--for=create", "--for-duration", "1m"},
        Words{"wait", "po", "a", "--for=create", "--for-duration", "1s", "--timeout=0"},
        Words{"wait", "po", "a", "--for=create", "--for-duration", "1s", "--ever"},
        Words{"wait", "po", "a", "--for=condition=Ready", "--metadata"}}) {
    CAPTURE(words.back());
    CHECK(refused(words).kind == ErrorKind::usage);
  }
}

}  // namespace
}  // namespace kinf
