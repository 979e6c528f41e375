// SPDX-License-Identifier: Apache-2.0
// kinf_recording_bench FOLDER [PODS VERSIONS]: measures what recordings cost to write, and leaves
// FOLDER/state.kinf with PODS pods of VERSIONS versions each, for measurements of reading.
#include <fmt/format.h>
#include <sys/stat.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <memory>
#include <string>
#include <utility>
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
  explicit Recording(const std::string& path, WriterOptions options = {}) {
    auto writer = RecordingWriter::open(path, std::move(options), clock.wall());
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

/// Returns a change of a pod whose first container has restarted `restarts` times.
Change change_of_pod(const Recording& recording, std::size_t pod, std::size_t restarts,
                     std::size_t version) {
  Change change;
  change.type = restarts == 0 ? ChangeType::added : ChangeType::updated;
  change.object =
      rollout_pod({.number = pod, .stage = kReadyStage, .version = version, .restarts = restarts});
  change.key = change.object->key();
  change.origin.arrived = recording.clock.wall();
  return change;
}

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
void measure_rollout(const std::string& folder, std::size_t pods, std::size_t containers) {
  const std::vector<Change> all = rollout(pods, true, containers);
  const std::vector<Change> few = rollout(pods, false, containers);
  const double updates = double(all.size() - few.size());
  Scratch scratch;
  const double document = double(all.back().object->json(scratch).size());
  const std::string name = fmt::format("{}-{}.kinf", pods, containers);
  const Cost with = record(fmt::format("{}/with-{}", folder, name), all);
  const Cost without = record(fmt::format("{}/without-{}", folder, name), few);
  const std::string what = fmt::format("rollout of {} pods of {:.1f} kB with {} containers", pods,
                                       document / 1000, containers);
  fmt::print("| {}: a status update in the file | {:.0f} | bytes |\n", what,
             (with.bytes - without.bytes) / updates);
  fmt::print("| {}: recorder CPU per change | {:.1f} | µs |\n", what,
             with.cpu_seconds * 1e6 / double(all.size()));
  std::fflush(stdout);
}

std::int64_t bytes_of(const std::string& path) {
  struct stat file{};
  return ::stat(path.c_str(), &file) == 0 ? std::int64_t{file.st_size} : 0;
}

/// Records `versions` versions of 500 pods to a file with a maximum size.
void measure_limit(const std::string& folder, std::size_t versions) {
  constexpr std::int64_t kMost = 20'000'000;
  constexpr std::size_t kPods = 500;
  constexpr std::size_t kMany = 1000;
  const std::string path = folder + "/limited.kinf";
  WriterOptions options;
  options.max_bytes = kMost;
  const Recording recording(path, std::move(options));
  const double begin = cpu_seconds();
  std::int64_t largest = 0;
  recording.recorder->start();
  for (std::size_t i = 0; i < versions; ++i) {
    recording.handler->handle(change_of_pod(recording, i % kPods, i / kPods, 1'000'000 + i));
    if (i % kMany == 0) largest = std::max(largest, bytes_of(path) + bytes_of(path + "-wal"));
  }
  recording.recorder->finish();
  fmt::print(
      "| {} versions of {} pods with --max-size 20MB: the largest file, with its log "
      "| {:.1f} | MB |\n",
      versions, kPods, double(largest) / 1e6);
  fmt::print("| the same: recorder CPU per change, with making the pods | {:.1f} | µs |\n",
             (cpu_seconds() - begin) * 1e6 / double(versions));
  std::fflush(stdout);
}

/// Writes `versions` versions of each of `pods` pods. The times are those of writing.
void write_state(const std::string& path, std::size_t pods, std::size_t versions) {
  const Recording recording(path);
  recording.recorder->start();
  std::size_t number = 1'000'000;
  for (std::size_t version = 0; version < versions; ++version) {
    for (std::size_t pod = 0; pod < pods; ++pod) {
      recording.handler->handle(change_of_pod(recording, pod, version, ++number));
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
  for (const std::size_t containers : {2, 3}) {
    measure_rollout(folder, 100, containers);
    measure_rollout(folder, 2000, containers);
  }
  if (argc == 4) {
    measure_limit(folder, 300'000);
    write_state(folder + "/state.kinf", std::strtoul(argv[2], nullptr, 10),
                std::strtoul(argv[3], nullptr, 10));
  }
}
