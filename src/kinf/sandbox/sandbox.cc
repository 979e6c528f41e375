// SPDX-License-Identifier: Apache-2.0
#include "kinf/sandbox/sandbox.h"

#include <fmt/format.h>
#include <sys/resource.h>

#include <algorithm>
#include <utility>

#include "kinf/base/limits.h"
#include "kinf/http/http_server.h"
#include "kinf/http/tls_identity.h"
#include "kinf/sandbox/api/api_types.h"
#include "kinf/sandbox/api/router.h"
#include "kinf/sandbox/controllers/controllers.h"
#include "kinf/sandbox/controllers/nodes.h"
#include "kinf/sandbox/faults/byte_relay.h"
#include "kinf/sandbox/faults/fault_injector.h"
#include "kinf/sandbox/kubeconfig_text.h"
#include "kinf/sandbox/past/past_player.h"
#include "kinf/sandbox/scenarios/manifests.h"
#include "kinf/sandbox/scenarios/scenario_player.h"
#include "kinf/sandbox/store/data_folder.h"

namespace kinf {

/// Implements Sandbox. The members are declared in the order of their dependencies.
class Sandbox::Server {
 public:
  Server(SandboxOptions options, Clock& clock)
      : options_(std::move(options)),
        clock_(clock),
        store_(clock_, options_.window),
        objects_(store_, types_, clock_, options_.seed),
        relay_(clock_),
        router_(store_, types_, objects_, clock_, injector_, router_options()),
        http_([this](const HttpRequest& request) { return router_.handle(request); },
              {.name = "sandbox", .hosts = host_names(), .max_streams = most_watches()}),
        controllers_(store_, objects_, types_, clock_,
                     {options_.controllers, options_.speed,
                      [this](const sandbox::ObjectId& id, const std::string& uid) {
                        return player_->drives(id.first, id.second, uid);
                      },
                      [this](const sandbox::ObjectId& id) {
                        return player_ && player_->removes(id.first, id.second);
                      }}) {}

  ~Server() { stop(); }

  /// Returns which host names the server accepts in requests. With `listen_any`, clients on other
  /// machines may use any name, but only with TLS or a token. Without both, a web page could reach
  /// the server by DNS rebinding.
  HostNames host_names() const {
    if (!options_.listen_any) return HostNames::own;
    const bool any = options_.tls || !options_.token.empty();
    return any ? HostNames::any : HostNames::local;
  }

  /// Returns how many watches the limit on file descriptors allows, with a reserve for other
  /// requests. A watch through the relay needs three descriptors.
  static std::size_t most_watches() {
    constexpr std::size_t kReserve = 128;
    rlimit limit{};
    if (::getrlimit(RLIMIT_NOFILE, &limit) != 0) return limits::kWatches;
    const std::size_t free = limit.rlim_cur - std::min<rlim_t>(limit.rlim_cur, kReserve);
    return std::clamp<std::size_t>(free / 3, 4, limits::kWatches);
  }

  Result<std::string> start() {
    const Result<HostPort> address = parse_listen(options_.listen, options_.listen_any);
    if (!address) return std::unexpected(address.error());
    if (options_.tls) {
      Result<TlsIdentity> identity = TlsIdentity::create(address->host, "sandbox");
      if (!identity) return std::unexpected(identity.error());
      identity_ = *std::move(identity);
    }
    const Result<void> filled = options_.past ? open_past() : open_scenario();
    if (!filled) return std::unexpected(filled.error());
    for (const std::string& fault : options_.faults) {
      if (const Result<void> added = inject(fault); !added) return std::unexpected(added.error());
    }
    const Result<int> port = listen(*address);
    if (!port) return std::unexpected(port.error());
    url_ = url_of(address->host == "0.0.0.0" ? "127.0.0.1" : address->host, *port);
    if (!options_.past) controllers_.start();
    if (!options_.begin_with_first_watch) start_playing();
    return url_;
  }

