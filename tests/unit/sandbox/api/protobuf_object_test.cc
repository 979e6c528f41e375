// SPDX-License-Identifier: Apache-2.0
#include "kinf/sandbox/api/protobuf_object.h"

#include <doctest/doctest.h>

using kinf::sandbox::Json;
using kinf::sandbox::object_from_protobuf;

namespace {

std::string varint(std::uint64_t value) {
  std::string bytes;
  for (; value >= 0x80; value >>= 7) bytes += static_cast<char>((value & 0x7f) | 0x80);
  return bytes + static_cast<char>(value);
}
std::string number(std::uint64_t tag, std::uint64_t value) {
  return varint(tag << 3) + varint(value);
}
std::string bytes(std::uint64_t tag, const std::string& value) {
  return varint(tag << 3 | 2) + varint(value.size()) + value;
}

/// As a client sends it.
std::string sent(const std::string& version, const std::string& kind, const std::string& object) {
  return std::string("k8s\0", 4) + bytes(1, bytes(1, version) + bytes(2, kind)) + bytes(2, object) +
         bytes(3, "") + bytes(4, "");
}

std::string refusal(const std::string& body) {
  const auto object = object_from_protobuf(body);
  return object ? "" : std::to_string(object.error().code) + " " + object.error().message;
}

const std::string kNamed = bytes(1, bytes(1, "a") + bytes(2, "") + number(7, 0));

}  // namespace

TEST_CASE("text, maps and bytes of a protobuf body come out as JSON") {
  const std::string entry = bytes(2, bytes(1, "word") + bytes(2, "sesame"));
  CHECK(*object_from_protobuf(sent("v1", "ConfigMap", kNamed + entry)) ==
        Json::parse(R"({"kind":"ConfigMap","apiVersion":"v1","metadata":{"name":"a"},
                        "data":{"word":"sesame"}})"));
  CHECK(*object_from_protobuf(sent("v1", "Secret", kNamed + entry + bytes(3, "Opaque"))) ==
        Json::parse(R"({"kind":"Secret","apiVersion":"v1","metadata":{"name":"a"},
                        "data":{"word":"c2VzYW1l"},"type":"Opaque"})"));
}

TEST_CASE("a zero is kept for a pointer field and dropped for others") {
  const std::string container = bytes(1, "main") + bytes(2, "web:1") + number(16, 0);
  const std::string pod = bytes(1, "") + bytes(2, bytes(2, container));
  // replicas is a pointer in Go, minReadySeconds is not.
  const std::string spec = number(1, 0) + bytes(3, pod) + number(5, 0);
  const Json read = *object_from_protobuf(sent("apps/v1", "Deployment", kNamed + bytes(2, spec)));
  CHECK(read["spec"] == Json::parse(R"({"replicas":0,"template":{"metadata":{},"spec":
      {"containers":[{"name":"main","image":"web:1"}]}}})"));
}

TEST_CASE("times, quantities and int-or-string values are decoded") {
  const std::string metadata = bytes(1, "a") + bytes(8, number(1, 1795256040));
  const std::string limit = bytes(1, bytes(1, "cpu") + bytes(2, bytes(1, "500m")));
  const std::string port = number(3, 80) + bytes(4, number(1, 1) + bytes(3, "http"));
  const Json service =
      *object_from_protobuf(sent("v1", "Service", bytes(1, metadata) + bytes(2, bytes(1, port))));
  CHECK(service["metadata"]["creationTimestamp"] == "2026-11-21T10:14:00Z");
  CHECK(service["spec"]["ports"][0] == Json::parse(R"({"port":80,"targetPort":"http"})"));
  const Json pod = *object_from_protobuf(
      sent("v1", "Pod", kNamed + bytes(2, bytes(2, bytes(1, "c") + bytes(8, limit)))));
  CHECK(pod["spec"]["containers"][0]["resources"] == Json::parse(R"({"limits":{"cpu":"500m"}})"));
}

TEST_CASE("the fields of an embedded message belong to the outer one") {
  const std::string volume = bytes(1, "v") + bytes(2, bytes(2, bytes(1, "Memory")));
  const Json pod = *object_from_protobuf(sent("v1", "Pod", kNamed + bytes(2, bytes(1, volume))));
  CHECK(pod["spec"]["volumes"][0] == Json::parse(R"({"name":"v","emptyDir":{"medium":"Memory"}})"));
}

TEST_CASE("an unknown kind or field is refused, so that no data is lost silently") {
  CHECK(refusal(sent("v1", "Gadget", "")).starts_with("415 "));
  CHECK(refusal(sent("v1", "Gadget", ""))
            .ends_with("(the sandbox does not know the protobuf of v1 Gadget)"));
  CHECK(refusal(sent("v1", "ConfigMap", number(99, 1)))
            .ends_with("(the sandbox does not know field 99 of protobuf message ConfigMap)"));
}

TEST_CASE("damaged protobuf is refused, wherever it ends") {
  CHECK(refusal("") == "400 the body of the request is not a protobuf object");
  CHECK(refusal("{}") == "400 the body of the request is not a protobuf object");
  const std::string whole =
      sent("v1", "ConfigMap", kNamed + bytes(2, bytes(1, "word") + bytes(2, "sesame")));
  for (std::size_t size = 4; size < whole.size(); ++size) (void)refusal(whole.substr(0, size));
  for (std::size_t at = 4; at < whole.size(); ++at) {
    std::string bad = whole;
    bad[at] = static_cast<char>(0xff);
    (void)refusal(bad);
  }
  CHECK(refusal(sent("v1", "ConfigMap", "\x0a\x7f")) ==
        "400 the body of the request is damaged protobuf");
  CHECK(refusal(sent("v1", "ConfigMap", number(1, 5))) ==
        "400 the body of the request is damaged protobuf");
  CHECK(refusal(sent("v1", "ConfigMap", bytes(1, bytes(8, number(1, ~0ULL >> 1))))) ==
        "400 the body of the request is damaged protobuf");
}
