// SPDX-License-Identifier: Apache-2.0
// PaddedText: copies JSON text and appends the padding that simdjson requires. Reuses its buffer.
#pragma once

#include <string>
#include <string_view>

#include "kinf/api/object.h"

namespace kinf {

/// Threads: one owner.
class PaddedText {
 public:
  /// Copies `text` and appends Object::kPadding zero bytes. The result is valid until the next
  /// call.
  std::string_view copy(std::string_view text) {
    buffer_.clear();
    buffer_.reserve(text.size() + Object::kPadding);
    buffer_.append(text).append(Object::kPadding, '\0');
    return std::string_view(buffer_).substr(0, text.size());
  }

 private:
  std::string buffer_;
};

}  // namespace kinf
