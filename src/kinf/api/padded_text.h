// SPDX-License-Identifier: Apache-2.0
// PaddedText: a copy of some JSON text with the readable bytes behind it that simdjson asks for.
// For texts whose surroundings are unknown; kept between uses so that it allocates once.
#pragma once

#include <string>
#include <string_view>

#include "kinf/api/object.h"

namespace kinf {

/// Threads: one owner.
class PaddedText {
 public:
  /// The copy, valid until the next call; Object::kPadding zero bytes follow it.
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
