// SPDX-License-Identifier: Apache-2.0
// StormCluster: an embedded API server with objects in it, writers that change them around all
// faults, and a log of who asked it for what.
#pragma once

#include <atomic>
#include <cstdint>
#include <memory>
#include <stop_token>
#include <string>
#include <thread>
#include <vector>

#include "kinf/api/group_version_resource.h"
#include "kinf/base/clock.h"
#include "kinf/base/sync.h"
#include "kinf/client/http_lister_watcher.h"
#include "kinf/sandbox/sandbox.h"
#include "storm/history.h"

namespace kinf::test {

/// The requests of one client, as the server saw them. Threads: any.
class RequestLog {
 public:
  explicit RequestLog(const Clock& clock) : clock_(clock) {}

  void saw(const SandboxRequest& request);
  /// The most requests that `client` began in any two seconds; later pages of a list are part of
  /// the list.
  std::size_t most_in_two_seconds(const std::string& client) const;

 private:
  const Clock& clock_;
  mutable Mutex mu_;
  std::map<std::string, std::vector<Clock::Mono>> times_ KINF_GUARDED_BY(mu_);
};

/// Config maps in four namespaces; each belongs to one writer, whose seed decides what it does.
/// Threads: all but the writers' from one thread.
class StormCluster {
 public:
  /// `window`: how many changes the server remembers.
  StormCluster(Clock& clock, std::size_t window);
  ~StormCluster() { stop_writing(); }

  Result<> start(std::size_t objects);
  void start_writing(int writers, std::uint64_t seed, Clock::Duration pause);
  void stop_writing();
  std::uint64_t writes() const { return writes_.load(); }
  /// One write after the other, without a thread.
  void write(int count, std::uint64_t seed);

  /// What the server holds; with `red_only` that of one label. Asked around all faults.
  ClusterState state(bool red_only = false) const;

  Sandbox& sandbox() { return *sandbox_; }
  const RequestLog& requests() const { return log_; }

  /// A source that reaches the server through its relay, under a name of its own.
  Result<std::unique_ptr<HttpListerWatcher>> source(RequestAuthorizer& authorizer,
                                                    Representation representation,
                                                    const std::string& labels) const;

 private:
  class Writer;

  Clock& clock_;
  RequestLog log_;
  std::unique_ptr<Sandbox> sandbox_;
  std::size_t objects_ = 0;
  std::atomic<std::uint64_t> writes_{0};
  std::vector<std::jthread> writers_;
};

/// Gives each request the name of its client. Threads: any.
class ClientName final : public RequestAuthorizer {
 public:
  explicit ClientName(std::string name) : name_(std::move(name)) {}
  Result<RequestIdentity> identity() override {
    RequestIdentity identity;
    identity.headers.push_back("Authorization: Bearer " + name_);
    return identity;
  }
  void invalidate(const RequestIdentity& refused) override { (void)refused; }
  const std::string& name() const { return name_; }

 private:
  const std::string name_;
};

}  // namespace kinf::test
