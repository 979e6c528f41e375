// SPDX-License-Identifier: Apache-2.0
// Object: an immutable Kubernetes object in one allocation, shared by all parts of an informer. The
// strings that kinf itself needs are extracted; the rest remains JSON text.
#pragma once

#include <atomic>
#include <chrono>
#include <compare>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "kinf/base/error.h"

namespace [[gnu::visibility("default")]] kinf {

class Object;
struct TableColumns;  // defined below

/// A counted reference to an immutable Object.
/// Threads: like std::shared_ptr: the count is atomic, but a single ObjectPtr must not be used by
/// several threads at once.
class ObjectPtr {
 public:
  ObjectPtr() = default;
  ObjectPtr(std::nullptr_t) {}  // NOLINT(google-explicit-constructor): reads as a pointer does
  ObjectPtr(const ObjectPtr& other);
  ObjectPtr(ObjectPtr&& other) noexcept : object_(std::exchange(other.object_, nullptr)) {}
  ObjectPtr& operator=(ObjectPtr other) noexcept {
    std::swap(object_, other.object_);
    return *this;
  }
  ~ObjectPtr();

  const Object& operator*() const { return *object_; }
  const Object* operator->() const { return object_; }
  const Object* get() const { return object_; }
  explicit operator bool() const { return object_ != nullptr; }
  friend bool operator==(const ObjectPtr& a, const ObjectPtr& b) = default;

 private:
  friend class Object;
  explicit ObjectPtr(const Object* adopted) : object_(adopted) {}

  const Object* object_ = nullptr;
};

/// How much of an object's JSON is stored. The form of an object never changes.
enum class ObjectForm : std::uint8_t {
  raw,       ///< the document, without the parts that were cut
  metadata,  ///< only the extracted strings
};

/// An entry of metadata.ownerReferences.
struct OwnerReference {
  std::string_view api_version;
  std::string_view kind;
  std::string_view name;
  std::string_view uid;
  bool controller = false;
};

using Label = std::pair<std::string_view, std::string_view>;

/// A buffer for the result of Object::json() if the object does not contain its document.
using Scratch = std::string;

/// The input of Object::create(). That function copies `json`, and all views that do not point into
/// `json`.
struct ObjectFacts {
  std::string_view api_version;
  std::string_view kind;
  std::string_view ns;
  std::string_view name;
  std::string_view uid;
  std::string_view resource_version;
  /// The name of the field manager of the newest change, or, with `has_writers`, the result of
  /// FieldWriters::packed().
  std::string_view manager;
  bool has_writers = false;
  std::optional<std::chrono::sys_seconds> creation_time;
  bool deleting = false;
  std::vector<Label> labels;
  std::vector<OwnerReference> owners;
  /// The document. It is copied without the `cuts` (byte ranges: offset and length, ascending), and
  /// with `prefix` inserted after its opening brace.
  std::string_view json;
  std::vector<std::pair<std::size_t, std::size_t>> cuts;
  std::string_view prefix;
  bool one_line = false;   ///< `json` contains no control characters
  bool selected = true;    ///< see Object::selected()
  std::string_view cells;  ///< the cells of the Table row: the text of a JSON array
  std::shared_ptr<const TableColumns> columns;
  ObjectForm form = ObjectForm::raw;
};

/// Returns the stored object with the same key, uid and resourceVersion, or null.
using HeldObjects = std::function<ObjectPtr(const ObjectFacts& facts)>;

/// Immutable.
/// Threads: every call from any thread.
class Object {
 public:
  /// Creates an object in one allocation.
  static ObjectPtr create(const ObjectFacts& facts);
  Object(const Object&) = delete;
  Object& operator=(const Object&) = delete;

  std::string_view api_version() const { return text(api_version_); }
  std::string_view kind() const { return text(kind_); }
  /// Returns the namespace; empty for cluster-scoped objects.
  std::string_view ns() const { return text(ns_); }
  std::string_view name() const { return text(name_); }
  std::string_view uid() const { return text(uid_); }
  std::string_view resource_version() const { return text(resource_version_); }
  /// Returns the field manager of the newest change, such as `kubectl (scale)`; empty if it is not
  /// known.
  std::string_view manager() const;
  /// Returns the entries of managedFields as FieldWriters packs them; nullopt if they are not
  /// known.
  std::optional<std::string_view> writers() const {
    return has_writers_ ? std::optional(text(manager_)) : std::nullopt;
  }
  /// Returns `namespace/name` or `name`.
  std::string key() const;

