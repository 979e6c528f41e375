// SPDX-License-Identifier: Apache-2.0
// History: a handler that replays its changes and records everything that is impossible in a
// consistent history.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "kinf/api/event_handler.h"
#include "kinf/base/clock.h"
#include "kinf/base/sync.h"

namespace kinf::test {

/// One state of an object.
struct ObjectState {
  std::string uid;
  std::string version;

  friend bool operator==(const ObjectState&, const ObjectState&) = default;
};
/// By key.
using ClusterState = std::map<std::string, ObjectState>;

/// The first differences as text; empty if there are none.
std::string difference(const ClusterState& got, const ClusterState& wanted);

struct HistoryOptions {
  Clock::Duration pause{};       ///< after each change
  std::uint64_t throw_each = 0;  ///< throws after each N-th change (0: never)
};

/// Threads: the handler calls from an informer's thread, the others from any.
class History final : public EventHandler {
 public:
  History(std::string name, Clock& clock, HistoryOptions options = {})
      : name_(std::move(name)), clock_(clock), options_(options) {}

  void on_add(const Change& change) override;
  void on_update(const Change& change) override;
  void on_delete(const Change& change) override;

  const std::string& name() const { return name_; }
  ClusterState state() const;
  std::uint64_t events() const;
  /// The first impossible changes.
  std::vector<std::string> violations() const;

 private:
  void expect(bool holds, const std::string& key, const char* what) KINF_REQUIRES(mu_);
  void expect_newer(const std::string& key, std::string_view version) KINF_REQUIRES(mu_);
  void after_event();

  const std::string name_;
  Clock& clock_;
  const HistoryOptions options_;
  mutable Mutex mu_;
  ClusterState state_ KINF_GUARDED_BY(mu_);
  std::map<std::string, std::string> newest_ KINF_GUARDED_BY(mu_);  ///< last version by key
  std::uint64_t events_ KINF_GUARDED_BY(mu_) = 0;
  std::vector<std::string> violations_ KINF_GUARDED_BY(mu_);
};

}  // namespace kinf::test
