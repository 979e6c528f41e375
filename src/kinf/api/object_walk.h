// SPDX-License-Identifier: Apache-2.0
// ObjectWalk: extracts the ObjectFacts of an object from its text in one pass, if the text has the
// form that API servers usually write. Reports no errors: the caller parses other texts with
// simdjson.
#pragma once

#include <string_view>
#include <utility>

#include "kinf/api/field_writers.h"
#include "kinf/api/json_scan.h"
#include "kinf/api/object.h"

namespace kinf {

/// A text in the usual form is valid UTF-8 without control characters, has only spaces between
/// tokens, and has no escapes, duplicates or unexpected types in the members that are read. In
/// other members, only strings and balanced brackets are checked.
/// Threads: one owner.
class ObjectWalk {
 public:
  /// `json` is the text of the object, from the opening to the closing brace. `writers`, which may
  /// be null, gets the entries of managedFields. `json`, `known`, `facts` and `writers` must
  /// outlive the ObjectWalk.
  ObjectWalk(std::string_view json, bool keep_managed_fields, const HeldObjects& known,
             ObjectFacts& facts, FieldWriters* writers)
      : at_(json.data()),
        end_(json.data() + json.size()),
        keep_managed_fields_(keep_managed_fields),
        known_(known),
        facts_(facts),
        writers_(writers) {}

  /// Sets `facts` to views into the text, and to the byte ranges to cut. Returns false, with
  /// incomplete `facts`, if the text does not have the usual form or held() has an object.
  bool run();
  /// Returns the stored object if it has the same uid and version as the one that was read; else
  /// null. Call after run().
  ObjectPtr held() { return std::move(held_); }

 private:
  template <class Visit>
  bool members(Visit visit);
  template <class Visit>
  bool elements(Visit visit);
  bool document_member(std::string_view name);
  bool metadata_member(std::string_view name, const char* member);
  bool read_labels();
  bool read_owner();
  bool read_managed_fields(const char* member);
  bool read_writer();
  bool read_string(std::string_view& text);
  bool read_new(std::string_view& text);
  bool read_identity(std::string_view& text);
  bool is_held();
  bool skip_value();
  bool skip_string();
  bool skip_nested();
  bool skip_scalar();
  bool take(char c);
  void skip_blanks();

  const char* at_;
  const char* const end_;
  const bool keep_managed_fields_;
  const HeldObjects& known_;
  ObjectFacts& facts_;
  FieldWriters* const writers_;
  ObjectPtr held_;
  bool asked_ = false;  ///< `known_` was called
  JsonBytes seen_;
  bool seen_metadata_ = false;
  bool seen_managed_fields_ = false;
};

}  // namespace kinf
