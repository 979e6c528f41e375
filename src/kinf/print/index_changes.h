// SPDX-License-Identifier: Apache-2.0
// Prints the lines of `kinf index -w`: an object was added to an index, removed from it, or moved
// in it.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "kinf/print/index_text.h"

namespace kinf {

/// Threads: one thread at a time.
class IndexChanges {
 public:
  /// `clusters`: the contexts, if the command uses several. On a terminal, the lines fit its width.
  explicit IndexChanges(bool as_json, const std::vector<std::string>& clusters = {},
                        TerminalWidth terminal_width = {});

  /// Makes the column of the values wide enough for a value that may be printed later.
  void reserve(const IndexTuple& values);
  /// Returns a line such as `nginx     + default/nginx-d` or `nginx → web   default/nginx-a`, after
  /// the cluster if the command uses several, or the same as JSON, with a line end. Only the query
  /// members of `question` are used, not `objects`.
  std::string line(const IndexAnswer& question, const IndexMove& move, std::string_view key);

 private:
  std::string text_line(const std::vector<std::string>& cells) const;

  const bool as_json_;
  const TerminalWidth terminal_width_;
  std::size_t cluster_width_ = 0;  ///< width of the widest cluster, in characters; 0: one cluster
  std::size_t width_ = 0;          ///< width of the widest value so far, in characters
};

}  // namespace kinf
