// SPDX-License-Identifier: Apache-2.0
// ObjectDecoder: makes an Object from the JSON text of one object, with one pass over its bytes and
// one copy, directly from where they were received.
#pragma once

#include <memory>
#include <string>
#include <string_view>

#include "kinf/api/object.h"
#include "kinf/base/error.h"

namespace kinf {

/// How objects are decoded and kept.
struct DecodeOptions {
  ObjectForm form = ObjectForm::raw;
  bool keep_managed_fields = false;
  /// Added to objects without these members, such as the items of a typed list. A
  /// PartialObjectMetadata gets this type, too.
  std::string api_version;
  std::string kind;
  /// The largest object in bytes; a larger one is a protocol error.
  std::size_t max_bytes = std::size_t{64} << 20;
  /// The column definitions of an earlier page or stream, or null. Shared by the objects of a Table
  /// whose definitions are the same or missing.
  std::shared_ptr<const TableColumns> columns{};
  /// If set, called once for each object in the usual form, as soon as its name, uid and
  /// resourceVersion are known. If it returns an object, that is the result, and the rest of the
  /// text is not read.
  HeldObjects held{};
};

/// The cells of the object's Table row.
struct RowCells {
  std::string_view cells;  ///< the text of a JSON array; empty: none
  std::shared_ptr<const TableColumns> columns;
};

/// Decodes objects one after another; keeps its buffers between them.
/// Threads: one owner.
class ObjectDecoder {
 public:
  explicit ObjectDecoder(DecodeOptions options);
  ~ObjectDecoder();
  ObjectDecoder(const ObjectDecoder&) = delete;
  ObjectDecoder& operator=(const ObjectDecoder&) = delete;

  /// Decodes the text of one object, which is copied. Errors: protocol, naming the object as far as
  /// it is known; also for an object without metadata.name.
  Result<ObjectPtr> decode(std::string_view json, const RowCells& row = {});

  const DecodeOptions& options() const { return options_; }
  /// Sets DecodeOptions::api_version and kind, where they are empty, for the objects to come.
  void assume_type(std::string_view api_version, std::string_view kind);
  /// Clears DecodeOptions::held: from now on, each text makes a new object.
  void forget_held() { options_.held = nullptr; }

 private:
  struct Parser;  // keeps simdjson out of the header
  DecodeOptions options_;
  std::unique_ptr<Parser> parser_;
};

}  // namespace kinf
