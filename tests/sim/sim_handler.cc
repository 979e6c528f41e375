// SPDX-License-Identifier: Apache-2.0
#include "sim/sim_handler.h"

#include <stdexcept>

#include "sim/documents.h"

namespace kinf::sim {
Version version_of(const Object& object) {
  return {.uid = number_of(object.uid().substr(1)),
          .revision = number_of(object.resource_version())};
}

bool is_same(const Version& a, const Version& b) {
  return a.uid == b.uid && a.revision == b.revision;
}

std::string text_of(const Version& version) {
  return version.exists() ? fmt::format("u{}@{}", version.uid, version.revision) : "absent";
}

Version& SimHandler::held(const Change& change) {
  return state_.at(object_of(change.object->name()));
}

void SimHandler::expect_newer(const Version& held, const Change& change) {
  Version& newest = newest_.at(object_of(change.object->name()));
  const Version now = version_of(*change.object);
  expect(is_lost_ || now.revision > newest.revision, change, "{} is not newer than {}",
         text_of(now), text_of(held.exists() ? held : newest));
  newest = now;
}

/// Nothing invented: the server has had this version.
void SimHandler::expect_real(const Change& change) {
  expect(change.object->kind() == "ConfigMap" && change.object->api_version() == "v1", change,
         "its kind is {}", change.object->kind());
  Version now = version_of(*change.object);
  Scratch scratch;
  now.value = value_of(change.object->json(scratch));
  expect(etcd_.has_had(object_of(change.object->name()), now) &&
             change.object->label("color") == (now.is_red() ? "red" : "blue"),
         change, "the server never had {} with the value {}", text_of(now), now.value);
}

void SimHandler::on_add(const Change& change) {
  Version& version = held(change);
  if (plan_.strict) {
    expect(!version.exists(), change, "added, but it has {}", text_of(version));
    expect_newer(version, change);
    expect(!change.initial || !has_synced_, change, "initial, but the handler has synced");
    const bool is_new = change.initial || change.origin.source == ChangeSource::list;
    expect(!plan_.is_restored || !is_new, change, "initial, but an earlier run has synced");
  }
  expect_real(change);
  version = version_of(*change.object);
  called(change);
}

void SimHandler::on_update(const Change& change) {
  Version& version = held(change);
  if (plan_.strict) {
    const Version now = version_of(*change.object);
    expect(version.exists() && version.uid == now.uid, change, "updated to {}, but it has {}",
           text_of(now), text_of(version));
    expect(change.old && is_same(version_of(*change.old), version), change,
           "updated from {}, but it has {}", change.old ? text_of(version_of(*change.old)) : "none",
           text_of(version));
    if (change.type == ChangeType::resync) {
      ++resyncs_;
      expect(is_same(now, version), change, "a resync to {}", text_of(now));
    } else {
      expect_newer(version, change);
    }
  }
  expect_real(change);
  version = version_of(*change.object);
  called(change);
}

void SimHandler::on_delete(const Change& change) {
  if (!change.object) return called(change);  // client_go: nothing is known of the object
  Version& version = held(change);
  if (plan_.strict) {
    const Version last = version_of(*change.object);
    expect(version.exists() && version.uid == last.uid, change, "deleted {}, but it has {}",
           text_of(last), text_of(version));
    if (change.final_state_unknown && change.folded == 0 && folded_ == 0) {
      expect(is_same(last, version), change, "deleted with the state {}, but it has {}",
             text_of(last), text_of(version));
    }
  }
  version = {};
  called(change);
}

void SimHandler::on_known(const Change& known) {
  Version& version = held(known);
  expect(calls_ == 0 && !version.exists(), known, "known, but it has {}", text_of(version));
  newest_.at(object_of(known.object->name())) = version = version_of(*known.object);
  if (queue_ != nullptr) queue_->add(known.key);
}

void SimHandler::on_synced(const SyncedEvent& event) {
  expect(!has_synced_, {}, "synced twice");
  has_synced_ = true;
  std::size_t count = 0;
  for (const Version& version : state_) count += version.exists() ? 1 : 0;
  if (folded_ == 0 && plan_.when_full != WhenFull::coalesce) {
    expect(count == event.objects, {}, "synced with {} objects, but it has {}", event.objects,
           count);
  }
  verdict_.trace("{} synced with {}", plan_.name, event.objects);
}

void SimHandler::called(const Change& change) {
  verdict_.trace("{}: {} {} {}", plan_.name, static_cast<int>(change.type), change.key,
                 change.object ? text_of(version_of(*change.object)) : "none");
  expect(!has_left_, change, "called after it was removed");
  expect(plan_.is_direct || waiting_() > 0, change,
         "nothing waits, although a handler processes a change");
  folded_ += change.folded;
  ready_at_ = clock_.now() + busy_;
  if (queue_ != nullptr) queue_->add(change.key);
  ++calls_;
  if (calls_ == plan_.leaves_after) {
    has_left_ = true;
    registration.remove();
  }
  if (plan_.throws_each != 0 && calls_ % plan_.throws_each == 0) {
    throw std::runtime_error("a simulated handler throws");
  }
}

HandlerOptions SimHandler::options() {
  HandlerOptions options;
  options.resync = plan_.resync;
  options.delivery = plan_.is_direct ? Delivery::direct : Delivery::queued;
  options.when_full = plan_.when_full;
  options.bound = plan_.bound;
  options.is_ready = [this] { return clock_.now() >= ready_at_; };
  return options;
}

}  // namespace kinf::sim
