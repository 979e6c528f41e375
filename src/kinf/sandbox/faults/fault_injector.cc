// SPDX-License-Identifier: Apache-2.0
#include "kinf/sandbox/fault_injector.h"

#include <algorithm>
#include <utility>

#include "kinf/sandbox/router.h"

namespace kinf::sandbox {
namespace {

bool is_read(const ObjectRequest& request) {
  return request.verb == "list" || request.verb == "watch" || request.verb == "get";
}

bool hits(FaultKind kind, const ObjectRequest& request) {
  switch (kind) {
    case FaultKind::gone:
      return request.verb == "watch";
    case FaultKind::expire_continue:
      return request.continues;
    case FaultKind::garbage:
      return request.verb == "watch" || request.verb == "list";
    case FaultKind::no_bookmark_end:
      return request.streaming_list;
    case FaultKind::error:
    case FaultKind::too_many:
      return is_read(request);
    default:
      return false;
  }
}

/// The 429 of the in-flight limit is made before anything is known of the request: no Status.
HttpAnswer too_many_answer(const FaultSpec& spec) {
  const std::chrono::seconds after = spec.retry_after.value_or(std::chrono::seconds(1));
  if (!spec.as_text) return status_answer(too_many_requests(after));
  HttpAnswer answer;
  answer.code = 429;
  answer.content_type = "text/plain; charset=utf-8";
  answer.headers.emplace_back("Retry-After", std::to_string(after.count()));
  answer.body = "Too many requests, please try again later.\n";
  return answer;
}

FaultVerdict verdict_of(const FaultSpec& spec) {
  FaultVerdict verdict;
  switch (spec.kind) {
    case FaultKind::error: {
      ApiStatus status = server_error(spec.code);
      status.retry_after = spec.retry_after;
      verdict.instead = status_answer(status);
      break;
    }
    case FaultKind::too_many:
      verdict.instead = too_many_answer(spec);
      break;
    case FaultKind::gone:
    case FaultKind::expire_continue:
      verdict.expired = true;
      break;
    case FaultKind::garbage:
      verdict.garbage = true;
      break;
    default:
      verdict.endless = true;
      break;
  }
  return verdict;
}

/// What `random` draws from; those that end by themselves, and a streaming list without its mark
/// for one request.
std::vector<FaultSpec> mixture() {
  std::vector<FaultSpec> all(8);
  all[0].kind = FaultKind::gone;
  all[1].kind = FaultKind::expire_continue;
  for (const int code : {500, 503, 504}) {
    FaultSpec& error = all[static_cast<std::size_t>(code == 500 ? 2 : code - 500)];
    error.kind = FaultKind::error;
    error.code = code;
  }
  all[5].kind = FaultKind::too_many;
  all[6].kind = FaultKind::garbage;
  all[7].kind = FaultKind::no_bookmark_end;
  return all;
}

}  // namespace

void FaultInjector::add(const FaultSpec& spec) {
  if (!is_protocol_fault(spec.kind)) return;
  MutexLock lock(mu_);
  switch (spec.kind) {
    case FaultKind::none:
      waiting_.clear();
      denied_.clear();
      endless_ = false;
      random_.reset();
      return;
    case FaultKind::deny:
      denied_.insert(spec.resource);
      return;
    case FaultKind::no_bookmark_end:
      endless_ = true;
      return;
    case FaultKind::random:
      random_.emplace(spec.seed);
      rate_ = spec.rate;
      return;
    default:
      waiting_.push_back(spec);
  }
}

FaultVerdict FaultInjector::judge(const ObjectRequest& request) {
  MutexLock lock(mu_);
  const GroupVersionResource& gvr = request.path->type->gvr();
  if (denied_.contains(gvr.resource) || denied_.contains(gvr.group_resource())) {
    FaultVerdict denial;
    denial.instead = status_answer(forbidden(gvr, request.verb, request.path->ns));
    return denial;
  }
  FaultVerdict verdict;
  const auto found = std::ranges::find_if(
      waiting_, [&](const FaultSpec& spec) { return hits(spec.kind, request); });
  if (found != waiting_.end()) {
    verdict = verdict_of(*found);
    if (--found->times == 0) waiting_.erase(found);
  } else {
    verdict = judge_by_chance(request);
  }
  if (endless_ && request.streaming_list) verdict.endless = true;
  return verdict;
}

FaultVerdict FaultInjector::judge_by_chance(const ObjectRequest& request) {
  if (!random_ || !is_read(request) || random_->unit() >= rate_) return {};
  std::vector<FaultSpec> possible = mixture();
  std::erase_if(possible, [&](const FaultSpec& spec) { return !hits(spec.kind, request); });
  return verdict_of(possible[random_->next() % possible.size()]);
}

std::string damaged(std::string list_text) {
  // The single quote turns all that follows inside out, wherever it lands.
  constexpr std::string_view kGarbage = "\x01\"}]garbage[{\xff";
  list_text.insert(list_text.size() / 2, kGarbage);
  return list_text;
}

std::string garbage_event() { return "{\"type\":\"MODIFIED\",\"object\":{]garbage\xff\n"; }

}  // namespace kinf::sandbox
