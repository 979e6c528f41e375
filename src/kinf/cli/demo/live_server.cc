// SPDX-License-Identifier: Apache-2.0
#include "kinf/cli/demo/live_server.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "kinf/api/api_status.h"
#include "kinf/base/parse_number.h"
#include "kinf/cli/demo/stage.h"

namespace kinf {
namespace {

constexpr std::size_t kRequestsKept = 64;
constexpr std::size_t kChangesKept = 100;

ObjectPtr live_pod(int number, std::uint64_t version, std::string_view phase) {
  return object_from(fmt::format(
      R"({{"apiVersion":"v1","kind":"Pod","metadata":{{"name":"pod-{0}","namespace":"default",)"
      R"("uid":"uid-{0}","resourceVersion":"{1}"}},"status":{{"phase":"{2}"}}}})",
      number, version, phase));
}

std::string_view verb_of(WatchEventType type) {
  switch (type) {
    case WatchEventType::added:
      return "ADDED";
    case WatchEventType::modified:
      return "MODIFIED";
    default:
      return "DELETED";
  }
}

Error refused() { return {ErrorKind::network, "connection refused", NetworkFault::refused}; }

Error reset() { return {ErrorKind::network, "connection reset by peer", NetworkFault::reset}; }

}  // namespace

class LiveServer::Listing final : public ListCall {
 public:
  Listing(LiveServer& server, ListSink& sink) : server_(server), sink_(sink) {}
  ~Listing() override { server_.open_ = Open::none; }
  Listing(const Listing&) = delete;
  Listing& operator=(const Listing&) = delete;

  std::optional<Result<ListPage>> poll() override {
    if (std::exchange(server_.is_cutting_, false)) return std::unexpected(server_.failed(reset()));
    if (server_.is_down()) return std::unexpected(server_.failed(refused()));
    for (const auto& [number, pod] : server_.pods_) sink_.item(pod);
    server_.outcome(fmt::format("{} pods", server_.pods_.size()));
    server_.tell_(fmt::format("The server answers: {} pods, and the version {} of the list.",
                              server_.pods_.size(), server_.version_));
    server_.last_end_ = LastEnd::listed;
    return ListPage{server_.version(), ""};
  }

 private:
  LiveServer& server_;
  ListSink& sink_;
};

class LiveServer::Watching final : public WatchCall {
 public:
  Watching(LiveServer& server, std::uint64_t from) : server_(server), sent_(from) {}
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
    if (std::exchange(server_.is_expiring_, false) || sent_ < server_.oldest_) return expired();
    return next();
  }
  Clock::Mono last_byte() const override { return server_.clock_.now(); }

 private:
  WatchPoll next() {
    for (const WatchEvent& event : server_.history_) {
      const auto version = parse_number<std::uint64_t>(event.resource_version).value_or(0);
      if (version <= sent_) continue;
      sent_ = version;
      ++events_;
      server_.outcome(fmt::format("open, {} event{}", events_, events_ == 1 ? "" : "s"));
      if (!batch_.empty()) batch_ += ", ";
      batch_ += fmt::format("{} {}", verb_of(event.type), event.object->name());
      return event;
    }
    if (!batch_.empty()) server_.tell_(fmt::format("The watch brings {}.", batch_));
    batch_.clear();
    return WatchPending{};
  }

  WatchEvent expired() {
    ApiStatus status;
    status.code = 410;
    status.reason = "Expired";
    status.message = fmt::format("too old resource version: {} ({})", sent_, server_.oldest_);
    WatchEvent event;
    event.type = WatchEventType::error;
    event.error = server_.failed(to_error(std::move(status)));
    return event;
  }

  LiveServer& server_;
  std::uint64_t sent_;
  std::uint64_t events_ = 0;
  bool is_opened_ = false;
  std::string batch_;  ///< the events since the last WatchPending
};

void LiveServer::change(WatchEventType type, int number, std::string_view phase) {
  WatchEvent event;
  event.type = type;
  event.object = live_pod(number, ++version_, phase);
  event.resource_version = version();
  if (type == WatchEventType::deleted) {
    pods_.erase(number);
  } else {
    pods_[number] = event.object;
  }
  history_.push_back(std::move(event));
  if (history_.size() <= kChangesKept) return;
  oldest_ = parse_number<std::uint64_t>(history_.front().resource_version).value_or(0);
  history_.pop_front();
}

std::string LiveServer::add_pod() {
  change(WatchEventType::added, ++last_pod_, "Pending");
  return fmt::format("pod-{}", last_pod_);
}

std::string LiveServer::update_pod() {
  if (pods_.empty()) return "";
  const auto version = [](const auto& entry) {
    return parse_number<std::uint64_t>(entry.second->resource_version()).value_or(0);
  };
  const auto& [number, pod] = *std::ranges::min_element(pods_, {}, version);
  const std::string name(pod->name());
  change(WatchEventType::modified, number, phase_of(*pod) == "Running" ? "Failed" : "Running");
  return name;
}

std::string LiveServer::delete_pod() {
  if (pods_.empty()) return "";
  const auto [number, pod] = *pods_.begin();
  change(WatchEventType::deleted, number, phase_of(*pod));
  return std::string(pod->name());
}

bool LiveServer::expire() {
  oldest_ = version_;
  history_.clear();
  is_expiring_ = is_watched();
  return is_expiring_;
}

void LiveServer::cut(Clock::Duration lasting) {
  is_cutting_ = open_ != Open::none;
  down_until_ = clock_.now() + lasting;
}

void LiveServer::begin(Open open, std::string text) {
  open_ = open;
  is_cutting_ = is_expiring_ = false;
  tell_(fmt::format("The reflector sends {}.", text));
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
  begin(Open::watch, "WATCH after " + options.resource_version);
  const auto from = parse_number<std::uint64_t>(options.resource_version).value_or(0);
  return std::make_unique<Watching>(*this, from);
}

}  // namespace kinf
