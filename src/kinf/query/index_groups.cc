// SPDX-License-Identifier: Apache-2.0
#include "kinf/query/index_groups.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <iterator>
#include <map>
#include <utility>

#include "kinf/base/limits.h"

namespace kinf {
namespace {

/// Orders tuples by their values. A missing value comes after all others.
struct ByValueNoneLast {
  bool operator()(const IndexTuple& a, const IndexTuple& b) const {
    return std::ranges::lexicographical_compare(a, b, [](const auto& x, const auto& y) {
      if (x.has_value() != y.has_value()) return x.has_value();
      return x < y;
    });
  }
};

/// Returns the values of the object that `spec` wants.
IndexTuple wanted_values(const Object& object, const IndexSpec& spec, const ValuesOf& values_of) {
  IndexTuple values;
  for (std::string& value : values_of(spec, object)) {
    if (spec.wants(value)) values.emplace_back(std::move(value));
  }
  if (values.empty() && !spec.value()) values.emplace_back();
  return values;
}

/// Returns the error for an object with too many tuples. `values` are its values for each key.
std::unexpected<Error> too_many_tuples(const Object& object,
                                       const std::vector<IndexTuple>& values) {
  std::vector<std::size_t> counts;
  for (const IndexTuple& one : values) {
    if (one.size() > 1) counts.push_back(one.size());
  }
  return fail(ErrorKind::protocol,
              "{}: too many combinations of values ({}); kinf groups by at most {} values",
              object.key(), fmt::join(counts, " x "), limits::kCombinedValues)
      .with_hint("use fewer --by, or select values with --by KEY=VALUE");
}

}  // namespace

bool TupleLimit::add(std::size_t count, std::size_t keys) {
  if (count <= kFew || keys < 2) return true;
  if (count > (limits::kCombinedValues - values_) / keys) return false;
  values_ += count * keys;
  return true;
}

void TupleLimit::remove(std::size_t count, std::size_t keys) {
  if (count > kFew && keys > 1) values_ -= count * keys;
}

Result<std::vector<IndexTuple>> index_tuples(const Object& object,
                                             const std::vector<IndexSpec>& specs,
                                             const ValuesOf& values_of, TupleLimit& limit) {
  std::vector<IndexTuple> values;
  std::size_t count = 1;
  for (const IndexSpec& spec : specs) {
    values.push_back(wanted_values(object, spec, values_of));
    if (values.back().empty()) return std::vector<IndexTuple>();
    count *= values.back().size();
    if (specs.size() > 1 && count > limits::kCombinedValues) return too_many_tuples(object, values);
  }
  if (!limit.add(count, specs.size())) return too_many_tuples(object, values);
  std::vector<IndexTuple> tuples(1);
  for (const IndexTuple& some : values) {
    std::vector<IndexTuple> longer;
    longer.reserve(tuples.size() * some.size());
    for (const IndexTuple& tuple : tuples) {
      for (const auto& value : some) {
        longer.push_back(tuple);
        longer.back().push_back(value);
      }
    }
    tuples = std::move(longer);
  }
  std::ranges::sort(tuples, ByValueNoneLast());
  return tuples;
}

std::vector<IndexMove> index_moves(const std::vector<IndexTuple>& before,
                                   const std::vector<IndexTuple>& now) {
  std::vector<IndexTuple> gone;
  std::vector<IndexTuple> come;
  std::ranges::set_difference(before, now, std::back_inserter(gone), ByValueNoneLast());
  std::ranges::set_difference(now, before, std::back_inserter(come), ByValueNoneLast());
  if (gone.size() == 1 && come.size() == 1) return {{gone.front(), come.front()}};
  std::vector<IndexMove> moves;
  for (IndexTuple& tuple : gone) moves.push_back({std::move(tuple), std::nullopt});
  for (IndexTuple& tuple : come) moves.push_back({std::nullopt, std::move(tuple)});
  return moves;
}

void sort_groups(std::vector<IndexGroup>& groups, GroupOrder order) {
  const auto less = [order](const IndexTuple& left, const IndexTuple& right) {
    return order == GroupOrder::value_down ? ByValueNoneLast()(right, left)
                                           : ByValueNoneLast()(left, right);
  };
  const auto size = [](const IndexGroup& group) { return group.objects.size(); };
  std::ranges::stable_sort(groups, less, &IndexGroup::values);
  if (order == GroupOrder::count) std::ranges::stable_sort(groups, std::ranges::greater(), size);
  if (order == GroupOrder::count_up) std::ranges::stable_sort(groups, std::ranges::less(), size);
}

void sort_by_key(std::vector<ObjectPtr>& objects) {
  // Copies all keys into one string and compares the copies, because reading the keys of many
  // objects again and again would miss the processor's caches.
  struct Keyed {
    std::size_t begin = 0;
    std::size_t size = 0;
    ObjectPtr object;
  };
  std::string keys;
  std::vector<Keyed> keyed;
  keyed.reserve(objects.size());
  for (ObjectPtr& object : objects) {
    const std::size_t begin = keys.size();
    if (!object->ns().empty()) keys.append(object->ns()).append(1, '/');
    keys.append(object->name());
    keyed.push_back({begin, keys.size() - begin, std::move(object)});
  }
  std::ranges::sort(keyed, {}, [&](const Keyed& one) {
    return std::string_view(keys).substr(one.begin, one.size);
  });
  std::ranges::transform(keyed, objects.begin(), [](Keyed& one) { return std::move(one.object); });
}

Result<std::vector<IndexGroup>> group_objects(const std::vector<ObjectPtr>& objects,
                                              const std::vector<IndexSpec>& specs,
                                              const ValuesOf& values_of, GroupOrder order) {
  std::map<IndexTuple, std::vector<ObjectPtr>, ByValueNoneLast> found;
  TupleLimit limit;
  for (const ObjectPtr& object : objects) {
    Result<std::vector<IndexTuple>> tuples = index_tuples(*object, specs, values_of, limit);
    if (!tuples) return fail(tuples);
    for (IndexTuple& tuple : *tuples) found[std::move(tuple)].push_back(object);
  }
  std::vector<IndexGroup> groups;
  for (auto& [values, members] : found) {
    sort_by_key(members);
    groups.push_back({values, std::move(members)});
  }
  sort_groups(groups, order);
  return groups;
}

Result<KeyFormat> KeyFormat::parse(std::string_view text) {
  using Kind = Piece::Kind;
  KeyFormat format;
  bool tells_objects_apart = false;
  for (std::size_t i = 0; i < text.size();) {
    const std::size_t open = text.find('{', i);
    if (open != i) format.pieces_.push_back({Kind::text, std::string(text.substr(i, open - i))});
    if (open == std::string_view::npos) break;
    const std::size_t close = text.find('}', open);
    const std::string_view word =
        close == std::string_view::npos ? "" : text.substr(open + 1, close - open - 1);
    if (word != "ns" && word != "name" && word != "uid") {
      return fail(ErrorKind::usage, "\"{}\": unknown field; use {{ns}}, {{name}} or {{uid}}",
                  text.substr(open));
    }
    format.pieces_.push_back({word == "ns"     ? Kind::ns
                              : word == "name" ? Kind::name
                                               : Kind::uid,
                              ""});
    if (word != "ns") tells_objects_apart = true;
    i = close + 1;
  }
  if (!tells_objects_apart) return fail(ErrorKind::usage, "the key format needs {name} or {uid}");
  return format;
}

std::string KeyFormat::key(const Object& object) const {
  using Kind = Piece::Kind;
  if (pieces_.empty()) return object.key();
  const auto is_empty_namespace = [&](std::size_t i) {
    return i < pieces_.size() && pieces_[i].kind == Kind::ns && object.ns().empty();
  };
  const auto is_value = [&](std::size_t i) {
    return i < pieces_.size() && pieces_[i].kind != Kind::text;
  };
  std::string key;
  for (std::size_t i = 0; i < pieces_.size(); ++i) {
    switch (pieces_[i].kind) {
      case Kind::text:
        // Skip the separator between an empty namespace and a neighbouring field.
        if (i > 0 && is_empty_namespace(i - 1) && is_value(i + 1)) break;
        if (i > 0 && is_empty_namespace(i + 1) && !is_value(i + 3)) break;
        key += pieces_[i].text;
        break;
      case Kind::ns: key += object.ns(); break;
      case Kind::name: key += object.name(); break;
      case Kind::uid: key += object.uid(); break;
    }
  }
  return key;
}

}  // namespace kinf
