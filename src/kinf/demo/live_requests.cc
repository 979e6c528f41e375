// SPDX-License-Identifier: Apache-2.0
#include "kinf/demo/live_requests.h"

#include <fmt/format.h>

#include <optional>
#include <utility>
#include <variant>

#include "kinf/demo/live_text.h"
#include "kinf/demo/stage.h"

namespace kinf {

class LiveRequests::Names final : public ListSink {
 public:
  void item(ObjectPtr object) override { lines_.emplace_back(object->name()); }
  const std::vector<std::string>& lines() const { return lines_; }

 private:
  std::vector<std::string> lines_;
};

LiveRequests::LiveRequests()
    : server_(make_server("The program")), names_(std::make_unique<Names>()) {}

LiveRequests::~LiveRequests() = default;

bool LiveRequests::work() {
  if (has_failed_) return false;
  if (list_) return poll_list();
  if (watch_) return poll_watch();
  move(PicturePart::client1);
  if (version_.empty()) {
    list_ = server_->list({}, *names_);
  } else {
    watch_ = server_->watch({});
  }
  return true;
}

bool LiveRequests::poll_list() {
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

bool LiveRequests::poll_watch() {
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

void LiveRequests::fail() {
  list_.reset();
  watch_.reset();
  has_failed_ = true;
  say(PicturePart::client2,
      "The program has no reflector that would send the next request, so it ends here.");
}

void LiveRequests::draw(PipelinePicture& picture) const {
  picture.flow = PictureFlow::clients;
  picture.client1.title = "List";
  picture.client1.purpose = "the first request of your program";
  picture.client1.activity =
      version_.empty() ? "no answer yet" : "the list has version " + version_;
  picture.client1.lines = names_->lines();
  picture.client2.title = "Watch without a version";
  picture.client2.purpose = "the second; newest event first";
  picture.client2.activity = has_failed_ ? "ended"
                             : is_open_  ? "open"
                             : watch_    ? "no answer yet"
                                         : "not sent yet";
  picture.client2.lines = events_;
}

}  // namespace kinf