  void stop() {
    stop_.request_stop();
    http_.stop();  // stop HTTP first, so that the relay can forward the ends of the watches
    relay_.stop();
    if (player_) player_->stop();
    if (past_) past_->stop();
    controllers_.stop();
  }

  Result<void> inject(std::string_view text) {
    const Result<sandbox::FaultSpec> spec = sandbox::parse_fault(text);
    if (!spec) return std::unexpected(spec.error());
    if (!options_.relay && !sandbox::is_protocol_fault(spec->kind)) {
      return fail(
          ErrorKind::usage,
          fmt::format("fault \"{}\": byte faults need a relay, which this sandbox does not have",
                      text));
    }
    add_fault(*spec);
    return {};
  }

  Result<void> write(const char* method, const char* content_type, const std::string& path,
                     const std::string& body) {
    HttpRequest request;
    request.method = method;
    request.path = path;
    request.content_type = content_type;
    request.authorization = "Bearer " + options_.token;
    request.user_agent = "kinf";  // this becomes the field manager
    request.body = body;
    const HttpResponse response = router_.handle(request);
    if (response.code == 200) return {};
    const std::optional<sandbox::Json> status = sandbox::parse_json(response.body);
    return fail(
        response.code == 409 ? ErrorKind::conflict : ErrorKind::internal,
        fmt::format("{} {}: {}", response.code, path,
                    status ? sandbox::text(sandbox::field(*status, "message")) : "no message"));
  }

  std::string kubeconfig_text() const {
    return sandbox::kubeconfig_text(options_.name, url_, options_.token,
                                    identity_ ? identity_->certificate_pem() : "",
                                    past_ ? past_->default_namespace() : "default");
  }

  std::optional<std::string> scenario_ended() const {
    MutexLock lock(mu_);
    return ended_at_;
  }

  SandboxOptions options_;
  std::stop_source stop_;  ///< ends requests that take a long time
  sandbox::PastClock clock_;
  std::unique_ptr<sandbox::DataFolder> data_;  ///< declared before store_, which writes to it
  sandbox::ApiTypes types_;
  sandbox::ResourceStore store_;
  sandbox::ObjectService objects_;
  sandbox::ByteRelay relay_;
  std::string url_;
  std::string direct_url_;
  std::function<void(const std::string&)> on_end_;

 private:
  void add_fault(const sandbox::FaultSpec& fault) {
    relay_.add(fault);
    injector_.add(fault);
  }

  sandbox::Router::Options router_options() {
    sandbox::Router::Options result{options_.token,
                                    [this] { on_watch_synced(); },
                                    [this](std::string_view spec) { return inject(spec); },
                                    {},
                                    stop_.get_token()};
    if (!options_.on_request) return result;
    result.on_request = [this](const HttpRequest& request) {
      options_.on_request({request.method, request.path, request.flag("watch"),
                           !request.parameter("continue").empty(), request.authorization});
    };
    return result;
  }

  /// Starts the server and, if needed, the relay in front of it. Returns the port for clients.
  Result<int> listen(const HostPort& address) {
    const HostPort own = options_.relay ? HostPort{"127.0.0.1", 0} : address;
    const Result<int> port = http_.start(own.host, own.port, identity_ ? &*identity_ : nullptr);
    if (!port) return port;
    direct_url_ = url_of(own.host, *port);
    if (!options_.relay) return port;
    return relay_.start(address.host, address.port, "127.0.0.1", *port);
  }

  std::string url_of(const std::string& host, int port) const {
    return fmt::format("{}://{}:{}", options_.tls ? "https" : "http", host, port);
  }

  /// Returns whether a step injects a byte fault.
  static bool needs_relay(const sandbox::Scenario& scenario) {
    return std::ranges::any_of(scenario.steps, [](const sandbox::ScenarioStep& step) {
      return !sandbox::is_protocol_fault(step.fault.kind);
    });
  }

