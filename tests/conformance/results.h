// SPDX-License-Identifier: Apache-2.0
// Results in the format of the vectors.
#pragma once

#include <algorithm>
#include <string>
#include <vector>

#include "conformance/fields.h"
#include "kinf/base/error.h"

namespace kinf::conformance {

/// `{"error": null}`, or the message.
template <class T>
Json error_result(const Result<T>& result) {
  return {{"error", result ? Json() : Json(result.error().message)}};
}

/// `{"error": null, KEY: of(value)}`; only the message if it failed.
template <class T, class Of>
Json value_result(const Result<T>& result, const char* key, Of of) {
  Json json = error_result(result);
  if (result) json[key] = of(*result);
  return json;
}

inline Json sorted_texts(std::vector<std::string> texts) {
  std::sort(texts.begin(), texts.end());
  return texts;
}

}  // namespace kinf::conformance
