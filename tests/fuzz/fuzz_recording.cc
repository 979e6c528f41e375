// SPDX-License-Identifier: Apache-2.0
// A recording whose bytes were changed is read, or refused with a message. The input is a list of
// changes: each a place in the file and the bytes to write there.
#include <cstdint>
#include <string>

#include "fuzz/choices.h"
#include "fuzz/properties.h"
#include "kinf/base/log.h"
#include "unit/recording/recording_rig.h"

namespace kinf::fuzz {
namespace {

constexpr int kMostVersions = 1000;

/// Writes a recording of a few pods, and keeps its bytes.
class Template {
 public:
  Template() {
    {
      const auto writer = rig_.open();
      const std::size_t pods = rig_.add_pods(*writer);
      const std::string status(300, 's');
      rig_.list(*writer, pods,
                {test::recorded_pod("web", "10"), test::recorded_pod("db", "11", "{}", "u2")});
      ObjectPtr last = test::recorded_pod("web", "10");
      for (int i = 12; i < 20; ++i) {
        const ObjectPtr next = test::recorded_pod(
            "web", std::to_string(i), fmt::format(R"({{"at":{},"text":"{}"}})", i, status));
        rig_.watch(*writer, pods, test::make_updated(last, next));
        last = next;
      }
      rig_.watch(*writer, pods, test::make_deleted(last));
    }
    bytes_ = rig_.folder.read("pods.kinf");
    demand(bytes_.size() > 4096);
  }

  /// Returns the path of the recording after the changes.
  const std::string& changed(Choices& choices) {
    std::string bytes = bytes_;
    while (!choices.empty()) {
      const std::size_t at = (choices.below(256) * 256 + choices.below(256)) % bytes.size();
      bytes.replace(at, 1, 1, static_cast<char>(choices.below(256)));
    }
    rig_.folder.write("pods.kinf", bytes);
    return rig_.path;
  }

 private:
  test::RecordingRig rig_;
  std::string bytes_;
};

template <class T>
bool demand_message(const Result<T>& result) {
  demand(result || !result.error().message.empty());
  return result.has_value();
}

void read_versions(RecordingReader& reader) {
  reader.seek(0);
  std::string text;
  for (int i = 0; i < kMostVersions; ++i) {
    const auto version = reader.next(reader.last_seq());
    if (!demand_message(version) || !*version) return;
    demand_message(reader.rebuild((*version)->object, (*version)->version.seq, text));
  }
}

void read(const std::string& path) {
  const auto reader = RecordingReader::open(path);
  if (!demand_message(reader)) return;
  demand_message((*reader)->gaps());
  demand_message((*reader)->gathered());
  for (const auto& [id, type] : (*reader)->types()) {
    demand_message((*reader)->first_list(id, "default", ""));
    demand_message((*reader)->state({.seq = (*reader)->last_seq(), .type = id}, {}));
  }
  read_versions(**reader);
}

}  // namespace
}  // namespace kinf::fuzz

extern "C" int LLVMFuzzerInitialize(int* argc, char*** argv) {
  (void)argc;
  (void)argv;
  kinf::log::set_sink([](std::string_view) {});
  return 0;
}

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  static kinf::fuzz::Template recording;
  kinf::fuzz::Choices choices({reinterpret_cast<const char*>(data), size});
  kinf::fuzz::read(recording.changed(choices));
  return 0;
}
