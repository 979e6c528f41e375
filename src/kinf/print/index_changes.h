// SPDX-License-Identifier: Apache-2.0
// The lines of `kinf index -w`: where an object came to stand in an index, left it or moved.
#pragma once

#include <string>
#include <string_view>

#include "kinf/print/index_text.h"

namespace kinf {

/// Threads: one owner.
class IndexChanges {
 public:
  /// `answer` says what was asked, and outlives this.
  IndexChanges(const IndexAnswer& answer, bool as_json) : answer_(answer), as_json_(as_json) {}

  /// Keeps room for a value that may come.
  void reserve(const IndexTuple& values);
  /// `nginx     + default/nginx-d`, `nginx → web   default/nginx-a`, or the same as JSON.
  std::string line(const IndexMove& move, std::string_view key);

 private:
  std::string json_line(const IndexMove& move, std::string_view key) const;

  const IndexAnswer& answer_;
  const bool as_json_;
  std::size_t width_ = 0;  ///< of the widest value seen
};

}  // namespace kinf
