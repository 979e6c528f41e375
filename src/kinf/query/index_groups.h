// SPDX-License-Identifier: Apache-2.0
// Groups objects by the values of one or more indices.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "kinf/api/object.h"
#include "kinf/base/error.h"
#include "kinf/query/index_spec.h"

namespace kinf {

/// A function that returns the values of an object in one index. The functions below take it as a
/// parameter, because some values come from other objects: see IndexSpec::follows_owners().
using ValuesOf = std::function<std::vector<std::string>(const IndexSpec&, const Object&)>;

/// One value per IndexSpec; nullopt if the object has no value in that index.
using IndexTuple = std::vector<std::optional<std::string>>;

/// Limits the combinations of values that several keys have in one query. A hostile object with
/// thousands of values for each of two keys would have millions. Threads: one owner.
class TupleLimit {
 public:
  /// Objects with at most this many tuples have no limit.
  static constexpr std::size_t kFew = 16;

  /// Adds the tuples of an object, `count` combinations of `keys` values. Returns false if there
  /// are too many values (limits::kCombinedValues), and then does not add them. One key has no
  /// limit.
  bool add(std::size_t count, std::size_t keys);
  /// Removes tuples that were added.
  void remove(std::size_t count, std::size_t keys);

 private:
  std::size_t values_ = 0;
};

/// Returns all combinations of the object's values in the indices `specs`, sorted, and adds them to
/// `limit`. If a spec has a value pattern, uses only matching values; an object without a matching
/// value has no tuples. Fails with kind `protocol` if the limit is exceeded.
Result<std::vector<IndexTuple>> index_tuples(const Object& object,
                                             const std::vector<IndexSpec>& specs,
                                             const ValuesOf& values_of, TupleLimit& limit);

/// A move of an object between the groups of an index. At least one of the members is set.
struct IndexMove {
  std::optional<IndexTuple> from;  ///< nullopt if the object was added under `to`
  std::optional<IndexTuple> to;    ///< nullopt if the object was removed from `from`
};

/// Returns the moves from one set of tuples to another. Both must be sorted. If exactly one tuple
/// was removed and one was added, returns one move from the first to the second. Otherwise returns
/// one move per tuple, the removed ones first.
std::vector<IndexMove> index_moves(const std::vector<IndexTuple>& before,
                                   const std::vector<IndexTuple>& now);

/// `count` puts the largest groups first, `count_up` the smallest. `value_down` is the reverse of
/// `value`.
enum class GroupOrder { count, value, count_up, value_down };

struct IndexGroup {
  IndexTuple values;
  std::vector<ObjectPtr> objects;  ///< sorted by key
  std::string cluster{};           ///< the kubeconfig context; empty if the command uses only one
};

/// Returns the groups, sorted by size and then by value, or only by value. Missing values come
/// last, with `value_down` first. An object with several values is in several groups. Fails like
/// index_tuples().
Result<std::vector<IndexGroup>> group_objects(const std::vector<ObjectPtr>& objects,
                                              const std::vector<IndexSpec>& specs,
                                              const ValuesOf& values_of,
                                              GroupOrder order = GroupOrder::count);

/// Sorts the groups of several clusters as group_objects() does. Equal groups keep their order.
void sort_groups(std::vector<IndexGroup>& groups, GroupOrder order);

/// Sorts objects by the bytes of their keys, like the lists of an API server. So `web-x/a` comes
/// before `web/a`.
void sort_by_key(std::vector<ObjectPtr>& objects);

// KeyFormat: the format of object keys, such as `{ns}---{name}`.

/// Threads: immutable.
class KeyFormat {
 public:
  /// Creates the format that caches use: `namespace/name`, or `name` without a namespace.
  KeyFormat() = default;
  /// Parses a format with the fields `{ns}`, `{name}` and `{uid}`. Fails with a usage error for
  /// other fields, and if the format has neither `{name}` nor `{uid}`.
  static Result<KeyFormat> parse(std::string_view text);

  /// Returns the key of an object. If the object has no namespace, omits `{ns}` and the text
  /// between it and the next field: `name`, not `---name`.
  std::string key(const Object& object) const;

 private:
  struct Piece {
    enum class Kind { text, ns, name, uid };
    Kind kind = Kind::text;
    std::string text;
  };
  std::vector<Piece> pieces_;  ///< empty means the format that caches use
};

}  // namespace kinf
