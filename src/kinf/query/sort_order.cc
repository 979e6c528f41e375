// SPDX-License-Identifier: Apache-2.0
#include "kinf/query/sort_order.h"

#include <algorithm>
#include <nlohmann/json.hpp>
#include <numeric>
#include <optional>
#include <utility>

#include "kinf/base/ascii.h"
#include "kinf/query/jsonpath_scope.h"
#include "kinf/query/quantity.h"
#include "kinf/query/text_pattern.h"

namespace kinf {
namespace {

using Json = nlohmann::json;

/// A value to sort by, parsed once for all comparisons.
struct SortValue {
  enum class Rank { missing, boolean, number, quantity, string, other };
  Rank rank = Rank::missing;
  double number = 0;
  std::string text;
  std::optional<Quantity> quantity;
};

SortValue sort_value(const Json& value) {
  using Rank = SortValue::Rank;
  SortValue result;
  if (value.is_null()) return result;
  if (value.is_boolean()) {
    result.rank = Rank::boolean;
    result.number = value.get<bool>() ? 1 : 0;
  } else if (value.is_number()) {
    result.rank = Rank::number;
    result.number = value.get<double>();
    if (value.is_number_integer()) result.quantity = parse_quantity(value.dump());
  } else if (value.is_string()) {
    result.text = value.get<std::string>();
    result.quantity = parse_quantity(result.text);
    result.rank = result.quantity ? Rank::quantity : Rank::string;
  } else {
    result.rank = Rank::other;
  }
  return result;
}

bool less(const SortValue& left, const SortValue& right) {
  if (left.rank != right.rank) return left.rank < right.rank;
  if (left.quantity && right.quantity) return *left.quantity < *right.quantity;
  if (left.rank == SortValue::Rank::string) return left.text < right.text;
  return left.number < right.number;
}

}  // namespace

std::vector<std::string_view> split_paths(std::string_view text) {
  std::vector<std::string_view> parts;
  while (const auto split = jsonpath::split_filter(text, ",")) {
    parts.push_back(split->first);
    text = split->second;
  }
  parts.push_back(text);
  return parts;
}

Result<SortOrder> SortOrder::parse(std::string_view text) {
  SortOrder order;
  for (const std::string_view part : split_paths(text)) {
    std::string_view path = trimmed(part);
    const bool reverse = path.starts_with('-');
    if (reverse) path.remove_prefix(1);
    Result<JsonPath> expression = JsonPath::parse_path(path);
    if (!expression) return fail(expression);
    order.paths_.push_back({std::string(path), *std::move(expression), reverse});
  }
  return order;
}

bool SortOrder::reads_only_metadata() const {
  return std::ranges::all_of(paths_, [](const Path& path) {
    return path.expression.reads_only_metadata(jsonpath::Document::object);
  });
}

bool SortOrder::reads_beyond_metadata() const {
  return std::ranges::any_of(paths_, [](const Path& path) {
    return path.expression.reads_beyond_metadata(jsonpath::Document::object);
  });
}

Result<std::vector<std::size_t>> SortOrder::positions(
    const std::vector<const Object*>& objects) const {
  std::vector<std::vector<SortValue>> values(objects.size(), std::vector<SortValue>(paths_.size()));
  std::vector<bool> found(paths_.size());
  Scratch scratch;
  for (std::size_t i = 0; i < objects.size(); ++i) {
    if (objects[i] == nullptr || paths_.empty()) continue;
    const Json document = parse_document(objects[i]->json(scratch));
    for (std::size_t path = 0; path < paths_.size(); ++path) {
      const Result<std::vector<Json>> results = paths_[path].expression.find(document);
      if (!results || results->empty()) continue;
      found[path] = true;
      values[i][path] = sort_value(results->front());
    }
  }
  const auto missing = std::ranges::find(found, false);
  if (!objects.empty() && missing != found.end()) {
    const auto at = static_cast<std::size_t>(missing - found.begin());
    return fail(ErrorKind::protocol,
                "couldn't find any field with path \"{}\" in the list of objects", paths_[at].text);
  }
  std::vector<std::size_t> positions(objects.size());
  std::iota(positions.begin(), positions.end(), std::size_t{0});
  std::ranges::stable_sort(positions, [&](std::size_t left, std::size_t right) {
    for (std::size_t path = 0; path < paths_.size(); ++path) {
      const bool reverse = paths_[path].reverse;
      const SortValue& one = values[reverse ? right : left][path];
      const SortValue& other = values[reverse ? left : right][path];
      if (less(one, other)) return true;
      if (less(other, one)) return false;
    }
    return false;
  });
  return positions;
}

}  // namespace kinf
