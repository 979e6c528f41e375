// SPDX-License-Identifier: Apache-2.0
// History: a handler that replays what it is told and notes everything that no true history of
// objects could contain.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "kinf/api/event_handler.h"
#include "kinf/base/clock.h"
#include "kinf/base/sync.h"

namespace kinf::test {

/// Which state of an object.
struct ObjectState {
  std::string uid;
  std::string version;

  friend bool operator==(const ObjectState&, const ObjectState&) = default;
};
/// By key.
using ClusterState = std::map<std::string, ObjectState>;

/// The first differences, in words; empty if there are none.
std::string difference(const ClusterState& got, const ClusterState& wanted);

struct HistoryManners {
  Clock::Duration pause{};       ///< after each event
  std::uint64_t throw_each = 0;  ///< throws after taking every so many-th event; 0: never
};

/// Threads: the handler calls from an informer's thread, the others from any.
class History final : public EventHandler {
 public:
  History(std::string name, Clock& clock, HistoryManners manners = {})
      : name_(std::move(name)), clock_(clock), manners_(manners) {}

  void on_add(const Change& change) override;
  void on_update(const Change& change) override;
  void on_delete(const Change& change) override;

  const std::string& name() const { return name_; }
  ClusterState state() const;
  std::uint64_t events() const;
  /// What was impossible, the first few.
  std::vector<std::string> violations() const;

 private:
  void expect(bool holds, const std::string& key, const char* what) KINF_REQUIRES(mu_);
  void expect_newer(const std::string& key, std::string_view version) KINF_REQUIRES(mu_);
  void after_event();

  const std::string name_;
  Clock& clock_;
  const HistoryManners manners_;
  mutable Mutex mu_;
  ClusterState state_ KINF_GUARDED_BY(mu_);
  std::map<std::string, std::string> newest_ KINF_GUARDED_BY(mu_);  ///< versions told, by key
  std::uint64_t events_ KINF_GUARDED_BY(mu_) = 0;
  std::vector<std::string> violations_ KINF_GUARDED_BY(mu_);
};

}  // namespace kinf::test
