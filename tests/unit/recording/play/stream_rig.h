// SPDX-License-Identifier: Apache-2.0
// StreamRig: plays a scripted stream of JSON through an informer.
#pragma once

#include <fmt/format.h>

#include <deque>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "fakes/fake_clock.h"
#include "fakes/recording_handler.h"
#include "kinf/informer/shared_informer.h"
#include "kinf/recording/play/stream_player.h"

namespace kinf::test {

/// Returns its texts, one per read(). An empty text stands for a pause: nothing arrives in time.
class ScriptedInput final : public StreamInput {
 public:
  explicit ScriptedInput(std::deque<std::string> texts, bool is_file = false)
      : texts_(std::move(texts)), all_(texts_), is_file_(is_file) {}

  Result<Got> read(std::string& bytes, std::optional<Clock::Duration> patience,
                   const std::stop_token&) override {
    if (!texts_.empty() && texts_.front().empty()) {
      texts_.pop_front();
      if (patience) return Got::nothing;
    }
    if (texts_.empty()) return Got::end;
    bytes = std::move(texts_.front());
    texts_.pop_front();
    return Got::bytes;
  }
  bool rewind() override {
    if (is_file_) texts_ = all_;
    return is_file_;
  }

 private:
  std::deque<std::string> texts_;
  const std::deque<std::string> all_;
  const bool is_file_;
};

/// The JSON of a pod of the namespace `default`.
inline std::string pod_json(const std::string& name, int version, const std::string& uid = "u") {
  return fmt::format(R"({{"apiVersion":"v1","kind":"Pod","metadata":{{"name":"{}",)"
                     R"("namespace":"default","uid":"{}-{}","resourceVersion":"{}"}}}})",
                     name, name, uid, version);
}

/// An event. `more` are the members that kinf adds: `,"source":"list"`.
inline std::string event_json(const std::string& type, const std::string& object,
                              const std::string& more = "") {
  return fmt::format(R"({{"type":"{}","object":{}{}}})", type, object, more) + "\n";
}

inline ResourceType pods_type() { return {{"", "v1", "pods"}, "Pod", "pod", true}; }

struct StreamRig {
  FakeClock clock;
  ReplayClock replay{clock};
  std::string error;  ///< of the last play()
  Clock::Wall end{};  ///< what the clock showed at the end of the last play()

  /// Plays the texts. Returns what the handler of an informer received.
  std::vector<std::string> play(std::deque<std::string> texts, const PlayedTime& time = {},
                                const std::string& name = "") {
    StreamPlayer player(std::make_unique<ScriptedInput>(std::move(texts)), "in", time, replay);
    StreamSelection selection;
    selection.type = pods_type();
    selection.name = name;
    selection.description = "pods";
    SharedInformer informer(player.add_source(std::move(selection)), replay);
    RecordingHandler handler;
    HandlerOptions direct;
    direct.delivery = Delivery::direct;
    const auto registration = informer.add_event_handler(handler, direct).value();
    informer.begin().value();
    Result<bool> more = true;
    do {
      for (StepResult step = informer.step(); step.moved || player.has_pending();
           step = informer.step()) {
        if (!step.moved) replay.skip_to(step.wake);
      }
      more = player.advance({});
    } while (more && *more);
    informer.finish();
    error = more ? "" : more.error().message;
    end = replay.wall();
    return handler.take();
  }
};

}  // namespace kinf::test
