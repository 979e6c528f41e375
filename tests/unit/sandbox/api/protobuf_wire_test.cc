// SPDX-License-Identifier: Apache-2.0
#include "kinf/sandbox/api/protobuf_object.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <string>
#include <vector>

#include "kinf/sandbox/api/protobuf_messages.h"

namespace kinf::sandbox {
namespace {

TEST_CASE("fields are read one after the other with their tags") {
  const std::string message("\x08\x96\x01\x12\x03web\x19\1\2\3\4\5\6\7\x08\x25\1\2\3\4", 22);
  ProtobufReader reader(message);
  const auto number = reader.next();
  REQUIRE(number.has_value());
  CHECK(number->tag == 1);
  CHECK_FALSE(number->is_bytes);
  CHECK(number->number == 150);
  const auto bytes = reader.next();
  CHECK(bytes->tag == 2);
  CHECK(bytes->bytes == "web");
  CHECK(reader.next()->bytes.size() == 8);
  CHECK(reader.next()->bytes.size() == 4);
  CHECK_FALSE(reader.next().has_value());
  CHECK_FALSE(reader.is_damaged());
}

TEST_CASE("a message that is cut off or has an unknown wire type is damaged") {
  for (const std::string& message : std::vector<std::string>{
           "\x08", "\x08\x80", "\x12\x05web", "\x19\1\2", "\x0b", std::string(12, '\xff')}) {
    ProtobufReader reader(message);
    CHECK_FALSE(reader.next().has_value());
    CHECK(reader.is_damaged());
    CHECK_FALSE(reader.next().has_value());
  }
}

TEST_CASE("the tables of messages know each field's name, type and shape") {
  const MessageFields* container = message_fields("Container");
  REQUIRE(container != nullptr);
  CHECK(container->at(1).name == "name");
  CHECK(container->at(1).has_presence);
  CHECK(container->at(2).type == "s");
  CHECK_FALSE(container->at(2).has_presence);
  CHECK(container->at(3).is_list);
  CHECK(message_fields("ConfigMap")->at(2).is_map);
  CHECK(message_fields("ConfigMapKeySelector")->at(1).is_inline);
  CHECK(message_fields("Zeppelin") == nullptr);
}

TEST_CASE("every message that a field names is known") {
  // s, i, … are the simple types of protobuf_messages.h.
  const std::string simple = "sibxTUQIRF";
  std::vector<std::string> to_visit = {"Pod",       "Deployment", "Service", "Node", "Job",
                                       "ConfigMap", "Namespace",  "Event",   "Role"};
  std::vector<std::string> seen = to_visit;
  while (!to_visit.empty()) {
    const std::string name = to_visit.back();
    to_visit.pop_back();
    const MessageFields* fields = message_fields(name);
    REQUIRE_MESSAGE(fields != nullptr, name);
    for (const auto& [number, each] : *fields) {
      if (each.type.size() == 1 && simple.find(each.type) != std::string::npos) continue;
      if (std::find(seen.begin(), seen.end(), each.type) != seen.end()) continue;
      seen.push_back(each.type);
      to_visit.push_back(each.type);
    }
  }
  CHECK(seen.size() > 100);
}

}  // namespace
}  // namespace kinf::sandbox