  std::optional<std::chrono::sys_seconds> creation_time() const;
  /// Returns whether a deletionTimestamp is set.
  bool deleting() const { return deleting_; }

  std::size_t label_count() const { return label_count_; }
  Label label_at(std::size_t index) const;
  /// Returns the value of a label; nullopt if the object does not have the label.
  std::optional<std::string_view> label(std::string_view label_key) const;

  std::size_t owner_count() const { return owner_count_; }
  OwnerReference owner_at(std::size_t index) const;

  /// Returns false if DecodeOptions::selects rejected the object.
  bool selected() const { return selected_; }

  ObjectForm form() const { return form_; }
  /// Returns the document as JSON text. Valid until this object is destroyed or `scratch` changes.
  /// In form raw, the document consists of the server's bytes without the parts that were cut, and
  /// with apiVersion and kind if the server omitted them. In form metadata, the document consists
  /// of apiVersion, kind and the extracted metadata. At least kPadding bytes after the text are
  /// readable, as simdjson requires.
  std::string_view json(Scratch& scratch) const;
  static constexpr std::size_t kPadding = 64;
  /// Returns whether json() is known to contain no control characters, and therefore no line
  /// breaks.
  bool is_one_line() const { return one_line_; }

  /// Returns the cells of the object's Table row: the text of a JSON array; empty if there is none.
  std::string_view cells() const { return text(cells_); }
  /// Returns the column definitions of cells(); null if there are none.
  const TableColumns* columns() const { return columns_.get(); }

  /// Returns the size of the allocation in bytes.
  std::size_t memory_size() const { return memory_size_; }

 private:
  friend class ObjectPtr;
  struct Span {
    std::uint32_t offset = 0;  ///< in bytes, from text_begin()
    std::uint32_t size = 0;
  };
  struct LabelSpans {
    Span key;
    Span value;
  };
  struct OwnerSpans {
    Span api_version;
    Span kind;
    Span name;
    Span uid;
    bool controller = false;
  };
  class Builder;

  Object() = default;
  ~Object() = default;
  static void destroy(const Object* object);

  const LabelSpans* labels() const;
  const OwnerSpans* owners() const;
  const char* text_begin() const { return reinterpret_cast<const char*>(owners() + owner_count_); }
  std::string_view text(Span span) const { return {text_begin() + span.offset, span.size}; }

  mutable std::atomic<std::uint32_t> references_{1};
  std::uint32_t label_count_ = 0;
  std::uint32_t owner_count_ = 0;
  ObjectForm form_ = ObjectForm::raw;
  bool deleting_ : 1 = false;
  bool has_creation_time_ : 1 = false;
  bool one_line_ : 1 = false;
  bool selected_ : 1 = true;
  bool has_writers_ : 1 = false;
  std::int64_t creation_seconds_ = 0;
  std::size_t memory_size_ = 0;
  std::shared_ptr<const TableColumns> columns_;
  Span api_version_, kind_, ns_, name_, uid_, resource_version_, manager_, cells_, json_;
};

inline ObjectPtr::ObjectPtr(const ObjectPtr& other) : object_(other.object_) {
  if (object_ != nullptr) object_->references_.fetch_add(1, std::memory_order_relaxed);
}

inline ObjectPtr::~ObjectPtr() {
  if (object_ != nullptr && object_->references_.fetch_sub(1, std::memory_order_acq_rel) == 1) {
    Object::destroy(object_);
  }
}

/// Namespace and name; the namespace is empty for cluster-scoped objects.
struct ObjectKey {
  std::string ns;
  std::string name;

  friend auto operator<=>(const ObjectKey&, const ObjectKey&) = default;
};

/// Returns `namespace/name`, or `name` if there is no namespace (client-go: MetaNamespaceKeyFunc).
std::string to_string(const ObjectKey& key);
std::string object_key(std::string_view ns, std::string_view name);

/// Parses the result of to_string(). Errors: usage, for more than one slash (client-go:
/// SplitMetaNamespaceKey).
Result<ObjectKey> parse_object_key(std::string_view text);

struct TableColumn {
  std::string name;
  std::string type;    ///< `string`, `integer`, `number`, `boolean`, `date`
  std::string format;  ///< `name` marks the column that holds the object's name
  std::string description;
  int priority = 0;  ///< above 0: shown only in wide output

  friend bool operator==(const TableColumn&, const TableColumn&) = default;
};

struct TableColumns {
  std::vector<TableColumn> columns;

  friend bool operator==(const TableColumns&, const TableColumns&) = default;
};

}  // namespace kinf
