// SPDX-License-Identifier: Apache-2.0
#include "kinf/demo/stages/traced_source.h"

#include <fmt/format.h>

#include <utility>

#include "kinf/demo/stages/stage.h"

namespace kinf {
namespace {

/// Returns the parameters of a request as text.
std::string parameters_of(const ListOptions& options) {
  std::string text;
  if (options.limit > 0) text += fmt::format(" limit={}", options.limit);
  if (!options.continue_token.empty()) text += " continue=...";
  if (!options.resource_version.empty()) text += " resourceVersion=" + options.resource_version;
  return text;
}

class TracedList final : public ListCall {
 public:
  TracedList(Demo& demo, std::unique_ptr<ListCall> inner) : demo_(demo), inner_(std::move(inner)) {}
  std::optional<Result<ListPage>> poll() override {
    std::optional<Result<ListPage>> page = inner_->poll();
    if (!page) return page;
    if (!*page) {
      const std::string& message = page->error().message;
      demo_.print("  " + message.substr(0, message.find(". ")));
    } else {
      demo_.print(fmt::format("  resourceVersion {}{}", (*page)->resource_version,
                              (*page)->continue_token.empty() ? "" : ", more pages"));
    }
    return page;
  }
  std::optional<std::string_view> continue_token() const override {
    return inner_->continue_token();
  }
  Clock::Mono last_byte() const override { return inner_->last_byte(); }

 private:
  Demo& demo_;
  const std::unique_ptr<ListCall> inner_;
};

class TracedWatch final : public WatchCall {
 public:
  TracedWatch(Demo& demo, std::unique_ptr<WatchCall> inner, const TracedSource::WatchEnded& ended)
      : demo_(demo), inner_(std::move(inner)), ended_(ended) {}
  WatchPoll poll() override {
    WatchPoll result = inner_->poll();
    if (const auto* const event = std::get_if<WatchEvent>(&result)) {
      took(*event);
    } else if (const auto* error = std::get_if<Error>(&result)) {
      end(error->message);
    } else if (std::holds_alternative<WatchClosed>(result)) {
      end("the watch was closed");
    }
    return result;
  }
  Clock::Mono last_byte() const override { return inner_->last_byte(); }

 private:
  void took(const WatchEvent& event) {
    if (event.type == WatchEventType::error) return end(event.error ? event.error->message : "");
    if (!event.object) return;  // a bookmark
    demo_.print(fmt::format("  {} {}, resourceVersion {}", verb_of(event.type),
                            event.object->name(), event.resource_version));
  }
  void end(const std::string& how) {
    demo_.print("  " + how);
    if (ended_) ended_();
  }

  Demo& demo_;
  const std::unique_ptr<WatchCall> inner_;
  const TracedSource::WatchEnded& ended_;
};

}  // namespace

std::unique_ptr<ListCall> TracedSource::list(const ListOptions& options, ListSink& sink) {
  demo_.print("list" + parameters_of(options));
  return std::make_unique<TracedList>(demo_, inner_->list(options, sink));
}

std::unique_ptr<WatchCall> TracedSource::watch(const ListOptions& options) {
  demo_.print("watch" + parameters_of(options));
  return std::make_unique<TracedWatch>(demo_, inner_->watch(options), ended_);
}

/// The reflector calls this after a silent watch only.
void TracedSource::reset_connections() {
  demo_.print("  no byte has arrived for too long: a new connection");
  inner_->reset_connections();
  if (ended_) ended_();
}

}  // namespace kinf
