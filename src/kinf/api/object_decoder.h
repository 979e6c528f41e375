// SPDX-License-Identifier: Apache-2.0
// From the JSON text of one object to an Object: one pass over its bytes, one copy, straight from
// where they were received.
#pragma once

#include <memory>
#include <string>
#include <string_view>

#include "kinf/api/object.h"
#include "kinf/base/error.h"

namespace kinf {

struct DecodeOptions {
  ObjectForm form = ObjectForm::raw;
  bool keep_managed_fields = false;
  /// Filled in where the object does not say them itself: the items of a typed list do not. A
  /// PartialObjectMetadata is taken for the metadata of such an object.
  std::string api_version;
  std::string kind;
  /// A larger object is a protocol error.
  std::size_t max_bytes = std::size_t{64} << 20;
  /// Column definitions of an earlier page or stream, if any: used again where equal ones come,
  /// or, after the first page, none.
  std::shared_ptr<const TableColumns> columns{};
  /// Asked for each object that has a uid and a resourceVersion; what it returns is the result,
  /// and the rest of the text is not looked at.
  HeldObjects held{};
};

/// What stands beside the object in a Table row.
struct RowCells {
  std::string_view cells;  ///< the text of a JSON array; empty: none
  std::shared_ptr<const TableColumns> columns;
};

/// Decodes objects one after another and keeps its buffers between them.
/// Threads: one owner.
class ObjectDecoder {
 public:
  explicit ObjectDecoder(DecodeOptions options);
  ~ObjectDecoder();
  ObjectDecoder(const ObjectDecoder&) = delete;
  ObjectDecoder& operator=(const ObjectDecoder&) = delete;

  /// `json` is the text of one object. A protocol error names the object as far as it is known.
  /// An object needs metadata.name.
  Result<ObjectPtr> decode(std::string_view json, const RowCells& row = {});

  const DecodeOptions& options() const { return options_; }
  /// From now on each text makes an object of its own.
  void forget_held() { options_.held = nullptr; }

 private:
  struct Parser;  // keeps simdjson out of the header
  DecodeOptions options_;
  std::unique_ptr<Parser> parser_;
};

}  // namespace kinf
