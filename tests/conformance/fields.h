// SPDX-License-Identifier: Apache-2.0
// Fields: reads a JSON object of a vector and checks that every key is used.
#pragma once

#include <cstdint>
#include <nlohmann/json.hpp>
#include <set>
#include <stdexcept>
#include <string>
#include <string_view>

namespace kinf::conformance {

using Json = nlohmann::json;

/// A vector contains something its runner does not know. Runners throw it; the driver reports a
/// failed case.
class BadVector : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

/// A JSON object that records which of its keys were read. The object must outlive it.
class Fields {
 public:
  /// `what` names the object in messages. Null or an absent object count as empty.
  Fields(const Json* object, std::string what);

  bool has(std::string_view key) const;
  /// The object itself; reading it marks nothing as read.
  const Json& whole() const { return object_; }
  /// Null if the key is absent; a JSON null is a value.
  const Json* find(std::string_view key);
  const Json& at(std::string_view key);

  std::string text(std::string_view key);
  std::string text_or(std::string_view key, std::string_view fallback);
  std::int64_t integer(std::string_view key);
  std::int64_t integer_or(std::string_view key, std::int64_t fallback);
  bool flag(std::string_view key);
  bool flag_or(std::string_view key, bool fallback);

  /// Throws BadVector with the first key that was not read.
  void expect_all_read() const;

 private:
  const Json& object_;
  std::string what_;
  std::set<std::string, std::less<>> read_;
};

}  // namespace kinf::conformance
