// SPDX-License-Identifier: Apache-2.0
#include "kinf/informer/shared_informer.h"

#include <algorithm>
#include <chrono>
#include <map>
#include <optional>
#include <utility>

#include "conformance/compact_object.h"
#include "conformance/handler_calls.h"
#include "conformance/index_functions.h"
#include "conformance/runner.h"
#include "conformance/transform.h"
#include "fakes/fake_clock.h"
#include "fakes/manual_source.h"
#include "kinf/api/api_status.h"

namespace kinf::conformance {
namespace {

using std::chrono::milliseconds;

Error error_from(Fields& args) {
  if (args.flag_or("connection_refused", false)) {
    return {ErrorKind::network, "dial tcp 127.0.0.1:6443: connection refused",
            NetworkFault::refused};
  }
  Fields fields(args.find("status"), "status");
  ApiStatus status;
  status.code = static_cast<int>(fields.integer("code"));
  status.reason = fields.text_or("reason", "");
  status.message = fields.text_or("message", "");
  if (fields.has("cause") || fields.has("cause_message")) {
    status.causes.push_back({fields.text_or("cause", ""), fields.text_or("cause_message", ""), ""});
  }
  fields.expect_all_read();
  return to_error(std::move(status));
}

Json request_json(const test::AskedRequest& request) {
  const ListOptions& options = request.options;
  Json json = {{"kind", request.is_watch ? "watch" : "list"},
               {"resourceVersion", options.resource_version}};
  if (!options.resource_version_match.empty()) {
    json["resourceVersionMatch"] = options.resource_version_match;
  }
  if (options.limit != 0) json["limit"] = options.limit;
  if (!options.continue_token.empty()) json["continue"] = options.continue_token;
  if (options.allow_watch_bookmarks) json["allowWatchBookmarks"] = true;
  if (options.send_initial_events) json["sendInitialEvents"] = true;
  if (options.timeout) {
    const bool in_range = *options.timeout >= std::chrono::seconds(300) &&
                          *options.timeout <= std::chrono::seconds(600);
    json["timeoutSeconds"] = in_range ? Json("300..600") : Json(options.timeout->count());
  }
  return json;
}

/// Sorts [first, last) by the compact text of its elements.
void sort_calls(Json::iterator first, Json::iterator last) {
  std::vector<Json> calls(first, last);
  std::sort(calls.begin(), calls.end(),
            [](const Json& a, const Json& b) { return a.dump() < b.dump(); });
  std::move(calls.begin(), calls.end(), first);
}

bool is_delete(const Json& call) { return call[0] == "delete" || call[0] == "delete_unknown"; }

/// Sorts calls into the order that a vector's `order` names.
void canonicalize(Json& calls, std::string order) {
  const bool rest_any = order.ends_with("_any");
  if (rest_any) order.resize(order.size() - 4);
  auto deletes = std::pair(calls.begin(), calls.begin());
  auto rest = std::pair(calls.begin(), calls.end());
  if (order == "any") {
    sort_calls(calls.begin(), calls.end());
  } else if (order == "deletes_first") {
    deletes.second = rest.first = std::find_if_not(calls.begin(), calls.end(), is_delete);
  } else if (order == "deletes_last") {
    auto end = calls.end();
    while (end != calls.begin() && is_delete(*(end - 1))) --end;
    deletes = {end, calls.end()};
    rest.second = end;
  } else if (order != "exact") {
    throw BadVector("unknown order " + order);
  }
  sort_calls(deletes.first, deletes.second);
  if (rest_any) sort_calls(rest.first, rest.second);
}

QueueKind queue_from(const std::string& name) {
  if (name == "real_fifo_atomic") return QueueKind::in_order_atomic;
  if (name == "real_fifo") return QueueKind::in_order;
  if (name == "delta_fifo") return QueueKind::delta;
  throw BadVector("unknown queue " + name);
}

class InformerSequence final : public Sequence {
 public:
  InformerSequence(InformerOptions options, bool watch_list) : queue_(options.queue) {
    auto source = std::make_unique<test::ManualSource>(clock_, "/v1, Kind=Pod");
    source->set_watch_list(watch_list);
    source_ = source.get();
    options.watch_error_handler = [this](const Error& error) {
      watch_errors_.push_back(error.message);
    };
    informer_.emplace(std::move(source), clock_, std::move(options));
  }

  Json step(const std::string& op, Fields& args, const Json&) override {
    forget_step();
    Json result = act(op, args);
    pump();
    return result;
  }

  Json state() override { throw BadVector("the state depends on its order"); }

  Json state_like(const Json& expected) override {
    const auto pending = source_->pending();
    Json json = {{"pending_request", pending ? request_json(*pending) : Json()},
                 {"last_sync_rv", informer_->last_sync_resource_version()},
                 {"has_synced", informer_->has_synced()},
                 {"stream_open", source_->stream_open()}};
    for (auto& [id, handler] : handlers_) {
      json["handlers_synced"][id] = handler.registration.has_synced();
      if (!handler.recorder.calls.empty()) json["events"][id] = handler.recorder.calls;
    }
    if (json.contains("events")) {
      json["order"] = expected.value("order", "exact");
      for (Json& calls : json["events"]) canonicalize(calls, json["order"]);
    }
    Json store = sorted_refs_of(informer_->indexer().list());
    if (!last_store_ || *last_store_ != store) json["store"] = store;
    last_store_ = std::move(store);
    if (queue_ == QueueKind::in_order_atomic) {
      json["store_rv"] = informer_->indexer().last_store_sync_resource_version();
    }
    if (!watch_errors_.empty()) json["watch_errors"] = watch_errors_;
    return json;
  }

