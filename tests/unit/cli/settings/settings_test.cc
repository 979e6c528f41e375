// SPDX-License-Identifier: Apache-2.0
#include "kinf/cli/settings/settings.h"

#include <doctest/doctest.h>

#include "kinf/cli/flags/index_flags.h"
#include "kinf/cli/flags/inspect_flags.h"
#include "kinf/cli/flags/run_flags.h"
#include "kinf/cli/flags/sandbox_flags.h"
#include "kinf/cli/flags/wait_flags.h"
#include "kinf/cli/flags/watch_flags.h"
#include "kinf/cli/settings/command_reader.h"

namespace kinf {
namespace {

using Words = std::vector<std::string>;

Settings settings_of(std::string_view text) {
  Result<Settings> settings = parse_settings(text, "c.toml");
  if (!settings) FAIL(settings.error().message);
  return *std::move(settings);
}

template <class Command>
Command parsed(const Words& arguments, const Settings& settings) {
  const Result<CommandLine> line = parse_with_settings(arguments, settings);
  if (!line) FAIL(line.error().message);
  return std::get<Command>(*line);
}

WatchCommand watch_of(const Words& arguments, const Settings& settings) {
  return parsed<WatchCommand>(arguments, settings);
}

GetCommand get_of(const Words& arguments, const Settings& settings) {
  return parsed<GetCommand>(arguments, settings);
}

std::string error_of(const Words& arguments, std::string_view text) {
  const Result<Settings> settings = parse_settings(text, "c.toml");
  if (!settings) return settings.error().message;
  const Result<CommandLine> line = parse_with_settings(arguments, *settings);
  return line ? "no error" : line.error().message;
}

TEST_CASE("a flag comes before the environment, the table of the command and the top of the file") {
  Settings settings = settings_of("[watch]\nnamespace = \"table\"\n");
  Settings top = settings_of("namespace = \"top\"\n[watch]\nchunk-size = 7\n");
  CHECK(watch_of({"watch", "po"}, top).global.config.overrides.name_space == "top");
  CHECK(watch_of({"watch", "po"}, top).informer.chunk_size == 7);
  CHECK(get_of({"get", "po"}, top).informer.chunk_size == 500);
  settings.defaults.insert(settings.defaults.begin(), top.defaults.front());
  CHECK(watch_of({"watch", "po"}, settings).global.config.overrides.name_space == "table");
  for (const FlagDefault& one : environment_defaults({"KINF_NAMESPACE=env"})) {
    settings.defaults.push_back(one);
  }
  CHECK(watch_of({"watch", "po"}, settings).global.config.overrides.name_space == "env");
  for (const Words& arguments : {Words{"watch", "po", "-n", "flag"}, Words{"-nflag", "watch", "po"},
                                 Words{"watch", "--namespace=flag", "po"}}) {
    CHECK(watch_of(arguments, settings).global.config.overrides.name_space == "flag");
  }
}

TEST_CASE("values are texts, numbers, booleans and lists of them") {
  const WatchCommand watch = watch_of({"watch", "po"}, settings_of(R"(
no-headers = true
latest = false
chunk-size = 100
speed = 2.5
label-columns = ["app", "tier"]
timestamps = "unix"
)"));
  CHECK(watch.output.no_headers);
  CHECK_FALSE(watch.latest);
  CHECK(watch.informer.chunk_size == 100);
  CHECK(watch.output.label_columns == Words{"app", "tier"});
  CHECK(watch.output.time_form == TimeForm::unix_time);
}

TEST_CASE("a default that does not fit the command line is left out") {
  const Settings settings = settings_of("timestamps = \"short\"\nno-headers = true\nby = \"app\"");
  const GetCommand get = get_of({"get", "po"}, settings);  // without -w it has no times
  CHECK_FALSE(get.output.time_form.has_value());
  CHECK(get.output.no_headers);
  CHECK(watch_of({"get", "-w", "po"}, settings).output.time_form == TimeForm::short_form);
  CHECK(error_of({"watch"}, "no-headers = true") == "You must specify the type of resource to get");
}

TEST_CASE("a default can be what the command line lacks") {
  const Result<CommandLine> line =
      parse_with_settings({"record", "po"}, settings_of("[record]\nto = \"all.kinf\""));
  REQUIRE(line);
  CHECK(std::get<RecordCommand>(*line).informer.record.file == "all.kinf");
}

TEST_CASE("an alias is replaced by its words, which may be in quotes") {
  const Settings settings =
      settings_of("[alias]\nmine = \"watch pods -l 'app in (a, b)'\"\nyours = [\"get\", \"svc\"]");
  const WatchCommand watch = watch_of({"-n", "mine", "mine", "--latest"}, settings);
  CHECK(watch.informer.selector == "app in (a, b)");
  CHECK(watch.global.config.overrides.name_space == "mine");
  CHECK(watch.latest);
  CHECK(get_of({"yours"}, settings).informer.types.front().type == "svc");
  CHECK(expand_alias({"watch", "mine"}, settings) == Words{"watch", "mine"});
  CHECK(split_command(" a  'b c'\"d\" '' ") == Words{"a", "b cd", ""});
  CHECK_FALSE(split_command("a 'b").has_value());
}

TEST_CASE("the columns of a type are those of its table") {
  const Settings settings = settings_of("[columns]\npo = \"N:.metadata.name\"");
  CHECK(get_of({"get", "pods"}, settings).output.format == OutputFormat::custom_columns);
  CHECK(watch_of({"watch", "Pod/web"}, settings).output.format == OutputFormat::custom_columns);
  CHECK(get_of({"get", "pods", "-o", "wide"}, settings).output.format == OutputFormat::wide);
  CHECK(get_of({"get", "svc"}, settings).output.format == OutputFormat::table);
  CHECK(get_of({"get", "pods,svc"}, settings).output.format == OutputFormat::table);
}

TEST_CASE("errors name the file and the line") {
  CHECK(error_of({"get", "po"}, "\n\ncolor = \"blue\"") ==
        "c.toml:3: invalid argument \"blue\" for \"--color\" flag: it must be one of auto, always, "
        "never");
  CHECK(error_of({"get", "po"}, "\ncolor").starts_with("c.toml:2: "));
  CHECK(error_of({"get", "po"}, "help = true") == "c.toml:1: unknown setting \"help\"");
  CHECK(error_of({"get", "po"}, "[geet]\n") == "c.toml:1: unknown table [geet]");
  CHECK(error_of({"get", "po"}, "[get]\ncount = true") == "c.toml:2: kinf get has no flag --count");
  CHECK(error_of({"get", "po"}, "[index]\ncount = true") == "no error");
  CHECK(error_of({"get", "po"}, "[alias]\nget = \"watch\"") ==
        "c.toml:2: \"get\" cannot be an alias");
  CHECK(error_of({"get", "po"}, "[alias]\nx = []") == "c.toml:2: the alias \"x\" is empty");
  CHECK(error_of({"get", "po"}, "[get.output]\nx = 1") ==
        "c.toml:1: output: not a text, a number, true, false or a list of them");
  CHECK(error_of({"get", "po"}, "x = 1\n[\x02").starts_with("c.toml:2: "));
  CHECK(error_of({"get", "po"}, "[^alias]").starts_with("c.toml:1: "));
  CHECK(error_of({"get", "po"}, "é = 1").starts_with("c.toml:1: "));
  CHECK(error_of({"get", "po"}, "output = \xff").starts_with("c.toml:1: "));
  const Result<Settings> colour = parse_settings("colour = \"never\"", "c.toml");
  CHECK(colour.error().hint == "did you mean color?");
}

TEST_CASE("a variable sets the flag of its name, unless kinf run made it") {
  const auto names = [](const Words& variables) {
    Words flags;
    for (const FlagDefault& one : environment_defaults(variables)) {
      flags.push_back(one.flag + "=" + one.values.front() + " " + one.origin);
    }
    return flags;
  };
  CHECK(names({"KINF_LABEL_COLUMNS=app", "KINF_V=4", "HOME=/", "KINF_NAMESPACE=shop"}) ==
        Words{"--label-columns=app KINF_LABEL_COLUMNS", "--v=4 KINF_V",
              "--namespace=shop KINF_NAMESPACE"});
  CHECK(names({"KINF_OUTPUT=", "KINF_NOTHING=1", "KINF_CONFIG=x", "KINF_HELP=1", "KINF_"}).empty());
  CHECK(names({"KINF_KEY=shop/web", "KINF_NAMESPACE=shop", "KINF_NAME=web", "KINF_CLUSTER=prod",
               "KINF_COUNT=3"})
            .empty());
}

TEST_CASE("the file is that of the flag, the variable or the configuration folder") {
  Environment environment;
  environment.config_file = "/nonexistent/variable.toml";
  CHECK(read_settings({"get", "--config", "/nonexistent/flag.toml"}, environment).error().message ==
        "open /nonexistent/flag.toml: no such file or directory");
  CHECK(read_settings({"get"}, environment).error().message ==
        "open /nonexistent/variable.toml: no such file or directory");
  environment.config_file.clear();
  environment.config_home = "/nonexistent";
  CHECK(read_settings({"get"}, environment).has_value());  // need not exist
}

TEST_CASE("help needs no settings, so a broken file does not matter") {
  Environment environment;
  environment.config_file = "/nonexistent/config.toml";
  CHECK(read_command_line({"get", "--help"}, environment).has_value());
  CHECK(read_command_line({"version"}, environment).has_value());
  CHECK_FALSE(read_command_line({"get", "po"}, environment).has_value());
}

TEST_CASE("an alias is a command in help and in hints") {
  const Settings settings = settings_of("[alias]\nmine = \"-n shop get pods\"");
  for (const Words& arguments : {Words{"mine", "--help"}, Words{"help", "mine"}}) {
    const Result<CommandLine> line = parse_with_settings(arguments, settings);
    REQUIRE(line.has_value());
    CHECK(std::get<HelpCommand>(*line).topic == "get");
  }
  const Result<CommandLine> unknown = parse_with_settings({"mnie"}, settings);
  REQUIRE_FALSE(unknown.has_value());
  CHECK(unknown.error().message == "unknown command \"mnie\" for \"kinf\"");
  CHECK(unknown.error().hint.starts_with("did you mean \"mine\"?"));
}

TEST_CASE("what is wrong in a file is named with its line") {
  const auto text_of = [](std::string_view text) {
    const Result<Settings> settings = parse_settings(text, "c.toml");
    if (settings) return std::string("no error");
    return settings.error().message + ";" + settings.error().hint;
  };
  CHECK(text_of("o = 1") == "c.toml:1: unknown setting \"o\";did you mean output?");
  CHECK(text_of("x = 1") == "c.toml:1: unknown setting \"x\";");
  CHECK(text_of("gte = 1") == "c.toml:1: unknown setting \"gte\";");
  CHECK(text_of("[[get]]\na = 1") == "c.toml:1: [[get]] is a list of tables: write [get];");
  CHECK(text_of("[alias]\nmine = true") ==
        "c.toml:2: the alias \"mine\" runs \"true\", which is not a command;");
  CHECK(text_of("[alias]\nmine = \"-n shop\"") == "c.toml:2: the alias \"mine\" names no command;");
  CHECK(text_of("[alias]\nmine = \"get 'po\"") ==
        "c.toml:2: the alias \"mine\" has an open quote;");
}

}  // namespace
}  // namespace kinf
