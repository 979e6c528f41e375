// SPDX-License-Identifier: Apache-2.0
#include "kinf/cli/demo/stage_table.h"

#include <algorithm>
#include <array>

namespace kinf {
namespace {

constexpr std::array<DemoStage, 18> kStages = {{
    {.name = "deltafifo",
     .run = demo_deltafifo,
     .summary = "the queue alone",
     .server = StageServer::none,
     .question = "A pod is added, updated and deleted. What comes out of the queue, and when?",
     .answer = "All three changes at once: one pop returns everything that happened to one key. "
               "The queue knows only new states, so it cannot say what changed.",
     .scene = ".ddd.aud"},
    {.name = "dedup",
     .run = demo_dedup,
     .summary = "a key is queued once; two deletions in a row are one",
     .server = StageServer::none,
     .question = "pod0 changes again while it waits. Does it move to the end of the queue?",
     .answer = "No. A key waits once, at its first place. A burst makes its entry longer, not the "
               "queue."},
    {.name = "synced",
     .run = demo_synced,
     .summary = "when a queue, and an informer, has synced",
     .server = StageServer::none,
     .question = "When has an informer synced: when the list arrives, or later?",
     .answer = "When the last object of the first list was popped, and so is in the cache. What "
               "the watch adds meanwhile does not count. An empty list is complete at once.",
     .scene = ""},
    {.name = "listwatch",
     .run = demo_listwatch,
     .summary = "a list, then a watch",
     .question = "What does the server send if you list, and then watch without a resourceVersion?",
     .answer = "The watch begins with ADDED for every object, then sends each change. An informer "
               "gives the version of its list, so that it receives each object once."},
    {.name = "reflector",
     .run = demo_reflector,
     .summary = "list and watch into a queue without a store: deletions are lost",
     .question = "The pod nettool is deleted at the end. Does its deletion come out of the queue?",
     .answer = "No. The queue had handed over its earlier changes and forgotten it, so to the "
               "queue the deletion is about an unknown object."},
    {.name = "reflector-known",
     .run = demo_reflector_known,
     .summary = "the same with a store: deletions arrive",
     .question = "Now each popped object is stored, and the queue can look there. And now?",
     .answer = "The deletion comes out, because the store knows the object. That is why the queue "
               "of an informer is connected with its indexer."},
    {.name = "informer",
     .run = demo_informer,
     .summary = "list, watch, store and one handler",
     .question = "Where does OnUpdate get the old object from, if the queue has only new ones?",
     .answer = "From the indexer: it holds the old state until the new one replaces it.",
     .scene = ".u"},
    {.name = "shared",
     .run = demo_shared,
     .summary = "two handlers on a scripted source",
     .server = StageServer::none,
     .question = "Two handlers, one informer: does the second wait for the first?",
     .answer = "No. Each has its own queue and thread, so their lines mix, but each handler sees "
               "all pods in order."},
    {.name = "shared-listwatch",
     .run = demo_shared_listwatch,
     .summary = "two handlers on one list, watch and cache",
     .question = "How many watches do two handlers need?",
     .answer = "One. They share the list, the watch and the cache.",
     .scene = ""},
    {.name = "shared-vs-separate",
     .run = demo_shared_vs_separate,
     .summary = "what two informers cost, and one that is shared",
     .server = StageServer::still,
     .question = "What do two informers of the same type cost, compared with a shared one?",
     .answer = "Twice the requests, twice the bytes, and every object twice in memory."},
    {.name = "slow-handler",
     .run = demo_slow_handler,
     .summary = "what waits where while a handler is slow",
     .server = StageServer::none,
     .question = "A handler hangs while a pod changes eight times. Where do the changes wait?",
     .answer = "coalesce merges the waiting ones, so that the cache goes on and memory is bounded. "
               "block holds up the cache. grow keeps all of them, as client-go does.",
     .scene = ".dd.su   u   u   u   u   u   u   u   "},
    {.name = "index-map",
     .run = demo_index_map,
     .summary = "an index and its index function",
     .server = StageServer::none,
     .question = "What does an index look like inside?",
     .answer = "A map from a value to a set of keys. The key function chooses the keys."},
    {.name = "http",
     .run = demo_http,
     .summary = "an index behind a web server",
     .has_listen = true},
    {.name = "factory",
     .run = demo_factory,
     .summary = "an informer factory, a lister and a resync",
     .has_resync = true,
     .question = "The handler is told of an update although nothing changes. Why?",
     .answer = "A resync: from time to time the handler gets every object of the cache again."},
    {.name = "resync",
     .run = demo_resync,
     .summary = "two resync periods, and a second chance for what failed",
     .server = StageServer::none,
     .has_resync = true,
     .question = "A handler fails for pod1, and pod1 never changes. Does it get another chance?",
     .answer = "Yes, at its next resync. Each handler has its own period, and a resync sends no "
               "request: it does not find changes that the watch missed."},
    {.name = "faults",
     .run = demo_faults,
     .summary = "an expired page, a 410 and a very short watch, with each request",
     .server = StageServer::sandbox_only,
     .question = "What does an informer do when its resourceVersion is too old (410 Gone)?",
     .answer = "It lists again and compares the list with the cache, so that handlers hear only "
               "of differences. After a watch that just closed, it resumes without a list.",
     .scene = ".cdag"},
    {.name = "workqueue",
     .run = demo_workqueue,
     .summary = "a work queue with a worker and retries",
     .question = "A worker fails for one pod. What happens to the others?",
     .answer = "They go on. The failed key is queued again after a delay that doubles."},
    {.name = "controller",
     .run = demo_controller,
     .summary = "reads the cache, writes to the server, hears of its own write",
     .server = StageServer::sandbox_only,
     .question = "A controller labels each pod. What does it receive afterwards?",
     .answer = "Its own writes, as events of the watch. It must see that nothing is left to do, "
               "or it would never stop writing."},
}};

}  // namespace

std::span<const DemoStage> demo_stages() { return kStages; }

const DemoStage* find_stage(std::string_view name) {
  const auto found = std::ranges::find(kStages, name, &DemoStage::name);
  return found == kStages.end() ? nullptr : &*found;
}

}  // namespace kinf
