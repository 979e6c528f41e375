// SPDX-License-Identifier: Apache-2.0
// JsonCheck: finds documents that are not valid JSON. Decoding reads only the metadata of an
// object, so the rest of its document is checked before it is printed.
#pragma once

#include <memory>
#include <string_view>

#include "kinf/base/error.h"

namespace kinf {

/// Reuses its buffers. Threads: one owner.
class JsonCheck {
 public:
  JsonCheck();
  ~JsonCheck();
  JsonCheck(const JsonCheck&) = delete;
  JsonCheck& operator=(const JsonCheck&) = delete;

  /// Fails with kind `protocol` if `json` is not one JSON value in valid UTF-8, or is nested deeper
  /// than limits::kPrintedDepth.
  Result<void> check(std::string_view json);

 private:
  struct Parser;  // keeps simdjson out of the header
  std::unique_ptr<Parser> parser_;
};

}  // namespace kinf
