// SPDX-License-Identifier: Apache-2.0
#include "kinf/informer/mutation_detector.h"

#include <doctest/doctest.h>

#include <string>
#include <vector>

#include "fakes/change_builder.h"
#include "fakes/fake_lister_watcher.h"
#include "fakes/object_builder.h"
#include "fakes/pumped_informer.h"
#include "fakes/recording_handler.h"
#include "kinf/informer/informer_observer.h"

namespace kinf {
namespace {

using namespace std::chrono_literals;
using test::make_object;
using test::RecordingHandler;
using Texts = std::vector<std::string>;

/// Modifies a shared object, which no program may do.
void write_into(const Object& object) { *const_cast<char*>(object.name().data()) = '!'; }

TEST_CASE("G32: a modified object is found once") {
  MutationDetector detector;
  const ObjectPtr a = make_object("a");
  const ObjectPtr b = make_object("b");
  detector.note(test::make_added(a));
  detector.note(test::make_added(b));
  detector.check();
  CHECK(detector.take_found().empty());
  write_into(*b);
  detector.check();
  CHECK(detector.take_found() == Texts{"default/b"});
  detector.check();
  CHECK(detector.take_found().empty());
}

TEST_CASE("G32: an object is checked again when it leaves the cache, and not kept after that") {
  MutationDetector detector;
  auto watched = std::make_shared<const TableColumns>();
  const std::weak_ptr<const TableColumns> held = watched;
  test::ObjectSpec spec;
  spec.ns = "default";
  spec.name = "a";
  spec.columns = std::exchange(watched, nullptr);
  ObjectPtr a = make_object(spec);
  spec.columns.reset();
  detector.note(test::make_added(a));
  write_into(*a);
  SUBCASE("for a newer state") { detector.note(test::make_updated(a, make_object("a", "2"))); }
  SUBCASE("for good") {
    Change deletion = test::make_deleted(make_object("a", "2"));
    detector.note(deletion);
  }
  CHECK(detector.take_found().size() == 1);
  a = nullptr;
  CHECK(held.expired());
}

TEST_CASE("G32: labels and owners are checked too") {
  MutationDetector detector;
  ObjectFacts facts;
  facts.name = "a";
  facts.labels = {{"app", "web"}};
  facts.owners = {{"v1", "ReplicaSet", "owner", "u1", true}};
  facts.form = ObjectForm::metadata;
  const ObjectPtr a = Object::create(facts);
  detector.note(test::make_added(a));
  SUBCASE("a label") { *const_cast<char*>(a->label_at(0).second.data()) = '!'; }
  SUBCASE("an owner") { *const_cast<char*>(a->owner_at(0).uid.data()) = '!'; }
  detector.check();
  CHECK(detector.take_found() == Texts{"a"});
}

TEST_CASE(
    "G32: an informer with mutation detection names the object; without it, nothing is checked") {
  for (const bool looks : {true, false}) {
    InformerOptions options;
    options.detect_mutations = looks;
    struct Noting final : InformerObserver {
      void on_error(const InformerFailure& failure) override {
        errors.push_back(failure.error.message);
      }
      Texts errors;
    } observer;
    test::PumpedInformer<test::FakeListerWatcher> pumped(options, &observer);
    RecordingHandler handler;
    const auto registration = pumped.informer.add_event_handler(handler).value();
    pumped.source.add("a");
    pumped.start();
    write_into(*pumped.informer.indexer().get_by_key("default/a"));
    pumped.advance(2s);
    pumped.informer.finish();
    CHECK(pumped.informer.stats().mutations == (looks ? 1 : 0));
    REQUIRE(observer.errors.size() == (looks ? 1 : 0));
    if (looks) CHECK(observer.errors[0].find("default/a") != std::string::npos);
  }
}

}  // namespace
}  // namespace kinf
