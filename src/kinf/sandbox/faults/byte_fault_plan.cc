// SPDX-License-Identifier: Apache-2.0
#include "kinf/sandbox/byte_fault_plan.h"

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
    bytes_per_second_ = spec.bytes_per_second;
  } else if (is_byte_fault(spec.kind)) {
    strikes_.push_back({spec, std::nullopt});
  }
}

std::vector<FaultKind> ByteFaultPlan::due(Clock::Mono now, bool has_connections) {
  std::vector<FaultKind> result;
  std::erase_if(strikes_, [&](Strike& strike) {
    // What is to happen at once need not wait for a connection: it hits the next one.
    if (!strike.at && (has_connections || strike.spec.after.count() == 0)) {
      strike.at = now + strike.spec.after;
    }
    if (!strike.at || now < *strike.at) return false;
    result.push_back(strike.spec.kind);
    if (!strike.spec.every) return true;
    while (*strike.at <= now) *strike.at += *strike.spec.every;
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

std::optional<FaultKind> ByteFaultPlan::by_chance() {
  if (!random_ || random_->unit() >= rate_) return std::nullopt;
  return kMixture[random_->next() % kMixture.size()];
}

Clock::Mono ByteFaultPlan::next() const {
  Clock::Mono next = next_tick_.value_or(Clock::kNever);
  for (const Strike& strike : strikes_) {
    if (strike.at) next = std::min(next, *strike.at);
  }
  return next;
}

}  // namespace kinf::sandbox
