// SPDX-License-Identifier: Apache-2.0
// StormCluster: an embedded API server with objects, writers that change them without any faults,
// and a log of the requests of each client.
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
#include "kinf/client/client_config.h"
#include "kinf/client/credentials.h"
#include "kinf/client/http_lister_watcher.h"
#include "kinf/sandbox/sandbox.h"
#include "storm/history.h"

namespace kinf::test {

/// The requests that the server received, by client. Threads: any.
class RequestLog {
 public:
  explicit RequestLog(const Clock& clock) : clock_(clock) {}

  void saw(const SandboxRequest& request);
  /// The most requests that `client` started within any two seconds. Later pages of a list do not
  /// count.
  std::size_t most_in_two_seconds(const std::string& client) const;

 private:
  const Clock& clock_;
  mutable Mutex mu_;
  std::map<std::string, std::vector<Clock::Mono>> times_ KINF_GUARDED_BY(mu_);
};

/// Config maps in four namespaces. Each belongs to one writer, whose seed determines its writes.
/// Threads: one owner, except the writers.
class StormCluster {
 public:
  /// `window`: how many changes the server keeps for watches.
  StormCluster(Clock& clock, std::size_t window);
  ~StormCluster() { stop_writing(); }

  Result<void> start(std::size_t objects);
  void start_writing(int writers, std::uint64_t seed, Clock::Duration pause);
  void stop_writing();
  std::uint64_t writes() const { return writes_.load(); }
  /// Writes on the calling thread.
  void write(int count, std::uint64_t seed);

  /// The objects of the server, read without faults; with `red_only` those of one label.
  ClusterState state(bool red_only = false) const;

  Sandbox& sandbox() { return *sandbox_; }
  const RequestLog& requests() const { return log_; }

  /// A source of config maps that connects through its own relay, under its own client name. Of
  /// `plan`, the type and the form are replaced.
  Result<std::unique_ptr<HttpListerWatcher>> source(RequestAuthorizer& authorizer,
                                                    const HttpSource& plan) const;

 private:
  class Writer;

  Clock& clock_;
  RequestLog log_;
  std::unique_ptr<Sandbox> sandbox_;
  std::size_t objects_ = 0;
  std::atomic<std::uint64_t> writes_{0};
  std::vector<std::jthread> writers_;
};

/// Adds the name of the client to each request. Threads: any.
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
