// SPDX-License-Identifier: Apache-2.0
// Reads Kubernetes quantities such as `500m` and `1Gi` (apimachinery resource.ParseQuantity).
#pragma once

#include <compare>
#include <cstdint>
#include <optional>
#include <string_view>

namespace kinf {

/// An amount in whole units and billionths, which both have the sign of the amount. Amounts above
/// 2^63 - 1 units are stored as 2^63 - 1, as in Kubernetes.
struct Quantity {
  std::int64_t units = 0;
  std::int64_t billionths = 0;
  friend auto operator<=>(const Quantity&, const Quantity&) = default;
};

/// Parses a quantity. Drops decimals after the ninth. Returns nullopt if `text` is not a quantity.
std::optional<Quantity> parse_quantity(std::string_view text);

}  // namespace kinf
