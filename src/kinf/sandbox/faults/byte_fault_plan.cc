// SPDX-License-Identifier: Apache-2.0
#include "kinf/sandbox/faults/byte_fault_plan.h"

#include <algorithm>
#include <array>

namespace kinf::sandbox {
namespace {

constexpr Clock::Duration kTick = std::chrono::seconds(1);
constexpr std::array<FaultKind, 4> kMixture = {FaultKind::cut, FaultKind::reset, FaultKind::stall,
                                               FaultKind::truncate};

}  // namespace

void ByteFaultPlan::add(const FaultSpec& spec) {
  if (spec.kind == FaultKind::none) {
    *this = {};
  } else if (spec.kind == FaultKind::random) {
    random_.emplace(spec.seed);
    rate_ = spec.rate;
    next_tick_.reset();
  } else if (spec.kind == FaultKind::slow) {
    link_.bytes_per_second = spec.bytes_per_second;
  } else if (spec.kind == FaultKind::latency) {
    link_.latency = spec.latency;
  } else if (is_byte_fault(spec.kind)) {
    scheduled_.push_back({spec, std::nullopt});
  }
}

std::vector<FaultKind> ByteFaultPlan::due(Clock::Mono now, bool has_connections) {
  std::vector<FaultKind> result;
  std::erase_if(scheduled_, [&](Scheduled& fault) {
    // A fault without a delay does not wait for a connection. It applies to the next one.
    if (!fault.at && (has_connections || fault.spec.after.count() == 0)) {
      fault.at = now + fault.spec.after;
    }
    if (!fault.at || now < *fault.at) return false;
    result.push_back(fault.spec.kind);
    if (!fault.spec.every) return true;
    while (*fault.at <= now) *fault.at += *fault.spec.every;
    return false;
  });
  if (random_ && !next_tick_ && has_connections) next_tick_ = now + kTick;
  return result;
}

bool ByteFaultPlan::tick(Clock::Mono now) {
  if (!next_tick_ || now < *next_tick_) return false;
  while (*next_tick_ <= now) *next_tick_ += kTick;
  return true;
}

std::optional<FaultKind> ByteFaultPlan::random_fault() {
  if (!random_ || random_->unit() >= rate_) return std::nullopt;
  return kMixture[random_->next() % kMixture.size()];
}

Clock::Mono ByteFaultPlan::next() const {
  Clock::Mono next = next_tick_.value_or(Clock::kNever);
  for (const Scheduled& fault : scheduled_) {
    if (fault.at) next = std::min(next, *fault.at);
  }
  return next;
}

}  // namespace kinf::sandbox
