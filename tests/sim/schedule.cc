// SPDX-License-Identifier: Apache-2.0
#include "sim/schedule.h"

#include <fmt/format.h>

#include <sstream>

namespace kinf::sim {
namespace {

struct OpName {
  std::string_view name;
  Op op;
  std::size_t args;
};
constexpr std::array<OpName, 30> kOps = {
    {{"advance", Op::advance, 1},   {"pump", Op::pump, 3},
     {"work", Op::work, 1},         {"handler", Op::handler, 1},
     {"unhandle", Op::unhandle, 1}, {"put", Op::put, 2},
     {"remove", Op::remove, 1},     {"other", Op::other, 0},
     {"bookmark", Op::bookmark, 1}, {"lag", Op::lag, 1},
     {"apply", Op::apply, 2},       {"catch-up", Op::catch_up, 1},
     {"restart", Op::restart, 1},   {"window", Op::window, 1},
     {"endless", Op::endless, 2},   {"deny", Op::deny, 3},
     {"compact", Op::compact, 0},   {"backup", Op::backup, 0},
     {"restore", Op::restore, 0},   {"etcd-down", Op::etcd_down, 1},
     {"cut", Op::cut, 2},           {"stall", Op::stall, 1},
     {"down", Op::down, 2},         {"latency", Op::latency, 2},
     {"busy", Op::busy, 2},         {"poison", Op::poison, 2},
     {"crash", Op::crash, 2},       {"disk-full", Op::disk_full, 2},
     {"power", Op::power, 3},       {"clock", Op::clock, 1}}};

const OpName& named(Op op) {
  for (const OpName& known : kOps) {
    if (known.op == op) return known;
  }
  return kOps.front();
}

Result<Step> parse_step(const std::string& line) {
  std::istringstream words(line);
  std::string name;
  words >> name;
  for (const OpName& known : kOps) {
    if (known.name != name) continue;
    Step step{known.op, {}};
    for (std::size_t i = 0; i < known.args; ++i) words >> step.args.at(i);
    if (words) return step;
  }
  return fail(ErrorKind::usage, "not a step: " + line);
}

Result<void> parse_plan(const std::string& line, Plan& plan) {
  std::istringstream words(line);
  std::string name;
  words >> name >> name >> plan.seed;  // plan seed N
  while (words >> name) {
    bool is_known = false;
    for (const PlanField& field : kPlanFields) {
      if (field.name == name) is_known = static_cast<bool>(words >> plan.*field.member);
    }
    if (!is_known) return fail(ErrorKind::usage, "not a plan: " + line);
  }
  return {};
}

}  // namespace

bool is_fault(Op op) { return op >= Op::lag && op != Op::catch_up && op != Op::backup; }

std::string text_of(const Step& step) {
  const OpName& op = named(step.op);
  std::string text(op.name);
  for (std::size_t i = 0; i < op.args; ++i) text += fmt::format(" {}", step.args.at(i));
  return text;
}

std::string text_of(const Schedule& schedule) {
  std::string text = fmt::format("plan seed {}", schedule.plan.seed);
  for (const PlanField& field : kPlanFields) {
    text += fmt::format(" {} {}", field.name, schedule.plan.*field.member);
  }
  text += '\n';
  for (const Step& step : schedule.steps) text += text_of(step) + '\n';
  return text;
}

Result<Schedule> parse_schedule(std::string_view text) {
  Schedule schedule;
  std::istringstream lines{std::string(text)};
  for (std::string line; std::getline(lines, line);) {
    if (line.empty() || line.starts_with('#')) continue;
    if (line.starts_with("plan ")) {
      if (Result<void> plan = parse_plan(line, schedule.plan); !plan) {
        return std::unexpected(plan.error());
      }
      continue;
    }
    Result<Step> step = parse_step(line);
    if (!step) return std::unexpected(step.error());
    schedule.steps.push_back(*step);
  }
  return schedule;
}

}  // namespace kinf::sim
