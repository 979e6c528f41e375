// SPDX-License-Identifier: Apache-2.0
#include "kinf/demo/live/live_server.h"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <utility>

#include "kinf/api/api_status.h"
#include "kinf/base/ascii.h"
#include "kinf/base/number_text.h"
#include "kinf/demo/stages/stage.h"

namespace kinf {
namespace {

constexpr std::size_t kChangesKept = 100;

ObjectPtr live_pod(int number, std::uint64_t version, std::string_view phase, bool is_labelled) {
  return object_from(fmt::format(
      R"({{"apiVersion":"v1","kind":"Pod","metadata":{{"name":"pod-{0}","namespace":"default",)"
      R"("uid":"uid-{0}","resourceVersion":"{1}"{3}}},"status":{{"phase":"{2}"}}}})",
      number, version, phase, is_labelled ? R"(,"labels":{"checked":"yes"})" : ""));
}

constexpr std::size_t kRequestsKept = 64;

Error refused() { return {ErrorKind::network, "connection refused", NetworkFault::refused}; }

Error reset() { return {ErrorKind::network, "connection reset by peer", NetworkFault::reset}; }

}  // namespace

void LiveCluster::change(WatchEventType type, int number, std::string_view phase,
                         bool is_labelled) {
  WatchEvent event;
  event.type = type;
  event.object = live_pod(number, ++version_, phase, is_labelled);
  event.resource_version = event.object->resource_version();
  if (type == WatchEventType::deleted) {
    pods_.erase(number);
  } else {
    pods_[number] = event.object;
  }
  history_.push_back(std::move(event));
  if (history_.size() <= kChangesKept) return;
  oldest_ = version_of(*history_.front().object);
  history_.pop_front();
}

std::string LiveCluster::add_pod() {
  change(WatchEventType::added, ++last_pod_, "Pending", false);
  return fmt::format("pod-{}", last_pod_);
}

std::string LiveCluster::update_pod() {
  if (pods_.empty()) return "";
  const auto [number, pod] = *std::ranges::min_element(
      pods_, {}, [](const auto& entry) { return version_of(*entry.second); });
  change(WatchEventType::modified, number, phase_of(*pod) == "Running" ? "Failed" : "Running",
         has_checked_label(*pod));
  return std::string(pod->name());
}

std::string LiveCluster::delete_pod() {
  if (pods_.empty()) return "";
  const auto [number, pod] = *pods_.begin();
  change(WatchEventType::deleted, number, phase_of(*pod), has_checked_label(*pod));
  return std::string(pod->name());
}

void LiveCluster::label_pod(std::string_view name) {
  const auto found =
      std::ranges::find_if(pods_, [&](const auto& entry) { return entry.second->name() == name; });
  if (found == pods_.end()) return;
  change(WatchEventType::modified, found->first, phase_of(*found->second), true);
}

void LiveCluster::forget_changes() {
  oldest_ = version_;
  history_.clear();
}

std::vector<ObjectPtr> LiveCluster::pods() const {
  std::vector<ObjectPtr> pods;
  for (const auto& [number, pod] : pods_) pods.push_back(pod);
  return pods;
}

const WatchEvent* LiveCluster::change_after(std::uint64_t version) const {
  const auto found = std::ranges::find_if(
      history_, [&](const WatchEvent& event) { return version_of(*event.object) > version; });
  return found == history_.end() ? nullptr : &*found;
}

bool has_checked_label(const Object& pod) { return pod.label("checked").has_value(); }

std::uint64_t version_of(const Object& object) {
  return parse_number<std::uint64_t>(object.resource_version()).value_or(0);
}

class LiveServer::Listing final : public ListCall {
 public:
  Listing(LiveServer& server, ListSink& sink) : server_(server), sink_(sink) {}
  ~Listing() override { server_.open_ = Open::none; }
  Listing(const Listing&) = delete;
  Listing& operator=(const Listing&) = delete;

  std::optional<Result<ListPage>> poll() override {
    if (std::exchange(server_.is_cutting_, false)) return std::unexpected(server_.failed(reset()));
    if (server_.is_down()) return std::unexpected(server_.failed(refused()));
    for (const ObjectPtr& pod : server_.cluster_.pods()) sink_.item(pod);
    const std::string pods = counted(server_.cluster_.size(), "pod");
    server_.pods_sent_ += server_.cluster_.size();
    server_.outcome(pods);
    server_.tell_(fmt::format("The server answers: {}, and the version {} of the list.", pods,
                              server_.cluster_.version()));
    server_.last_end_ = LastEnd::listed;
    return ListPage{std::to_string(server_.cluster_.version()), ""};
  }

 private:
  LiveServer& server_;
  ListSink& sink_;
};

class LiveServer::Watching final : public WatchCall {
 public:
  /// If `version` is empty, the watch begins with ADDED for every pod.
  Watching(LiveServer& server, std::string_view version)
      : server_(server),
        sent_(parse_number<std::uint64_t>(version).value_or(server.cluster_.version())) {
    if (!version.empty()) return;
    for (const ObjectPtr& pod : server_.cluster_.pods()) {
      WatchEvent event;  // the default type is ADDED
      event.object = pod;
      event.resource_version = pod->resource_version();
      initial_.push_back(std::move(event));
    }
  }
  ~Watching() override { server_.open_ = Open::none; }
  Watching(const Watching&) = delete;
  Watching& operator=(const Watching&) = delete;

