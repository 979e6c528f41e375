// SPDX-License-Identifier: Apache-2.0
// Reads Kubernetes quantities such as `500m` and `1Gi` (apimachinery resource.ParseQuantity).
#pragma once

#include <compare>
#include <cstdint>
#include <optional>
#include <string_view>

namespace kinf {

/// An amount, in whole units and billionths. The billionths have the sign of the units. Amounts
/// beyond 2^63 - 1 units are limited to that, as in Kubernetes.
struct Quantity {
  std::int64_t units = 0;
  std::int64_t billionths = 0;
  friend auto operator<=>(const Quantity&, const Quantity&) = default;
};

/// Returns nullopt if `text` is not a quantity. Drops what is smaller than a billionth.
std::optional<Quantity> parse_quantity(std::string_view text);

}  // namespace kinf
