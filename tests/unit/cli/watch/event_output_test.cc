// SPDX-License-Identifier: Apache-2.0
#include "kinf/cli/watch/event_output.h"

#include <doctest/doctest.h>
#include <fcntl.h>
#include <unistd.h>

#include <array>
#include <csignal>

#include "fakes/fake_clock.h"
#include "unit/print/sample_objects.h"

namespace kinf {
namespace {

using test::kPods;
using test::listed;
using test::make_object;
using test::updated;

ObjectPtr pod(std::string name) {
  test::Sample sample;
  sample.name = std::move(name);
  return make_object(sample);
}

/// An output whose text can be read back.
class OutputRig {
 public:
  explicit OutputRig(EventOutputOptions options = {}) {
    REQUIRE(::pipe2(ends_.data(), O_NONBLOCK) == 0);
    if (options.print.is_table()) options.print.format = OutputFormat::name;
    writer_.emplace(ends_[1]);
    output_.emplace(std::move(options), *writer_, clock_, exit_request_);
    handler_ = &output_->handler(kPods);
  }
  ~OutputRig() {
    close_reader();
    ::close(ends_[1]);
  }
  std::string read() {
    std::array<char, 4096> buffer{};
    const ssize_t size = ::read(ends_[0], buffer.data(), buffer.size());
    return size > 0 ? std::string(buffer.data(), static_cast<std::size_t>(size)) : std::string();
  }
  void close_reader() {
    if (ends_[0] >= 0) ::close(ends_[0]);
    ends_[0] = -1;
  }
  EventHandler& handler() { return *handler_; }
  EventOutput& output() { return *output_; }
  const ExitRequest& exit_request() const { return exit_request_; }