  /// Fills the store with the state of a recording.
  Result<void> open_past() {
    const SandboxPast& past = *options_.past;
    Result<std::unique_ptr<sandbox::PastPlayer>> player =
        sandbox::PastPlayer::open(past.file,
                                  {.moment = {past.time, past.version, past.before_end},
                                   .plays = past.plays,
                                   .speed = options_.speed,
                                   .on_end = [this] { end_scenario(); },
                                   .stop = options_.stop},
                                  store_, types_, clock_);
    if (!player) return std::unexpected(std::move(player).error());
    past_ = *std::move(player);
    return {};
  }

  Result<void> open_scenario() {
    Result<sandbox::Scenario> scenario = sandbox::find_scenario(options_.scenario);
    if (!scenario) return std::unexpected(scenario.error());
    options_.relay = options_.relay || needs_relay(*scenario);
    sandbox::ScenarioPlayer::Hooks hooks{
        [this] { end_scenario(); }, [this](const sandbox::FaultSpec& fault) { add_fault(fault); }};
    player_.emplace(objects_, types_, clock_, *std::move(scenario), options_.speed,
                    std::move(hooks));
    return fill();
  }

  /// Fills the store before the first request: with saved objects, manifests, the objects that
  /// exist in every cluster, and the scenario's initial objects.
  Result<void> fill() {
    bool is_restored = false;
    if (!options_.data.empty()) {
      Result<std::unique_ptr<sandbox::DataFolder>> data = sandbox::DataFolder::open(options_.data);
      if (!data) return std::unexpected(data.error());
      data_ = *std::move(data);
      is_restored = !data_->is_new();
      if (const Result<void> restored = data_->restore(store_); !restored) return restored;
      for (const sandbox::StoredPtr& each :
           store_.list("customresourcedefinitions.apiextensions.k8s.io").objects) {
        types_.add_custom(each->json);
      }
      if (is_restored) objects_.reseed(store_.version());
    }
    Result<std::vector<sandbox::Manifest>> manifests = sandbox::read_manifests(options_.load);
    if (!manifests) return std::unexpected(manifests.error());
    const bool joins = !manifests->empty();
    if (const Result<void> loaded =
            sandbox::load_manifests(*std::move(manifests), is_restored, objects_, types_);
        !loaded) {
      return loaded;
    }
    load_cluster();
    if (is_restored) {
      player_->adopt_initial();
    } else if (const Result<void> loaded = player_->load_initial(options_.scenario, joins);
               !loaded) {
      return loaded;
    }
    if (options_.controllers) {
      objects_.expect_garbage_collector();
      load_nodes();
    }
    return {};
  }

  /// Adds the missing nodes up to SandboxOptions::nodes. If that is empty, adds one node if there
  /// is none.
  void load_nodes() {
    const auto nodes = store_.list("nodes").objects;
    const bool has_node = std::ranges::any_of(
        nodes, [](const auto& node) { return sandbox::is_sandbox_node(node->json); });
    for (int number = 1; number <= options_.nodes.value_or(has_node ? 0 : 1); ++number) {
      (void)objects_.load(sandbox::sandbox_node(number, objects_.timestamp()));
    }
  }

  void on_watch_synced() {
    if (options_.begin_with_first_watch) start_playing();
  }

  void start_playing() {
    if (!options_.play) return;
    if (player_) player_->start();
    if (past_) past_->start();
  }

  void end_scenario() {
    const std::string version = std::to_string(store_.version());
    {
      MutexLock lock(mu_);
      ended_at_ = version;
    }
    if (on_end_) on_end_(version);
    store_.request_bookmarks();
  }

  /// Adds the objects that exist in every cluster. Keeps objects that are already stored.
  void load_cluster() {
    for (const char* name : {"default", "kube-node-lease", "kube-public"}) {
      sandbox::ensure_namespace(objects_, types_, name);
    }
    // Its UID distinguishes clusters, so it does not depend on SandboxOptions::seed.
    Random random(random_seed());
    (void)objects_.load(
        {{"kind", "Namespace"},
         {"apiVersion", "v1"},
         {"metadata", {{"name", "kube-system"}, {"uid", sandbox::random_uid(random)}}}});
    (void)objects_.load(
        {{"kind", "Service"},
         {"apiVersion", "v1"},
         {"metadata",
          {{"name", "kubernetes"},
           {"namespace", "default"},
           {"labels", {{"component", "apiserver"}, {"provider", "kubernetes"}}}}},
         {"spec",
          {{"clusterIP", "10.96.0.1"},
           {"clusterIPs", sandbox::Json::array({"10.96.0.1"})},
           {"ports", sandbox::Json::array({{{"name", "https"}, {"port", 443}}})}}}});
  }

