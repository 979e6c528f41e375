// SPDX-License-Identifier: Apache-2.0
#include "kinf/client/similar_names.h"

#include <algorithm>
#include <numeric>

#include "kinf/base/ascii.h"

namespace kinf {

std::size_t edit_distance(std::string_view a, std::string_view b) {
  if (std::max(a.size(), b.size()) - std::min(a.size(), b.size()) >= kFarNames) return kFarNames;
  std::vector<std::size_t> before(b.size() + 1), last(b.size() + 1), row(b.size() + 1);
  std::iota(last.begin(), last.end(), std::size_t{0});
  std::size_t nearest_of_last = 0;
  for (std::size_t i = 1; i <= a.size(); ++i) {
    row[0] = i;
    for (std::size_t j = 1; j <= b.size(); ++j) {
      const bool same = to_lower(a[i - 1]) == to_lower(b[j - 1]);
      row[j] = std::min({last[j] + 1, row[j - 1] + 1, last[j - 1] + (same ? 0 : 1)});
      const bool swapped = i > 1 && j > 1 && to_lower(a[i - 1]) == to_lower(b[j - 2]) &&
                           to_lower(a[i - 2]) == to_lower(b[j - 1]);
      if (swapped) row[j] = std::min(row[j], before[j - 2] + 1);
    }
    // A later row is computed from the two before it, and is never smaller than both.
    const std::size_t nearest = *std::ranges::min_element(row);
    if (std::min(nearest, nearest_of_last) >= kFarNames) return kFarNames;
    nearest_of_last = nearest;
    std::swap(before, last);
    std::swap(last, row);
  }
  return std::min(last[b.size()], kFarNames);
}

std::vector<std::string> similar_names(std::string_view wanted,
                                       std::vector<std::pair<std::size_t, std::string>> names) {
  constexpr std::size_t kMostNames = 3;
  const std::size_t allowed = wanted.size() <= 3 ? 1 : wanted.size() <= 7 ? 2 : 3;
  std::erase_if(names, [&](const auto& name) { return name.first > allowed; });
  std::ranges::stable_sort(names, {}, [](const auto& name) { return name.first; });
  std::vector<std::string> shown;
  for (auto& [distance, name] : names) {
    const bool is_new = std::ranges::find(shown, name) == shown.end();
    if (is_new && shown.size() < kMostNames) shown.push_back(std::move(name));
  }
  return shown;
}

std::string similar_names_hint(std::string_view wanted,
                               std::vector<std::pair<std::size_t, std::string>> names) {
  const std::vector<std::string> shown = similar_names(wanted, std::move(names));
  if (shown.empty()) return {};
  std::string joined = shown.front();
  for (std::size_t i = 1; i < shown.size(); ++i) {
    joined += (i + 1 == shown.size() ? " or " : ", ") + shown[i];
  }
  return "did you mean " + joined + "?  ";
}

}  // namespace kinf
