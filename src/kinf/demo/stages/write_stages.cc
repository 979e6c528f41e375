// SPDX-License-Identifier: Apache-2.0
// The stages about programs that write what they watch: conflict, stale-cache, finalizer and
// mutation. Each runs its informer on the main thread, step by step, so that a write happens at
// the moment that the stage is about.

#include <fmt/format.h>

#include <functional>
#include <memory>
#include <string>
#include <utility>

#include "kinf/api/event_handler.h"
#include "kinf/demo/stages/places.h"
#include "kinf/demo/stages/stage.h"

namespace kinf {

namespace {

/// The pod that these stages change.
constexpr std::string_view kPodKey = "default/wiremock-84d49c989c-zg4ls";

/// An informer of pods on the caller's thread.
class SteppedPods {
 public:
  /// `demo` must outlive this object.
  static Result<std::unique_ptr<SteppedPods>> open(Demo& demo, InformerOptions options) {
    Result<std::unique_ptr<ListerWatcher>> source = demo.source("pods");
    if (!source) return std::unexpected(std::move(source).error());
    auto pods = std::make_unique<SteppedPods>(demo, *std::move(source), std::move(options));
    if (auto begun = pods->informer_.begin(); !begun) return std::unexpected(begun.error());
    pods->step_until(
        [&] { return pods->informer_.has_synced() && pods->informer_.stats().watches > 0; });
    if (!pods->pod() && !demo.stop().stop_requested()) {
      return fail(ErrorKind::not_found, fmt::format("the sandbox has no pod {}", kPodKey));
    }
    return pods;
  }

  SteppedPods(Demo& demo, std::unique_ptr<ListerWatcher> source, InformerOptions options)
      : demo_(demo),
        source_(*source),
        informer_(std::move(source), demo.clock(), std::move(options), &demo) {}
  ~SteppedPods() { informer_.finish(); }
  SteppedPods(const SteppedPods&) = delete;
  SteppedPods& operator=(const SteppedPods&) = delete;

  /// Runs the informer until `done()` returns true, or stop.
  void step_until(const std::function<bool()>& done) {
    while (!done() && !demo_.stop().stop_requested()) {
      const StepResult step = informer_.step();
      if (!step.moved && !done()) source_.wait(step.wake, demo_.stop());
    }
  }
  /// Returns the pod kPodKey as it is in the cache, or null.
  ObjectPtr pod() const { return informer_.indexer().get_by_key(std::string(kPodKey)); }
  SharedInformer& informer() { return informer_; }

