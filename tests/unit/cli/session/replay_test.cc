// SPDX-License-Identifier: Apache-2.0
#include "kinf/cli/session/replay.h"

#include <doctest/doctest.h>

#include <string>
#include <vector>

#include "fakes/recording_handler.h"
#include "kinf/cli/runtime/exit_request.h"
#include "kinf/informer/shared_informer.h"
#include "kinf/recording/play/recording_player.h"
#include "unit/recording/recording_rig.h"

namespace kinf::test {
namespace {

using Lines = std::vector<std::string>;

RecordedType node_type() {
  RecordedType type;
  type.type = {{"", "v1", "nodes"}, "Node", "node", true};  // recorded_pod() sets a namespace
  return type;
}

/// An addition that arrived `ms` milliseconds after the start.
Change arrived(int ms, ChangeSource source, const std::string& name, const std::string& version) {
  Change change = make_added(recorded_pod(name, version, "{}", name));
  change.initial = source == ChangeSource::list;
  change.origin = {.source = source, .arrived = FakeClock::kStart + std::chrono::milliseconds(ms)};
  return change;
}

/// A recording of pods and nodes whose lists arrived while the other type changed.
struct TwoTypes : RecordingRig {
  TwoTypes()
      : writer(open()),
        pods(add_pods(*writer)),
        nodes(writer->add_scope({node_type(), "", "", "", ""}).value()) {}

  void write(std::size_t scope, const Change& change) { writer->write(scope, change).value(); }
  void end_list(std::size_t scope) { writer->synced(scope, {"100", 2}, clock.wall()).value(); }

  /// Returns what one handler of both types got.
  Lines replayed() {
    writer->commit(clock.wall()).value();
    ReplayClock replay_clock(clock);
    const auto player = RecordingPlayer::create(read(), {}, replay_clock).value();
    SharedInformer of_pods(source_of(*player, pod_type()), replay_clock);
    SharedInformer of_nodes(source_of(*player, node_type()), replay_clock);
    RecordingHandler handler;
    ExitRequest exit_request;
    Replay replay(*player, exit_request);
    HandlerOptions direct;
    direct.delivery = Delivery::direct;
    const auto first = of_pods.add_event_handler(replay.handler(handler), direct).value();
    const auto second = of_nodes.add_event_handler(replay.handler(handler), direct).value();
    replay.on_gathered([&] { gathered_after = handler.count(); });
    replay.start({&of_pods, &of_nodes});
    exit_request.wait(replay_clock);
    replay.stop();
    CHECK(replay.has_ended());
    return handler.take();
  }

  static std::unique_ptr<ListerWatcher> source_of(RecordingPlayer& player,
                                                  const RecordedType& type) {
    PlayedSelection selection;
    selection.type = type.type;
    return player.add_source(std::move(selection)).value();
  }

  const std::unique_ptr<RecordingWriter> writer;
  const std::size_t pods;
  const std::size_t nodes;
  /// How many calls the handler of the last replayed() had got when gathering ended.
  std::optional<std::size_t> gathered_after;
};

TEST_CASE("the first lists of two types are replayed in the order in which they arrived") {
  using enum ChangeSource;
  TwoTypes rig;
  rig.write(rig.nodes, arrived(1, list, "node-1", "1"));
  rig.write(rig.pods, arrived(2, list, "a", "2"));
  rig.write(rig.nodes, arrived(1, list, "node-2", "3"));
  rig.end_list(rig.nodes);
  rig.write(rig.nodes, arrived(3, watch, "node-3", "4"));
  rig.write(rig.pods, arrived(2, list, "b", "5"));
  rig.end_list(rig.pods);
  CHECK(rig.replayed() == Lines{"ADDED node-1@1 initial", "ADDED a@2 initial",
                                "ADDED node-2@3 initial", "SYNCED 2", "ADDED node-3@4",
                                "ADDED b@5 initial", "SYNCED 2"});
}

TEST_CASE("changes between those of a later list are replayed between them") {
  using enum ChangeSource;
  TwoTypes rig;
  rig.end_list(rig.nodes);
  rig.end_list(rig.pods);
  rig.write(rig.pods, arrived(1, watch, "a", "2"));
  rig.write(rig.pods, arrived(2, relist, "b", "3"));
  rig.write(rig.nodes, arrived(3, watch, "node-1", "4"));
  rig.write(rig.pods, arrived(2, relist, "c", "5"));
  rig.write(rig.nodes, arrived(4, watch, "node-2", "6"));
  CHECK(rig.replayed() == Lines{"SYNCED 0", "SYNCED 0", "ADDED a@2", "ADDED b@3 (relist)",
                                "ADDED node-1@4", "ADDED c@5 (relist)", "ADDED node-2@6"});
}

TEST_CASE("a replay ceases to wait for first lists when the recorded output did") {
  using enum ChangeSource;
  for (const bool waited : {true, false}) {
    TwoTypes rig;
    rig.write(rig.nodes, arrived(1, list, "node-1", "1"));
    rig.end_list(rig.nodes);
    rig.write(rig.nodes, arrived(2, watch, "node-2", "2"));
    if (!waited) rig.writer->gathered().value();
    rig.write(rig.nodes, arrived(3, watch, "node-3", "3"));
    rig.write(rig.pods, arrived(4, list, "a", "4"));
    rig.end_list(rig.pods);
    CHECK(rig.replayed() == Lines{"ADDED node-1@1 initial", "SYNCED 1", "ADDED node-2@2",
                                  "ADDED node-3@3", "ADDED a@4 initial", "SYNCED 1"});
    CHECK(rig.gathered_after == (waited ? std::nullopt : std::optional<std::size_t>(3)));
  }
}

}  // namespace
}  // namespace kinf::test