  WatchPoll poll() override {
    if (std::exchange(server_.is_cutting_, false)) return server_.failed(reset());
    if (server_.is_down()) return server_.failed(refused());
    if (!std::exchange(is_opened_, true)) {
      server_.outcome("open");
      server_.tell_("The server accepts the watch.");
      return WatchOpened{};
    }
    if (std::exchange(server_.is_expiring_, false) || sent_ < server_.cluster_.oldest()) {
      return expired();
    }
    return next();
  }
  Clock::Mono last_byte() const override { return server_.clock_.now(); }

 private:
  WatchPoll next() {
    if (!initial_.empty()) {
      WatchEvent event = std::move(initial_.front());
      initial_.pop_front();
      return sent(std::move(event));
    }
    if (const WatchEvent* const event = server_.cluster_.change_after(sent_)) {
      sent_ = version_of(*event->object);
      return sent(*event);
    }
    if (!batch_.empty()) server_.tell_(fmt::format("The watch brings {}.", batch_));
    batch_.clear();
    return WatchPending{};
  }

  WatchEvent sent(WatchEvent event) {
    ++server_.pods_sent_;
    ++server_.events_;
    server_.outcome("open, " + counted(++events_, "event"));
    if (!batch_.empty()) batch_ += ", ";
    batch_ += fmt::format("{} {}", verb_of(event.type), event.object->name());
    return event;
  }

  WatchEvent expired() {
    ApiStatus status;
    status.code = 410;
    status.reason = "Expired";
    status.message =
        fmt::format("too old resource version: {} ({})", sent_, server_.cluster_.oldest());
    WatchEvent event;
    event.type = WatchEventType::error;
    event.error = server_.failed(to_error(std::move(status)));
    return event;
  }

  LiveServer& server_;
  std::uint64_t sent_;  ///< the version of the last change that was sent
  std::deque<WatchEvent> initial_;
  std::size_t events_ = 0;
  bool is_opened_ = false;
  std::string batch_;  ///< text about the events since the last WatchPending
};

bool LiveServer::expire() {
  is_expiring_ = is_watched() && !is_cutting_;
  return is_expiring_;
}

void LiveServer::cut(Clock::Duration lasting) {
  is_cutting_ = open_ != Open::none;
  down_until_ = clock_.now() + lasting;
}

void LiveServer::begin(Open open, std::string text) {
  ++(open == Open::list ? lists_ : watches_);
  open_ = open;
  is_cutting_ = is_expiring_ = false;
  tell_(fmt::format("{} sends {}.", client_, text));
  requests_.push_back({std::move(text), "no answer yet"});
  if (requests_.size() > kRequestsKept) requests_.pop_front();
}

Error LiveServer::failed(Error error) {
  outcome(error.kind == ErrorKind::expired       ? "410 Gone"
          : error.fault == NetworkFault::refused ? "refused"
                                                 : "broken");
  last_error_ = error.message;
  last_end_ = error.kind == ErrorKind::expired ? LastEnd::expired
              : is_listed()                    ? LastEnd::list_failed
                                               : LastEnd::watch_failed;
  tell_(fmt::format("The {} fails: {}.", is_listed() ? "list" : "watch", error.message));
  return error;
}

PipelinePicture::Reflector LiveServer::client(const std::string& version,
                                              Clock::Mono request_at) const {
  return {activity(version), version, last_error_, back_off(request_at), lists_, watches_, events_};
}

std::string LiveServer::activity(const std::string& version) const {
  if (is_listed()) return "listing: waits for the answer";
  if (is_watched()) return "watching after v" + version;
  // The texts are in the order of the values of LastEnd.
  constexpr std::string_view kNext[] = {"not started", "has a list, will watch", "must list again",
                                        "will watch again", "must list again"};
  static_assert(std::size(kNext) == static_cast<std::size_t>(LastEnd::expired) + 1);
  return std::string(kNext[static_cast<std::size_t>(last_end_)]);
}

std::string LiveServer::back_off(Clock::Mono request_at) const {
  if (is_listed() || is_watched()) return "none";
  if (request_at > clock_.now()) return "next request in " + in_seconds(request_at - clock_.now());
  return last_end_ == LastEnd::expired ? "from the next step" : "none";
}

void LiveServer::log_write(std::string text, std::string outcome) {
  // Insert the write before the last entry, so that an open watch stays the newest request.
  requests_.insert(requests_.empty() ? requests_.end() : std::prev(requests_.end()),
                   {std::move(text), std::move(outcome)});
}

std::vector<std::string> LiveServer::requests() const {
  std::vector<std::string> texts;
  for (const Request& request : requests_) {
    texts.push_back(fmt::format("{}: {}", request.text, request.outcome));
  }
  return texts;
}

std::unique_ptr<ListCall> LiveServer::list(const ListOptions& options, ListSink& sink) {
  const std::string& version = options.resource_version;
  begin(Open::list, version.empty()  ? "LIST the newest"
                    : version == "0" ? "LIST any version"
                                     : "LIST from version " + version);
  return std::make_unique<Listing>(*this, sink);
}

std::unique_ptr<WatchCall> LiveServer::watch(const ListOptions& options) {
  const std::string& version = options.resource_version;
  begin(Open::watch, version.empty() ? "WATCH without a version" : "WATCH after " + version);
  return std::make_unique<Watching>(*this, version);
}

}  // namespace kinf
