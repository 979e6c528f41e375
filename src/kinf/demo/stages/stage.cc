// SPDX-License-Identifier: Apache-2.0
#include "kinf/demo/stages/stage.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "kinf/api/object_decoder.h"
#include "kinf/api/object_path.h"
#include "kinf/cache/delta_fifo.h"
#include "kinf/cache/in_order_fifo.h"
#include "kinf/cache/indexer.h"

namespace kinf {
namespace {

constexpr std::array<DemoStage, 30> kStages = {{
    {.name = "deltafifo",
     .run = demo_deltafifo,
     .summary = "the queue alone",
     .server = StageServer::none,
     .queue = StageQueue::delta,
     .question = "A pod is added, updated and deleted before your code looks. What comes out of "
                 "the queue?",
     .answer = "All three changes at once, in order: one pop returns what happened to one pod "
               "since the last pop. So nothing is lost while your code is busy, not even the "
               "deletion. The queue has only new states: it cannot say what changed.",
     .scene = DemoScene{.keys = "ddd.aud"}},
    {.name = "dedup",
     .run = demo_dedup,
     .summary = "a key is queued once; two deletions in a row are one",
     .server = StageServer::none,
     .queue = StageQueue::delta,
     .question = "A pod changes again while it waits in the queue. Does it move to the end?",
     .answer = "No. A pod waits once, at its first place, and its entry gets longer. A burst of "
               "changes to one pod does not make the queue longer. Two deletions in a row become "
               "one.",
     .scene = DemoScene{.keys = "ddd.aau"}},
    {.name = "synced",
     .run = demo_synced,
     .summary = "when a queue, and an informer, has synced",
     .server = StageServer::none,
     .queue = StageQueue::delta,
     .question = "When has an informer synced: when the list arrives, or later?",
     .answer = "When the last pod of the first list was taken from the queue, and so is in the "
               "store. What the watch adds meanwhile does not count. An empty list is complete at "
               "once.",
     .scene = DemoScene()},
    {.name = "listwatch",
     .run = demo_listwatch,
     .summary = "a list, then a watch",
     .queue = StageQueue::none,
     .question = "What does the server send if you list, and then watch without a "
                 "resourceVersion?",
     .answer = "The watch begins with ADDED for every pod, then sends each change. An informer "
               "gives the version of its list instead, so that it gets each pod once and misses "
               "no change in between.",
     .scene = DemoScene{.kind = LiveKind::requests}},
    {.name = "versions",
     .run = demo_versions,
     .summary = "lists of the newest state, of any, from a version on",
     .server = StageServer::still,
     .queue = StageQueue::none},
    {.name = "reflector",
     .run = demo_reflector,
     .summary = "list and watch into a queue, no store: deletions are lost",
     .queue = StageQueue::delta,
     .question = "Your code pops each pod as soon as it is queued. Then a pod is deleted. Does "
                 "its deletion come out of the queue?",
     .answer = "No. The queue forgets what it has handed over. To it, this is the deletion of an "
               "unknown pod, so it drops it, and your code never learns that the pod is gone.",
     .scene = DemoScene{.kind = LiveKind::reflector, .keys = ".d"}},
    {.name = "reflector-known",
     .run = demo_reflector_known,
     .summary = "the same with a store: deletions arrive",
     .queue = StageQueue::delta,
     .question = "Now your code stores each popped pod, and the queue can look into that store. "
                 "Does the deletion come out?",
     .answer = "Yes, because the store knows the pod. That is why the queue of an informer is "
               "connected with its store. After a list, too, the queue finds there which pods are "
               "gone.",
     .scene = DemoScene{.kind = LiveKind::reflector_known, .keys = ".d"}},
    {.name = "informer",
     .run = demo_informer,
     .summary = "list, watch, store and one handler",
     .question = "OnUpdate gets the old pod and the new one. Where does the old one come from, if "
                 "the queue has only new ones?",
     .answer = "From the store. It holds the old pod until the informer takes the new one from "
               "the queue and replaces it. Only then do the handlers hear of it, with both.",
     .scene = DemoScene{.keys = ".u"}},
    {.name = "shared",
     .run = demo_shared,
     .summary = "two handlers on a scripted source",
     .server = StageServer::none,
     .question = "Two handlers, one informer: does one wait for the other?",
     .answer = "No. Each has its own queue and its own thread. Both see every pod in the same "
               "order, but each at its own speed.",
     .scene = DemoScene{.keys = ".saa"}},
    {.name = "shared-listwatch",
     .run = demo_shared_listwatch,
     .summary = "two handlers on one list, watch and cache",
     .question = "How many watches do two handlers need, and how many copies of the pods?",
     .answer = "One of each. The reflector lists and watches once, and both handlers get the same "
               "objects from one store. Another handler costs the server nothing.",
     .scene = DemoScene{.keys = ".a"}},
    {.name = "shared-vs-separate",
     .run = demo_shared_vs_separate,
     .summary = "what two informers cost, and one that is shared",
     .server = StageServer::still,
     .question = "What do two informers of the same pods cost, compared with a shared one?",
     .answer = "Twice the requests, twice the bytes, and every pod twice in memory. That is why "
               "programs take their informers from a factory, which shares them.",
     .scene = DemoScene{.kind = LiveKind::two_informers}},
    {.name = "slow-handler",
     .run = demo_slow_handler,
     .summary = "what waits where while a handler is slow",
     .server = StageServer::none,
     .queue = StageQueue::none,
     .question = "A handler hangs while pods change again and again. Where do the changes wait, "
                 "and who else waits?",
     .answer = "In the queue of this handler. kinf merges those of one pod, so memory is bounded, "
               "and the store and the other handlers go on. By option, the queue grows without "
               "limit, as in client-go, or holds up the store.",
     .scene = DemoScene{.keys = ".dd.su   u   u   u   u   u   u   u   u   u   u   u   u   u   u"}},
    {.name = "index-map",
     .run = demo_index_map,
     .summary = "an index and its index function",
     .server = StageServer::none,
     .queue = StageQueue::none,
     .question = "What does an index look like inside? How does it follow a pod that changes?",
     .answer = "It is a map from a value to a set of keys. The write that stores the pod also "
               "moves its key to the new value, so the index always agrees with the store. A "
               "lookup reads one set, not all pods.",
     .scene = DemoScene{.keys = ".u"}},
    {.name = "http",
     .run = demo_http,
     .summary = "an index behind a web server",
     .has_listen = true},
    {.name = "factory",
     .run = demo_factory,
     .summary = "an informer factory, a lister and a resync",
     .has_resync = true,
     .question = "Two parts of a program ask a factory for the same type. How many informers are "
                 "there? And what does a handler get that comes late?",
     .answer = "One. The factory keeps one informer for each type, namespace and selector, so one "
               "list, one watch and one store serve all. A late handler gets every stored object "
               "as OnAdd, without a request.",
     .scene = DemoScene{.kind = LiveKind::late_handler, .keys = ".h"}},
    {.name = "resync",
     .run = demo_resync,
     .summary = "two resync periods, and a second chance for what failed",
     .server = StageServer::none,
     .has_resync = true,
     .question = "A handler fails for a pod, and the pod never changes again. Does the handler "
                 "get another chance?",
     .answer = "Yes, at its next resync: it gets every pod of the store again. Each handler has "
               "its own period. A resync sends no request, so it does not find changes that the "
               "watch missed.",
     .scene = DemoScene{.kind = LiveKind::resyncs, .keys = ";", .steps = 8}},
    {.name = "expired-page",
     .run = demo_expired_page,
     .summary = "a page of the list has expired: lists again, in one page",
     .server = StageServer::sandbox_only},
    {.name = "broken-watch",
     .run = demo_broken_watch,
     .summary = "the connection breaks after an event: watches again",
     .server = StageServer::sandbox_only,
     .question = "A watch has brought an event, and then its connection breaks. Does the informer "
                 "list again?",
     .answer = "No. It watches again after the last version that it has received, and the server "
               "sends what happened meanwhile. The same if the server closes the watch, as it does "
               "every few minutes.",
     .scene = DemoScene{.keys = ".u.ca"}},
    {.name = "short-watch",
     .run = demo_short_watch,
     .summary = "a watch ends at once, without an event: lists again",
     .server = StageServer::sandbox_only,
     .question = "A watch ends in its first second, and has brought no event. What does the "
                 "informer do?",
     .answer = "It pauses, then lists again: a server that ends each watch at once would never "
               "send what the informer missed. A watch that lived longer, or brought an event, is "
               "opened again instead."},
    {.name = "gone",
     .run = demo_gone,
     .summary = "the version is too old (410 Gone): lists again",
     .server = StageServer::sandbox_only,
     .question = "What does an informer do when its resourceVersion is too old (410 Gone)?",
     .answer = "It lists again and compares the list with the store: handlers hear of what is "
               "new, changed or gone, and of nothing else. What was made and deleted meanwhile "
               "they never see.",
     .scene = DemoScene{.keys = ".dag"}},
    {.name = "stalled-watch",
     .run = demo_stalled_watch,
     .summary = "an open watch is silent: watches again, on a new connection",
     .server = StageServer::sandbox_only,
     .question = "The connection stays open, but nothing arrives any more. How does an informer "
                 "notice?",
     .answer = "By the silence: a server sends a bookmark each minute. After 90 s without a byte "
               "kinf watches again on a new connection, without a list. After two such watches it "
               "lists. client-go waits."},
    {.name = "workqueue",
     .run = demo_workqueue,
     .summary = "a work queue with a worker and retries",
     .question = "A worker fails for one pod. What happens to the others?",
     .answer = "They go on. The failed key is queued again after a delay that doubles with each "
               "failure. The queue has keys, not pods: the worker reads the newest state from the "
               "store.",
     .scene = DemoScene{.kind = LiveKind::worker, .keys = ".aaa"}},
    {.name = "controller",
     .run = demo_controller,
     .summary = "reads the cache, writes, and hears of its own write",
     .server = StageServer::sandbox_only,
     .question = "A controller labels each pod. What does it receive afterwards?",
     .answer = "Its own write, as an event of the watch. It must see in the store that nothing is "
               "left to do, or it would never stop writing.",
     .scene = DemoScene{.kind = LiveKind::controller, .keys = ".a"}},
    {.name = "conflict",
     .run = demo_conflict,
     .summary = "two clients write: 409, then decides again",
     .server = StageServer::sandbox_only},
    {.name = "stale-cache",
     .run = demo_stale_cache,
     .summary = "writes, and reads its cache before the event arrives",
     .server = StageServer::sandbox_only},
    {.name = "finalizer",
     .run = demo_finalizer,
     .summary = "a deletion that waits until a controller has cleaned up",
     .server = StageServer::sandbox_only},
    {.name = "mutation",
     .run = demo_mutation,
     .summary = "writes into an object of the cache, and is found out",
     .server = StageServer::sandbox_only},
    {.name = "queue-wait",
     .run = demo_queue_wait,
     .summary = "a pop that waits, a queue that closes, a key that fails",
     .server = StageServer::none,
     .queue = StageQueue::delta},
    {.name = "index-more",
     .run = demo_index_more,
     .summary = "an index that is added later; reads while others write",
     .server = StageServer::none,
     .queue = StageQueue::none},
    {.name = "informer-rules",
     .run = demo_informer_rules,
     .summary = "a second start, a handler that throws, another kind",
     .server = StageServer::none},
}};

}  // namespace

void Demo::follow(const SharedInformer& informer) {
  wait_until([&] {
    const InformerStats stats = informer.stats();
    return is_over(informer.indexer().last_store_sync_resource_version()) && stats.queued == 0 &&
           stats.backlog == 0;
  });
}

std::string phase_of(const Object& object) {
  return object_field(object, std::array<std::string_view, 2>{"status", "phase"}).value_or("");
}

std::string_view verb_of(WatchEventType type) {
  if (type == WatchEventType::added) return "ADDED";
  return type == WatchEventType::modified ? "MODIFIED" : "DELETED";
}

ObjectPtr object_from(std::string_view json) {
  return ObjectDecoder(DecodeOptions()).decode(json).value();
}

ObjectPtr small_pod(std::string_view name, int version) {
  return object_from(fmt::format(
      R"({{"metadata":{{"name":"{0}","uid":"{0}","resourceVersion":"{1}"}}}})", name, version));
}

Result<std::vector<std::string>> app_label(const Object& object) {
  const auto app = object.label("app");
  if (!app) return std::vector<std::string>();
  return std::vector<std::string>{std::string(*app)};
}

InformerOptions informer_options(Demo& demo) {
  InformerOptions options;
  options.queue = demo.queue();
  return options;
}

std::unique_ptr<Queue> make_queue(Demo& demo, const KnownObjects* known) {
  if (demo.queue() == QueueKind::delta) {
    DeltaFifoOptions options;
    options.known_objects = known;
    return std::make_unique<DeltaFifo>(std::move(options));
  }
  static const Indexer kEmpty;
  InOrderFifoOptions options;
  options.atomic_events = false;
  options.known_objects = known == nullptr ? &kEmpty : known;
  return InOrderFifo::create(std::move(options)).value();  // cannot fail with these options
}

Result<void> pop_all(Queue& queue, const PopHandler& handle) {
  Result<bool> popped = true;
  while (popped && *popped) popped = queue.try_pop(handle);
  return popped ? Result<void>() : std::unexpected(popped.error());
}

std::span<const DemoStage> demo_stages() { return kStages; }

std::string stage_list() {
  std::string text;
  for (const DemoStage& stage : kStages) {
    text += fmt::format("{:<18}  {}\n", stage.name, stage.summary);
  }
  return text;
}

const DemoStage* find_stage(std::string_view name) {
  const auto found = std::ranges::find(kStages, name, &DemoStage::name);
  return found == kStages.end() ? nullptr : &*found;
}

}  // namespace kinf
