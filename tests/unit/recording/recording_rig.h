// SPDX-License-Identifier: Apache-2.0
// RecordingRig: a recording in a temporary folder, and short ways to write and to play it.
#pragma once

#include <fmt/format.h>

#include <memory>
#include <string>
#include <vector>

#include "fakes/change_builder.h"
#include "fakes/fake_clock.h"
#include "fakes/recording_handler.h"
#include "fakes/temp_folder.h"
#include "kinf/api/object_decoder.h"
#include "kinf/informer/shared_informer.h"
#include "kinf/recording/play/recording_player.h"
#include "kinf/recording/recording_writer.h"

namespace kinf::test {

inline RecordedType pod_type() {
  RecordedType type;
  type.type = {{"", "v1", "pods"}, "Pod", "pod", true};
  type.short_names = {"po"};
  type.categories = {"all"};
  return type;
}

/// A pod of the namespace `default`, with its JSON. `status` is the text of the status.
inline ObjectPtr recorded_pod(const std::string& name, const std::string& version,
                              const std::string& status = "{}", const std::string& uid = "u1") {
  ObjectDecoder decoder({});
  return decoder
      .decode(fmt::format(R"({{"apiVersion":"v1","kind":"Pod","metadata":{{"name":"{}",)"
                          R"("namespace":"default","uid":"{}","resourceVersion":"{}"}},)"
                          R"("status":{}}})",
                          name, uid, version, status))
      .value();
}

struct RecordingRig {
  TempFolder folder;
  FakeClock clock;
  std::string path = folder.path("pods.kinf");

  std::unique_ptr<RecordingWriter> open(WriterOptions options = {}) {
    return RecordingWriter::open(path, std::move(options), clock.wall()).value();
  }
  std::size_t add_pods(RecordingWriter& writer) {
    return writer.add_scope({pod_type(), "", "", "", ""}).value();
  }
  Change at_now(Change change, ChangeSource source = ChangeSource::watch) {
    change.origin = {.source = source, .arrived = clock.wall()};
    return change;
  }
  /// Writes an initial list and its end.
  void list(RecordingWriter& writer, std::size_t scope, const std::vector<ObjectPtr>& objects) {
    for (const ObjectPtr& object : objects) {
      Change change = at_now(make_added(object), ChangeSource::list);
      change.initial = true;
      writer.write(scope, change).value();
    }
    writer.synced(scope, {"100", objects.size()}, clock.wall()).value();
    writer.commit(clock.wall()).value();
  }
  void watch(RecordingWriter& writer, std::size_t scope, const Change& change) {
    writer.write(scope, at_now(change)).value();
    writer.commit(clock.wall()).value();
  }
  std::unique_ptr<RecordingReader> read() { return RecordingReader::open(path).value(); }

  /// Plays the recording through an informer. Returns what its handler received. An empty `name`
  /// means all pods.
  std::vector<std::string> play(const PlayedTime& time = {}, const std::string& name = "") {
    ReplayClock replay(clock);
    const auto player = RecordingPlayer::create(read(), time, replay).value();
    PlayedSelection selection;
    selection.type = pod_type().type;
    selection.name = name;
    selection.description = "pods";
    SharedInformer informer(player->add_source(std::move(selection)).value(), replay);
    RecordingHandler handler;
    HandlerOptions direct;
    direct.delivery = Delivery::direct;
    const auto registration = informer.add_event_handler(handler, direct).value();
    informer.begin().value();
    do {
      for (StepResult step = informer.step(); step.moved || player->has_pending();
           step = informer.step()) {
        if (!step.moved) replay.skip_to(step.wake);
      }
    } while (player->advance().value());
    informer.finish();
    return handler.take();
  }
};

}  // namespace kinf::test
