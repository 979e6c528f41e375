// SPDX-License-Identifier: Apache-2.0
// Any protobuf body becomes an object that can be written as JSON, or an error with a status and a
// message.
#include <cstdint>
#include <string>

#include "fuzz/properties.h"
#include "kinf/sandbox/api/protobuf_object.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  // Every body begins with these four bytes; others are rejected at once.
  std::string body("k8s\0", 4);
  body.append(reinterpret_cast<const char*>(data), size);
  const auto object = kinf::sandbox::object_from_protobuf(body);
  if (object) {
    kinf::fuzz::demand(object->is_object() && !kinf::sandbox::to_text(*object).empty());
  } else {
    kinf::fuzz::demand(object.error().code >= 400 && !object.error().message.empty());
  }
  return 0;
}
