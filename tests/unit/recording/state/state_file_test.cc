// SPDX-License-Identifier: Apache-2.0
#include "kinf/recording/state/state_file.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <fstream>
#include <optional>
#include <sstream>

#include "unit/recording/recording_rig.h"

namespace kinf::test {
namespace {

using Lines = std::vector<std::string>;

struct Rig : RecordingRig {
  StateOptions options() {
    StateOptions options;
    options.server.address = "https://one";
    options.ns = "default";
    options.scopes.push_back({pod_type(), "default", "", "app=web", ""});
    return options;
  }
  Result<std::unique_ptr<StateFile>> open_state(std::optional<StateOptions> options = {}) {
    return StateFile::open(path, options ? *std::move(options) : this->options(), clock.wall());
  }
  /// Saves changes with a StateFile of their own.
  void save(const std::vector<Change>& changes, bool is_complete = true) {
    const auto state = open_state().value();
    for (const Change& change : changes) state->save(0, at_now(change)).value();
    if (is_complete) state->set_complete(0);
    state->commit(clock.wall()).value();
  }
  /// Returns the objects of the state: `a@1`.
  Lines objects() {
    Lines lines;
    const EarlierState earlier = open_state().value()->load(0, {}).value();
    for (const ObjectPtr& object : earlier.objects) {
      lines.push_back(fmt::format("{}@{}", object->name(), object->resource_version()));
    }
    std::ranges::sort(lines);
    return lines;
  }
  std::string bytes() const {
    std::stringstream text;
    text << std::ifstream(path).rdbuf();
    return text.str();
  }
};

TEST_CASE("a state holds the newest version of each object that exists") {
  Rig rig;
  rig.save({make_added(recorded_pod("a", "1")), make_added(recorded_pod("b", "2")),
            make_added(recorded_pod("c", "3", "{}", "u1"))});
  rig.save({make_updated(recorded_pod("a", "1"), recorded_pod("a", "4")),
            make_deleted(recorded_pod("b", "5")), make_added(recorded_pod("c", "6", "{}", "u2"))});
  CHECK(rig.objects() == Lines{"a@4", "c@6"});
  CHECK(rig.read()->last_seq() > 0);
  const auto database = Database::open(rig.path, OpenMode::read).value();
  CHECK(database->integer("SELECT count(*) FROM version").value() == 2);
  CHECK(database->integer("SELECT count(*) FROM object").value() == 2);
}

TEST_CASE("a state can be read like a recording") {
  Rig rig;
  rig.save({make_added(recorded_pod("a", "1")), make_added(recorded_pod("b", "2"))});
  CHECK(rig.play({.only_state = true}) ==
        Lines{"ADDED a@1 initial", "ADDED b@2 initial", "SYNCED 2"});
}

TEST_CASE("a state is incomplete until its first list was saved") {
  Rig rig;
  rig.save({make_added(recorded_pod("a", "1"))}, false);
  CHECK_FALSE(rig.open_state().value()->load(0, {}).value().is_complete);
  rig.save({});
  CHECK(rig.open_state().value()->load(0, {}).value().is_complete);
}

TEST_CASE("an object that the server could not filter out is not saved") {
  Rig rig;
  rig.save({make_added(recorded_pod("a", "1"))});
  DecodeOptions none;
  none.selects = [](const Object&) { return false; };
  Scratch scratch;
  const ObjectPtr unselected =
      ObjectDecoder(none).decode(recorded_pod("a", "2")->json(scratch)).value();
  rig.save({make_updated(recorded_pod("a", "1"), unselected)});
  CHECK(rig.objects().empty());
}

TEST_CASE("the state of another server, selection or form is refused and stays as it is") {
  Rig rig;
  rig.save({make_added(recorded_pod("a", "1"))});
  const std::string before = rig.bytes();
  const auto message = [&](const StateOptions& options) {
    const auto opened = rig.open_state(options);
    CHECK_FALSE(opened.has_value());
    if (opened) return std::string();
    CHECK(opened.error().kind == ErrorKind::usage);
    return opened.error().message.substr(rig.path.size()) + "; " + opened.error().hint;
  };
  StateOptions server = rig.options();
  server.server.address = "https://two";
  CHECK(message(server) ==
        " is the state of another cluster; it is of https://one, not of https://two; kinf did "
        "not change it; use another file");
  server.server = {.address = "https://two", .cluster = "1-2-3"};
  CHECK(message(server).contains(
      "it is of https://one, not of https://two (kube-system has the UID 1-2-3)"));
  StateOptions labels = rig.options();
  labels.scopes[0].label_selector = "app=db";
  CHECK(message(labels) ==
        " is the state of another selection; it is of pods -n default -l app=web; kinf did not "
        "change it; use another file");
  StateOptions more = rig.options();
  more.scopes.push_back(more.scopes[0]);
  more.scopes[1].ns = "shop";
  CHECK_FALSE(message(more).empty());
  StateOptions none = rig.options();
  none.scopes[0].type.type.gvr.resource = "services";
  CHECK_FALSE(message(none).empty());
  StateOptions glob = rig.options();
  glob.selection = "team-*";
  CHECK_FALSE(message(glob).empty());
  StateOptions masked = rig.options();
  masked.mask_secret = [](std::string_view json) { return Result<std::string>(json); };
  CHECK(message(masked) ==
        " holds Secrets with their values; add --show-secrets, or use another file");
  CHECK(rig.bytes() == before);
}

TEST_CASE("the order of the scopes does not matter") {
  Rig rig;
  StateOptions first = rig.options();
  first.scopes.push_back({pod_type(), "shop", "", "", ""});
  {
    const auto state = rig.open_state(first).value();
    state->save(0, rig.at_now(make_added(recorded_pod("a", "1")))).value();
    state->set_complete(0);
    state->commit(rig.clock.wall()).value();
  }
  std::ranges::reverse(first.scopes);
  const auto state = rig.open_state(first).value();
  CHECK(state->load(0, {}).value().objects.empty());
  CHECK_FALSE(state->load(0, {}).value().is_complete);
  CHECK(state->load(1, {}).value().objects.size() == 1);
  CHECK(state->load(1, {}).value().is_complete);
}

TEST_CASE("a recording is no state") {
  Rig rig;
  {
    const auto writer = rig.open();
    rig.list(*writer, rig.add_pods(*writer), {recorded_pod("a", "1")});
  }
  const std::string before = rig.bytes();
  const auto opened = rig.open_state();
  REQUIRE_FALSE(opened);
  CHECK(opened.error().message ==
        rig.path + " is a recording, not the state of an earlier --state");
  CHECK(rig.bytes() == before);
}

TEST_CASE("a state is no recording") {
  Rig rig;
  rig.save({make_added(recorded_pod("a", "1"))});
  const std::string before = rig.bytes();
  const auto writer = RecordingWriter::open(rig.path, {}, rig.clock.wall());
  REQUIRE_FALSE(writer);
  CHECK(writer.error().message == rig.path + " is a state of --state, no recording");
  CHECK(rig.bytes() == before);
}

TEST_CASE("the values of Secrets are masked") {
  Rig rig;
  StateOptions options = rig.options();
  options.scopes[0].type.type.gvr.resource = "secrets";
  options.mask_secret = [](std::string_view json) {
    return Result<std::string>(std::string(json).replace(json.find("hidden"), 6, "masked"));
  };
  {
    const auto state = rig.open_state(options).value();
    state->save(0, rig.at_now(make_added(recorded_pod("a", "1", R"("hidden")")))).value();
    state->commit(rig.clock.wall()).value();
  }
  const EarlierState earlier = rig.open_state(options).value()->load(0, {}).value();
  Scratch scratch;
  CHECK(earlier.objects.at(0)->json(scratch).find("masked") != std::string_view::npos);
}

TEST_CASE("two programs cannot use one state") {
  Rig rig;
  const auto first = rig.open_state().value();
  const auto second = rig.open_state();
  REQUIRE_FALSE(second);
  CHECK(second.error().message == rig.path + ": another kinf uses this state");
}

}  // namespace
}  // namespace kinf::test
