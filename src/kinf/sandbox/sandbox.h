// SPDX-License-Identifier: Apache-2.0
// Sandbox: a Kubernetes API server inside this process that plays a scenario. It uses the protocol
// of a real API server over HTTP or HTTPS, so kubectl and client-go work with it. It can inject
// faults. With controllers, the API shows pods that run on its nodes; nothing is really executed.
// Without controllers, deleted pods are removed after two seconds.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <stop_token>
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
  bool continues = false;     ///< whether this is a list request with a continue token
  std::string authorization;  ///< the Authorization header
};

/// The state of a recording that a sandbox shows instead of a scenario. Clients cannot change the
/// objects. If `time` and `version` are empty, the sandbox shows the end of the recording.
struct SandboxPast {
  std::string file;                   ///< the file of the recording; see `kinf record`
  std::optional<Clock::Wall> time{};  ///< the recorded time to show, also on the sandbox's clock
  /// If set, the sandbox shows the state at this resourceVersion, regardless of `time`.
  std::optional<std::uint64_t> version{};
  bool plays = false;  ///< plays what was recorded after `time`, at SandboxOptions::speed
  std::optional<Clock::Duration> before_end{};  ///< sets `time` to this long before the end
};

struct SandboxOptions {
  std::string listen = "127.0.0.1:0";  ///< IPv4 address and port; port 0 selects a free port
  bool listen_any = false;             ///< allows `listen` addresses outside 127.0.0.0/8
  bool tls = false;                    ///< serves HTTPS with a self-signed certificate
  std::string name = "sandbox";        ///< name of the context in the kubeconfig
  std::string token;                   ///< bearer token that requests must send (empty: no check)
  /// The name of a built-in scenario, or a file. See find_scenario().
  std::string scenario = "quiet";
  /// Shows a recording. `scenario`, `load` and `data` are then not used.
  std::optional<SandboxPast> past;
  std::stop_token stop{};  ///< ends the reading of the recording; the error is `stopped`
  /// Manifest files, and folders of manifest files, to load in addition to the scenario's objects.
  std::vector<std::string> load;
  /// The folder in which all objects are saved and from which the next start loads them (empty:
  /// objects are not saved). The scenario's initial objects are added only if the folder is new.
  /// The objects of `load` are added at every start.
  std::string data;
  /// Speed of the scenario or recording, and of the controllers; 2 takes half the time.
  double speed = 1.0;
  /// Runs a scheduler, a kubelet and controllers. The controllers leave the scenario's objects
  /// alone.
  bool controllers = false;
  /// With controllers: the number N of nodes, named node-1 to node-N. Empty means one node, unless
  /// a node of a sandbox already exists.
  std::optional<int> nodes;
  /// If true, the scenario or recording starts when the first watch has received all existing
  /// objects, so that the client of that watch sees every step. If false, the scenario or recording
  /// starts in Sandbox::start().
  bool begin_with_first_watch = true;
  bool play = true;           ///< false: the scenario's steps are never played
  std::uint64_t seed = 1;     ///< seed for uids and generated names
  std::size_t window = 4096;  ///< number of changes kept per type; older versions are expired
  /// If true, clients connect through a relay, which can inject byte faults. Set automatically if
  /// the scenario contains byte faults.
  bool relay = false;
  std::vector<std::string> faults;  ///< faults that are active from the start
  /// Called for each request, on the thread that answers it. May be empty.
  std::function<void(const SandboxRequest&)> on_request;
};

/// Threads: call start(), stop() and the destructor from one thread. The other functions may be
/// called from any thread. The sandbox has at most 16 threads for requests and watches, one thread
/// that plays the scenario, one for the controllers and, with a relay, one that moves the bytes.
/// stop() joins all threads.
class Sandbox {
 public:
  /// `clock` must outlive the sandbox.
  Sandbox(SandboxOptions options, Clock& clock);
  ~Sandbox();
  Sandbox(const Sandbox&) = delete;
  Sandbox& operator=(const Sandbox&) = delete;

  static std::vector<std::string> scenario_names();

  /// Sets the function to call when the scenario or recording ends. It is called once, on the
  /// thread that plays the scenario or recording, with the resourceVersion of the last change.
  /// Afterwards every watch with bookmarks receives a bookmark of at least that version. Call
  /// before start().
  void on_scenario_end(std::function<void(const std::string& resource_version)> callback);

  /// Starts the server and returns its URL. Fails with a usage error if a scenario, manifest, fault
  /// or address is invalid or the recording has no state for the requested time or version, a
  /// network error if the port is in use, and an internal error if the folder `data` or the
  /// recording cannot be used.
  Result<std::string> start();
  /// Ends all watches, as an API server does in a graceful shutdown, and joins all threads.
  /// Idempotent.
  void stop();

  /// Returns the URL for clients on this machine. Its host is 127.0.0.1 if the server listens on
  /// all addresses.
  const std::string& url() const;
  /// Returns the URL of the server itself. Requests to it bypass the relay and its byte faults.
  const std::string& direct_url() const;
  /// Returns the kubeconfig for this sandbox as YAML. With `tls`, it includes the CA certificate.
  std::string kubeconfig_text() const;
  /// Returns whether `text` is the kubeconfig of a sandbox.
  static bool is_own_kubeconfig(std::string_view text);

  /// Returns the resourceVersion of the last change if the scenario or recording has ended,
  /// otherwise nullopt. Some scenarios, such as churn by default, never end.
  std::optional<std::string> scenario_ended() const;

  /// Stores a JSON object and keeps its status and creationTimestamp. Fails with a usage error if
  /// `object` is not a JSON object, not_found if its kind is unknown, and conflict if the object
  /// exists or is invalid.
  Result<void> load(std::string_view object);
  /// Deletes an object immediately, ignoring its grace period and finalizers. Does nothing if the
  /// object does not exist. Fails with not_found if the kind is unknown.
  Result<void> erase(std::string_view api_version, std::string_view kind, std::string_view ns,
                     std::string_view name);
  /// Applies a JSON merge patch to the object at `path`, as a request to the server does. If the
  /// server refuses it, fails with the server's message and kind `conflict` or `internal`.
  Result<void> patch(const std::string& path, const std::string& patch);
  /// Deletes the object at `path` with a grace period of 0, as a request to the server does. The
  /// object stays if it has finalizers. Errors: as patch().
  Result<void> remove(const std::string& path);
  /// Returns all stored objects of a kind as JSON documents. Ignores faults.
  std::vector<std::string> objects(std::string_view api_version, std::string_view kind) const;
  /// Returns the current resourceVersion.
  std::string version() const;
  /// Adds a fault such as `gone` or `cut:every=30s`. `none` removes all faults. Fails with a usage
  /// error if the spec is invalid, or if it needs a relay and there is none.
  Result<void> inject(std::string_view fault);
  /// Checks that `fault` is a valid fault for a sandbox or a relay. Fails with a usage error if it
  /// is not.
  static Result<void> check_fault(std::string_view fault);
  /// Returns the number of connections that the relay has accepted.
  std::uint64_t connections() const;
  /// Drops the history of all types, like an etcd compaction. Watches and continue tokens from
  /// older versions fail with 410.
  void compact();

 private:
  class Server;
  std::unique_ptr<Server> server_;
};

}  // namespace kinf
