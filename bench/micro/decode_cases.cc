// SPDX-License-Identifier: Apache-2.0
// Decoding: the splitter, the metadata, a list, a watch.
#include <cstdlib>

#include "cases.h"
#include "kinf/api/json_splitter.h"
#include "kinf/api/list_decoder.h"
#include "kinf/api/watch_decoder.h"
#include "sample_pods.h"

namespace kinf::bench {
namespace {

constexpr std::size_t kPods = 2000;
constexpr std::size_t kChunk = 64 * 1024;

template <class Take>
void in_chunks(std::string_view bytes, Take take) {
  for (; !bytes.empty(); bytes.remove_prefix(std::min(kChunk, bytes.size()))) {
    take(bytes.substr(0, kChunk));
  }
}

std::string list_of_pods() {
  std::string list = R"({"kind":"PodList","apiVersion":"v1","metadata":{"resourceVersion":"9"},)";
  list += "\"items\":[";
  for (std::size_t i = 0; i < kPods; ++i) list += (i > 0 ? "," : "") + pod_json(i);
  return list + "]}";
}

class Counter final : public ListSink {
 public:
  void item(ObjectPtr object) override { seen_ += object->name().size(); }

 private:
  std::size_t seen_ = 0;
};

}  // namespace

std::vector<Figure> bench_split() {
  const std::string list = list_of_pods();
  const double per_pod = nanoseconds(kPods, [&] {
    JsonSplitter splitter;
    in_chunks(list, [&](std::string_view chunk) {
      splitter.feed(chunk);
      for (auto found = splitter.next(splitter.depth() < 2);
           found && *found != JsonSplitter::Found::nothing;
           found = splitter.next(splitter.depth() < 2)) {
      }
    });
    if (!splitter.between_values()) std::abort();
  });
  return {{"split a list", per_pod, "ns/pod"}};
}

std::vector<Figure> bench_metadata() {
  const std::string list = list_of_pods();
  DecodeOptions options;
  options.api_version = "v1";
  options.kind = "Pod";
  std::vector<Figure> figures;
  for (const auto form : {ObjectForm::raw, ObjectForm::metadata}) {
    options.form = form;
    std::vector<std::string> pods;
    for (std::size_t i = 0; i < kPods; ++i) pods.push_back(pod_json(i));
    ObjectDecoder decoder(options);
    const double per_pod = nanoseconds(kPods, [&] {
      for (const std::string& pod : pods) {
        if (!decoder.decode(pod)) std::abort();
      }
    });
    figures.push_back(
        {form == ObjectForm::raw ? "decode a pod" : "decode a pod's metadata", per_pod, "ns/pod"});
  }
  options.form = ObjectForm::raw;
  figures.push_back({"decode a list",
                     nanoseconds(kPods,
                                 [&] {
                                   Counter counter;
                                   ListDecoder decoder(options, counter);
                                   in_chunks(list, [&](auto chunk) { (void)decoder.feed(chunk); });
                                   if (!decoder.finish()) std::abort();
                                 }),
                     "ns/pod"});
  std::string watch;
  for (std::size_t i = 0; i < kPods; ++i) {
    watch += R"({"type":"MODIFIED","object":{"kind":"Pod","apiVersion":"v1",)" +
             pod_json(i).substr(1) + "}\n";
  }
  figures.push_back({"decode a watch",
                     nanoseconds(kPods,
                                 [&] {
                                   WatchDecoder decoder(options);
                                   std::size_t events = 0;
                                   in_chunks(watch, [&](auto chunk) {
                                     decoder.feed(chunk);
                                     for (auto next = decoder.next(); next && *next;
                                          next = decoder.next()) {
                                       ++events;
                                     }
                                   });
                                   if (events != kPods) std::abort();
                                 }),
                     "ns/event"});
  return figures;
}

}  // namespace kinf::bench
