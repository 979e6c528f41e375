// SPDX-License-Identifier: Apache-2.0
// Prints the lines of `kinf index -w`: an object was added to an index, removed from it, or moved
// in it.
#pragma once

#include <string>
#include <string_view>

#include "kinf/print/index_text.h"

namespace kinf {

/// Threads: one thread at a time.
class IndexChanges {
 public:
  /// `answer` must outlive this object. Only its query members are used, not `objects`.
  IndexChanges(const IndexAnswer& answer, bool as_json) : answer_(answer), as_json_(as_json) {}

  /// Makes the first column wide enough for a value that may be printed later.
  void reserve(const IndexTuple& values);
  /// Returns a line such as `nginx     + default/nginx-d` or `nginx → web   default/nginx-a`, or
  /// the same as JSON, with a line end.
  std::string line(const IndexMove& move, std::string_view key);

 private:
  std::string json_line(const IndexMove& move, std::string_view key) const;

  const IndexAnswer& answer_;
  const bool as_json_;
  std::size_t width_ = 0;  ///< width of the widest value so far, in characters
};

}  // namespace kinf
