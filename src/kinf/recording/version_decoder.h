// SPDX-License-Identifier: Apache-2.0
// VersionDecoder: makes objects of recorded documents, and keeps as much of each as is needed.
#pragma once

#include <functional>
#include <optional>
#include <string_view>

#include "kinf/api/object_decoder.h"

namespace kinf {

/// What to keep of recorded objects.
struct VersionParts {
  DecodeOptions decode;
  /// If set, an object for which it returns true keeps its document, even if `decode` does not.
  /// Threads: any thread calls it.
  std::function<bool(const Object& object)> needs_document{};
};

/// Threads: one owner.
class VersionDecoder {
 public:
  explicit VersionDecoder(VersionParts parts);

  /// Errors: those of ObjectDecoder::decode().
  Result<ObjectPtr> decode(std::string_view json, const RowCells& row);

 private:
  ObjectDecoder decoder_;
  const std::function<bool(const Object& object)> needs_document_;
  std::optional<ObjectDecoder> raw_decoder_;  ///< keeps the documents; set if they may be needed
};

}  // namespace kinf
