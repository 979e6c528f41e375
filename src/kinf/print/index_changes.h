// SPDX-License-Identifier: Apache-2.0
// The lines of `kinf index -w`: an object is new in an index, left it, or moved in it.
#pragma once

#include <string>
#include <string_view>

#include "kinf/print/index_text.h"

namespace kinf {

/// Threads: one owner.
class IndexChanges {
 public:
  /// `answer` holds the question; it must outlive this object.
  IndexChanges(const IndexAnswer& answer, bool as_json) : answer_(answer), as_json_(as_json) {}

  /// Reserves the width of a value that may come later.
  void reserve(const IndexTuple& values);
  /// Returns `nginx     + default/nginx-d`, `nginx → web   default/nginx-a`, or the same as JSON;
  /// with a line end.
  std::string line(const IndexMove& move, std::string_view key);

 private:
  std::string json_line(const IndexMove& move, std::string_view key) const;

  const IndexAnswer& answer_;
  const bool as_json_;
  std::size_t width_ = 0;  ///< of the widest value so far
};

}  // namespace kinf
