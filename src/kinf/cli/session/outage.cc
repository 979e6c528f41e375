// SPDX-License-Identifier: Apache-2.0
#include "kinf/cli/session/outage.h"

#include "kinf/base/duration.h"
#include "kinf/base/log.h"
#include "kinf/base/visible_text.h"
#include "kinf/cli/runtime/error_report.h"

namespace kinf {

void Outage::report(const Error& error) {
  constexpr std::size_t kReportedTexts = 100;  // a server may word each denial differently
  const bool is_denial = error.kind == ErrorKind::auth || error.kind == ErrorKind::forbidden;
  {
    MutexLock lock(mu_);
    if (!since_) since_ = clock_.now();
    if (reported_.size() >= kReportedTexts) return;
    const std::string what =
        is_denial ? error.message : std::to_string(static_cast<int>(error.fault));
    if (!reported_.insert(what).second) return;
  }
  kinf::report(error, context_);
}

void Outage::attempt_failed() {
  MutexLock lock(mu_);
  has_failed_ = true;
}

void Outage::end() {
  std::optional<Clock::Mono> since;
  {
    MutexLock lock(mu_);
    reported_.clear();
    since = std::exchange(since_, std::nullopt);
    if (!std::exchange(has_failed_, false) || !since) return;
  }
  const auto lasted = std::chrono::ceil<std::chrono::seconds>(clock_.now() - *since);
  log::notice("{}: recovered after {}", visible_line(context_), duration_text(lasted));
}

}  // namespace kinf
