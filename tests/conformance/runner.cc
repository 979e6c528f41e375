// SPDX-License-Identifier: Apache-2.0
#include "conformance/runner.h"

#include <fmt/format.h>

#include <map>

namespace kinf::conformance {
namespace {

std::map<std::string, MakeRunner, std::less<>>& registry() {
  static std::map<std::string, MakeRunner, std::less<>> runners;
  return runners;
}

std::string shown(const Json* value) {
  return value == nullptr ? "(no such key)"
                          : value->dump(-1, ' ', false, Json::error_handler_t::replace);
}

const Json* member(const Json& object, const std::string& key) {
  const auto found = object.find(key);
  return found == object.end() ? nullptr : &*found;
}

}  // namespace

void CaseReport::fail(std::string where, std::string expected, std::string got) {
  failures_.push_back(
      {component_, case_id_, std::move(where), std::move(expected), std::move(got)});
}

void CaseReport::expect_equal(const std::string& where, const Json& expected, const Json& got) {
  if (expected == got) return;
  if (!expected.is_object() || !got.is_object()) {
    fail(where, shown(&expected), shown(&got));
    return;
  }
  for (const auto& item : expected.items()) {
    const Json* ours = member(got, item.key());
    if (ours == nullptr || *ours != item.value()) {
      fail(where + "." + item.key(), shown(&item.value()), shown(ours));
    }
  }
  for (const auto& item : got.items()) {
    if (!expected.contains(item.key())) {
      fail(where + "." + item.key(), shown(nullptr), shown(&item.value()));
    }
  }
}

void SequenceRunner::run(const Json& test_case, CaseReport& report) {
  Fields fields(&test_case, "case");
  fields.find("id");
  fields.find("seed");
  Fields config(fields.find("config"), "config");
  const Json& steps = fields.at("steps");
  fields.expect_all_read();
  const std::unique_ptr<Sequence> sequence = start(config);
  config.expect_all_read();

  std::size_t number = 0;
  for (const Json& step : steps) {
    ++number;
    Fields step_fields(&step, "step");
    const std::string op = step_fields.text("op");
    const std::string where = fmt::format("step {} {}", number, op);
    Fields args(step_fields.find("args"), "args");
    const Json* result = step_fields.find("result");
    const Json* state = step_fields.find("state");
    try {
      step_fields.expect_all_read();
      const Json got = sequence->step(op, args, result == nullptr ? Json() : *result);
      args.expect_all_read();
      if (result != nullptr && !sequence->same_result(*result, got)) {
        report.expect_equal(where + ": result", *result, got);
      }
      if (sequence->is_over()) return;
      if (state != nullptr) {
        report.expect_equal(where + ": state", *state, sequence->state_like(*state));
      }
    } catch (const std::exception& error) {
      report.fail(where, "a step that runs", error.what());
    }
    if (!report.failures().empty()) return;
  }
}

void TableRunner::run(const Json& test_case, CaseReport& report) {
  Fields fields(&test_case, "case");
  fields.find("id");
  fields.find("seed");
  Fields config(fields.find("config"), "config");
  // Some inputs are a bare value, as the text of a selector: they read as {"text": VALUE}.
  const Json& given = fields.at("input");
  const Json wrapped = given.is_object() ? Json() : Json{{"text", given}};
  Fields input(given.is_object() ? &given : &wrapped, "input");
  const Json& expect = fields.at("expect");
  fields.expect_all_read();
  const Json got = evaluate(input, config, expect);
  input.expect_all_read();
  config.expect_all_read();
  report.expect_equal("expect", expect, got);
}

Registration::Registration(std::string component, MakeRunner make) {
  registry().emplace(std::move(component), std::move(make));
}

std::unique_ptr<Runner> make_runner(std::string_view component) {
  const auto found = registry().find(component);
  return found == registry().end() ? nullptr : found->second();
}

}  // namespace kinf::conformance