 private:
  struct Handler {
    HandlerRecorder recorder;
    HandlerRegistration registration;
    bool removed = false;
  };

  void forget_step() {
    std::erase_if(handlers_, [](const auto& entry) { return entry.second.removed; });
    for (auto& entry : handlers_) entry.second.recorder.calls = Json::array();
    watch_errors_.clear();
  }

  Json act(const std::string& op, Fields& args) {
    if (op == "add_handler") return add_handler(args);
    if (op == "remove_handler") return remove_handler(args.text("id"));
    if (op == "await_request") return await_request(milliseconds(args.integer("max_ms")));
    if (op == "start") {
      if (const Result<void> begun = informer_->begin(); !begun)
        throw BadVector(begun.error().message);
      running_ = true;
    } else if (op == "stop") {
      informer_->finish();
      running_ = false;
      return {{"is_stopped", informer_->is_stopped()}};
    } else if (op == "advance") {
      advance(milliseconds(args.integer("ms")));
    } else {
      serve(op, args);
    }
    return nullptr;
  }

  /// What the server does.
  void serve(const std::string& op, Fields& args) {
    if (op == "respond_list") {
      source_->answer_list(objects_from(args.at("items")), args.text("rv"),
                           args.text_or("continue", ""));
    } else if (op == "respond_watch") {
      source_->answer_watch();
    } else if (op == "respond_error") {
      source_->answer_error(error_from(args));
    } else if (op == "event") {
      source_->send(type_from(args.text("type")), object_from(args.at("obj")));
    } else if (op == "bookmark") {
      source_->send_bookmark(args.text("rv"), args.flag_or("initial_events_end", false));
    } else if (op == "error_event") {
      source_->send_error(error_from(args));
    } else if (op == "close_stream") {
      source_->close_stream();
    } else {
      throw BadVector("unknown op " + op);
    }
  }

  static WatchEventType type_from(const std::string& name) {
    if (name == "ADDED") return WatchEventType::added;
    if (name == "MODIFIED") return WatchEventType::modified;
    if (name == "DELETED") return WatchEventType::deleted;
    throw BadVector("unknown event type " + name);
  }

  Json add_handler(Fields& args) {
    const std::string id = args.text("id");
    HandlerOptions options;
    options.when_full = WhenFull::grow;
    if (args.has("resync_ms")) options.resync = milliseconds(args.integer("resync_ms"));
    Handler& handler = handlers_[id];
    auto registration = informer_->add_event_handler(handler.recorder, options);
    if (registration) {
      handler.registration = std::move(*registration);
    } else {
      handlers_.erase(id);
    }
    return {{"ok", registration.has_value()}};
  }

  Json remove_handler(const std::string& id) {
    handlers_.at(id).registration.remove();
    handlers_.at(id).removed = true;
    return {{"error", nullptr}};
  }

  /// Steps the informer until it is idle. Returns the time of its next step.
  Clock::Mono pump() {
    if (!running_) return Clock::kNever;
    StepResult result = informer_->step();
    while (result.moved) result = informer_->step();
    return result.wake;
  }

  void advance(Clock::Duration by) {
    const Clock::Mono end = clock_.now() + by;
    while (clock_.now() < end) clock_.advance(std::min(pump(), end) - clock_.now());
  }

  Json await_request(Clock::Duration at_most) {
    pump();
    const bool immediate = source_->pending().has_value();
    const Clock::Mono end = clock_.now() + at_most;
    while (!source_->pending() && clock_.now() < end) {
      clock_.advance(std::min(pump(), end) - clock_.now());
      pump();
    }
    return {{"got", source_->pending().has_value()}, {"immediate", immediate}};
  }

  const QueueKind queue_;
  test::FakeClock clock_;
  test::ManualSource* source_ = nullptr;
  bool running_ = false;
  std::vector<std::string> watch_errors_;
  std::optional<Json> last_store_;
  std::optional<SharedInformer> informer_;
  std::map<std::string, Handler> handlers_;  // before the informer ends
};

class InformerRunner final : public SequenceRunner {
  std::unique_ptr<Sequence> start(Fields& config) override {
    InformerOptions options;
    options.behaviour = Behaviour::client_go;
    options.seed = 1;
    options.queue = queue_from(config.text("queue"));
    options.resync_period = milliseconds(config.integer("default_resync_ms"));
    options.transform = transform_from(config.find("transform"));
    for (auto& [name, function] : index_functions_from(config.at("indexers"))) {
      options.indexers.emplace(name, std::move(function));
    }
    const std::string expected = config.text("expected_kind");
    const std::size_t slash = expected.rfind('/');
    options.expected_api_version = expected.substr(0, slash);
    options.expected_kind = expected.substr(slash + 1);
    const std::string mode = config.text("mode");
    if (mode != "list" && mode != "watchlist") throw BadVector("unknown mode " + mode);
    config.text("scenario");
    return std::make_unique<InformerSequence>(std::move(options), mode == "watchlist");
  }
};

const Registration kInformer("informer", [] { return std::make_unique<InformerRunner>(); });

}  // namespace
}  // namespace kinf::conformance
