// SPDX-License-Identifier: Apache-2.0
// Sandbox: an API server inside this process, with a scenario to watch. Speaks the protocol of a
// real one over HTTP on a loopback port; kubectl and client-go work against it. Faults can be asked
// for. Of controllers and nodes there is only that deleted pods end after two seconds.
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

/// A request as the server got it.
struct SandboxRequest {
  std::string method;
  std::string path;
  bool is_watch = false;
  bool continues = false;  ///< asks for a later page of a list
  std::string authorization;
};

struct SandboxOptions {
  std::string listen = "127.0.0.1:0";  ///< port 0 takes a free one
  bool listen_any = false;             ///< `listen` need not be a loopback address
  bool tls = false;                    ///< with a certificate of its own: see kubeconfig_text()
  std::string token;                   ///< what requests must carry; empty: nothing
  /// A name, or a file: see find_scenario().
  std::string scenario = "quiet";
  /// Files and folders of manifests: what is there beside the scenario.
  std::vector<std::string> load;
  /// Keeps what the sandbox holds in this folder, and begins with what is in it; empty: nothing is
  /// kept. The objects of a scenario are for a new folder only, those of `load` join what is there.
  std::string data;
  double speed = 1.0;  ///< 2 plays the scenario in half the time
  /// The scenario begins with the first watch that has come to where only changes are to come, so
  /// that its viewer misses nothing; else with start().
  bool begin_with_first_watch = true;
  bool play = true;           ///< false: all stays as it is at first, the scenario never begins
  std::uint64_t seed = 1;     ///< for uids and generated names
  std::size_t window = 4096;  ///< changes remembered per type; older versions are expired
  /// Clients connect through a relay, so that faults can befall the bytes. On by itself if the
  /// scenario has such faults.
  bool relay = false;
  std::vector<std::string> faults;  ///< from the start; those of bytes need the relay
  /// Told of each request for anything, from the thread that answers it; may be empty.
  std::function<void(const SandboxRequest&)> on_request;
};

/// Threads: start(), stop() and the destructor from one thread; all else from any. Inside there is
/// a thread that listens, one per connection, one that plays the scenario and one that ends pods;
/// stop() ends and joins them all.
class Sandbox {
 public:
  /// The clock must outlive the sandbox.
  Sandbox(SandboxOptions options, Clock& clock);
  ~Sandbox();
  Sandbox(const Sandbox&) = delete;
  Sandbox& operator=(const Sandbox&) = delete;

  static std::vector<std::string> scenario_names();

  /// Called once, from a thread of the sandbox, when the last step of the scenario is done, with
  /// the version of its last change. Right after it every watch that takes bookmarks gets one of
  /// at least that version. To be set before start().
  void on_scenario_end(std::function<void(const std::string& resource_version)> callback);

  /// Serves; the URL to use. A usage error for a scenario or a manifest that is wrong or an address
  /// that is not allowed, a network error for a port that is taken, an internal one for the folder
  /// of `data`.
  Result<std::string> start();
  /// Ends all streams as a server does that stops gracefully. Idempotent.
  void stop();

  /// An address of this machine, also if it listens on all of them.
  const std::string& url() const;
  /// The server itself, around the relay and so around faults of the bytes.
  const std::string& direct_url() const;
  /// A kubeconfig that leads here, as YAML; with `tls` it holds the certificate.
  std::string kubeconfig_text() const;

  /// The version of the last change, once the scenario is over. Never for one without an end.
  std::optional<std::string> scenario_ended() const;

  /// Puts an object (JSON) into the store as it is: status and creation time stay as given.
  Result<> load(std::string_view object);
  /// Takes an object away, whatever holds it. A not_found error if the type is unknown.
  Result<> erase(std::string_view api_version, std::string_view kind, std::string_view ns,
                 std::string_view name);
  /// All objects of a kind as they are stored, JSON documents; no fault stands in the way.
  std::vector<std::string> objects(std::string_view api_version, std::string_view kind) const;
  /// The newest resourceVersion.
  std::string version() const;
  /// Adds a fault: `gone`, `cut:every=30s`; `none` ends all. A usage error for one that makes no
  /// sense, or that needs the relay which is not there.
  Result<> inject(std::string_view fault);
  /// Connections that the relay has taken so far.
  std::uint64_t connections() const;
  /// Forgets all history, as a compaction and a restart of a real server do: watches and continue
  /// tokens from before are expired.
  void compact();

 private:
  class Server;
  std::unique_ptr<Server> server_;
};

}  // namespace kinf
