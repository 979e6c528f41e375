// SPDX-License-Identifier: Apache-2.0
#include "kinf/demo/traced_source.h"

#include <fmt/format.h>

#include <utility>

namespace kinf {
namespace {

/// Returns the parameters of a request.
std::string parameters_of(const ListOptions& options) {
  std::string text;
  if (options.limit > 0) text += fmt::format(" limit={}", options.limit);
  if (!options.continue_token.empty()) text += " continue=...";
  if (!options.resource_version.empty()) text += " resourceVersion=" + options.resource_version;
  return text;
}

}  // namespace

class TracedSource::List final : public ListCall {
 public:
  List(Demo& demo, std::unique_ptr<ListCall> inner) : demo_(demo), inner_(std::move(inner)) {}
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

class TracedSource::Watch final : public WatchCall {
 public:
  Watch(Demo& demo, std::unique_ptr<WatchCall> inner) : demo_(demo), inner_(std::move(inner)) {}
  WatchPoll poll() override {
    WatchPoll result = inner_->poll();
    const auto* const event = std::get_if<WatchEvent>(&result);
    if (event != nullptr && event->type == WatchEventType::error && event->error) {
      demo_.print("  " + event->error->message);
    } else if (const auto* error = std::get_if<Error>(&result)) {
      demo_.print("  " + error->message);
    } else if (std::holds_alternative<WatchClosed>(result)) {
      demo_.print("  the watch was closed");
    }
    return result;
  }
  Clock::Mono last_byte() const override { return inner_->last_byte(); }

 private:
  Demo& demo_;
  const std::unique_ptr<WatchCall> inner_;
};

std::unique_ptr<ListCall> TracedSource::list(const ListOptions& options, ListSink& sink) {
  demo_.print("list" + parameters_of(options));
  return std::make_unique<List>(demo_, inner_->list(options, sink));
}

std::unique_ptr<WatchCall> TracedSource::watch(const ListOptions& options) {
  demo_.print("watch" + parameters_of(options));
  return std::make_unique<Watch>(demo_, inner_->watch(options));
}

}  // namespace kinf
