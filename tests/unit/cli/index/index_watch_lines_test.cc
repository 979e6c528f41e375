// SPDX-License-Identifier: Apache-2.0
#include "kinf/cli/index/index_watch.h"

#include <doctest/doctest.h>

#include <csignal>

#include "fakes/change_builder.h"
#include "unit/cli/index/index_rig.h"
#include "unit/cli/runtime/captured_stream.h"

namespace kinf {
namespace {

using test::app_pod;

IndexAnswer question_by(const std::string& spec) {
  IndexAnswer question;
  question.resource = &test::kPods;
  question.specs = {IndexSpec::parse(spec).value()};
  return question;
}

/// A watch by one spec that prints into a pipe.
struct Rig {
  explicit Rig(const std::string& spec, bool as_json = false)
      : question(question_by(spec)),
        output(IndexChanges(as_json), std::nullopt, writer, exit_request),
        watch(
            question,
            [this](const IndexSpec& asked, const Object& object) {
              return values ? values(object) : asked.values(object);
            },
            output, exit_request),
        handler(watch.add_handler()) {}

  /// Tells the watch that there are no more changes for now, and returns what it printed.
  std::string printed() {
    handler.on_idle();
    return pipe.read();
  }

  test::TextPipe pipe;
  FileWriter writer{pipe.write_end()};
  ExitRequest exit_request;
  IndexAnswer question;
  IndexChangeWriter output;
  std::function<std::vector<std::string>(const Object&)> values;  ///< instead of the spec's
  IndexWatch watch;
  EventHandler& handler;
};

TEST_CASE("a line is printed when an object is new in the index, moves in it or leaves it") {
  Rig rig("app");
  rig.watch.start_printing();
  rig.handler.on_add(test::make_added(app_pod("a", "x", "web")));
  CHECK(rig.printed() == "web   + a/x\n");
  rig.handler.on_update(test::make_updated(app_pod("a", "x", "web"), app_pod("a", "x", "api")));
  CHECK(rig.printed() == "web → api   a/x\n");
  rig.handler.on_update(test::make_updated(app_pod("a", "x", "api"), app_pod("a", "x", "api")));
  CHECK(rig.printed().empty());
  rig.handler.on_delete(test::make_deleted(app_pod("a", "x", "api")));
  CHECK(rig.printed() == "api   - a/x\n");
  CHECK(rig.output.printed() == 3);
}

TEST_CASE("an object that ceases to match what is asked for leaves, and comes back") {
  Rig rig("app=web");
  rig.watch.start_printing();
  const ObjectPtr web = app_pod("a", "x", "web");
  const ObjectPtr other = app_pod("a", "x", "db");
  rig.handler.on_add(test::make_added(other));
  CHECK(rig.printed().empty());
  rig.handler.on_update(test::make_updated(other, web));
  CHECK(rig.printed() == "web   + a/x\n");
  rig.handler.on_update(test::make_updated(web, other));
  CHECK(rig.printed() == "web   - a/x\n");
  rig.handler.on_delete(test::make_deleted(other));
  CHECK(rig.printed().empty());
}

TEST_CASE("lines are written together when nothing more waits") {
  Rig rig("app");
  rig.watch.start_printing();
  rig.handler.on_add(test::make_added(app_pod("a", "x", "web")));
  rig.handler.on_add(test::make_added(app_pod("a", "y", "web")));
  CHECK(rig.pipe.read().empty());
  CHECK(rig.printed() == "web   + a/x\nweb   + a/y\n");
  CHECK(rig.printed().empty());
}

TEST_CASE("nothing is printed before printing starts, and later moves start from there") {
  Rig rig("app");
  rig.handler.on_add(test::make_added(app_pod("a", "x", "web")));
  CHECK(rig.printed().empty());
  CHECK(rig.output.printed() == 0);
  rig.watch.start_printing();
  rig.printed();
  rig.handler.on_update(test::make_updated(app_pod("a", "x", "web"), app_pod("a", "x", "api")));
  CHECK(rig.printed() == "web → api   a/x\n");
}

TEST_CASE("the deletion of an object that was never seen is not printed") {
  Rig rig("app");
  rig.watch.start_printing();
  rig.handler.on_delete(test::make_deleted(app_pod("a", "x", "web")));
  rig.handler.on_delete(test::make_lost("a/y", nullptr));
  CHECK(rig.printed().empty());
}

TEST_CASE("a deletion without the last state is printed with the state that was known") {
  Rig rig("app");
  rig.watch.start_printing();
  rig.handler.on_add(test::make_added(app_pod("a", "x", "web")));
  rig.printed();
  rig.handler.on_delete(test::make_lost("a/x", nullptr));
  CHECK(rig.printed() == "web   - a/x\n");
}

TEST_CASE("changes print as JSON lines if asked for") {
  Rig rig("app", true);
  rig.watch.start_printing();
  rig.handler.on_add(test::make_added(app_pod("a", "x", "web")));
  CHECK(rig.printed() ==
        R"({"resource":"pods","namespace":null,"by":["label:app"],"change":"added",)"
        R"("values":["web"],"key":"a/x"})"
        "\n");
}

TEST_CASE("refresh prints what has changed through other objects") {
  Rig rig("@owner");
  std::string owner = "replicaset.apps/one";
  rig.values = [&](const Object&) { return std::vector<std::string>{owner}; };
  rig.watch.start_printing();
  rig.handler.on_add(test::make_added(app_pod("a", "x", "")));
  rig.printed();
  rig.watch.refresh();
  CHECK(rig.pipe.read().empty());
  owner = "replicaset.apps/two";
  rig.watch.refresh();
  CHECK(rig.pipe.read() == "replicaset.apps/one → replicaset.apps/two   a/x\n");
}

TEST_CASE("the watch knows the objects that exist now") {
  Rig rig("app");
  rig.handler.on_add(test::make_added(app_pod("a", "x", "web")));
  rig.handler.on_add(test::make_added(app_pod("a", "y", "web")));
  CHECK(rig.watch.objects().size() == 2);
  rig.handler.on_delete(test::make_deleted(app_pod("a", "x", "web")));
  REQUIRE(rig.watch.objects().size() == 1);
  CHECK(rig.watch.objects().front()->name() == "y");
}

TEST_CASE("the watch has synced when all its informers have, and wakes the waiting thread") {
  Rig rig("app");
  test::FakeClock clock;
  EventHandler& second = rig.watch.add_handler();
  CHECK_FALSE(rig.watch.has_synced());
  rig.handler.on_synced({});
  CHECK_FALSE(rig.watch.has_synced());
  CHECK(rig.exit_request.wait(clock, clock.now()));
  second.on_synced({});
  CHECK(rig.watch.has_synced());
  CHECK(rig.exit_request.wait(clock, clock.now()));
}

TEST_CASE("a reader of the changes that has gone ends the command") {
  std::signal(SIGPIPE, SIG_IGN);
  Rig rig("app");
  rig.watch.start_printing();
  rig.pipe.close_reader();
  rig.handler.on_add(test::make_added(app_pod("a", "x", "web")));
  CHECK_FALSE(rig.exit_request.code().has_value());
  rig.handler.on_idle();
  CHECK(rig.exit_request.code() == ExitCode::broken_pipe);
}

}  // namespace
}  // namespace kinf
