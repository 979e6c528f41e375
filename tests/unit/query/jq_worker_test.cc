// SPDX-License-Identifier: Apache-2.0
#include "kinf/query/jq/jq_worker.h"

#include <doctest/doctest.h>

#include <string>
#include <thread>
#include <vector>

#include "kinf/base/log.h"
#include "kinf/query/jq.h"

namespace kinf {
namespace {

std::unique_ptr<JqWorker> worker_of(std::string_view expression) {
  std::string reported;
  Result<std::unique_ptr<JqWorker>> worker = JqWorker::start(expression, reported);
  REQUIRE(worker);
  REQUIRE(*worker != nullptr);
  return *std::move(worker);
}

std::string results_of(JqWorker& worker, std::string_view json,
                       std::optional<std::string_view> old = std::nullopt) {
  std::string text;
  const Result<void> done =
      worker.run(json, old, {}, [&](std::string_view part) { (text += part) += '\n'; });
  return done ? text : text + done.error().message;
}

TEST_CASE("a worker returns what the program returns") {
  const auto worker = worker_of(".a, $old.a, ([.a, $old.a] | sort | add)");
  CHECK(results_of(*worker, R"({"a":2})", R"({"a":1})") == "2\n1\n3\n");
  CHECK(results_of(*worker, R"({"a":"x"})") == "x\n\nx\n");
  CHECK(results_of(*worker, "[1]").starts_with("jq: Cannot index array with"));
  CHECK(results_of(*worker, "{").starts_with("jq: "));
  CHECK(results_of(*worker, R"({"a":3})") == "3\n\n3\n");
  const auto condition = worker_of(".a | test(\"^x\")");
  CHECK(*condition->holds(R"({"a":"xy"})", std::nullopt, {}));
  CHECK_FALSE(*condition->holds(R"({"a":"yx"})", std::nullopt, {}));
  CHECK(condition->holds(R"({"a":1})", std::nullopt, {}).error().kind == ErrorKind::protocol);
}

TEST_CASE("large documents and results pass through a worker") {
  std::string text(3'000'000, 'x');
  const auto worker = worker_of("., .[1:]");
  const std::string json = "[1,\"" + text + "\"]";
  CHECK(results_of(*worker, json) == json + "\n[\"" + text + "\"]\n");
}

TEST_CASE("a crash of libjq ends one document, and the next one is evaluated") {
  // What crashes depends on the version of libjq: the first of these in 1.6, the second in most.
  const auto worker = worker_of(
      "if .deep then reduce range(1e6) as $i ([]; [.]) | tojson | length else (.t | todate) end");
  CHECK(results_of(*worker, R"({"t":0})") == "1970-01-01T00:00:00Z\n");
  for (int i = 0; i < WorkerProcess::kDeathsInARow + 1; ++i) {
    (void)results_of(*worker, R"({"deep":true})");
    CHECK(results_of(*worker, R"({"t":60})") == "1970-01-01T00:01:00Z\n");
  }
}

TEST_CASE("memory is bounded, and three documents in a row that exceed it are the end") {
  const auto worker = worker_of("reduce range(.n) as $i (\"x\"; . + .) | length");
  const std::string many = R"({"n":40})";
  CHECK(results_of(*worker, R"({"n":3})") == "8\n");
  const Result<bool> first = worker->holds(many, std::nullopt, {});
  REQUIRE_FALSE(first);
  CHECK(first.error().kind == ErrorKind::protocol);
  (void)worker->holds(many, std::nullopt, {});
  const Result<bool> third = worker->holds(many, std::nullopt, {});
  REQUIRE_FALSE(third);
  CHECK(third.error().kind == ErrorKind::internal);
  CHECK(third.error().message.ends_with(", 3 times in a row"));
  CHECK(worker->holds("{}", std::nullopt, {}).error().kind == ErrorKind::internal);
}

TEST_CASE("a stop ends a program that libjq cannot interrupt") {
  for (const char* endless :
       {"def f: f; f", "\"x\" * 100000000 * 30 | length", "last(range(1e12))"}) {
    INFO(endless);
    const auto worker = worker_of(endless);
    std::stop_source source;
    Result<bool> found = false;
    std::jthread runner([&] { found = worker->holds("{}", std::nullopt, source.get_token()); });
    source.request_stop();
    runner.join();
    REQUIRE_FALSE(found);
    CHECK(found.error().kind == ErrorKind::stopped);
  }
}

TEST_CASE("what a program writes to standard error is logged, with an answer as without") {
  std::vector<std::string> lines;
  log::set_sink([&](std::string_view line) { lines.emplace_back(line); });
  const auto worker = worker_of("stderr | .a");
  CHECK(results_of(*worker, R"({"a":"\u001b"})") == "\x1b\n");
  log::set_sink({});
  if (!lines.empty()) CHECK(lines[0].find("{\"a\":\"\\u001b\"}") != std::string::npos);  // jq 1.6
}

TEST_CASE("a worker reads no files") {
  const auto worker = worker_of("try modulemeta catch \"refused\"");
  CHECK(results_of(*worker, "\"a\"") == "refused\n");
}

TEST_CASE("an expression that is none is reported as by a compiler of this process") {
  std::string reported;
  const auto none = JqWorker::start("def", reported);
  REQUIRE(none);
  CHECK(*none == nullptr);
  CHECK(reported.starts_with("jq: error: syntax error"));
}

}  // namespace
}  // namespace kinf
