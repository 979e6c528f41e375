// SPDX-License-Identifier: Apache-2.0
#include "kinf/informer/setback_check.h"

#include <chrono>
#include <utility>

#include "kinf/base/log.h"
#include "kinf/informer/version_tracker.h"

namespace kinf {
namespace {

/// How many requests are sent for one watch if they fail.
constexpr int kTries = 3;
/// How long to wait for an answer.
constexpr std::chrono::seconds kPatience(3);
/// How long to wait after a failure.
constexpr std::chrono::seconds kPause(1);

/// Returns whether the same request would fail again.
bool is_hopeless(const Error& error) {
  return error.kind == ErrorKind::auth || error.kind == ErrorKind::forbidden ||
         error.kind == ErrorKind::not_found || error.kind == ErrorKind::usage;
}

}  // namespace

void SetbackCheck::listed() {
  watch_ended();
  is_armed_ = false;
}

void SetbackCheck::watch_opened(std::string version) {
  if (!is_armed_) return;
  watched_from_ = std::move(version);
  tries_ = 0;
  send_at_ = clock_.now();
}

void SetbackCheck::watch_ended() {
  call_.reset();
  send_at_.reset();
}

std::optional<SetbackCheck::Setback> SetbackCheck::poll() {
  if (send_at_ && clock_.now() >= deadline()) send();
  if (!call_) return std::nullopt;
  const std::optional<Result<ListPage>> page = call_->poll();
  if (!page) {
    if (clock_.now() >= deadline()) failed(nullptr);
    return std::nullopt;
  }
  if (!*page) {
    failed(&page->error());
    return std::nullopt;
  }
  call_.reset();
  is_armed_ = false;
  const std::string& version = (*page)->resource_version;
  if (!is_older_version(version, watched_from_)) return std::nullopt;
  return Setback{.from = std::move(watched_from_), .to = version};
}

Clock::Mono SetbackCheck::deadline() const {
  if (send_at_) return pacer_.earliest(*send_at_);
  return call_ ? sent_at_ + kPatience : Clock::kNever;
}

void SetbackCheck::send() {
  send_at_.reset();
  ++tries_;
  sent_at_ = clock_.now();
  call_ = source_.newest_version(sink_);
  if (call_) {
    pacer_.dialled(sent_at_);
  } else {
    is_armed_ = false;  // the source does not know
  }
}

/// `error` is null if no answer arrived in time.
void SetbackCheck::failed(const Error* error) {
  call_.reset();
  log::verbose(4, "{}: cannot check whether the server was restored from a backup: {}",
               source_.description(), error != nullptr ? error->message : "no response");
  if (error != nullptr && is_hopeless(*error)) {
    is_armed_ = false;
  } else if (tries_ < kTries) {
    send_at_ = clock_.now() + kPause;
  }
}

}  // namespace kinf
