// SPDX-License-Identifier: Apache-2.0
// Indexes for large documents. Without an index, finding a member of an object or an element of a
// list compares them one by one. Comparing two large documents in this way would take minutes.
#pragma once

#include <cstddef>
#include <set>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

#include "kinf/sandbox/store/ordered_json.h"

namespace kinf::sandbox {

/// Finds the members of an object. Threads: not thread-safe.
class MemberIndex {
 public:
  /// A value that is not an object has no members. `object` must outlive the index and must not
  /// change.
  explicit MemberIndex(const Json& object);

  /// Returns the member, or null if there is none.
  const Json* find(std::string_view key) const;

 private:
  const Json::object_t* members_;
  std::unordered_map<std::string_view, const Json*> index_;  ///< empty for small objects
};

/// Changes the members of an object. No other code may change the members before finish().
/// Threads: not thread-safe.
class MemberEditor {
 public:
  /// `object` must be an object.
  explicit MemberEditor(Json& object);

  /// Returns the member, or null if there is none. The pointer is valid until a member is added.
  Json* find(const std::string& key);
  /// Returns the member. If there is none, adds it as the last member.
  Json& operator[](const std::string& key);
  void erase(const std::string& key);
  /// Completes all calls of erase(). Call after the last change.
  void finish();

 private:
  bool is_small();
  Json::object_t::value_type& member(std::size_t position);

  Json::object_t* members_;
  std::unordered_map<std::string, std::size_t> index_;  ///< empty for small objects
  bool is_indexed_ = false;
  std::vector<std::size_t> erased_;  ///< positions of members that finish() removes
};

/// Adds a member at the end. The object must not have a member with this key.
void append_member(Json& object, std::string key, Json value);

/// Returns the same number for values that are equal.
std::size_t hash_of(const Json& value);

/// Finds the positions of values in a list. Threads: not thread-safe.
class ValuePositions {
 public:
  static constexpr std::size_t kNone = static_cast<std::size_t>(-1);

  void add(const Json& value, std::size_t position) {
    positions_.emplace(hash_of(value), position);
  }
  void remove(const Json& value, std::size_t position) {
    positions_.erase({hash_of(value), position});
  }
  /// Returns the first position for which `is_match` returns true, or kNone. Calls `is_match` only
  /// for positions that were added with a value that may be equal to `value`.
  template <class IsMatch>
  std::size_t find(const Json& value, IsMatch is_match) const {
    const std::size_t hash = hash_of(value);
    for (auto at = positions_.lower_bound({hash, 0}); at != positions_.end(); ++at) {
      if (at->first != hash) break;
      if (is_match(at->second)) return at->second;
    }
    return kNone;
  }

 private:
  std::set<std::pair<std::size_t, std::size_t>> positions_;  ///< pairs of hash and position
};

}  // namespace kinf::sandbox
