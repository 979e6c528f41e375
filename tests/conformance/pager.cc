// SPDX-License-Identifier: Apache-2.0
#include "kinf/informer/pager.h"

#include <fmt/format.h>

#include <algorithm>

#include "conformance/compact_object.h"
#include "conformance/runner.h"
#include "fakes/fake_clock.h"
#include "fakes/manual_source.h"
#include "kinf/api/api_status.h"

namespace kinf::conformance {
namespace {

/// The scripted server: a numbered collection, served in pages.
class PagedServer {
 public:
  PagedServer(test::ManualSource& source, Fields& input)
      : source_(source),
        total_(input.integer("total")),
        first_version_(input.integer("first_rv")),
        fail_request_(input.integer_or("fail_request", -1)) {
    if (const Json* status = input.find("fail_status")) {
      failure_.code = status->at("code").get<int>();
      failure_.reason = status->at("reason").get<std::string>();
      failure_.message = status->at("message").get<std::string>();
    }
  }

  /// Answers the outstanding request and records both.
  void answer() {
    const ListOptions options = source_.pending()->options;
    Json step = {{"op", "request"},
                 {"args",
                  {{"continue", options.continue_token},
                   {"limit", options.limit},
                   {"resourceVersion", options.resource_version},
                   {"resourceVersionMatch", options.resource_version_match}}}};
    const std::int64_t number = static_cast<std::int64_t>(steps.size());
    if (number == fail_request_) {
      step["result"]["status"] = {
          {"code", failure_.code}, {"reason", failure_.reason}, {"message", failure_.message}};
      source_.answer_error(to_error(failure_));
    } else {
      step["result"] = page(options, std::to_string(5000 + number));
    }
    steps.push_back(std::move(step));
  }

  Json steps = Json::array();

 private:
  Json page(const ListOptions& options, const std::string& version) {
    const std::int64_t offset =
        options.continue_token.empty() ? 0 : std::stoll(options.continue_token.substr(1));
    const std::int64_t end = options.limit == 0 ? total_ : std::min(total_, offset + options.limit);
    std::vector<ObjectPtr> items;
    for (std::int64_t i = offset; i < end; ++i) {
      items.push_back(object_from({{"ns", "default"},
                                   {"name", fmt::format("p{:03}", i)},
                                   {"rv", std::to_string(first_version_ + i)}}));
    }
    const std::string token = end < total_ ? fmt::format("c{}", end) : "";
    Json result = {{"items", refs_of(items)}, {"rv", version}, {"continue", token}};
    source_.answer_list(std::move(items), version, token);
    return result;
  }

  test::ManualSource& source_;
  const std::int64_t total_;
  const std::int64_t first_version_;
  const std::int64_t fail_request_;
  ApiStatus failure_;
};

class PagerRunner final : public Runner {
 public:
  void run(const Json& test_case, CaseReport& report) override {
    Fields fields(&test_case, "case");
    fields.find("id");
    fields.find("seed");
    const Json* steps = fields.find("steps");
    Fields input(&fields.at("input"), "input");
    const Json& expect = fields.at("expect");
    fields.expect_all_read();

    test::FakeClock clock;
    test::ManualSource source(clock);
    DialPacer pacer(60, std::chrono::milliseconds(250));
    PagedServer server(source, input);
    const Json got = answer_of(source, server, input, pacer, clock);
    input.expect_all_read();
    report.expect_equal("expect", expect, got);
    if (steps != nullptr) report.expect_equal("steps", *steps, server.steps);
  }

 private:
  static Json answer_of(test::ManualSource& source, PagedServer& server, Fields& input,
                        DialPacer& pacer, const Clock& clock) {
    ListOptions options;
    options.resource_version = input.text_or("resourceVersion", "");
    options.resource_version_match = input.text_or("resourceVersionMatch", "");
    options.limit = input.integer_or("limit", 0);
    PagerOptions paging;
    paging.page_size = input.integer("page_size");
    const std::string op = input.text("op");
    if (op != "list") throw BadVector("unknown op " + op);
    Pager pager(source, paging, pacer, clock);
    pager.start(options);
    std::optional<Result<PagedList>> outcome;
    while (!(outcome = pager.poll())) server.answer();
    if (!*outcome) {
      return {{"error", outcome->error().message}, {"paginated", pager.paginated()}};
    }
    return {{"error", nullptr},
            {"items", refs_of((*outcome)->items)},
            {"paginated", (*outcome)->paginated},
            {"rv", (*outcome)->resource_version}};
  }
};

const Registration kPager("pager", [] { return std::make_unique<PagerRunner>(); });

}  // namespace
}  // namespace kinf::conformance
