// SPDX-License-Identifier: Apache-2.0
// kinf_conformance DIR [--component NAME]... [--case ID] [--json]
//
// Runs the golden vectors DIR/*.json against kinf and counts. Exit code 0: all passed; 1: a case
// failed, a file could not be read, or a component has no runner; 2: usage.
#include <fmt/format.h>

#include <algorithm>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <optional>

#include "conformance/runner.h"

namespace kinf::conformance {
namespace {

constexpr std::string_view kUsage =
    "usage: kinf_conformance DIR [--component NAME]... [--case ID] [--json]\n";

struct Options {
  std::filesystem::path directory;
  std::vector<std::string> components;  ///< empty: all
  std::string case_id;                  ///< empty: all
  bool json = false;
};

struct ComponentResult {
  std::string component;
  bool implemented = true;
  std::size_t passed = 0;
  std::size_t failed = 0;
  std::vector<Failure> failures;
};

std::optional<Options> parse_arguments(const std::vector<std::string>& arguments) {
  Options options;
  for (std::size_t i = 0; i < arguments.size(); ++i) {
    const std::string& argument = arguments[i];
    if (argument == "--json") {
      options.json = true;
    } else if (argument == "--component" || argument == "--case") {
      if (++i == arguments.size()) return std::nullopt;
      if (argument == "--component") {
        options.components.push_back(arguments[i]);
      } else {
        options.case_id = arguments[i];
      }
    } else if (argument.starts_with('-') || !options.directory.empty()) {
      return std::nullopt;
    } else {
      options.directory = argument;
    }
  }
  if (options.directory.empty()) return std::nullopt;
  return options;
}

/// Returns the vector files to run, sorted by component; nothing if a requested one is missing.
std::optional<std::vector<std::filesystem::path>> find_files(const Options& options) {
  std::vector<std::filesystem::path> files;
  std::error_code error;
  for (const auto& entry : std::filesystem::directory_iterator(options.directory, error)) {
    const auto& wanted = options.components;
    if (entry.path().extension() != ".json") continue;
    if (!wanted.empty() &&
        std::find(wanted.begin(), wanted.end(), entry.path().stem().string()) == wanted.end()) {
      continue;
    }
    files.push_back(entry.path());
  }
  if (error || files.empty()) {
    fmt::print(stderr, "kinf_conformance: no vectors in {}\n", options.directory.string());
    return std::nullopt;
  }
  for (const std::string& component : options.components) {
    const auto is_it = [&](const auto& file) { return file.stem() == component; };
    if (std::none_of(files.begin(), files.end(), is_it)) {
      fmt::print(stderr, "kinf_conformance: no vectors for component {}\n", component);
      return std::nullopt;
    }
  }
  std::sort(files.begin(), files.end());
  return files;
}

void run_one(Runner& runner, const Json& test_case, ComponentResult& result) {
  CaseReport report(result.component, test_case.value("id", "(no id)"));
  try {
    runner.run(test_case, report);
  } catch (const std::exception& error) {
    report.fail("case", "a case that runs", error.what());
  }
  (report.failures().empty() ? result.passed : result.failed) += 1;
  result.failures.insert(result.failures.end(), report.failures().begin(), report.failures().end());
}

void run_cases(Runner& runner, const std::filesystem::path& file, const std::string& case_id,
               ComponentResult& result) {
  std::ifstream stream(file);
  const Json document = Json::parse(stream);
  Fields fields(&document, "document");
  fields.find("source");
  fields.find("seed");
  const Json& cases = fields.at("cases");
  if (fields.text("component") != result.component) throw BadVector("a file of another component");
  runner.open(fields);
  fields.expect_all_read();
  for (const Json& test_case : cases) {
    const bool is_data = !test_case.contains("steps") && !test_case.contains("expect");
    if (is_data || (!case_id.empty() && test_case.value("id", "") != case_id)) continue;
    run_one(runner, test_case, result);
  }
}

ComponentResult run_file(const std::filesystem::path& file, const std::string& case_id) {
  ComponentResult result;
  result.component = file.stem().string();
  const std::unique_ptr<Runner> runner = make_runner(result.component);
  if (runner == nullptr) {
    result.implemented = false;
    return result;
  }
  try {
    run_cases(*runner, file, case_id, result);
  } catch (const std::exception& error) {
    ++result.failed;
    result.failures.push_back(
        {result.component, "(file)", file.string(), "vectors that can be read", error.what()});
  }
  return result;
}

void print_text(const std::vector<ComponentResult>& results, std::size_t passed,
                std::size_t failed) {
  for (const ComponentResult& result : results) {
    if (!result.implemented) {
      fmt::print("{}: not implemented\n", result.component);
      continue;
    }
    fmt::print("{}: {} passed, {} failed\n", result.component, result.passed, result.failed);
    for (const Failure& failure : result.failures) {
      fmt::print("  {}: {}\n    expected: {}\n    got:      {}\n", failure.case_id, failure.where,
                 failure.expected, failure.got);
    }
  }
  fmt::print("{} passed, {} failed\n", passed, failed);
}

void print_json(const std::vector<ComponentResult>& results, std::size_t passed,
                std::size_t failed) {
  Json components = Json::array();
  for (const ComponentResult& result : results) {
    Json failures = Json::array();
    for (const Failure& failure : result.failures) {
      failures.push_back({{"case", failure.case_id},
                          {"where", failure.where},
                          {"expected", failure.expected},
                          {"got", failure.got}});
    }
    components.push_back({{"component", result.component},
                          {"implemented", result.implemented},
                          {"passed", result.passed},
                          {"failed", result.failed},
                          {"failures", std::move(failures)}});
  }
  const Json document = {
      {"components", std::move(components)}, {"passed", passed}, {"failed", failed}};
  fmt::print("{}\n", document.dump(2, ' ', false, Json::error_handler_t::replace));
}

int run(const Options& options) {
  const auto files = find_files(options);
  if (!files) return 2;
  std::vector<ComponentResult> results;
  std::size_t passed = 0;
  std::size_t failed = 0;
  bool complete = true;
  for (const std::filesystem::path& file : *files) {
    results.push_back(run_file(file, options.case_id));
    passed += results.back().passed;
    failed += results.back().failed;
    complete = complete && results.back().implemented;
  }
  if (!options.case_id.empty() && complete && passed + failed == 0) {
    fmt::print(stderr, "kinf_conformance: no case {}\n", options.case_id);
    return 2;
  }
  (options.json ? print_json : print_text)(results, passed, failed);
  return failed == 0 && complete ? 0 : 1;
}

}  // namespace
}  // namespace kinf::conformance

int main(int argc, char** argv) {
  const std::vector<std::string> arguments(argv + 1, argv + argc);
  const auto options = kinf::conformance::parse_arguments(arguments);
  if (!options) {
    fmt::print(stderr, "{}", kinf::conformance::kUsage);
    return 2;
  }
  return kinf::conformance::run(*options);
}
