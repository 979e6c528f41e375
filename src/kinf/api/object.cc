// SPDX-License-Identifier: Apache-2.0
// One allocation contains the fixed part, the label and owner tables, and then all text. Views into
// the document become offsets into its copy, so each name or label takes eight more bytes instead
// of a second copy of its text.
#include "kinf/api/object.h"

#include <cstring>
#include <new>

#include "kinf/api/field_writers.h"
#include "kinf/base/json_string.h"
#include "kinf/base/timestamp.h"

namespace kinf {
namespace {

void append_field(std::string& out, std::string_view name, std::string_view value) {
  if (!value.empty()) append_json_member(out, name, value);
}

}  // namespace

/// Lays out the text of an object. A view inside the kept part of the document becomes an offset;
/// all other views are copied.
class Object::Builder {
 public:
  explicit Builder(const ObjectFacts& facts) : facts_(facts) {
    if (facts.form == ObjectForm::raw) {
      kept_ = facts.json.size() + facts.prefix.size();
      for (const auto& cut : facts.cuts) kept_ -= cut.second;
    }
    for_each_text([&](std::string_view view) {
      if (!inside_document(view)) loose_ += view.size();
    });
  }

  std::size_t text_size() const { return kept_ + loose_ + kPadding; }

  void write(Object& object, char* tables, char* text) {
    text_ = text;
    next_loose_ = kept_;
    if (facts_.form == ObjectForm::raw) copy_document();
    object.json_ = {0, static_cast<std::uint32_t>(kept_)};
    object.api_version_ = place(facts_.api_version);
    object.kind_ = place(facts_.kind);
    object.ns_ = place(facts_.ns);
    object.name_ = place(facts_.name);
    object.uid_ = place(facts_.uid);
    object.resource_version_ = place(facts_.resource_version);
    object.manager_ = place(facts_.manager);
    object.cells_ = place(facts_.cells);
    auto* label = reinterpret_cast<LabelSpans*>(tables);
    for (const Label& one : facts_.labels) {
      new (label++) LabelSpans{place(one.first), place(one.second)};
    }
    auto* owner = reinterpret_cast<OwnerSpans*>(label);
    for (const OwnerReference& one : facts_.owners) {
      new (owner++) OwnerSpans{place(one.api_version), place(one.kind), place(one.name),
                               place(one.uid), one.controller};
    }
    std::memset(text_ + next_loose_, 0, kPadding);
  }

 private:
  template <class Visit>
  void for_each_text(Visit visit) const {
    for (const std::string_view view :
         {facts_.api_version, facts_.kind, facts_.ns, facts_.name, facts_.uid,
          facts_.resource_version, facts_.manager, facts_.cells}) {
      visit(view);
    }
    for (const Label& label : facts_.labels) {
      visit(label.first);
      visit(label.second);
    }
    for (const OwnerReference& owner : facts_.owners) {
      visit(owner.api_version);
      visit(owner.kind);
      visit(owner.name);
      visit(owner.uid);
    }
  }

  /// Returns whether the view is inside the kept part of the document.
  bool inside_document(std::string_view view) const {
    if (facts_.form != ObjectForm::raw || view.empty()) return false;
    const char* begin = facts_.json.data();
    const std::less<const char*> before;
    if (before(view.data(), begin) || before(begin + facts_.json.size(), view.data() + view.size()))
      return false;
    const auto offset = static_cast<std::size_t>(view.data() - begin);
    for (const auto& [start, size] : facts_.cuts) {
      if (offset < start + size && start < offset + view.size()) return false;
    }
    return true;
  }

  void copy_document() {
    char* out = text_;
    std::size_t at = 0;
    const auto copy_to = [&](std::size_t end) {
      if (end == at) return;  // memcpy takes no null pointer, even for no bytes
      std::memcpy(out, facts_.json.data() + at, end - at);
      out += end - at;
      at = end;
    };
    if (!facts_.prefix.empty()) {
      copy_to(1);  // the opening brace
      std::memcpy(out, facts_.prefix.data(), facts_.prefix.size());
      out += facts_.prefix.size();
    }
    for (const auto& [start, size] : facts_.cuts) {
      copy_to(start);
      at = start + size;
    }
    copy_to(facts_.json.size());
  }

  Span place(std::string_view view) {
    const auto size = static_cast<std::uint32_t>(view.size());
    if (!inside_document(view)) {
      if (size > 0) std::memcpy(text_ + next_loose_, view.data(), size);
      const auto offset = static_cast<std::uint32_t>(next_loose_);
      next_loose_ += size;
      return {offset, size};
    }
    const auto source = static_cast<std::size_t>(view.data() - facts_.json.data());
    std::size_t offset = source + facts_.prefix.size();
    for (const auto& [start, cut] : facts_.cuts) {
      if (start <= source) offset -= cut;
    }
    return {static_cast<std::uint32_t>(offset), size};
  }

