// SPDX-License-Identifier: Apache-2.0
// Damage: what happens to the bytes of one response on their way to the client.
#pragma once

#include <cstddef>
#include <string>

#include "fuzz/choices.h"
#include "sim/exchange.h"

namespace kinf::fuzz {

class Damage {
 public:
  explicit Damage(Choices& choices);

  /// Damages the first part of a body that is on its way. Returns false if there is none.
  bool apply(sim::Exchange& exchange, Clock::Mono now) const;
  /// Returns whether the client sees what a correct server can send: other pieces, or an early end.
  bool is_valid() const { return kind_ == Kind::split || kind_ == Kind::cut; }

 private:
  enum class Kind : unsigned char {
    split,       ///< the bytes arrive in two pieces
    cut,         ///< the rest is lost, and the connection ends
    overwrite,   ///< other bytes
    insert,      ///< more bytes
    replace,     ///< nothing but other bytes
    erase,       ///< some bytes are missing
    repeat,      ///< everything twice
    nest,        ///< a very deep array
    version,     ///< another resourceVersion
    other_kind,  ///< another type
    status,      ///< a Status after it
    last = status,
  };

  void change(std::string& bytes) const;

  const Kind kind_;
  const std::size_t place_;  ///< in percent of the bytes
  const std::string text_;
};

}  // namespace kinf::fuzz