 private:
  std::array<int, 2> ends_{-1, -1};
  test::FakeClock clock_;
  ExitRequest exit_request_;
  std::optional<FileWriter> writer_;
  std::optional<EventOutput> output_;
  EventHandler* handler_ = nullptr;
};

TEST_CASE("an update that does not pass the filter is counted and not printed") {
  EventOutputOptions options;
  options.filter = *UpdateFilter::parse(std::vector<std::string>{".a"}, {});
  OutputRig rig(options);
  const auto state = [](std::string_view json) {
    test::Sample sample;
    sample.name = "web";
    sample.json = json;
    return make_object(sample);
  };
  rig.handler().on_update(updated(state(R"({"a":1,"b":1})"), state(R"({"a":1,"b":2})")));
  rig.handler().on_update(updated(state(R"({"a":1})"), state(R"({"a":2})")));
  rig.output().finish();
  CHECK(rig.read() == "MODIFIED pod/web\n");
  CHECK(rig.output().left_out() == 1);
  CHECK(rig.output().printed() == 1);
  CHECK_FALSE(OutputRig().output().left_out());
}

TEST_CASE("events are written when nothing more waits, not one by one") {
  OutputRig rig;
  rig.handler().on_add(listed(pod("a")));
  rig.handler().on_add(listed(pod("b")));
  CHECK(rig.read().empty());
  rig.handler().on_idle();
  CHECK(rig.read() == "ADDED pod/a\nADDED pod/b\n");
  CHECK(rig.output().printed() == 2);
}

TEST_CASE("the last event that is wanted ends the command, later ones are dropped") {
  EventOutputOptions options;
  options.max_events = 2;
  OutputRig rig(options);
  rig.handler().on_add(listed(pod("a")));
  CHECK_FALSE(rig.exit_request().code().has_value());
  rig.handler().on_update(updated(pod("a"), pod("a")));
  CHECK(rig.exit_request().code() == ExitCode::ok);
  rig.handler().on_add(listed(pod("b")));
  rig.output().finish();
  CHECK(rig.read() == "ADDED pod/a\nMODIFIED pod/a\n");
}

TEST_CASE("only changes are printed if that is all that is wanted") {
  EventOutputOptions options;
  options.watch_only = true;
  OutputRig rig(options);
  rig.handler().on_add(listed(pod("a")));
  rig.handler().on_add(test::make_added(pod("b")));
  rig.handler().on_idle();
  CHECK(rig.read() == "ADDED pod/b\n");
}

TEST_CASE("resyncs are printed only on request, and whether or not updates are filtered") {
  Change resync = updated(pod("a"), pod("a"));
  resync.type = ChangeType::resync;
  OutputRig all;
  all.handler().handle(resync);
  all.handler().on_idle();
  CHECK(all.read().empty());

  EventOutputOptions options;
  options.events = EventTypes::parse("resync").value();
  options.filter = UpdateFilter::parse(std::vector<std::string>{".spec"}, {}).value();
  OutputRig rig(options);
  rig.handler().handle(updated(pod("b"), pod("b")));
  rig.handler().handle(resync);
  rig.handler().on_idle();
  CHECK(rig.read() == "MODIFIED pod/a\n");
}

TEST_CASE("the first lists of several types are written together, unless one takes too long") {
  OutputRig rig;
  bool told = false;
  EventHandler& second = rig.output().handler(kPods, [&told] { told = true; });
  rig.handler().on_add(listed(pod("a")));
  rig.handler().on_synced({});
  rig.handler().on_idle();
  CHECK(rig.read().empty());
  SUBCASE("all are there") {
    second.on_add(listed(pod("b")));
    second.on_synced({});
    CHECK(told);
    CHECK(rig.read() == "ADDED pod/a\nADDED pod/b\n");
  }
  SUBCASE("one is not") {
    rig.output().stop_gathering();
    CHECK(rig.read() == "ADDED pod/a\n");
    second.on_add(listed(pod("b")));
    second.on_idle();
    CHECK(rig.read() == "ADDED pod/b\n");
  }
}

TEST_CASE("the lists of a cluster do not wait for a cluster that cannot be read") {
  OutputRig rig;  // its handler is of the cluster ""
  rig.output().leave_cluster("");
  EventHandler& prod = rig.output().handler(kPods, {}, "prod");
  EventHandler* stage = &rig.output().handler(kPods, {}, "stage");
  stage->on_add(listed(pod("half")));
  prod.on_add(listed(pod("a")));
  prod.on_synced({});
  CHECK(rig.read().empty());
  rig.output().leave_cluster("stage");
  CHECK(rig.read() == "ADDED pod/a\n");
  stage = &rig.output().handler(kPods, {}, "stage");
  stage->on_add(listed(pod("b")));
  stage->on_idle();
  CHECK(rig.read() == "ADDED pod/b\n");
}

TEST_CASE("without any list the output goes on waiting for all of them") {
  OutputRig rig;
  rig.output().leave_cluster("");
  EventHandler& prod = rig.output().handler(kPods, {}, "prod");
  EventHandler& stage = rig.output().handler(kPods, {}, "stage");
  prod.on_add(listed(pod("a")));
  prod.on_synced({});
  CHECK(rig.read().empty());
  stage.on_synced({});
  CHECK(rig.read() == "ADDED pod/a\n");
}

TEST_CASE("a reader that has gone ends the command") {
  std::signal(SIGPIPE, SIG_IGN);
  OutputRig rig;
  rig.close_reader();
  rig.handler().on_add(listed(pod("a")));
  rig.handler().on_idle();
  CHECK(rig.exit_request().code() == ExitCode::broken_pipe);
}

ObjectPtr sized(std::string name, std::string size) {
  test::Sample sample;
  sample.name = std::move(name);
  sample.json = R"({"size":")" + size + R"("})";
  return make_object(sample);
}

TEST_CASE("an initial list that is to be sorted is printed when it is complete") {
  EventOutputOptions options;
  options.sort = SortOrder::parse(".size").value();
  options.print.with_events = false;
  OutputRig rig(options);
  rig.handler().on_add(listed(sized("a", "1Gi")));
  rig.handler().on_add(listed(sized("b", "5M")));
  rig.output().stop_gathering();
  rig.handler().on_idle();
  CHECK(rig.read().empty());
  rig.handler().on_synced({});
  CHECK(rig.read() == "pod/b\npod/a\n");
  rig.handler().on_update(updated(sized("a", "1Gi"), sized("a", "1")));
  rig.handler().on_idle();
  CHECK(rig.read() == "pod/a\n");
}

ObjectPtr event(std::string name, std::string json) {
  test::Sample sample;
  sample.name = std::move(name);
  sample.age = std::chrono::hours(2);
  sample.json = std::move(json);
  return make_object(sample);
}

TEST_CASE("the Events of the initial list stand in the order in which they happened") {
  OutputRig rig;
  EventHandler& events = rig.output().handler(test::kEvents);
  rig.handler().on_add(listed(pod("web")));
  rig.handler().on_synced({});
  events.on_add(listed(event("a", R"({"lastTimestamp":"2026-11-21T10:03:00Z"})")));
  events.on_add(listed(event("b", R"({"eventTime":"2026-11-21T10:01:00.5Z"})")));
  events.on_add(listed(event("c", R"({"series":{"lastObservedTime":"2026-11-21T10:02:00Z"},
                                      "lastTimestamp":"2026-11-21T10:00:00Z"})")));
  events.on_add(listed(event("d", R"({"deprecatedLastTimestamp":"2026-11-21T10:01:30Z"})")));
  events.on_add(listed(event("e", "{}")));  // created at 08:14
  events.on_idle();
  CHECK(rig.read().empty());
  events.on_synced({});
  CHECK(rig.read() ==
        "ADDED pod/web\nADDED event/e\nADDED event/b\nADDED event/d\nADDED event/c\n"
        "ADDED event/a\n");
  events.on_add(test::make_added(event("f", R"({"lastTimestamp":"2026-11-21T09:00:00Z"})")));
  events.on_idle();
  CHECK(rig.read() == "ADDED event/f\n");
}

TEST_CASE("what is held is printed at the end, even if its list is not complete") {
  EventOutputOptions options;
  options.sort = SortOrder::parse(".size").value();
  options.print.with_events = false;
  OutputRig rig(options);
  rig.handler().on_add(listed(sized("b", "2")));
  rig.handler().on_add(listed(sized("a", "1")));
  rig.output().finish();
  CHECK(rig.read() == "pod/a\npod/b\n");
}

TEST_CASE("a bookmark follows the initial list, a newer version and each bookmark of the server") {
  EventOutputOptions options;
  options.print.format = OutputFormat::json;
  options.mark_initial_end = true;
  OutputRig rig(options);
  const auto versions = [&] {
    std::string text = rig.read();
    std::string found;
    for (std::size_t at = text.find("BOOKMARK"); at != std::string::npos;
         at = text.find("BOOKMARK", at + 1)) {
      const std::size_t begin = text.find("\"resourceVersion\":\"", at) + 19;
      found += text.substr(begin, text.find('"', begin) - begin) +
               (text.find("initial-events-end", at) < text.find('\n', at) ? "! " : " ");
    }
    return found;
  };
  rig.handler().on_add(listed(pod("a")));
  rig.output().bookmark(rig.handler(), {.resource_version = "4"});
  CHECK(versions().empty());
  rig.handler().on_synced({"5", 1});
  CHECK(versions() == "5! ");
  rig.output().bookmark(rig.handler(), {.resource_version = "5"});
  CHECK(versions().empty());
  rig.output().bookmark(rig.handler(), {.resource_version = "9"});
  rig.output().bookmark(rig.handler(), {.resource_version = "9"});
  CHECK(versions() == "9 ");
  // A quiet server sends a bookmark each minute, with the same version.
  rig.output().bookmark(rig.handler(), {.resource_version = "9", .is_bookmark = true});
  CHECK(versions() == "9 ");
}

}  // namespace
}  // namespace kinf
