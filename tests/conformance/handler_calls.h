// SPDX-License-Identifier: Apache-2.0
// HandlerRecorder: an event handler that writes down its calls in the words of the vectors.
#pragma once

#include "conformance/compact_object.h"
#include "kinf/api/event_handler.h"

namespace kinf::conformance {

class HandlerRecorder final : public EventHandler {
 public:
  void on_add(const AddEvent& event) override {
    calls.push_back(Json::array({"add", ref_of(event.object), event.is_in_initial_list}));
  }
  void on_update(const UpdateEvent& event) override {
    calls.push_back(Json::array({"update", ref_of(event.old_object), ref_of(event.object)}));
  }
  void on_delete(const DeleteEvent& event) override {
    if (event.final_state_unknown) {
      calls.push_back(Json::array({"delete_unknown", event.key, ref_of(event.object)}));
    } else {
      calls.push_back(Json::array({"delete", ref_of(event.object)}));
    }
  }

  Json calls = Json::array();
};

}  // namespace kinf::conformance
