// SPDX-License-Identifier: Apache-2.0
#include "kinf/query/where.h"

#include <optional>
#include <utility>

#include "kinf/base/log.h"

namespace kinf {

Result<std::shared_ptr<Where>> Where::parse(std::span<const std::string> expressions) {
  std::shared_ptr<Where> where(new Where);
  for (const std::string& expression : expressions) {
    Result<Jq> program = Jq::compile_condition(expression);
    if (!program) return std::unexpected(std::move(program).error().within("--where"));
    where->uses_old_ = where->uses_old_ || program->uses_old();
    if (where->programs_.empty()) {
      where->reads_ = program->reads();
    } else {
      where->reads_.merge(program->reads());
    }
    where->programs_.push_back(*std::move(program));
  }
  return where;
}

Result<bool> Where::evaluate(const Object& object, const Object* old, const std::stop_token& stop) {
  Scratch scratch;
  const Result<JqValue> input = JqValue::parse(object.json(scratch), reads_);
  if (!input) return std::unexpected(input.error());
  std::optional<JqValue> old_input;
  if (uses_old_ && old != nullptr) {
    Result<JqValue> parsed = JqValue::parse(old->json(scratch), reads_);
    if (!parsed) return std::unexpected(std::move(parsed).error());
    old_input = *std::move(parsed);
  }
  for (Jq& program : programs_) {
    Result<bool> holds = program.holds(*input, old_input ? &*old_input : nullptr, stop);
    if (!holds || !*holds) return holds;
  }
  return true;
}

bool Where::matches(const Object& object, const Object* old, std::string_view name, bool is_secret,
                    const std::stop_token& stop) {
  if (stop.stop_requested()) return false;
  const Result<bool> holds = evaluate(object, old, stop);
  if (holds) return *holds;
  if (holds.error().kind == ErrorKind::stopped) return false;
  if (++failures_ > 1) return false;
  log::notice("--where: {} does not match: {}; further failures are only counted (--stats)", name,
              is_secret ? "jq failed" : holds.error().message);
  return false;
}

}  // namespace kinf
