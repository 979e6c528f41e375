// SPDX-License-Identifier: Apache-2.0
#include "kinf/cli/runtime/environment.h"

#include <sys/ioctl.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <cstdlib>
#include <ctime>
#include <filesystem>

#include "kinf/base/ascii.h"

namespace kinf {
namespace {

std::string variable(const char* name) {
  const char* value = std::getenv(name);
  return value == nullptr ? std::string() : std::string(value);
}

/// The folders in which C libraries look for time zone files.
constexpr std::array<const char*, 3> kZoneFolders = {"/usr/share/zoneinfo", "/share/zoneinfo",
                                                     "/etc/zoneinfo"};

bool is_known_zone(const std::string& name) {
  if (name == "UTC") return true;
  if (name.empty() || name.front() == '/' || name.find("..") != std::string::npos) return false;
  const auto has_zone = [&](const std::filesystem::path& folder) {
    std::error_code error;
    return std::filesystem::is_regular_file(folder / name, error);
  };
  const std::string chosen = variable("TZDIR");
  return (!chosen.empty() && has_zone(chosen)) || std::ranges::any_of(kZoneFolders, has_zone);
}

/// Reads a truth value as Go's strconv.ParseBool does.
std::optional<bool> truth_of(const std::string& value) {
  for (const char* const yes : {"1", "t", "T", "true", "TRUE", "True"}) {
    if (value == yes) return true;
  }
  for (const char* const no : {"0", "f", "F", "false", "FALSE", "False"}) {
    if (value == no) return false;
  }
  return std::nullopt;
}

}  // namespace

Environment read_environment() {
  Environment environment;
  static_cast<ClientEnvironment&>(environment) = read_client_environment();
  environment.cache_home = variable("XDG_CACHE_HOME");
  environment.temp_folder = variable("TMPDIR");
  if (environment.temp_folder.empty()) environment.temp_folder = "/tmp";
  environment.config_home = variable("XDG_CONFIG_HOME");
  environment.config_file = variable("KINF_CONFIG");
  environment.completion_timeout = variable("KINF_COMPLETION_TIMEOUT");
  environment.detect_mutations = truth_of(variable("KUBE_CACHE_MUTATION_DETECTOR"));
  environment.no_colour = !variable("NO_COLOR").empty();
  const std::string force = variable("CLICOLOR_FORCE");
  environment.force_colour = !force.empty() && force != "0";
  environment.dumb_terminal = variable("TERM") == "dumb";
  environment.columns = parse_number<std::uint16_t>(variable("COLUMNS")).value_or(0);
  environment.stdout_is_terminal = ::isatty(STDOUT_FILENO) == 1;
  environment.stderr_is_terminal = ::isatty(STDERR_FILENO) == 1;
  return environment;
}

std::function<std::size_t()> stdout_width(const Environment& environment) {
  if (!environment.stdout_is_terminal) return {};
  return [columns = environment.columns]() -> std::size_t {
    if (columns > 0) return columns;
    winsize size{};
    return ::ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) == 0 ? size.ws_col : 0;
  };
}

Result<void> check_time_zone(const std::string& name) {
  if (name.empty() || name == "Local" || is_known_zone(name)) return {};
  return fail(ErrorKind::usage, "--timezone {}: unknown time zone", name)
      .with_hint("for example: UTC, Local, Europe/Berlin");
}

void set_time_zone(const std::string& name) {
  if (name.empty() || name == "Local") return;
  ::setenv("TZ", name.c_str(), 1);
  ::tzset();
}

}  // namespace kinf
