// SPDX-License-Identifier: Apache-2.0
#include "kinf/demo/live/live_model.h"

#include <fmt/format.h>

#include <utility>

#include "kinf/demo/stages/stage.h"

namespace kinf {
namespace {

/// How long the server refuses connections after cut().
constexpr Clock::Duration kDown = std::chrono::seconds(4);

}  // namespace

LiveModel::LiveModel() {
  for (int pods = 0; pods < 3; ++pods) cluster_.add_pod();
  news_ = {"The server has 3 pods. Nothing has been sent yet. Press space for the first step."};
}

std::unique_ptr<LiveServer> LiveModel::make_server(std::string client) {
  auto server = std::make_unique<LiveServer>(
      cluster_, clock_, std::move(client),
      [this](std::string text) { say(PicturePart::server, std::move(text)); });
  servers_.push_back(server.get());
  return server;
}

void LiveModel::say(PicturePart part, std::string sentence) {
  moved_.insert(part);
  news_.push_back(std::move(sentence));
}

void LiveModel::say_retry(Clock::Duration after) {
  say(PicturePart::reflector,
      fmt::format("The reflector tries again in {} (back-off).", in_seconds(after)));
}

void LiveModel::report(PicturePart part, std::string sentence) {
  constexpr std::size_t kSentences = 4;  // the number of sentences that fit into the diagram
  if (!std::exchange(has_acted_, true)) {
    news_.clear();
    moved_.clear();
  } else if (news_.size() >= kSentences) {
    news_.erase(news_.begin());
  }
  waited_ = false;
  say(part, std::move(sentence));
}

void LiveModel::step(bool may_skip) {
  ++steps_;
  has_acted_ = false;
  news_.clear();
  moved_.clear();
  clock_.advance(kStep);
  // Some work changes nothing that the picture shows. So do up to four pieces of work, until there
  // is news.
  for (int tries = 0; tries < 4 && news_.empty(); ++tries) {
    if (!work()) break;
  }
  if (!news_.empty()) {
    waited_ = false;
  } else if (const Clock::Mono due = next_due(); may_skip && waited_ && due != Clock::kNever) {
    clock_.advance(std::max(due - clock_.now(), Clock::Duration()));
    work();
    say_first("Time passes.");
    waited_ = false;
  } else {
    describe_waiting(may_skip);
    waited_ = true;
  }
}

void LiveModel::press(char key) {
  if (key == ' ') return step(true);
  constexpr std::pair<char, void (LiveModel::*)()> kKeys[] = {
      {'a', &LiveModel::add_pod},    {'u', &LiveModel::update_pod}, {'d', &LiveModel::delete_pod},
      {'g', &LiveModel::send_gone},  {'c', &LiveModel::cut},        {'s', &LiveModel::toggle_slow},
      {'h', &LiveModel::add_handler}};
  for (const auto& [known, action] : kKeys) {
    if (key == known) (this->*action)();
  }
}

void LiveModel::play(std::string_view scene, const std::function<void(char)>& after) {
  constexpr int kSteps = 1000;  // more steps than any scene takes
  const auto press_one = [&](char key) {
    press(key);
    if (after) after(key);
  };
  for (const char key : scene) {
    if (key != '.' && key != ';') press_one(key);
    for (int steps = 0; key == '.' && !is_quiet() && steps < kSteps; ++steps) press_one(' ');
    for (int steps = 0; key == ';' && !waited_ && steps < kSteps; ++steps) press_one(' ');
  }
}

void LiveModel::describe_waiting(bool may_skip) {
  const Clock::Mono due = next_due();
  if (due == Clock::kNever) {
    news_.emplace_back(
        "Nothing to do: the watch is open and the server is quiet. Press a, u or d to change a "
        "pod, c or g to disturb the watch.");
    return;
  }
  news_.push_back(fmt::format("Nothing to do for {}.{}", in_seconds(due - clock_.now()),
                              may_skip ? " Press space to go there." : ""));
}

void LiveModel::add_pod() {
  const std::string name = cluster_.add_pod();
  report(PicturePart::server, fmt::format("You create {} (v{}).", name, cluster_.version()));
}

void LiveModel::update_pod() {
  const std::string name = cluster_.update_pod();
  report(PicturePart::server,
         name.empty() ? "There is no pod to update. Press a to add one."
                      : fmt::format("You change the phase of {} (v{}).", name, cluster_.version()));
}

void LiveModel::delete_pod() {
  const std::string name = cluster_.delete_pod();
  report(PicturePart::server, name.empty()
                                  ? "There is no pod to delete. Press a to add one."
                                  : fmt::format("You delete {} (v{}).", name, cluster_.version()));
}

void LiveModel::send_gone() {
  cluster_.forget_changes();
  bool was_open = false;
  for (LiveServer* const server : servers_) was_open = server->expire() || was_open;
  report(PicturePart::server,
         was_open ? "The server forgets the changes before its version, and ends the watch with "
                    "410 Gone."
                  : "The server forgets the changes before its version: a watch that asks for an "
                    "older one gets 410 Gone.");
}

void LiveModel::cut() {
  for (LiveServer* const server : servers_) server->cut(kDown);
  report(
      PicturePart::server,
      fmt::format("The connection breaks; the server is unreachable for {}.", in_seconds(kDown)));
}

void LiveModel::toggle_slow() {
  report(PicturePart::server, "There is no second handler that could be slow.");
}

PipelinePicture LiveModel::picture() const {
  PipelinePicture picture;
  picture.server = {std::to_string(cluster_.version()), cluster_.size(),
                    std::to_string(cluster_.oldest()), servers_.front()->requests()};
  picture.step = steps_;
  picture.time = in_seconds(clock_.passed());
  picture.news = news_;
  picture.moved = moved_;
  draw(picture);
  return picture;
}

std::unique_ptr<LiveModel> make_live_model(LiveKind kind, QueueKind queue) {
  if (kind == LiveKind::reflector) return make_live_reflector(false);
  if (kind == LiveKind::reflector_known) return make_live_reflector(true);
  if (kind == LiveKind::two_informers) return make_live_informers();
  if (kind == LiveKind::requests) return make_live_requests();
  return make_live_pipeline(kind, queue);
}

}  // namespace kinf
