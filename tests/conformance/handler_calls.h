// SPDX-License-Identifier: Apache-2.0
// HandlerRecorder: an event handler that records its calls in the format of the vectors.
#pragma once

#include "conformance/compact_object.h"
#include "kinf/api/event_handler.h"

namespace kinf::conformance {

class HandlerRecorder final : public EventHandler {
 public:
  void on_add(const Change& change) override {
    calls.push_back(Json::array({"add", ref_of(change.object), change.initial}));
  }
  void on_update(const Change& change) override {
    calls.push_back(Json::array({"update", ref_of(change.old), ref_of(change.object)}));
  }
  void on_delete(const Change& change) override {
    if (change.final_state_unknown) {
      calls.push_back(Json::array({"delete_unknown", change.key, ref_of(change.object)}));
    } else {
      calls.push_back(Json::array({"delete", ref_of(change.object)}));
    }
  }

  Json calls = Json::array();
};

}  // namespace kinf::conformance
