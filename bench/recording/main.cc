// SPDX-License-Identifier: Apache-2.0
// kinf_recording_bench FOLDER [PODS VERSIONS]: measures what recordings cost to write, and leaves
// FOLDER/state.kinf with PODS pods of VERSIONS versions each, for measurements of reading.
#include <fmt/format.h>

#include <cstdlib>
#include <ctime>
#include <memory>
#include <string>
#include <vector>

#include "kinf/base/clock.h"
#include "kinf/recording/recorder.h"
#include "rollout_pods.h"

namespace kinf::bench {
namespace {

double cpu_seconds() {
  timespec now{};
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
  return double(now.tv_sec) + double(now.tv_nsec) / 1e9;
}

struct Cost {
  double bytes = 0;
  double cpu_seconds = 0;
};

/// A recorder of pods to a new file.
struct Recording {
  explicit Recording(const std::string& path) {
    auto writer = RecordingWriter::open(path, {}, clock.wall());
    if (!writer) std::abort();
    recorder =
        std::make_unique<Recorder>(*std::move(writer), clock, [](const Error&) { std::abort(); });
    const auto scope = recorder->add_scope({{pods_type(), {"po"}, {"all"}}, "", "", "", ""});
    if (!scope) std::abort();
    handler = &recorder->handler(*scope, nullptr);
    handler->on_synced({"1", 0});
  }

  RealClock clock;
  std::unique_ptr<Recorder> recorder;
  EventHandler* handler = nullptr;
};

/// Records `changes` to a new file.
Cost record(const std::string& path, const std::vector<Change>& changes) {
  const Recording recording(path);
  const double begin = cpu_seconds();
  recording.recorder->start();
  for (const Change& change : changes) recording.handler->handle(change);
  recording.recorder->finish();
  return {double(recording.recorder->totals().bytes), cpu_seconds() - begin};
}

/// The bytes of the status updates are those of a rollout with them minus those without.
void measure_rollout(const std::string& folder, std::size_t pods) {
  const std::vector<Change> all = rollout(pods, true);
  const std::vector<Change> few = rollout(pods, false);
  const double updates = double(all.size() - few.size());
  Scratch scratch;
  const double document = double(all.back().object->json(scratch).size());
  const Cost with = record(fmt::format("{}/with-{}.kinf", folder, pods), all);
  const Cost without = record(fmt::format("{}/without-{}.kinf", folder, pods), few);
  fmt::print("| rollout of {} pods of {:.1f} kB: a status update in the file | {:.0f} | bytes |\n",
             pods, document / 1000, (with.bytes - without.bytes) / updates);
  fmt::print("| rollout of {} pods: recorder CPU per change | {:.1f} | µs |\n", pods,
             with.cpu_seconds * 1e6 / double(all.size()));
}

/// Writes `versions` versions of each of `pods` pods. The times are those of writing.
void write_state(const std::string& path, std::size_t pods, std::size_t versions) {
  const Recording recording(path);
  recording.recorder->start();
  std::size_t number = 1'000'000;
  for (std::size_t version = 0; version < versions; ++version) {
    for (std::size_t pod = 0; pod < pods; ++pod) {
      Change change;
      change.type = version == 0 ? ChangeType::added : ChangeType::updated;
      change.object = rollout_pod(pod, kReadyStage, ++number, version);
      change.key = change.object->key();
      change.origin.arrived = recording.clock.wall();
      recording.handler->handle(change);
    }
  }
  recording.recorder->finish();
}

}  // namespace
}  // namespace kinf::bench

int main(int argc, char** argv) {
  using namespace kinf::bench;
  if (argc != 2 && argc != 4) return 2;
  const std::string folder = argv[1];
  measure_rollout(folder, 100);
  measure_rollout(folder, 2000);
  if (argc == 4) {
    write_state(folder + "/state.kinf", std::strtoul(argv[2], nullptr, 10),
                std::strtoul(argv[3], nullptr, 10));
  }
}
