// SPDX-License-Identifier: Apache-2.0
#include "kinf/informer/resource_version.h"

#include <algorithm>

namespace kinf {
namespace {

bool is_decimal(std::string_view text) {
  return !text.empty() &&
         std::all_of(text.begin(), text.end(), [](char c) { return c >= '0' && c <= '9'; });
}

std::string_view without_zeros(std::string_view number) {
  number.remove_prefix(std::min(number.find_first_not_of('0'), number.size()));
  return number;
}

}  // namespace

bool is_older_version(std::string_view a, std::string_view b) {
  if (!is_decimal(a) || !is_decimal(b)) return false;
  // Compare as text, because a number of any length must not overflow. The longer number is
  // greater.
  const std::string_view x = without_zeros(a);
  const std::string_view y = without_zeros(b);
  return x.size() != y.size() ? x.size() < y.size() : x < y;
}

bool is_same_state(const Object& a, const Object& b) {
  if (&a == &b) return true;
  if (a.uid() != b.uid() || a.resource_version() != b.resource_version()) return false;
  if (!a.resource_version().empty()) return true;
  Scratch scratch_a;
  Scratch scratch_b;
  return a.json(scratch_a) == b.json(scratch_b);
}

}  // namespace kinf