  const ObjectFacts& facts_;
  std::size_t kept_ = 0;   ///< bytes of the document that are kept
  std::size_t loose_ = 0;  ///< bytes of strings outside the kept document
  std::size_t next_loose_ = 0;
  char* text_ = nullptr;
};

ObjectPtr Object::create(const ObjectFacts& facts) {
  static_assert(alignof(Object) <= __STDCPP_DEFAULT_NEW_ALIGNMENT__);
  static_assert(sizeof(Object) % alignof(LabelSpans) == 0);
  static_assert(sizeof(LabelSpans) % alignof(OwnerSpans) == 0);
  Builder builder(facts);
  const std::size_t tables =
      facts.labels.size() * sizeof(LabelSpans) + facts.owners.size() * sizeof(OwnerSpans);
  const std::size_t size = sizeof(Object) + tables + builder.text_size();
  auto* memory = static_cast<char*>(::operator new(size));
  auto* object = new (memory) Object;
  object->memory_size_ = size;
  object->label_count_ = static_cast<std::uint32_t>(facts.labels.size());
  object->owner_count_ = static_cast<std::uint32_t>(facts.owners.size());
  object->form_ = facts.form;
  object->deleting_ = facts.deleting;
  object->has_writers_ = facts.has_writers;
  object->one_line_ = facts.one_line || facts.form == ObjectForm::metadata;
  object->selected_ = facts.selected;
  object->columns_ = facts.columns;
  if (facts.creation_time) {
    object->has_creation_time_ = true;
    object->creation_seconds_ = facts.creation_time->time_since_epoch().count();
  }
  builder.write(*object, memory + sizeof(Object), memory + sizeof(Object) + tables);
  return ObjectPtr(object);
}

void Object::destroy(const Object* object) {
  object->~Object();
  ::operator delete(const_cast<Object*>(object));
}

const Object::LabelSpans* Object::labels() const {
  return reinterpret_cast<const LabelSpans*>(reinterpret_cast<const char*>(this) + sizeof(Object));
}

const Object::OwnerSpans* Object::owners() const {
  return reinterpret_cast<const OwnerSpans*>(labels() + label_count_);
}

std::string Object::key() const { return object_key(ns(), name()); }

std::string_view Object::manager() const {
  return has_writers_ ? newest_writer(text(manager_)) : text(manager_);
}

std::optional<std::chrono::sys_seconds> Object::creation_time() const {
  if (!has_creation_time_) return std::nullopt;
  return std::chrono::sys_seconds(std::chrono::seconds(creation_seconds_));
}

Label Object::label_at(std::size_t index) const {
  const LabelSpans& spans = labels()[index];
  return {text(spans.key), text(spans.value)};
}

std::optional<std::string_view> Object::label(std::string_view label_key) const {
  for (std::size_t i = 0; i < label_count_; ++i) {
    if (text(labels()[i].key) == label_key) return text(labels()[i].value);
  }
  return std::nullopt;
}

OwnerReference Object::owner_at(std::size_t index) const {
  const OwnerSpans& spans = owners()[index];
  return {text(spans.api_version), text(spans.kind), text(spans.name), text(spans.uid),
          spans.controller};
}

std::string_view Object::json(Scratch& scratch) const {
  if (form_ == ObjectForm::raw) return text(json_);
  scratch = "{";
  append_field(scratch, "apiVersion", api_version());
  append_field(scratch, "kind", kind());
  append_json_name(scratch, "metadata");
  scratch += '{';
  append_field(scratch, "name", name());
  append_field(scratch, "namespace", ns());
  append_field(scratch, "uid", uid());
  append_field(scratch, "resourceVersion", resource_version());
  if (const auto created = creation_time()) {
    append_field(scratch, "creationTimestamp", timestamp_text(*created));
  }
  if (label_count_ > 0) {
    scratch += ",\"labels\":{";
    for (std::size_t i = 0; i < label_count_; ++i) {
      const auto [label_key, value] = label_at(i);
      if (i > 0) scratch += ',';
      append_json_string(scratch, label_key);
      scratch += ':';
      append_json_string(scratch, value);
    }
    scratch += '}';
  }
  if (owner_count_ > 0) {
    scratch += ",\"ownerReferences\":[";
    for (std::size_t i = 0; i < owner_count_; ++i) {
      const OwnerReference owner = owner_at(i);
      scratch += i > 0 ? ",{" : "{";
      append_field(scratch, "apiVersion", owner.api_version);
      append_field(scratch, "kind", owner.kind);
      append_field(scratch, "name", owner.name);
      append_field(scratch, "uid", owner.uid);
      if (owner.controller) scratch += ",\"controller\":true";
      scratch += '}';
    }
    scratch += ']';
  }
  scratch += "}}";
  scratch.reserve(scratch.size() + kPadding);
  return scratch;
}

std::string object_key(std::string_view ns, std::string_view name) {
  std::string key;
  key.reserve(ns.size() + 1 + name.size());
  if (!ns.empty()) key.append(ns).append("/");
  return key.append(name);
}

std::string to_string(const ObjectKey& key) { return object_key(key.ns, key.name); }

Result<ObjectKey> parse_object_key(std::string_view text) {
  const auto slash = text.find('/');
  if (slash == std::string_view::npos) return ObjectKey{"", std::string(text)};
  if (text.find('/', slash + 1) != std::string_view::npos) {
    return fail(ErrorKind::usage, "unexpected key format: \"{}\"", text);
  }
  return ObjectKey{std::string(text.substr(0, slash)), std::string(text.substr(slash + 1))};
}

}  // namespace kinf
