// SPDX-License-Identifier: Apache-2.0
// Any configuration file gives settings, or a usage error that names the file.
#include <cstdint>
#include <string>

#include "fuzz/properties.h"
#include "kinf/cli/settings/settings.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  const auto settings = kinf::parse_settings(text, "config.toml");
  if (!settings) {
    kinf::fuzz::demand(settings.error().kind == kinf::ErrorKind::usage);
    kinf::fuzz::demand(settings.error().message.contains("config.toml"));
  }
  return 0;
}
