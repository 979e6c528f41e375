// SPDX-License-Identifier: Apache-2.0
#include "kinf/cli/flags/count_rule.h"

#include <fmt/format.h>

#include <array>
#include <optional>
#include <utility>

#include "kinf/base/ascii.h"

namespace kinf {

Result<CountRule> CountRule::parse(std::string_view text) {
  // An operator comes before those that it begins with.
  constexpr std::array<std::pair<std::string_view, Comparison>, 8> kOperators = {
      {{"==", Comparison::equal},
       {"=", Comparison::equal},
       {"!=", Comparison::unequal},
       {"<=", Comparison::at_most},
       {"<", Comparison::less},
       {">=", Comparison::at_least},
       {">", Comparison::more},
       {"", Comparison::equal}}};
  CountRule rule;
  for (const auto& [sign, comparison] : kOperators) {
    if (!text.starts_with(sign)) continue;
    rule.comparison_ = comparison;
    text.remove_prefix(sign.size());
    break;
  }
  const std::optional<std::size_t> number = parse_number<std::size_t>(text);
  if (!number) {
    return fail(ErrorKind::usage, "not a comparison with a whole number, such as '>=3' or 0");
  }
  rule.number_ = *number;
  return rule;
}

bool CountRule::holds(std::size_t count) const {
  switch (comparison_) {
    case Comparison::equal:
      return count == number_;
    case Comparison::unequal:
      return count != number_;
    case Comparison::less:
      return count < number_;
    case Comparison::at_most:
      return count <= number_;
    case Comparison::more:
      return count > number_;
    case Comparison::at_least:
      break;
  }
  return count >= number_;
}

std::string CountRule::words() const {
  constexpr std::array<std::string_view, 6> kWords = {"exactly", "not",       "fewer than",
                                                      "at most", "more than", "at least"};
  return fmt::format("{} {}", kWords[static_cast<std::size_t>(comparison_)], number_);
}

}  // namespace kinf
