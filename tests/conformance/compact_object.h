// SPDX-License-Identifier: Apache-2.0
// Compact objects: the short form in which vectors write Kubernetes objects, and the references
// `KEY@RV` by which they name them.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "conformance/fields.h"
#include "kinf/api/object.h"

namespace kinf::conformance {

/// Builds the object a compact object stands for; throws BadVector for an unknown key.
ObjectPtr object_from(const Json& compact);
/// The objects of an array; null is an empty list.
std::vector<ObjectPtr> objects_from(const Json& array);

/// `KEY@RV`, by the object's own key; null without an object.
Json ref_of(const ObjectPtr& object);
Json refs_of(const std::vector<ObjectPtr>& objects);
/// The same in byte order.
Json sorted_refs_of(const std::vector<ObjectPtr>& objects);

/// A copy of `object` whose document and facts carry another resourceVersion.
ObjectPtr with_resource_version(const Object& object, std::string_view resource_version);

/// The annotation of the object, read from its document; empty if there is none.
std::string annotation_of(const Object& object, std::string_view name);

}  // namespace kinf::conformance
