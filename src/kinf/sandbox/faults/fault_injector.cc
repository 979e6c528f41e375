// SPDX-License-Identifier: Apache-2.0
#include "kinf/sandbox/faults/fault_injector.h"

#include <algorithm>

namespace kinf::sandbox {
namespace {

bool hits(FaultKind kind, const ObjectRequest& request) {
  const bool is_read = request.verb == "list" || request.verb == "watch" || request.verb == "get";
  if (kind == FaultKind::gone) return request.verb == "watch";
  if (kind == FaultKind::expire_continue) return request.continues;
  if (kind == FaultKind::garbage) return request.verb == "watch" || request.verb == "list";
  if (kind == FaultKind::no_bookmark_end) return request.streaming_list;
  return is_read && (kind == FaultKind::error || kind == FaultKind::too_many);
}

RequestFault request_fault(const FaultSpec& spec) {
  RequestFault fault;
  fault.expired = spec.kind == FaultKind::gone || spec.kind == FaultKind::expire_continue;
  fault.garbage = spec.kind == FaultKind::garbage;
  fault.omit_initial_events_end = spec.kind == FaultKind::no_bookmark_end;
  if (!fault.expired && !fault.garbage && !fault.omit_initial_events_end) fault.refusal = spec;
  return fault;
}

}  // namespace

void FaultInjector::add(const FaultSpec& spec) {
  if (!is_protocol_fault(spec.kind)) return;
  MutexLock lock(mu_);
  if (spec.kind == FaultKind::none) {
    pending_.clear();
    denied_.clear();
    omit_initial_events_end_ = false;
    random_.reset();
  } else if (spec.kind == FaultKind::deny) {
    denied_.insert(spec.resource);
  } else if (spec.kind == FaultKind::no_bookmark_end) {
    omit_initial_events_end_ = true;
  } else if (spec.kind == FaultKind::random) {
    random_.emplace(spec.seed);
    rate_ = spec.rate;
  } else {
    pending_.push_back(spec);
  }
}

RequestFault FaultInjector::take(const ObjectRequest& request) {
  MutexLock lock(mu_);
  if (denied_.contains(request.gvr.resource) || denied_.contains(request.gvr.group_resource())) {
    return request_fault({.kind = FaultKind::deny});
  }
  std::optional<FaultSpec> spec = take_pending(request);
  if (!spec) spec = random_fault(request);
  RequestFault fault = spec ? request_fault(*spec) : RequestFault{};
  if (omit_initial_events_end_ && request.streaming_list) fault.omit_initial_events_end = true;
  return fault;
}

std::optional<FaultSpec> FaultInjector::take_pending(const ObjectRequest& request) {
  const auto found = std::ranges::find_if(
      pending_, [&](const FaultSpec& spec) { return hits(spec.kind, request); });
  if (found == pending_.end()) return std::nullopt;
  const FaultSpec spec = *found;
  if (--found->times == 0) pending_.erase(found);
  return spec;
}

/// Returns a random fault that can affect this request, or nullopt.
std::optional<FaultSpec> FaultInjector::random_fault(const ObjectRequest& request) {
  if (!random_ || !hits(FaultKind::error, request) || random_->unit() >= rate_) return std::nullopt;
  std::vector<FaultSpec> possible = {{.kind = FaultKind::gone},
                                     {.kind = FaultKind::expire_continue},
                                     {.kind = FaultKind::error, .code = 500},
                                     {.kind = FaultKind::error, .code = 503},
                                     {.kind = FaultKind::error, .code = 504},
                                     {.kind = FaultKind::too_many},
                                     {.kind = FaultKind::garbage},
                                     {.kind = FaultKind::no_bookmark_end}};
  std::erase_if(possible, [&](const FaultSpec& spec) { return !hits(spec.kind, request); });
  return possible[random_->next() % possible.size()];
}

std::string damaged(std::string list_text) {
  // The text has one unmatched quote, so the document is invalid wherever the text is inserted.
  constexpr std::string_view kGarbage = "\x01\"}]garbage[{\xff";
  list_text.insert(list_text.size() / 2, kGarbage);
  return list_text;
}

std::string garbage_event() { return "{\"type\":\"MODIFIED\",\"object\":{]garbage\xff\n"; }

}  // namespace kinf::sandbox
