// SPDX-License-Identifier: Apache-2.0
#include "kinf/cli/session/handler_chain.h"

#include <doctest/doctest.h>

#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "fakes/change_builder.h"
#include "fakes/object_builder.h"
#include "kinf/api/event_handler.h"
#include "kinf/cli/selection/selection.h"

namespace kinf {
namespace {

using test::make_labelled;
using Texts = std::vector<std::string>;

/// Notes what passes it. The last one has no `inner`.
class Waypoint final : public EventHandler {
 public:
  Waypoint(std::string name, Texts& passed, EventHandler* inner)
      : name_(std::move(name)), passed_(passed), inner_(inner) {}

  void on_add(const Change& change) override { pass("added", change); }
  void on_update(const Change& change) override { pass("updated", change); }
  void on_delete(const Change& change) override { pass("deleted", change); }

 private:
  void pass(const std::string& what, const Change& change) {
    const bool is_relist = change.origin.source == ChangeSource::relist;
    passed_.push_back(name_ + " " + what + (change.initial ? " initial" : "") +
                      (is_relist ? " relist" : ""));
    if (inner_ != nullptr) inner_->handle(change);
  }

  const std::string name_;
  Texts& passed_;
  EventHandler* const inner_;
};

/// A chain with all layers, of a late informer, that selects objects with app=web.
struct AllLayers {
  AllLayers() : command("command", passed, nullptr) {
    selection.add([this](const Object& object, const Object*) {
      passed.emplace_back("selection");
      return object.label("app") == "web";
    });
    chain.emplace(HandlerChain::Layers{.replays = layer("replays"),
                                       .records = layer("records"),
                                       .saves = layer("saves"),
                                       .selection = &selection,
                                       .is_late = true},
                  command);
  }

  HandlerChain::Layer layer(const std::string& name) {
    return [this, name](EventHandler& inner) -> EventHandler& {
      return *waypoints.emplace_back(std::make_unique<Waypoint>(name, passed, &inner));
    };
  }
  Texts pass(const Change& change) {
    chain->front().handle(change);
    return std::exchange(passed, {});
  }

  Texts passed;
  std::vector<std::unique_ptr<Waypoint>> waypoints;
  Selection selection;
  Waypoint command;
  std::optional<HandlerChain> chain;
};

Change listed(const std::string& app) {
  Change change = test::make_added(make_labelled("a", "app", app, "1"));
  change.initial = true;
  change.origin.source = ChangeSource::list;
  return change;
}

TEST_CASE("a change is replayed, recorded, saved, selected and marked as late, in this order") {
  AllLayers rig;
  CHECK(rig.pass(listed("web")) == Texts{"replays added initial", "records added initial",
                                         "saves added initial", "selection",
                                         "command added relist"});
}

TEST_CASE("what is not selected is recorded and saved as well") {
  AllLayers rig;
  CHECK(rig.pass(listed("db")) == Texts{"replays added initial", "records added initial",
                                        "saves added initial", "selection"});
}

TEST_CASE("an addition that the selection makes of an update is marked as late, too") {
  AllLayers rig;
  const ObjectPtr before = make_labelled("a", "app", "db", "1");
  rig.pass(listed("db"));
  CHECK(rig.pass(test::make_updated(before, make_labelled("a", "app", "web", "2"))) ==
        Texts{"replays updated", "records updated", "saves updated", "selection",
              "command added relist"});
}

TEST_CASE("layers that a command does not need are left out") {
  Texts passed;
  Waypoint command("command", passed, nullptr);
  HandlerChain chain({}, command);
  CHECK(&chain.front() == &command);
}

}  // namespace
}  // namespace kinf
