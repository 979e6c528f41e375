// SPDX-License-Identifier: Apache-2.0
#include "kinf/api/event_handler.h"

#include <utility>

#include "conformance/handler_calls.h"
#include "conformance/runner.h"
#include "kinf/api/selectors.h"

namespace kinf::conformance {
namespace {

class FilteringSequence final : public Sequence {
 public:
  explicit FilteringSequence(LabelSelector selector)
      : handler_([selector = std::move(selector)](
                     const Object& object) { return selector.matches(object); },
                 recorder_) {}

  Json step(const std::string& op, Fields& args, const Json&) override {
    recorder_.calls = Json::array();
    if (op == "on_add") {
      Change change;
      change.object = object_from(args.at("obj"));
      change.initial = args.flag("is_in_initial_list");
      handler_.handle(change);
    } else if (op == "on_update") {
      Change change;
      change.type = ChangeType::updated;
      change.old = object_from(args.at("old"));
      change.object = object_from(args.at("new"));
      handler_.handle(change);
    } else if (op == "on_delete" || op == "on_delete_unknown") {
      remove(args, op == "on_delete_unknown");
    } else {
      throw BadVector("unknown op " + op);
    }
    return {{"calls", recorder_.calls}};
  }

  Json state() override { return nullptr; }

 private:
  void remove(Fields& args, bool unknown) {
    Change change;
    change.type = ChangeType::deleted;
    change.final_state_unknown = unknown;
    if (const Json& object = args.at("obj"); !object.is_null()) change.object = object_from(object);
    change.key = unknown ? args.text("key") : change.object->key();
    handler_.handle(change);
  }

  HandlerRecorder recorder_;
  FilteringHandler handler_;
};

class FilteringRunner final : public SequenceRunner {
  std::unique_ptr<Sequence> start(Fields& config) override {
    Result<LabelSelector> selector = LabelSelector::parse(config.text("filter"));
    if (!selector) throw BadVector(selector.error().message);
    return std::make_unique<FilteringSequence>(std::move(*selector));
  }
};

const Registration kFilteringHandler("filtering_handler",
                                     [] { return std::make_unique<FilteringRunner>(); });

}  // namespace
}  // namespace kinf::conformance
