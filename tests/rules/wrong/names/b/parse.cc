// SPDX-License-Identifier: Apache-2.0
#include <string_view>
namespace kinf {
namespace {
int helper() { return 2; }
}  // namespace
int parse(std::string_view other, int length) { return length + helper(); }
}  // namespace kinf
namespace kinf::b {
int parse(std::string_view text) { return 2; }
struct Change {};
}  // namespace kinf::b
namespace kinf {
int last(int x) { return x; }
void far() {}
}  // namespace kinf
