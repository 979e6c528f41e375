// SPDX-License-Identifier: Apache-2.0
// Removes from the document of an object what the server added (--neat), so that a person can read
// it, and apply it again.
#pragma once

#include <string>
#include <string_view>

namespace kinf {

/// Returns `json`, the document of an object, on one line without these members:
/// - `status`, and in `metadata` uid, resourceVersion, generation, creationTimestamp, selfLink,
///   managedFields and the annotation of `kubectl apply`;
/// - the defaults of built-in types that depend on nothing but the type and this document, such as
///   `restartPolicy: Always`, and the token volume and the tolerations that every pod gets;
/// - annotations, strategies and lists that lose all their members by this.
/// All other values keep their text. Returns `json` unchanged if it is not a JSON object.
std::string neat_document(std::string_view json);

}  // namespace kinf
