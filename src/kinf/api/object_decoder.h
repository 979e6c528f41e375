// SPDX-License-Identifier: Apache-2.0
// ObjectDecoder: creates an Object from the JSON text of one object, in one pass and with one copy
// of the received bytes.
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <string_view>

#include "kinf/api/object.h"
#include "kinf/base/error.h"
#include "kinf/base/limits.h"

namespace kinf {

class ObjectTrim;

/// Options for decoding objects.
struct DecodeOptions {
  ObjectForm form = ObjectForm::raw;
  bool keep_managed_fields = false;
  /// Whether to read managedFields for Object::manager() and Object::writers().
  bool writers = true;
  /// The fields to leave out of a document of ObjectForm::raw. If set, `keep_managed_fields` has no
  /// effect. If null, managedFields is left out unless `keep_managed_fields` is set.
  std::shared_ptr<const ObjectTrim> trim{};
  /// If set, decides Object::selected(). Called with the complete object, before `form` and `trim`
  /// leave out parts.
  std::function<bool(const Object& whole)> selects{};
  /// The apiVersion and kind to add to objects without these members, such as the items of a typed
  /// list. They also replace the type PartialObjectMetadata.
  std::string api_version;
  std::string kind;
  /// The maximum size of an object in bytes. A larger object is a protocol error.
  std::size_t max_bytes = limits::kDocumentBytes;
  /// The column definitions of an earlier page or stream, or null. A Table with equal or missing
  /// definitions shares them.
  std::shared_ptr<const TableColumns> columns{};
  /// If set, called once for each object in the usual form, as soon as its name, uid and
  /// resourceVersion are known. If it returns an object, decode() returns that object and does not
  /// read the rest of the text.
  HeldObjects held{};
};

/// The cells of the object's Table row, and other data that is not in the document.
struct RowCells {
  std::string_view cells;  ///< the text of a JSON array; empty if there is none
  std::shared_ptr<const TableColumns> columns;
  /// Object::manager(), if it is known. Then managedFields are not asked for it.
  std::string_view manager{};
};

/// Decodes objects one after another, and reuses its buffers.
/// Threads: one owner.
class ObjectDecoder {
 public:
  explicit ObjectDecoder(DecodeOptions options);
  ~ObjectDecoder();
  ObjectDecoder(const ObjectDecoder&) = delete;
  ObjectDecoder& operator=(const ObjectDecoder&) = delete;

  /// Decodes and copies the text of one object. Errors: protocol, for example for an object without
  /// metadata.name. The message names the object as far as possible.
  Result<ObjectPtr> decode(std::string_view json, const RowCells& row = {});

  const DecodeOptions& options() const { return options_; }
  /// Sets DecodeOptions::api_version and kind for the objects decoded from now on. A value that is
  /// already set is kept.
  void assume_type(std::string_view api_version, std::string_view kind);
  /// Clears DecodeOptions::held: from now on, decode() always creates a new object.
  void forget_held() { options_.held = nullptr; }

 private:
  struct Parser;  // keeps simdjson out of the header
  DecodeOptions options_;
  std::unique_ptr<Parser> parser_;
};

}  // namespace kinf
