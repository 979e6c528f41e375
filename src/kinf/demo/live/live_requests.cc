// SPDX-License-Identifier: Apache-2.0
// LiveRequests: a program without an informer that sends a list request, then a watch request
// without a version. For `kinf demo --live`.
#include "kinf/demo/live/live_model.h"

#include <fmt/format.h>

#include <optional>
#include <variant>

#include "kinf/demo/stages/stage.h"

namespace kinf {
namespace {

class ListedNames final : public ListSink {
 public:
  void item(ObjectPtr object) override { lines_.emplace_back(object->name()); }
  const std::vector<std::string>& lines() const { return lines_; }

 private:
  std::vector<std::string> lines_;
};

/// Threads: not thread-safe.
class LiveRequests final : public LiveModel {
 public:
  LiveRequests() : server_(make_server("The program")) {}

 private:
  bool work() override {
    if (has_failed_) return false;
    if (list_) return poll_list();
    if (watch_) return poll_watch();
    move(PicturePart::client1);
    if (version_.empty()) {
      list_ = server_->list({}, names_);
    } else {
      watch_ = server_->watch({});
    }
    return true;
  }
  Clock::Mono next_due() const override { return Clock::kNever; }
  void draw(PipelinePicture& picture) const override {
    picture.flow = PictureFlow::clients;
    picture.client1.title = "List";
    picture.client1.purpose = "the first request of your program";
    picture.client1.activity =
        version_.empty() ? "no answer yet" : "the list has version " + version_;
    picture.client1.lines = names_.lines();
    picture.client2.title = "Watch without a version";
    picture.client2.purpose = "the second; newest event first";
    picture.client2.activity = has_failed_ ? "ended"
                               : is_open_  ? "open"
                               : watch_    ? "no answer yet"
                                           : "not sent yet";
    picture.client2.lines = events_;
  }
  bool poll_list() {
    const std::optional<Result<ListPage>> page = list_->poll();
    move(PicturePart::client1);
    if (page && *page) {
      version_ = (*page)->resource_version;
    } else {
      fail();
    }
    list_.reset();
    return true;
  }
  bool poll_watch() {
    for (;;) {
      const WatchPoll poll = watch_->poll();
      if (std::holds_alternative<WatchOpened>(poll)) {
        is_open_ = true;
        return true;
      }
      if (std::holds_alternative<WatchPending>(poll)) return has_moved(PicturePart::client2);
      const auto* const event = std::get_if<WatchEvent>(&poll);
      if (event == nullptr || event->type == WatchEventType::error) {
        fail();
        return true;
      }
      move(PicturePart::client2);
      events_.insert(events_.begin(),
                     fmt::format("{} {} v{} {}", verb_of(event->type), event->object->name(),
                                 event->object->resource_version(), phase_of(*event->object)));
    }
  }
  /// Ends the program after a failed request, because only a reflector would try again.
  void fail() {
    list_.reset();
    watch_.reset();
    has_failed_ = true;
    say(PicturePart::client2,
        "The program has no reflector that would send the next request, so it ends here.");
  }

  const std::unique_ptr<LiveServer> server_;
  ListedNames names_;
  std::unique_ptr<ListCall> list_;
  std::unique_ptr<WatchCall> watch_;
  std::string version_;              ///< version of the list; empty until the list has arrived
  std::vector<std::string> events_;  ///< texts of the received events, newest first
  bool is_open_ = false;
  bool has_failed_ = false;
};

}  // namespace

std::unique_ptr<LiveModel> make_live_requests() { return std::make_unique<LiveRequests>(); }

}  // namespace kinf
