// SPDX-License-Identifier: Apache-2.0
#include "kinf/cli/local_sandbox.h"

#include <charconv>
#include <cstdint>

namespace kinf {
namespace {

/// The versions of the sandbox are numbers; those of a real server need not be.
std::uint64_t number(std::string_view version) {
  std::uint64_t value = 0;
  std::from_chars(version.data(), version.data() + version.size(), value);
  return value;
}

}  // namespace

Result<std::unique_ptr<LocalSandbox>> LocalSandbox::start(const std::string& scenario, bool play,
                                                          double speed, Clock& clock) {
  SandboxOptions options;
  options.scenario = scenario;
  options.play = play;
  options.speed = speed;
  std::unique_ptr<LocalSandbox> local(new LocalSandbox(std::move(options), clock));
  const Result<std::string> url = local->sandbox_.start();
  if (!url) return std::unexpected(url.error());
  return local;
}

ClientConfig LocalSandbox::config() const {
  ClientConfig config;
  config.host = sandbox_.url();
  config.source = "--sandbox";
  return config;
}

bool LocalSandbox::has_all(std::string_view version) const {
  return number(version) >= number(sandbox_.scenario_ended().value_or(""));
}

bool LocalSandbox::has_come_to_now(std::string_view version) const {
  return number(version) >= number(sandbox_.version());
}

}  // namespace kinf
