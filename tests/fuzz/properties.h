// SPDX-License-Identifier: Apache-2.0
// Checks for every object that a decoder accepts, for the fuzzers.
#pragma once

#include <cstdio>
#include <cstdlib>
#include <source_location>
#include <string>
#include <string_view>

#include "kinf/api/object_decoder.h"

namespace kinf::fuzz {

/// Aborts if `holds` is false; the fuzzer then reports the input.
inline void demand(bool holds, std::source_location where = std::source_location::current()) {
  if (holds) return;
  std::fprintf(stderr, "%s:%u: a property does not hold\n", where.file_name(), where.line());
  std::abort();
}

inline DecodeOptions options() {
  DecodeOptions options;
  options.api_version = "v1";
  options.kind = "Pod";
  return options;
}

/// Checks that the stored JSON decodes to the same fields.
inline void check(const Object& object) {
  Scratch scratch;
  ObjectDecoder decoder(options());
  const auto again = decoder.decode(object.json(scratch));
  demand(again.has_value());
  demand((*again)->key() == object.key());
  demand((*again)->uid() == object.uid());
  demand((*again)->kind() == object.kind());
  demand((*again)->resource_version() == object.resource_version());
  demand((*again)->deleting() == object.deleting());
  demand((*again)->creation_time() == object.creation_time());
  demand((*again)->label_count() == object.label_count());
  for (std::size_t i = 0; i < object.label_count(); ++i) {
    demand((*again)->label_at(i) == object.label_at(i));
  }
  demand((*again)->owner_count() == object.owner_count());
  demand((*again)->manager().empty());
}

}  // namespace kinf::fuzz