 private:
  Demo& demo_;
  ListerWatcher& source_;
  SharedInformer informer_;
};

/// Returns a patch that sets a label of a pod, if the pod still has the resourceVersion `version`.
/// An empty `version` matches any.
std::string label_patch(std::string_view label, std::string_view version = "") {
  const std::string condition =
      version.empty() ? "" : fmt::format(R"("resourceVersion":"{}",)", version);
  return fmt::format(R"({{"metadata":{{{}"labels":{{"{}":"yes"}}}}}})", condition, label);
}

std::string version_text(const Object& pod) {
  return fmt::format("resourceVersion {}", pod.resource_version());
}

}  // namespace

// Stage conflict: a write names the version on which it is based. If the object has changed since,
// the server refuses it with 409, and the program decides again from the newer object.
Result<void> demo_conflict(Demo& demo) {
  auto pods = SteppedPods::open(demo, informer_options(demo));
  if (!pods) return std::unexpected(pods.error());
  SteppedPods& cache = **pods;
  const ObjectPtr read = cache.pod();
  if (!read) return {};  // stopped
  demo.print(fmt::format("reads {} from the cache: {}", kPodKey, version_text(*read)));
  if (auto done = demo.patch_pod(*read, label_patch("other")); !done) return done;
  demo.print("another client sets the label other=yes");
  const std::string version(read->resource_version());
  const Result<void> refused = demo.patch_pod(*read, label_patch("checked", version));
  demo.print(fmt::format("writes checked=yes to resourceVersion {}: {}", version,
                         refused ? "accepted" : refused.error().message));
  cache.step_until([&] { return cache.pod() != read; });
  const ObjectPtr newer = cache.pod();
  if (!newer || newer == read) return {};  // stopped
  demo.print(fmt::format("waits for the event: the cache has {}", version_text(*newer)));
  demo.explain(kWatchEvent,
               "the version in a write is its condition: without it, the write would have "
               "replaced what the other client wrote, if both had changed the same field");
  const std::string newest(newer->resource_version());
  if (auto done = demo.patch_pod(*newer, label_patch("checked", newest)); !done) return done;
  cache.step_until([&] { return cache.pod() != newer; });
  const ObjectPtr last = cache.pod();
  demo.print(fmt::format("writes checked=yes to resourceVersion {}: accepted; both labels: {}",
                         newest, last && last->label("other") && last->label("checked")));
  return {};
}

// Stage stale-cache: a write does not change the cache. The cache follows when the event of the
// write arrives; until then it has the state before the write.
Result<void> demo_stale_cache(Demo& demo) {
  auto pods = SteppedPods::open(demo, informer_options(demo));
  if (!pods) return std::unexpected(pods.error());
  SteppedPods& cache = **pods;
  const ObjectPtr before = cache.pod();
  if (!before) return {};  // stopped
  if (auto done = demo.patch_pod(*before, label_patch("checked")); !done) return done;
  demo.print(fmt::format("writes the label checked=yes, based on {}", version_text(*before)));
  const auto print_cache = [&](std::string_view when) {
    const ObjectPtr pod = cache.pod();
    if (!pod) return;
    demo.print(fmt::format("{}: the cache has {}, {} the label", when, version_text(*pod),
                           pod->label("checked") ? "with" : "without"));
  };
  print_cache("at once");
  demo.explain(kIndexerUpdate,
               "only the informer writes to the cache, when an event arrives; a program that "
               "decides from it now would write again, so it must expect its own write");
  cache.step_until([&] { return cache.pod() != before; });
  print_cache("after the event");
  return {};
}

// Stage finalizer: an object with a finalizer is not removed when it is deleted. It gets a
// deletionTimestamp, which is an update. It goes when its last finalizer is removed.
Result<void> demo_finalizer(Demo& demo) {
  auto pods = SteppedPods::open(demo, informer_options(demo));
  if (!pods) return std::unexpected(pods.error());
  SteppedPods& cache = **pods;
  FunctionHandler handler(HandlerFunctions{
      {},
      [&](const Change& change) {
        demo.print(fmt::format("  OnUpdate: {}{}", change.object->name(),
                               change.object->deleting() ? ", is being deleted" : ""));
      },
      [&](const Change& change) {
        demo.print(fmt::format("  OnDelete: {}", change.object->name()));
      }});
  const auto registration =
      cache.informer().add_event_handler(handler, {.delivery = Delivery::direct});
  if (!registration) return std::unexpected(registration.error());
  const auto change_pod = [&](const Result<void>& done) {
    if (!done) return done;
    const ObjectPtr before = cache.pod();
    cache.step_until([&] { return cache.pod() != before; });
    return done;
  };
  const ObjectPtr pod = cache.pod();
  if (!pod) return {};  // stopped
  demo.print("sets a finalizer");
  constexpr const char* kSet = R"({"metadata":{"finalizers":["example.com/clean-up"]}})";
  if (auto done = change_pod(demo.patch_pod(*pod, kSet)); !done) return done;
  demo.print("deletes the pod");
  if (auto done = change_pod(demo.delete_pod(*pod)); !done) return done;
  demo.explain(kApplyUpdate,
               "the deletion was an update: the object has a deletionTimestamp and stays, so that "
               "a controller can clean up first, even if it did not run at that moment");
  demo.print("cleans up, and removes the finalizer");
  constexpr const char* kClear = R"({"metadata":{"finalizers":null}})";
  return change_pod(demo.patch_pod(*pod, kClear));
}

// Stage mutation: the objects of the cache are shared: the cache, its indexes and all handlers have
// the same one. A program that writes into one changes it for all, without an event. The mutation
// detector compares the objects with what they were.
Result<void> demo_mutation(Demo& demo) {
  InformerOptions options = informer_options(demo);
  options.detect_mutations = true;
  auto pods = SteppedPods::open(demo, options);
  if (!pods) return std::unexpected(pods.error());
  SteppedPods& cache = **pods;
  const ObjectPtr pod = cache.pod();
  if (!pod) return {};  // stopped
  demo.print(fmt::format("reads {} from the cache", pod->name()));
  *const_cast<char*>(pod->name().data()) = 'W';  // what no program may do
  demo.print("writes into it, by mistake");
  demo.print(fmt::format("all others read {} now: no event, and the server has another name",
                         cache.pod()->name()));
  cache.step_until([&] { return cache.informer().stats().mutations > 0; });
  demo.print(fmt::format("the mutation detector has found {} modified object",
                         cache.informer().stats().mutations));
  demo.explain(kMutation,
               "the informer keeps a hash of each object in the cache and compares once a second; "
               "KUBE_CACHE_MUTATION_DETECTOR=true turns this on, as in client-go");
  return {};
}

}  // namespace kinf
