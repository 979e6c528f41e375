// SPDX-License-Identifier: Apache-2.0
// TextDelta: encodes a text as its difference from an earlier text: the parts to copy, and the new
// bytes between them.
//
// zstd with the earlier text as its prefix is slower. It searches for the unchanged parts as for
// any other match, which took most of a recorder's time. TextDelta finds them where they are
// expected, which takes a third of the time. zstd still compresses the delta: see VersionCodec. It
// finds texts that other objects of the type have too, so a delta copies only long parts from other
// places than the expected one: short copies would make the deltas of two objects differ.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "kinf/base/error.h"

namespace kinf {

/// Computes and applies the difference between two texts.
/// A delta is a sequence of parts. Each part consists of
/// 1. the number of new bytes, and the bytes themselves;
/// 2. the number of bytes to copy from the earlier text;
/// 3. the distance of the copy: its position in the earlier text, minus the end of the last copy,
///    minus the number of new bytes. The distance is 0 if the new bytes replace as many old ones.
/// The last part may consist of 1 only. Numbers are in LEB128; a distance, which may be negative,
/// is in zigzag encoding. Threads: one owner. A TextDelta reuses its buffers.
class TextDelta {
 public:
  /// Sets `delta` to the difference between `before` and `text`. Finds parts of at least 8 bytes
  /// where they are expected, and of at least 48 bytes elsewhere. The time is proportional to the
  /// length of both texts.
  void make(std::string_view before, std::string_view text, std::string& delta);
  /// Sets `text` to the text for which make() made `delta`. `before` and `delta` must not be views
  /// of `text`. Errors: protocol, if the delta is damaged or the text has more than `most` bytes.
  static Result<void> apply(std::string_view before, std::string_view delta, std::size_t most,
                            std::string& text);

 private:
  struct Found {
    std::size_t place = 0;  ///< position in the earlier text
    std::size_t size = 0;   ///< size in bytes; 0 if nothing was found
  };
  /// Finds the start of `rest` in `before`. Looks at position `expected` first.
  Found find(std::string_view before, std::string_view rest, std::size_t expected);
  void index(std::string_view before);
  std::size_t slot_of(std::uint64_t block) const;

  std::vector<std::uint32_t> places_;  ///< hash table: positions of blocks, plus 1; 0 if none
  int bits_ = 0;                       ///< the hash table has 2 to the power of bits_ slots
};

}  // namespace kinf
