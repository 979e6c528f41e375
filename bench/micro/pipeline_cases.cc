// SPDX-License-Identifier: Apache-2.0
// The queue, the label index, the printer.
#include <malloc.h>

#include <algorithm>
#include <cstdlib>

#include "cases.h"
#include "kinf/cache/in_order_fifo.h"
#include "kinf/cache/thread_safe_store.h"
#include "kinf/print/event_printer.h"
#include "kinf/print/object_document.h"
#include "sample_pods.h"

namespace kinf::bench {
namespace {

Result<std::vector<std::string>> all_labels(const Object& object) {
  std::vector<std::string> values;
  values.reserve(object.label_count());
  for (std::size_t i = 0; i < object.label_count(); ++i) {
    const auto [key, value] = object.label_at(i);
    std::string& text = values.emplace_back();
    text.reserve(key.size() + value.size() + 1);
    text.append(key).append("=").append(value);
  }
  return values;
}

double heap_bytes() {
#if defined(__GLIBC__)
  const auto info = mallinfo2();
  return static_cast<double>(info.uordblks + info.hblkhd);
#else
  return 0;
#endif
}

using Items = std::vector<std::pair<std::string, ObjectPtr>>;

/// Returns the heap bytes of a store with `items` and `indexers`.
double store_bytes(const Items& items, const Indexers& indexers) {
  const double before = heap_bytes();
  ThreadSafeStore store(indexers);
  if (!store.replace(items, "1")) std::abort();
  return heap_bytes() - before;
}

}  // namespace

std::vector<Figure> bench_queue() {
  constexpr std::size_t kPods = 1000;
  const std::vector<ObjectPtr> pods = decoded_pods(kPods);
  auto queue = InOrderFifo::create({});
  if (!queue) std::abort();
  const double per_delta = nanoseconds(kPods, [&] {
    for (const ObjectPtr& pod : pods) (void)(*queue)->update(pod, {});
    while (*(*queue)->try_pop_batch([](Popped&) { return Result<void>(); })) {
    }
  });
  return {{"push and pop a delta", per_delta, "ns"}};
}

std::vector<Figure> bench_index() {
  constexpr std::size_t kPods = 100'000;
  Items items;
  for (ObjectPtr& pod : decoded_pods(kPods)) items.emplace_back(pod->key(), std::move(pod));
  std::sort(items.begin(), items.end(),  // the order of a list
            [](const auto& a, const auto& b) { return a.first < b.first; });
  const Indexers labels = {{"labels", all_labels}};
  std::vector<Figure> figures;
  const double bare = nanoseconds(kPods, [&] {
    ThreadSafeStore store;
    if (!store.replace(items, "1")) std::abort();
  });
  ThreadSafeStore store(labels);
  const double indexed = nanoseconds(kPods, [&] {
    if (!store.replace(items, "1")) std::abort();
  });
  figures.push_back({"store a pod", bare, "ns"});
  figures.push_back({"index a pod by six labels", indexed - bare, "ns"});
  figures.push_back({"index a pod by six labels, memory",
                     (store_bytes(items, labels) - store_bytes(items, {})) / kPods, "B"});
  figures.push_back({"update a pod, labels unchanged",
                     nanoseconds(kPods,
                                 [&] {
                                   for (const auto& [key, pod] : items)
                                     (void)store.update(key, pod);
                                 }),
                     "ns"});
  figures.push_back({"keys of one in twelve",
                     nanoseconds(1000,
                                 [&] {
                                   const auto keys = store.index_keys("labels", "app=robusta");
                                   if (!keys || keys->size() != kPods / 12) std::abort();
                                 }),
                     "µs"});
  return figures;
}

std::vector<Figure> bench_print() {
  constexpr std::size_t kPods = 2000;
  const std::vector<ObjectPtr> pods = decoded_pods(kPods);
  ResourceType type;
  type.gvr = {"", "v1", "pods"};
  type.kind = "Pod";
  std::vector<Figure> figures;
  for (const auto format : {OutputFormat::json, OutputFormat::name}) {
    PrintOptions options;
    options.format = format;
    const auto printer = make_event_printer(options);
    std::string out;
    const double per_event = nanoseconds(kPods, [&] {
      for (const ObjectPtr& pod : pods) {
        const Change change{
            .type = ChangeType::updated, .key = pod->key(), .object = pod, .old = pod};
        printer->print(type, change, {}, out);
        if (out.size() > 64 * 1024) out.clear();
      }
    });
    figures.push_back({format == OutputFormat::json ? "print an event as JSON" : "print a name",
                       per_event, "ns"});
  }
  JsonCheck check;
  Scratch scratch;
  figures.push_back({"of it: check the document",
                     nanoseconds(kPods,
                                 [&] {
                                   for (const ObjectPtr& pod : pods) {
                                     if (!check.check(pod->json(scratch))) std::abort();
                                   }
                                 }),
                     "ns"});
  return figures;
}

}  // namespace kinf::bench
