// SPDX-License-Identifier: Apache-2.0
// Any answer of an API server that is neither a list nor a watch gives its contents or an error
// with a message: Status, discovery, and headers.
#include <cstdint>
#include <string>

#include "fuzz/properties.h"
#include "kinf/api/api_status.h"
#include "kinf/client/api_exchange.h"
#include "kinf/client/discovery_document.h"

namespace kinf::fuzz {
namespace {

constexpr std::size_t kMostTypes = 200'000;

template <class T>
void demand_protocol(const Result<T>& result) {
  demand(result || (result.error().kind == ErrorKind::protocol && !result.error().message.empty()));
}

void check_status(std::string_view text) {
  Result<ApiStatus> status = parse_api_status(text);
  demand_protocol(status);
  if (status) demand(!to_error(*std::move(status)).message.empty());
  const ApiStatus made =
      generic_api_status(400 + static_cast<int>(text.size() % 200), "list", "pods", "web", text);
  demand(!made.message.empty() && made.message.size() < 8192);
}

void check_discovery(std::string_view text) {
  const auto types = parse_resource_list(text, "apps", "v1");
  demand_protocol(types);
  if (types) demand(types->size() <= kMostTypes);
  const auto groups = parse_groups(text);
  demand_protocol(groups);
  if (!groups) return;
  demand(groups->resources.size() <= kMostTypes);
  demand(groups->is_aggregated ? groups->versions.empty() : groups->resources.empty());
}

}  // namespace
}  // namespace kinf::fuzz

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  kinf::fuzz::check_status(text);
  kinf::fuzz::check_discovery(text);
  kinf::parse_warning(text);
  if (const auto wait = kinf::parse_retry_after(text)) kinf::fuzz::demand(wait->count() >= 0);
  return 0;
}