  std::optional<TlsIdentity> identity_;
  sandbox::FaultInjector injector_;
  sandbox::Router router_;
  HttpServer http_;
  std::optional<sandbox::ScenarioPlayer> player_;
  std::unique_ptr<sandbox::PastPlayer> past_;
  sandbox::Controllers controllers_;
  mutable Mutex mu_;
  std::optional<std::string> ended_at_ KINF_GUARDED_BY(mu_);
};

Sandbox::Sandbox(SandboxOptions options, Clock& clock)
    : server_(std::make_unique<Server>(std::move(options), clock)) {}

Sandbox::~Sandbox() = default;

std::vector<std::string> Sandbox::scenario_names() { return sandbox::scenario_names(); }

void Sandbox::on_scenario_end(std::function<void(const std::string&)> callback) {
  server_->on_end_ = std::move(callback);
}

Result<std::string> Sandbox::start() { return server_->start(); }

void Sandbox::stop() { server_->stop(); }

const std::string& Sandbox::url() const { return server_->url_; }

const std::string& Sandbox::direct_url() const { return server_->direct_url_; }

std::string Sandbox::kubeconfig_text() const { return server_->kubeconfig_text(); }

bool Sandbox::is_own_kubeconfig(std::string_view text) {
  return text.starts_with(sandbox::kKubeconfigMark);
}

std::optional<std::string> Sandbox::scenario_ended() const { return server_->scenario_ended(); }

Result<void> Sandbox::load(std::string_view object) {
  std::optional<sandbox::Json> json = sandbox::parse_json(object);
  if (!json || !json->is_object()) return fail(ErrorKind::usage, "not a JSON object");
  const auto stored = server_->objects_.load(std::move(*json));
  if (stored) return {};
  return fail(stored.error().code == 404 ? ErrorKind::not_found : ErrorKind::conflict,
              stored.error().message);
}

Result<void> Sandbox::erase(std::string_view api_version, std::string_view kind,
                            std::string_view ns, std::string_view name) {
  const sandbox::ApiTypePtr type = server_->types_.find_kind(api_version, kind);
  if (type == nullptr) return fail(ErrorKind::not_found, fmt::format("unknown kind {}", kind));
  server_->objects_.erase(*type, {std::string(ns), std::string(name)});
  return {};
}

Result<void> Sandbox::patch(const std::string& path, const std::string& patch) {
  return server_->write("PATCH", "application/merge-patch+json", path, patch);
}

Result<void> Sandbox::remove(const std::string& path) {
  return server_->write("DELETE", "application/json", path, R"({"gracePeriodSeconds":0})");
}

std::vector<std::string> Sandbox::objects(std::string_view api_version,
                                          std::string_view kind) const {
  std::vector<std::string> result;
  const sandbox::ApiTypePtr type = server_->types_.find_kind(api_version, kind);
  if (type == nullptr) return result;
  for (const sandbox::StoredPtr& object : server_->store_.list(type->storage_key()).objects) {
    result.push_back(object->text);
  }
  return result;
}

std::string Sandbox::version() const { return std::to_string(server_->store_.version()); }

Result<void> Sandbox::inject(std::string_view fault) { return server_->inject(fault); }

Result<void> Sandbox::check_fault(std::string_view fault) {
  const Result<sandbox::FaultSpec> parsed = sandbox::parse_fault(fault);
  return parsed ? Result<void>() : std::unexpected(parsed.error());
}

std::uint64_t Sandbox::connections() const { return server_->relay_.accepted(); }

void Sandbox::compact() { server_->store_.compact(); }

}  // namespace kinf
