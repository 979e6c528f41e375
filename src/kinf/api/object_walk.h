// SPDX-License-Identifier: Apache-2.0
// ObjectWalk: the facts of an object from its text in one pass, for text as API servers write it.
// It knows nothing of errors: whatever is not plain, it leaves to a real parser.
#pragma once

#include <string_view>
#include <utility>

#include "kinf/api/json_scan.h"
#include "kinf/api/object.h"

namespace kinf {

/// Plain is: no control characters, valid UTF-8, blanks only between tokens, no escapes in what is
/// read, no member read twice, each of the expected type. Of what is passed over, only strings and
/// balanced brackets are looked at.
/// Threads: one owner.
class ObjectWalk {
 public:
  /// `json` begins with a brace and ends with the last byte of the object.
  ObjectWalk(std::string_view json, bool keep_managed_fields, const HeldObjects& known,
             ObjectFacts& facts)
      : at_(json.data()),
        end_(json.data() + json.size()),
        keep_managed_fields_(keep_managed_fields),
        known_(known),
        facts_(facts) {}

  /// Fills in what the text says: views into it, and what to cut. False: not plain; what is filled
  /// in then means nothing.
  bool run();
  /// After run(): the walk ended early because the object is known to be this one.
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
  bool read_manager(std::string_view& newest);
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
  ObjectPtr held_;
  bool asked_ = false;  ///< whether the object is held
  JsonBytes seen_;
  bool seen_metadata_ = false;
  bool seen_managed_fields_ = false;
};

}  // namespace kinf
