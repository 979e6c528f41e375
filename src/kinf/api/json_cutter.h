// SPDX-License-Identifier: Apache-2.0
// JsonCutter: computes which bytes to omit so that members of a JSON object are removed together
// with their commas. Does not modify the text.
#pragma once

#include <cstddef>
#include <string_view>
#include <utility>
#include <vector>

namespace kinf {

/// Threads: one owner.
class JsonCutter {
 public:
  /// Byte ranges (offset, length) of the text, in ascending order.
  using Cuts = std::vector<std::pair<std::size_t, std::size_t>>;

  JsonCutter(std::string_view json, Cuts& cuts) : json_(json), cuts_(cuts) {}

  /// Omits one member. `begin` is the opening quote of its name, `next` the comma or brace after
  /// its value.
  void cut(const char* begin, const char* next) {
    auto from = static_cast<std::size_t>(begin - json_.data());
    auto to = static_cast<std::size_t>(next - json_.data());
    if (*next == ',') {
      ++to;
    } else {
      from = before_comma(from);
    }
    cuts_.emplace_back(from, to - from);
  }

 private:
  /// Moves `from` back to the comma before the last member, and merges cuts in between.
  std::size_t before_comma(std::size_t from) {
    constexpr std::string_view kBlanks = " \t\r\n";
    for (;;) {
      while (kBlanks.contains(json_[from - 1])) --from;
      if (cuts_.empty() || cuts_.back().first + cuts_.back().second != from) break;
      from = cuts_.back().first;
      cuts_.pop_back();
    }
    return json_[from - 1] == ',' ? from - 1 : from;
  }

  std::string_view json_;
  Cuts& cuts_;
};

}  // namespace kinf
