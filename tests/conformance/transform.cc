// SPDX-License-Identifier: Apache-2.0
#include "conformance/transform.h"

#include "conformance/compact_object.h"

namespace kinf::conformance {

std::function<Result<ObjectPtr>(const ObjectPtr&)> transform_from(const Json* config) {
  if (config == nullptr || config->is_null()) return {};
  Fields fields(config, "transform");
  const std::string suffix = fields.text("append_rv");
  const std::string bad_label = fields.text_or("fail_on_label", "");
  fields.expect_all_read();
  return [suffix, bad_label](const ObjectPtr& object) -> Result<ObjectPtr> {
    if (!bad_label.empty() && object->label(bad_label)) {
      return fail(ErrorKind::internal, "transform failed");
    }
    return with_resource_version(*object, std::string(object->resource_version()) + suffix);
  };
}

}  // namespace kinf::conformance
