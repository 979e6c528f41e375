// SPDX-License-Identifier: Apache-2.0
#include "kinf/print/output_form.h"

#include <doctest/doctest.h>
#include <unistd.h>

#include <cstdio>
#include <filesystem>
#include <fstream>

namespace kinf {
namespace {

std::string message_of(const std::string& text) {
  const Result<OutputForm> form = parse_output(text);
  return form ? "" : form.error().message;
}

TEST_CASE("formats that need an expression are refused without one") {
  CHECK(message_of("jsonpath") == "template format specified but no template given");
  CHECK(message_of("jsonpath=") == "template format specified but no template given");
  CHECK(message_of("custom-columns") ==
        "custom-columns format specified but no custom columns given");
  CHECK(message_of("jsonpath={.a") == "error parsing jsonpath {.a, unclosed action");
  CHECK(parse_output("go-template={{.a}}").error().hint.find("jsonpath") != std::string::npos);
  CHECK(parse_output("yml").error().hint == "did you mean yaml?");
}

TEST_CASE("expressions are read from files") {
  const std::string path =
      std::filesystem::temp_directory_path() / ("kinf-output-" + std::to_string(::getpid()));
  std::ofstream(path) << "A\n.a\n";
  CHECK(parse_output("custom-columns-file=" + path)->columns->headers() ==
        std::vector<std::string>{"A"});
  const Result<OutputForm> form = parse_output("jsonpath-file=" + path);
  REQUIRE(form.has_value());
  CHECK(form->format == OutputFormat::jsonpath);
  CHECK(form->jsonpath_text == "A\n.a\n");
  std::remove(path.c_str());
  CHECK(message_of("jsonpath-file=" + path).find("no such file") != std::string::npos);
}

}  // namespace
}  // namespace kinf
