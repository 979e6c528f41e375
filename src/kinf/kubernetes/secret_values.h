// SPDX-License-Identifier: Apache-2.0
// The values of a Secret: whether they occur in another text, and what stands for one in a
// recording without Secrets.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace kinf {

/// The values of a Secret, plain and in base64. Threads: one owner.
class SecretValues {
 public:
  /// Adds a value of `data`. `base64` is the text in the document.
  void add_base64(std::string_view base64);
  /// Adds a value of `stringData`.
  void add_plain(std::string_view value);
  /// Returns whether `text` contains one of the values. Values of fewer than four bytes do not
  /// count. Returns true if there are too many values to search for.
  bool occur_in(std::string_view text) const;

 private:
  void add(std::string text);

  std::vector<std::string> texts_;
};

/// Returns the number of bytes that a base64 text encodes.
std::size_t decoded_size(std::string_view base64);

/// The value of one field of a Secret.
struct SecretField {
  std::string_view uid;  ///< of the Secret
  std::string_view name;
  std::string_view value;  ///< plain or in base64, as in the document
  bool is_base64 = false;
};

/// Returns what stands for a value in a recording: as many bytes as the value has, in base64 if the
/// value is. All of them are one letter, chosen from 64 by a hash of the value that is keyed with
/// the uid and the name of the field. Therefore another value mostly has another letter, but a list
/// of likely values cannot be tried for many Secrets at once, and a try says no more than six bits.
std::string secret_placeholder(const SecretField& field);

/// Returns whether `value` may be a result of secret_placeholder().
bool is_placeholder(std::string_view value, bool is_base64);

/// Returns base64 of `bytes` equal bytes.
std::string base64_of_length(std::size_t bytes);

/// Returns the number in `<7 bytes>`, nullopt for any other text. Recordings of format 1 have such
/// texts instead of values.
std::optional<std::size_t> length_in_mark(std::string_view text);

}  // namespace kinf
