// SPDX-License-Identifier: Apache-2.0
#include "kinf/cli/demo/live_pipeline.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "kinf/cli/demo/stage.h"
#include "kinf/cli/informer_monitor.h"

namespace kinf {
namespace {

constexpr const char* kPhaseIndex = "phase";
/// How long the server refuses connections after cut().
constexpr Clock::Duration kDown = std::chrono::seconds(4);
/// How many changes may wait for a handler before they are merged.
constexpr std::size_t kBacklog = 4;

InformerOptions live_options() {
  InformerOptions options;
  options.queue = QueueKind::delta;
  options.stall_timeout = {};  // a quiet server is normal here
  options.indexers[kPhaseIndex] = [](const Object& pod) -> Result<std::vector<std::string>> {
    return std::vector<std::string>{phase_of(pod)};
  };
  return options;
}

/// Sorts pod-10 after pod-9.
std::pair<std::size_t, std::string_view> by_number(std::string_view name) {
  return {name.size(), name};
}

std::string delta_in_short(const Delta& delta) {
  std::string text = fmt::format("{}{}", to_string(delta.type), delta.is_tombstone ? "?" : "");
  if (delta.object) text += fmt::format(" v{}", delta.object->resource_version());
  return text;
}

std::vector<std::string> deltas_in_short(const Deltas& deltas) {
  std::vector<std::string> texts;
  for (const Delta& delta : deltas) texts.push_back(delta_in_short(delta));
  return texts;
}

}  // namespace

LivePipeline::LivePipeline()
    : handler1_("Handler 1", clock_,
                [this](std::string text) { say(PicturePart::handler1, std::move(text)); }),
      handler2_("Handler 2", clock_,
                [this](std::string text) { say(PicturePart::handler2, std::move(text)); }) {
  auto server = std::make_unique<LiveServer>(
      clock_, [this](std::string text) { say(PicturePart::server, std::move(text)); });
  server_ = server.get();
  for (int pods = 0; pods < 3; ++pods) server_->add_pod();
  informer_.emplace(std::move(server), clock_, live_options(),
                    static_cast<InformerObserver*>(this));
  const auto add = [this](LiveHandler& handler) {
    HandlerOptions options;
    options.bound = kBacklog;
    options.is_ready = [&handler] { return handler.is_ready(); };
    return informer_->add_event_handler(handler, options).value();
  };
  registration1_ = add(handler1_);
  registration2_ = add(handler2_);
  informer_->begin();
  informer_->step();  // admits the handlers
  news_ = {"The server has 3 pods; the informer has not begun. Press space for the first step."};
}

LivePipeline::~LivePipeline() { informer_->finish(); }

void LivePipeline::say(PicturePart part, std::string sentence) {
  moved_.insert(part);
  news_.push_back(std::move(sentence));
}

void LivePipeline::report(PicturePart part, std::string sentence) {
  news_.clear();
  moved_.clear();
  waited_ = false;
  say(part, std::move(sentence));
}

void LivePipeline::on_synced(const SyncedEvent& synced) {
  say(PicturePart::store,
      fmt::format("The whole first list is in the store: the informer has synced with {} pods.",
                  synced.objects));
}

void LivePipeline::on_relisted(const Relisted& relisted) {
  say(PicturePart::store,
      fmt::format("The new list is compared with the store: {} of {} pods had changed.",
                  relisted.changed, relisted.objects));
}

void LivePipeline::on_error(const InformerFailure& failure) {
  request_at_ = clock_.now() + failure.retry_in;
  say(PicturePart::reflector,
      fmt::format("The reflector tries again in {} (back-off).", in_seconds(failure.retry_in)));
}

bool LivePipeline::work() {
  const std::vector<Deltas> before = informer_->queued_changes();
  const InformerStats stats = informer_->stats();
  // One thing at a time: the handlers take changes when the queue is empty.
  handler1_.begin_step(before.empty());
  handler2_.begin_step(before.empty());
  last_ = informer_->step();
  if (!last_.moved) {
    if (last_.wake != Clock::kNever) request_at_ = last_.wake;
    return false;
  }
  if (!before.empty()) {
    describe_pop(before.front(), stats);
  } else if (!informer_->queued_changes().empty()) {
    moved_.insert({PicturePart::reflector, PicturePart::queue});
    describe_push();
  } else if (moved_.contains(PicturePart::server)) {
    moved_.insert(PicturePart::reflector);
  }
  return true;
}

void LivePipeline::step(bool may_skip) {
  ++steps_;
  news_.clear();
  moved_.clear();
  clock_.advance(kStep);
  // Some steps of the informer change nothing that the picture shows.
  for (int tries = 0; tries < 4 && news_.empty(); ++tries) {
    if (!work()) break;
  }
  if (!news_.empty()) {
    waited_ = false;
  } else if (const Clock::Mono due = next_due(); may_skip && waited_ && due != Clock::kNever) {
    clock_.advance(std::max(due - clock_.now(), Clock::Duration()));
    work();
    news_.insert(news_.begin(), "Time passes.");
    waited_ = false;
  } else {
    describe_waiting(may_skip);
    waited_ = true;
  }
}

void LivePipeline::press(char key) {
  switch (key) {
    case ' ':
      return step(true);
    case 'a':
      return add_pod();
    case 'u':
      return update_pod();
    case 'd':
      return delete_pod();
    case 'g':
      return send_gone();
    case 'c':
      return cut();
    case 's':
      return toggle_slow();
    default:
      return;
  }
}

void LivePipeline::play(std::string_view scene, const std::function<void(char)>& after) {
  constexpr int kMostSteps = 1000;  // no scene takes as many
  const auto press_one = [&](char key) {
    press(key);
    if (after) after(key);
  };
  for (const char key : scene) {
    if (key != '.') press_one(key);
    for (int steps = 0; key == '.' && !is_quiet() && steps < kMostSteps; ++steps) press_one(' ');
  }
}

void LivePipeline::describe_push() {
  news_.emplace_back("The reflector puts it into the queue.");
  bool has_list = false;
  bool has_tombstone = false;
  for (const Deltas& deltas : informer_->queued_changes()) {
    has_list = has_list || deltas.back().type == DeltaType::replaced;
    has_tombstone = has_tombstone || deltas.back().is_tombstone;
  }
  if (has_list) news_.emplace_back("Replaced: the pod was in a list.");
  if (has_tombstone) news_.emplace_back("Deleted?: the store has the pod, but the list has not.");
}

void LivePipeline::describe_pop(const Deltas& popped, const InformerStats& before) {
  const InformerStats now = informer_->stats();
  moved_.insert(PicturePart::queue);
  moved_.insert(PicturePart::store);
  std::string text = fmt::format("The informer takes {} from the queue ({}) ", popped.front().key,
                                 fmt::join(deltas_in_short(popped), ", "));
  text += now.unchanged > before.unchanged
              ? "and finds it unchanged in the store, so no handler is called."
              : "and changes the store and the index. What changed now waits for both handlers.";
  news_.insert(news_.begin(), std::move(text));
  if (now.folded == before.folded) return;
  news_.push_back(fmt::format("A handler is behind: {} merged with a change that waits.",
                              counted(now.folded - before.folded, "change")));
}

Clock::Mono LivePipeline::next_due() const {
  Clock::Mono due = last_.wake;
  for (const LiveHandler* const handler : {&handler1_, &handler2_}) {
    if (handler->is_busy()) due = std::min(due, handler->busy_until());
  }
  return due;
}

void LivePipeline::describe_waiting(bool may_skip) {
  const Clock::Mono due = next_due();
  if (due == Clock::kNever) {
    news_.emplace_back(
        "Nothing to do: the watch is open and the server is quiet. Press a, u or d to change a "
        "pod, c or g to disturb the watch, s to slow down handler 2.");
    return;
  }
  news_.push_back(fmt::format("Nothing to do for {}.{}", in_seconds(due - clock_.now()),
                              may_skip ? " Press space to go there." : ""));
}

void LivePipeline::add_pod() {
  report(PicturePart::server,
         fmt::format("You create {}. The server counts up its version and remembers the change.",
                     server_->add_pod()));
}

void LivePipeline::update_pod() {
  const std::string name = server_->update_pod();
  report(PicturePart::server, name.empty()
                                  ? "There is no pod to update. Press a to add one."
                                  : fmt::format("You update {}: its phase changes.", name));
}

void LivePipeline::delete_pod() {
  const std::string name = server_->delete_pod();
  report(PicturePart::server, name.empty() ? "There is no pod to delete. Press a to add one."
                                           : fmt::format("You delete {}.", name));
}

void LivePipeline::send_gone() {
  const bool was_open = server_->expire();
  report(PicturePart::server,
         was_open ? "The server forgets the changes before its version, and ends the watch with "
                    "410 Gone: the reflector must list again."
                  : "The server forgets the changes before its version. No watch is open: the "
                    "next one gets 410 Gone if it asks for an older version.");
}

void LivePipeline::cut() {
  server_->cut(kDown);
  report(PicturePart::server,
         fmt::format("The connection breaks, and the server is unreachable for {}. Changes that "
                     "you make now reach the informer later.",
                     in_seconds(kDown)));
}

void LivePipeline::toggle_slow() {
  handler2_.set_slow(!handler2_.is_slow());
  report(PicturePart::handler2,
         handler2_.is_slow()
             ? fmt::format("Handler 2 is slow now: 3 s for each change. More than {} waiting "
                           "changes are merged per pod. Handler 1 and the store do not wait.",
                           kBacklog)
             : "Handler 2 is fast again, after the change that it works on.");
}

std::string LivePipeline::activity() const {
  if (server_->is_listed()) return "listing: waits for the answer";
  if (server_->is_watched()) return "watching after v" + informer_->last_sync_resource_version();
  switch (server_->last_end()) {
    case LiveServer::LastEnd::none:
      return "not started";
    case LiveServer::LastEnd::listed:
      return "has a list, will watch";
    case LiveServer::LastEnd::watch_failed:
      return "will watch again";
    case LiveServer::LastEnd::list_failed:
    case LiveServer::LastEnd::expired:
      return "must list again";
  }
  return "";
}

std::string LivePipeline::back_off() const {
  if (server_->is_listed() || server_->is_watched()) return "none";
  if (request_at_ > clock_.now()) {
    return "next request in " + in_seconds(request_at_ - clock_.now());
  }
  return server_->last_end() == LiveServer::LastEnd::expired ? "from the next step" : "none";
}

std::vector<PipelinePicture::StoredPod> LivePipeline::store() const {
  std::vector<ObjectPtr> pods = informer_->indexer().list();
  std::ranges::sort(
      pods, {}, [](const ObjectPtr& pod) { return std::pair(pod->name().size(), pod->name()); });
  std::vector<PipelinePicture::StoredPod> shown;
  for (const ObjectPtr& pod : pods) {
    shown.push_back(
        {std::string(pod->name()), std::string(pod->resource_version()), phase_of(*pod)});
  }
  return shown;
}

std::vector<PipelinePicture::IndexValue> LivePipeline::index() const {
  std::vector<std::string> values = informer_->indexer().list_index_func_values(kPhaseIndex);
  std::ranges::sort(values);
  std::vector<PipelinePicture::IndexValue> shown;
  for (const std::string& value : values) {
    std::vector<std::string> names;
    for (const ObjectPtr& pod : informer_->indexer().by_index(kPhaseIndex, value).value()) {
      names.emplace_back(pod->name());
    }
    std::ranges::sort(names, {}, by_number);
    shown.push_back({value, std::move(names)});
  }
  return shown;
}

PipelinePicture::Handler LivePipeline::handler(const LiveHandler& handler,
                                               const HandlerRegistration& registration) const {
  PipelinePicture::Handler shown = handler.picture();
  for (const Change& change : registration.waiting()) shown.waiting.push_back(short_text(change));
  return shown;
}

PipelinePicture LivePipeline::picture() const {
  const InformerStats stats = informer_->stats();
  PipelinePicture picture;
  picture.server = {server_->version(), server_->size(), server_->oldest(), server_->requests()};
  picture.reflector = {activity(),
                       informer_->last_sync_resource_version(),
                       server_->last_error(),
                       back_off(),
                       stats.lists,
                       stats.watches,
                       stats.watch_events};
  for (const Deltas& deltas : informer_->queued_changes()) {
    picture.queue.push_back({deltas.front().key, deltas_in_short(deltas)});
  }
  picture.store = store();
  picture.index = index();
  picture.handler1 = handler(handler1_, registration1_);
  picture.handler2 = handler(handler2_, registration2_);
  picture.step = steps_;
  picture.time = in_seconds(clock_.passed());
  picture.news = news_;
  picture.moved = moved_;
  return picture;
}

}  // namespace kinf
