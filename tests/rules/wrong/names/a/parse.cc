// SPDX-License-Identifier: Apache-2.0
#include <string_view>
namespace kinf {
namespace {
int helper() { return 1; }
}  // namespace
int parse(std::string_view text, int base) { return base + helper(); }
int parse(std::string_view text) { return 1; }
}  // namespace kinf
