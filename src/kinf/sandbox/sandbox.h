// SPDX-License-Identifier: Apache-2.0
// Sandbox: an API server inside this process that plays a scenario. It speaks the protocol of a
// real API server over HTTP or HTTPS, so kubectl and client-go work with it, and it can inject
// faults. It runs no controllers and no nodes; deleted pods end after two seconds.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "kinf/base/clock.h"
#include "kinf/base/error.h"

namespace kinf {

/// A request that the server received.
struct SandboxRequest {
  std::string method;
  std::string path;
  bool is_watch = false;
  bool continues = false;  ///< a list request with a continue token
  std::string authorization;
};

struct SandboxOptions {
  std::string listen = "127.0.0.1:0";  ///< port 0 takes a free one
  bool listen_any = false;             ///< allows addresses outside 127.0.0.0/8
  bool tls = false;                    ///< self-signed; kubeconfig_text() has the CA
  std::string token;                   ///< required in each request; empty: none
  /// The name of a scenario, or a file: see find_scenario().
  std::string scenario = "quiet";
  /// Files and folders of manifests to load in addition to the scenario.
  std::vector<std::string> load;
  /// Saves all objects in this folder and loads them at the next start (empty: objects are not
  /// saved). The initial objects of a scenario are added to a new folder only; those of `load` are
  /// always added.
  std::string data;
  double speed = 1.0;  ///< 2 plays the scenario in half the time
  /// If true, the scenario starts when the first watch has sent all existing objects, so that its
  /// client misses nothing; otherwise with start().
  bool begin_with_first_watch = true;
  bool play = true;           ///< false: the scenario is never played
  std::uint64_t seed = 1;     ///< for uids and generated names
  std::size_t window = 4096;  ///< changes kept per type; older versions are expired
  /// Clients connect through a relay, which byte faults need. Set automatically if the scenario has
  /// byte faults.
  bool relay = false;
  std::vector<std::string> faults;  ///< injected from the start
  /// Called for each request, on the thread that answers it. May be empty.
  std::function<void(const SandboxRequest&)> on_request;
};

/// Threads: start(), stop() and the destructor from one thread; everything else from any. The
/// sandbox has a thread that accepts connections, one per connection, one that plays the scenario
/// and one that ends deleted pods. stop() joins them all.
class Sandbox {
 public:
  /// The clock must outlive the sandbox.
  Sandbox(SandboxOptions options, Clock& clock);
  ~Sandbox();
  Sandbox(const Sandbox&) = delete;
  Sandbox& operator=(const Sandbox&) = delete;

  static std::vector<std::string> scenario_names();

  /// Sets the callback for the end of the scenario. It is called once, on the player's thread, with
  /// the version of the last change. Right after it, every watch with bookmarks gets one of at
  /// least that version. Call before start().
  void on_scenario_end(std::function<void(const std::string& resource_version)> callback);

  /// Starts to serve and returns the URL. A usage error for a bad scenario, manifest, fault or
  /// address; a network error for a port that is taken; an internal error for the folder `data`.
  Result<std::string> start();
  /// Ends all watches as a graceful shutdown does, and joins all threads. Idempotent.
  void stop();

  /// The URL for clients on this machine. It is 127.0.0.1 if the server listens on all addresses.
  const std::string& url() const;
  /// The URL of the server itself, which bypasses the relay and thus byte faults.
  const std::string& direct_url() const;
  /// The kubeconfig for this sandbox as YAML. With `tls` it includes the CA certificate.
  std::string kubeconfig_text() const;

  /// The version of the last change when the scenario has ended, else empty. Scenarios such as
  /// churn never end.
  std::optional<std::string> scenario_ended() const;

  /// Stores a JSON object as it is, with its status and creation time. A not_found error for an
  /// unknown kind, a conflict if it exists.
  Result<> load(std::string_view object);
  /// Deletes an object at once, without a grace period and despite finalizers. A not_found error
  /// for an unknown kind.
  Result<> erase(std::string_view api_version, std::string_view kind, std::string_view ns,
                 std::string_view name);
  /// All stored objects of a kind as JSON documents. Faults do not apply.
  std::vector<std::string> objects(std::string_view api_version, std::string_view kind) const;
  /// The current resourceVersion.
  std::string version() const;
  /// Adds a fault such as `gone` or `cut:every=30s`; `none` removes all. A usage error for a spec
  /// that is invalid or needs a relay that is not there.
  Result<> inject(std::string_view fault);
  /// The number of connections that the relay has accepted.
  std::uint64_t connections() const;
  /// Drops all history, like an etcd compaction: watches and continue tokens from before get 410.
  void compact();

 private:
  class Server;
  std::unique_ptr<Server> server_;
};

}  // namespace kinf
