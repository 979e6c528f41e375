// SPDX-License-Identifier: Apache-2.0
#include "conformance/runner.h"
#include "kinf/api/object.h"

namespace kinf::conformance {
namespace {

class KeysRunner final : public TableRunner {
 protected:
  /// client-go has two functions for this; kinf has one.
  Json evaluate(Fields& input, Fields& config, const Json& expect) override {
    (void)config;
    (void)expect;
    const auto key = parse_object_key(input.text("text"));
    const Json error = key ? Json() : Json(key.error().message);
    Json got{{"error", error}, {"parse_error", error}};
    got["namespace"] = key ? key->ns : "";
    got["name"] = key ? key->name : "";
    if (key) got["joined"] = to_string(*key);
    return got;
  }
};

const Registration kKeys("keys", [] { return std::make_unique<KeysRunner>(); });

}  // namespace
}  // namespace kinf::conformance
