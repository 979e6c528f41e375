// SPDX-License-Identifier: Apache-2.0
#include "kinf/informer/handler_registration.h"

#include "kinf/informer/processor_listener.h"

namespace kinf {

bool HandlerRegistration::has_synced() const { return listener_ && listener_->has_synced(); }

Clock::Duration HandlerRegistration::resync_period() const {
  return listener_ ? listener_->resync_period.load() : Clock::Duration();
}

std::vector<Change> HandlerRegistration::waiting() const {
  return listener_ ? listener_->waiting() : std::vector<Change>();
}

void HandlerRegistration::remove() {
  if (listener_) listener_->close();
}

}  // namespace kinf
