// SPDX-License-Identifier: Apache-2.0
// QueueSequence: the steps that the vectors of both queues share, and the known objects of a queue.
#pragma once

#include <map>
#include <memory>
#include <set>
#include <string>

#include "conformance/runner.h"
#include "kinf/cache/queue.h"
#include "kinf/cache/store_reader.h"

namespace kinf::conformance {

/// A plain map instead of a store. Lists its keys sorted. May also list ghosts: keys that a lookup
/// does not find.
class KnownMap final : public KnownObjects {
 public:
  std::vector<std::string> list_keys() const override;
  ObjectPtr get_by_key(std::string_view key) const override;

  void set(const std::string& key, ObjectPtr object);
  void erase(const std::string& key) { objects_.erase(key); }
  void add_ghost(const std::string& key);
  Json json() const;

 private:
  std::map<std::string, ObjectPtr, std::less<>> objects_;
  std::set<std::string> ghosts_;
};

class QueueSequence : public Sequence {
 public:
  Json step(const std::string& op, Fields& args, const Json& expected) final;
  Json state() final;

 protected:
  explicit QueueSequence(bool has_known_objects) : has_known_objects_(has_known_objects) {}

  virtual Queue& queue() = 0;
  /// The white-box part of the state: its key in the vector and what is queued.
  virtual std::pair<std::string, Json> contents() = 0;

  const KnownObjects* known_objects() const { return has_known_objects_ ? &known_ : nullptr; }

 private:
  Json pop(const std::string& handler, bool batch);
  bool change_known(const std::string& op, Fields& args);

  const bool has_known_objects_;
  KnownMap known_;
};

}  // namespace kinf::conformance
