// SPDX-License-Identifier: Apache-2.0
#include "kinf/cli/index/index_output.h"

#include <doctest/doctest.h>

#include "kinf/cli/flags/index_flags.h"
#include "unit/cli/index/index_rig.h"
#include "unit/query/owned_pod.h"

namespace kinf {
namespace {

using Form = OutputFormat;
using test::app_pod;
using test::IndexRig;

IndexCommand command_for(const std::vector<std::string>& by, Form form = Form::table,
                         const std::string& expression = "") {
  IndexCommand command;
  for (const std::string& text : by) command.by.push_back(IndexSpec::parse(text).value());
  std::string word(format_word(form));
  if (!expression.empty()) word += "=" + expression;
  static_cast<OutputForm&>(command.output) = parse_output(word, true).value();
  return command;
}

TEST_CASE("objects are looked up if every spec has a value, otherwise counted") {
  CHECK(looks_up(command_for({})));
  CHECK(looks_up(command_for({"app=web"})));
  CHECK(looks_up(command_for({"app=web", "@node=n1"})));
  CHECK_FALSE(looks_up(command_for({"app"})));
  CHECK_FALSE(looks_up(command_for({"app=web", "@node"})));
}

TEST_CASE("a key that is repeated counts once; several values of it must all match") {
  const auto merged = [](const std::vector<std::string>& by) {
    IndexCommand command = command_for(by);
    merge_keys(command);
    std::string text = looks_up(command) ? "find" : "count";
    for (const IndexSpec& spec : command.by) {
      text += " " + spec.name() + (spec.value() ? "=" + spec.value()->text() : "");
    }
    return text;
  };
  CHECK(merged({"app", "label:app", "app"}) == "count label:app");
  CHECK(merged({"app=web", "app"}) == "count label:app=web");
  CHECK(merged({"app", "tier", "app=web"}) == "count label:app=web label:tier");
  CHECK(merged({"app=web", "app=web"}) == "find label:app=web");
  CHECK(merged({"@image=a", "@image=b"}) == "find @image=a @image=b");
}

TEST_CASE("the server's cells are needed only to print the objects as rows") {
  for (const Form form : {Form::table, Form::wide, Form::csv, Form::tsv}) {
    CHECK(prints_cells(command_for({"app=web"}, form)));
    CHECK_FALSE(prints_cells(command_for({"app"}, form)));
  }
  for (const Form form : {Form::json, Form::yaml, Form::name, Form::keys}) {
    CHECK_FALSE(prints_cells(command_for({"app=web"}, form)));
  }
  for (bool IndexCommand::* flag :
       {&IndexCommand::count, &IndexCommand::dump, &IndexCommand::watch}) {
    IndexCommand command = command_for({"app=web"});
    command.*flag = true;
    CHECK_FALSE(prints_cells(command));
  }
}

TEST_CASE("documents are needed for --objects and for expressions on objects") {
  CHECK(prints_documents(command_for({"app=web"}, Form::custom_columns, "A:.a")));
  CHECK(prints_documents(command_for({"app"}, Form::custom_columns, "A:.a")));
  CHECK(prints_documents(command_for({"app=web"}, Form::jsonpath, "{.a}")));
  CHECK_FALSE(prints_documents(command_for({"app"}, Form::jsonpath, "{.a}")));
  CHECK_FALSE(prints_documents(command_for({"app=web"}, Form::json)));
  IndexCommand objects = command_for({"app"}, Form::json);
  objects.objects = true;
  CHECK(prints_documents(objects));
  objects.count = true;
  CHECK_FALSE(prints_documents(objects));
}

TEST_CASE("flags that make no sense together are usage errors") {
  struct Case {
    std::vector<std::string> by;
    Form form;
    std::vector<bool IndexCommand::*> flags;
    bool fine;
  };
  using Command = IndexCommand;
  const Case cases[] = {
      {{"app"}, Form::table, {}, true},
      {{"app=a"}, Form::json, {&Command::objects}, true},
      {{"app=a"}, Form::yaml, {&Command::objects}, true},
      {{"app=a"}, Form::json_lines, {&Command::objects}, true},
      {{"app=a"}, Form::table, {&Command::objects}, false},
      {{"app=a"}, Form::csv, {&Command::objects}, false},
      {{"app"}, Form::json, {&Command::dump}, true},
      {{"app"}, Form::yaml, {&Command::dump}, true},
      {{"app"}, Form::csv, {&Command::dump}, false},
      {{"app"}, Form::name, {&Command::dump}, false},
      {{"app"}, Form::table, {&Command::watch}, true},
      {{"app"}, Form::json_lines, {&Command::watch}, true},
      {{"app"}, Form::yaml, {&Command::watch}, false},
      {{"app"}, Form::wide, {&Command::watch}, false},
      {{"app"}, Form::table, {&Command::watch, &Command::count}, false},
      {{"app"}, Form::table, {&Command::watch, &Command::exit_status}, false},
      {{"app"}, Form::json, {&Command::watch, &Command::objects}, false},
      {{"app"}, Form::json, {&Command::watch, &Command::dump}, false},
  };
  for (const Case& one : cases) {
    IndexCommand command = command_for(one.by, one.form);
    for (bool Command::* flag : one.flags) command.*flag = true;
    const Result<void> checked = check_output(command);
    CAPTURE(&one - cases);
    CHECK(checked.has_value() == one.fine);
    if (checked) continue;
    CHECK(checked.error().kind == ErrorKind::usage);
    CHECK_FALSE(checked.error().hint.empty());
  }
  IndexCommand top = command_for({"app=a"});
  top.top = 3;
  CHECK_FALSE(check_output(top).has_value());
  top.by = command_for({"app"}).by;
  CHECK(check_output(top).has_value());
}

TEST_CASE("a path in --sort-by needs objects, and columns of events need a watch") {
  IndexCommand sorted = command_for({"app=a"});
  sorted.output.sort = SortOrder::parse(".metadata.name").value();
  CHECK(check_output(sorted).has_value());
  CHECK(prints_documents(sorted));
  sorted.by = command_for({"app"}).by;
  CHECK_FALSE(check_output(sorted).has_value());
  CHECK_FALSE(check_output(command_for({"app=a"}, Form::custom_columns, "A:EVENT")).has_value());
}

/// Returns what `kinf index` prints for three pods: two of app web, one of app db.
std::string printed(IndexCommand command, bool single_object = false) {
  IndexAnswer answer;
  answer.resource = &test::kPods;
  answer.specs = command.by;
  answer.key_format = command.key_format;
  answer.objects = {app_pod("a", "db-1", "db"), app_pod("a", "web-1", "web"),
                    app_pod("b", "web-2", "web")};
  if (looks_up(command)) answer.objects.erase(answer.objects.begin());
  if (single_object) answer.objects.pop_back();
  answer.resource_version = "7";
  const ValuesOf values_of = [](const IndexSpec& spec, const Object& object) {
    return spec.values(object);
  };
  PrintOptions options;
  static_cast<OutputForm&>(options) = command.output;
  const Result<IndexText> text =
      answer_text({{answer, values_of}}, command, !single_object, options, Clock::Wall(test::kNow));
  return text ? text->text : "error: " + text.error().message;
}

TEST_CASE("a look-up prints names, keys, a number or expressions on the objects") {
  const std::vector<std::string> by = {"app=web"};
  CHECK(printed(command_for(by, Form::name)) == "pod/web-1\npod/web-2\n");
  CHECK(printed(command_for(by, Form::keys)) == "a/web-1\nb/web-2\n");
  IndexCommand count = command_for(by);
  count.count = true;
  CHECK(printed(count) == "2\n");
  IndexCommand keys = command_for(by, Form::keys);
  keys.key_format = KeyFormat::parse("{ns}---{name}").value();
  CHECK(printed(keys) == "a---web-1\nb---web-2\n");
  CHECK(printed(command_for(by, Form::custom_columns, "NAME:.metadata.name")) ==
        "NAME\nweb-1\nweb-2\n");
  CHECK(printed(command_for(by, Form::jsonpath, "{.items[*].metadata.name}")) == "web-1 web-2");
  CHECK(printed(command_for(by, Form::jsonpath, "{.metadata.name}"), true) == "web-1");
}

TEST_CASE("a look-up prints a document with the keys as JSON, and the same as YAML") {
  const std::string json = printed(command_for({"app=web"}, Form::json));
  CHECK(json.find(R"("values":["web"])") != std::string::npos);
  CHECK(json.find(R"("count":2)") != std::string::npos);
  CHECK(json.find(R"("keys":["a/web-1","b/web-2"])") != std::string::npos);
  CHECK(printed(command_for({"app=web"}, Form::json_lines)) == json);
  CHECK(printed(command_for({"app=web"}, Form::yaml)) == json_as_yaml(json));
}

TEST_CASE("groups print as a table, CSV, JSON or names of the objects in them") {
  CHECK(printed(command_for({"app"})) == "APP   COUNT\nweb   2\ndb    1\n");
  CHECK(printed(command_for({"app"}, Form::csv)).find("web,2\n") != std::string::npos);
  CHECK(printed(command_for({"app"}, Form::name)) == "pod/db-1\npod/web-1\npod/web-2\n");
  const std::string json = printed(command_for({"app"}, Form::json));
  CHECK(json.find(R"({"values":["web"],"count":2,)") != std::string::npos);
  CHECK(printed(command_for({"app"}, Form::yaml)) == json_as_yaml(json));
  const std::string lines = printed(command_for({"app"}, Form::json_lines));
  CHECK(std::ranges::count(lines, '\n') == 2);
  CHECK(printed(command_for({"app"}, Form::jsonpath, "{.groups[*].count}")) == "2 1");
}

TEST_CASE("groups can be sorted by value, limited, and printed without headers") {
  IndexCommand command = command_for({"app"});
  command.output.no_headers = true;
  CHECK(printed(command) == "web   2\ndb    1\n");
  command.order = GroupOrder::value;
  CHECK(printed(command) == "db    1\nweb   2\n");
  command.top = 1;
  CHECK(printed(command) == "db    1\n");
}

/// Returns the hints for an answer without objects.
std::string hints(const std::vector<std::string>& by, std::vector<ObjectPtr> cached) {
  IndexRig rig(by);
  rig.add_informer(std::move(cached));
  const IndexAnswer question = IndexQuery(rig.session, rig.command, nullptr).question();
  const ValuesOf own_values = [](const IndexSpec& spec, const Object& object) {
    return spec.values(object);
  };
  return index_hints({question, own_values}, *rig.session.informers);
}

TEST_CASE("when nothing matches, a hint says what would") {
  const std::vector<ObjectPtr> pods = {app_pod("a", "x", "web"), app_pod("a", "y", "db")};
  struct Case {
    std::vector<std::string> by;
    std::string hint;
  };
  for (const Case& one :
       {Case{{"app=web"}, ""}, Case{{"app"}, ""},
        Case{{"app=wbe"}, "hint: values of label:app: db, web\n"},
        Case{{"tier=a"}, "hint: no pod has the label \"tier\"; labels in use: app\n"},
        Case{{"node=n1"}, "hint: no pod has the label \"node\"; the node index is --by @node=n1\n"},
        Case{{"ns"}, "hint: no pod has the label \"ns\"; the namespace index is --by @namespace\n"},
        Case{{".spec.none=a"}, "hint: no object has a value for .spec.none\n"},
        Case{{"@owner=x"}, "hint: no object has a value for @owner\n"}}) {
    CAPTURE(one.by);
    CHECK(hints(one.by, pods) == one.hint);
  }
}

TEST_CASE("when no owner matches, a hint lists the owners") {
  const ObjectPtr pod = test::owned_pod("x", {});
  CHECK(hints({"@owner=web"}, {pod}) ==
        "hint: values of @owner: node/n1, replicaset.apps/web-5d\n");
  CHECK(hints({"@root=node/n2"}, {pod}) ==
        "hint: values of @root: node/n1, replicaset.apps/web-5d\n");
  CHECK(hints({"@root=node/n1"}, {pod}).empty());
}

TEST_CASE("an empty cache has no hints") { CHECK(hints({"app=web"}, {}).empty()); }

TEST_CASE("a hint lists at most eight values") {
  std::vector<ObjectPtr> pods;
  for (char c = 'a'; c <= 'j'; ++c) pods.push_back(app_pod("a", {c}, {c}));
  CHECK(hints({"app=x"}, pods) == "hint: values of label:app: a, b, c, d, e, f, g, h, …\n");
}

}  // namespace
}  // namespace kinf
