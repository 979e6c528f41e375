// SPDX-License-Identifier: Apache-2.0
#include "sim/api_server.h"

#include <algorithm>
#include <chrono>
#include <string>

#include "sim/documents.h"

namespace kinf::sim {
namespace {

using std::chrono::milliseconds;
using std::chrono::seconds;

/// How long a server waits for a revision before it answers 504.
constexpr seconds kPatience(3);

bool is_exact(const ListOptions& options) {
  return options.resource_version_match == "Exact" ||
         (options.resource_version_match.empty() && options.limit > 0);
}

}  // namespace

void ApiServer::receive(const Request& request, Clock::Mono now) {
  if (denials_ > 0) {
    --denials_;
    return refuse(*request, code_, now);
  }
  const ListOptions& options = request->options;
  const bool newest = options.resource_version.empty() && options.continue_token.empty();
  request->phase = Exchange::Phase::held;
  request->due = Clock::kNever;
  if (!request->is_watch) {
    const bool from_memory = options.continue_token.empty() && !newest &&
                             (options.resource_version == "0" || !is_exact(options));
    request->needs_etcd = !from_memory;
    if (from_memory) hold(*request, number_of(options.resource_version), now);
  } else if (options.send_initial_events) {
    hold(*request, newest ? etcd_.revision() : number_of(options.resource_version), now);
  }
  held_.push_back(request);
}

void ApiServer::hold(Exchange& request, std::uint32_t revision, Clock::Mono now) {
  request.needed = revision;
  request.due = now + kPatience;
}

bool ApiServer::is_ready(const Exchange& request, bool etcd_answers) const {
  return applied_ >= request.needed && (etcd_answers || !request.needs_etcd);
}

void ApiServer::tick(Clock::Mono now, bool etcd_answers) {
  if (!lags_ && etcd_answers) apply(etcd_.revision() - applied_, now);
  std::erase_if(held_, [&](const Request& request) {
    if (request->phase != Exchange::Phase::held) return true;
    if (is_ready(*request, etcd_answers)) {
      answer(*request, now);
    } else if (now >= request->due) {
      refuse(*request, 504, now);
    } else {
      return false;
    }
    if (request->phase == Exchange::Phase::streaming) watches_.push_back(request);
    return true;
  });
  std::erase_if(watches_, [&](const Request& watch) {
    if (watch->phase != Exchange::Phase::streaming) return true;
    if (watch->owes_end && now >= watch->end_due) send_end_mark(*watch, now);
    if (now < watch->closes) return false;
    watch->send(Closed(), now);
    watch->phase = Exchange::Phase::over;
    return true;
  });
}

Clock::Mono ApiServer::next_event() const {
  Clock::Mono next = Clock::kNever;
  for (const Request& request : held_) next = std::min(next, request->due);
  for (const Request& watch : watches_) {
    next = std::min(next, watch->closes);
    if (watch->owes_end) next = std::min(next, watch->end_due);
  }
  return next;
}

void ApiServer::apply(std::uint32_t count, Clock::Mono now) {
  applied_ += std::min(count, etcd_.revision() - applied_);
  for (const Request& watch : watches_) {
    if (watch->phase == Exchange::Phase::streaming) send_events(*watch, now);
  }
}

void ApiServer::restart() {
  applied_ = oldest_ = etcd_.revision();
  held_.clear();
  watches_.clear();
  denials_ = 0;
}

void ApiServer::send_bookmarks(bool may_be_old, Clock::Mono now) {
  for (const Request& watch : watches_) {
    if (watch->phase != Exchange::Phase::streaming || watch->owes_end) continue;
    if (applied_ < watch->position && !(may_be_old && one_in(4))) continue;
    send_body(*watch, bookmark_document(applied_, false), now);
  }
}

void ApiServer::answer(Exchange& request, Clock::Mono now) {
  request.epoch = etcd_.epoch();
  request.is_watch ? answer_watch(request, now) : answer_list(request, now);
}

void ApiServer::answer_list(Exchange& request, Clock::Mono now) {
  const ListOptions& options = request.options;
  const auto limit = options.limit > 0 ? static_cast<std::size_t>(options.limit) : kObjects;
  if (!options.continue_token.empty()) {  // revision.object
    const std::string& token = options.continue_token;
    const std::uint32_t revision = number_of(token);
    const std::size_t first = number_of(std::string_view(token).substr(token.find('.') + 1));
    const bool is_known = revision >= etcd_.compacted() && revision <= etcd_.revision();
    return is_known ? send_list(request, revision, first, limit, now) : refuse(request, 410, now);
  }
  if (options.resource_version.empty()) {
    return send_list(request, etcd_.revision(), 0, limit, now);
  }
  if (options.resource_version == "0" || !is_exact(options)) {
    return send_list(request, applied_, 0, kObjects, now);
  }
  const std::uint32_t revision = number_of(options.resource_version);
  if (revision > etcd_.revision()) return refuse(request, 504, now);
  if (revision < etcd_.compacted()) return refuse(request, 410, now);
  send_list(request, revision, 0, limit, now);
}

void ApiServer::send_list(Exchange& request, std::uint32_t revision, std::size_t first,
                          std::size_t limit, Clock::Mono now) {
  const State& state = etcd_.state_at(revision);
  std::string items;
  std::string token;
  std::size_t count = 0;
  for (std::size_t i = first; i < kObjects; ++i) {
    if (!state.at(i).is_selected(request.red_only)) continue;
    if (count++ == limit) {
      token = std::to_string(revision) + "." + std::to_string(i);
      break;
    }
    if (!items.empty()) items += ',';
    items += item_document(i, state.at(i));
  }
  request.send(Accepted(), now);
  send_body(request, list_document(revision, token, items), now);
  request.send(Closed(), now);
  request.phase = Exchange::Phase::over;
}

void ApiServer::answer_watch(Exchange& request, Clock::Mono now) {
  const std::uint32_t from = number_of(request.options.resource_version);
  const bool is_expired = !request.options.send_initial_events && from < oldest_;
  if (is_expired && one_in(2)) return refuse(request, 410, now);
  request.send(Accepted(), now);
  if (is_expired) {
    send_body(request, event_document("ERROR", status_document(410)), now);
    request.send(Closed(), now);
    request.phase = Exchange::Phase::over;
    return;
  }
  request.phase = Exchange::Phase::streaming;
  request.closes = now + request.options.timeout.value_or(seconds(300));
  request.position = from;
  if (request.options.send_initial_events) return send_initial_events(request, now);
  send_events(request, now);
}

void ApiServer::send_initial_events(Exchange& watch, Clock::Mono now) {
  const State& state = etcd_.state_at(applied_);
  for (std::size_t i = 0; i < kObjects; ++i) {
    if (!state.at(i).is_selected(watch.red_only)) continue;
    const std::string object = object_document(i, state.at(i), state.at(i).revision);
    send_body(watch, event_document("ADDED", object), now);
  }
  watch.position = applied_;
  watch.owes_end = true;
  watch.end_due = forgets_end_marks_ ? Clock::kNever
                  : one_in(3)        ? now + milliseconds(random_.next() % 500)
                                     : now;
  if (watch.end_due == now) send_end_mark(watch, now);
}

void ApiServer::send_end_mark(Exchange& watch, Clock::Mono now) {
  watch.owes_end = false;
  send_body(watch, bookmark_document(applied_, true), now);
}

void ApiServer::send_events(Exchange& watch, Clock::Mono now) {
  while (watch.position < applied_) {
    const std::optional<std::string> event = event_of(etcd_, ++watch.position, watch.red_only);
    if (event) send_body(watch, *event, now);
  }
}

void ApiServer::refuse(Exchange& request, int code, Clock::Mono now) {
  request.send(status_failure(code), now);
  request.phase = Exchange::Phase::over;
}

/// A part of the bytes may arrive later than the rest.
void ApiServer::send_body(Exchange& request, std::string bytes, Clock::Mono now) {
  const Clock::Mono at = now + milliseconds(random_.next() % 8);
  if (one_in(4)) {
    const std::size_t half = random_.next() % bytes.size();
    if (half > 0) request.send(bytes.substr(0, half), at);
    bytes.erase(0, half);
    request.send(std::move(bytes), at + milliseconds(random_.next() % 40));
  } else {
    request.send(std::move(bytes), at);
  }
}

}  // namespace kinf::sim
