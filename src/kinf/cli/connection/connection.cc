// SPDX-License-Identifier: Apache-2.0
#include "kinf/cli/connection/connection.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "kinf/api/lister_watcher.h"
#include "kinf/api/selectors.h"
#include "kinf/base/assign.h"
#include "kinf/base/log.h"
#include "kinf/base/quote.h"
#include "kinf/base/url.h"
#include "kinf/cli/connection/played_input.h"
#include "kinf/cli/flags/global_flags.h"
#include "kinf/cli/runtime/environment.h"
#include "kinf/client/client.h"
#include "kinf/client/config_choice.h"
#include "kinf/informer/version_tracker.h"
#include "kinf/query/update_filter.h"
#include "kinf/sandbox/sandbox.h"

namespace kinf {
namespace {

/// Returns whether a retry may soon succeed, because the server is busy or the connection broke.
/// With `retry_forbidden`, also if the server denies access.
bool is_passing(const Error& error, bool retry_forbidden) {
  switch (error.kind) {
    case ErrorKind::auth:
    case ErrorKind::forbidden: return retry_forbidden;
    case ErrorKind::throttled:
    case ErrorKind::unavailable: return true;
    case ErrorKind::network:
      return error.fault == NetworkFault::reset || error.fault == NetworkFault::closed;
    default: return false;
  }
}

/// Returns the discovery cache folder. Returns an empty string, which disables the cache, for a
/// sandbox, because each sandbox is a new server.
std::string cache_folder(const GlobalFlags& flags, const Environment& environment) {
  if (flags.sandbox) return {};
  if (!flags.cache_dir.empty()) return flags.cache_dir;
  if (environment.cache_home.starts_with('/')) return environment.cache_home + "/kinf";
  return environment.config.home.empty() ? std::string() : environment.config.home + "/.cache/kinf";
}

/// Returns a hint that says where kinf looked for a kubeconfig, and which flags to use instead.
std::string not_configured_hint(const ConfigEnvironment& environment, const ConfigFlags& flags) {
  std::string where = "~/.kube/config";
  if (!environment.kubeconfig.empty()) where = "$KUBECONFIG (" + environment.kubeconfig + ")";
  if (!flags.kubeconfig.empty()) where = flags.kubeconfig;
  return fmt::format(
      "looked in {}; use --kubeconfig or --server, or try --sandbox, which needs no cluster",
      where);
}

/// Returns the value of repeated_flags().
std::string flags_to_repeat(const GlobalFlags& flags) {
  const ConfigOverrides& overrides = flags.config.overrides;
  const std::pair<const char*, std::string> valued[] = {
      {"--kubeconfig", flags.config.kubeconfig},
      {"--context", overrides.context},
      {"--cluster", overrides.cluster},
      {"--user", overrides.user},
      {"--server", without_secrets(overrides.server)},
      {"--certificate-authority", overrides.ca_file},
      {"--client-certificate", overrides.client_cert},
      {"--client-key", overrides.client_key},
      {"--tls-server-name", overrides.tls_server_name},
      {"--as", overrides.as},
      {"--as-uid", overrides.as_uid}};
  std::string text;
  for (const auto& [flag, value] : valued) {
    if (!value.empty()) text += fmt::format(" {} {}", flag, shell_word(value));
  }
  for (const std::string& group : overrides.as_groups) text += " --as-group " + shell_word(group);
  if (overrides.insecure) text += " --insecure-skip-tls-verify";
  if (flags.config.in_cluster) text += " --in-cluster";
  if (flags.sandbox) text += " --sandbox=" + shell_word(*flags.sandbox);
  return text;
}

/// Makes kinf itself apply the requirements of --field-selector that the server does not support.
void filter_fields_here(HttpSource& source) {
  const auto fields = std::make_shared<FieldFilter>();
  source.selects = [fields](const Object& whole) { return fields->matches(whole); };
  source.on_unsupported_field = [fields, type = source.type.gvr.group_resource()](
                                    const FieldRequirement& requirement) {
    fields->add(requirement);
    log::notice("{}: the server cannot select by {}; kinf filters here", type, requirement.field);
  };
}

/// Returns a function that applies the selectors of `source` in kinf. With --from, there is no
/// server to apply them. Empty if there are no selectors.
Result<std::function<bool(const Object& object)>> condition_of(const HttpSource& source) {
  const Result<LabelSelector> labels = LabelSelector::parse(source.label_selector);
  if (!labels) return fail(labels);
  const Result<FieldSelector> fields = FieldSelector::parse(source.field_selector);
  if (!fields) return fail(fields);
  if (labels->empty() && fields->empty()) return std::function<bool(const Object&)>();
  const auto filter = std::make_shared<FieldFilter>();
  for (const FieldRequirement& requirement : fields->requirements()) filter->add(requirement);
  return [labels = *labels, filter](const Object& object) {
    return labels.matches(object) && filter->matches(object);
  };
}

}  // namespace

Connection::Connection(Clock& clock, const Environment& environment, std::stop_token stop)
    : clock_(clock), environment_(environment), stop_(std::move(stop)) {}

Connection::~Connection() = default;

std::string Connection::opening_text(const GlobalFlags& flags) {
  const std::string& from = flags.replay.from;
  if (from.empty()) return "connecting to the server";
  return from == "-" ? "reading standard input" : "reading " + from;
}

Result<std::unique_ptr<Connection>> Connection::open(const GlobalFlags& flags,
                                                     const ConnectionNeeds& needs,
                                                     const Environment& environment, Clock& clock,
                                                     std::stop_token stop) {
  std::unique_ptr<Connection> connection(new Connection(clock, environment, std::move(stop)));
  connection->repeated_flags_ = flags_to_repeat(flags);
  const Result<void> done = flags.replay.from.empty() ? connection->configure(flags, needs)
                                                      : connection->open_played(flags, needs);
  if (!done) return fail(done);
  return connection;
}

Result<void> Connection::open_played(const GlobalFlags& flags, const ConnectionNeeds& needs) {
  auto played = PlayedInput::open(flags.replay, !needs.play_scenario, *needs.replay, stop_);
  if (!played) return fail(played);
  played_ = *std::move(played);
  config_.source = flags.replay.from;
  const std::string& ns = flags.config.overrides.name_space;
  if (!ns.empty()) {
    config_.default_namespace = ns;
  } else if (std::optional<std::string> recorded = played_->default_namespace()) {
    config_.default_namespace = *std::move(recorded);
  }
  return {};
}

Result<void> Connection::start_sandbox(const GlobalFlags& flags, const ConnectionNeeds& needs) {
  SandboxOptions options;
  options.scenario = *flags.sandbox;
  options.play = needs.play_scenario;
  options.speed = needs.speed;
  options.relay = needs.relay;
  sandbox_ = std::make_unique<Sandbox>(std::move(options), clock_);
  if (needs.on_scenario_end) {
    sandbox_->on_scenario_end([notify = needs.on_scenario_end](const std::string&) { notify(); });
  }
  if (auto done = assign(config_.host, sandbox_->start()); !done) return fail(done);
  config_.source = "--sandbox";
  const ConfigOverrides& overrides = flags.config.overrides;
  if (!overrides.name_space.empty()) {
    config_.default_namespace = overrides.name_space;
    config_.namespace_origin = NamespaceOrigin::flag;
  }
  config_.impersonate.user = overrides.as;
  config_.impersonate.uid = overrides.as_uid;
  config_.impersonate.groups = overrides.as_groups;
  return {};
}

bool Connection::has_scenario_ended_at(std::string_view version) const {
  if (sandbox_ == nullptr || version.empty()) return false;
  const std::optional<std::string> last = sandbox_->scenario_ended();
  return last && !is_older_version(version, *last);
}

Result<void> Connection::configure(const GlobalFlags& flags, const ConnectionNeeds& needs) {
  if (flags.sandbox) {
    if (Result<void> started = start_sandbox(flags, needs); !started) return started;
  } else {
    ConfigEnvironment environment = environment_.config;
    environment.stop = stop_;
    Result<ClientConfig> config = choose_client_config(environment, flags.config);
    if (!config) {
      // Report a bad or missing kubeconfig as an internal error, not as a usage error, so that the
      // exit code is 1.
      Error error = std::move(config).error();
      if (error.kind == ErrorKind::usage) error.kind = ErrorKind::internal;
      if (error.message.find("no configuration has been provided") != std::string::npos) {
        error.message = "no cluster is configured";
        error.hint = not_configured_hint(environment_.config, flags.config);
      }
      return fail(std::move(error));
    }
    config_ = *std::move(config);
  }
  if (!flags.config.overrides.server.empty()) {  // errors must not name a context
    config_.context.clear();
    config_.source = "--server";
  }
  retry_forbidden_ = needs.retry_forbidden;
  follows_ = needs.play_scenario;
  server_named_ = !flags.config.overrides.server.empty();
  if (needs.request_timeout) config_.request_timeout = *needs.request_timeout;
  ClientOptions options;
  options.credentials.environment = environment_.all;
  options.credentials.stdin_is_terminal = environment_.stdin_is_terminal;
  options.credentials.stop = stop_;
  options.proxies = environment_.proxies;
  options.cache_folder = cache_folder(flags, environment_);
  Result<std::unique_ptr<Client>> client = Client::create(config_, std::move(options), clock_);
  if (!client) return fail(client);
  client_ = *std::move(client);
  return {};
}

bool Connection::pause_after(const Error& error, Clock::Mono deadline) {
  constexpr auto kPause = std::chrono::milliseconds(250);
  if (!is_passing(error, retry_forbidden_) || clock_.now() >= deadline) return false;
  return sleep_until(clock_, clock_.now() + kPause, stop_);
}

Error Connection::with_hint(Error error, std::string_view word) const {
  if (error.kind == ErrorKind::network && error.hint.empty()) error.hint = network_hint();
  if (const std::string hint = sandbox_hint(word); !hint.empty()) error.hint = hint;
  return error;
}

Result<ResourceType> Connection::resolve(std::string_view word) {
  if (played_) {
    Result<std::vector<ResourceType>> types = expand(word);
    if (!types) return fail(types);
    return types->front();
  }
  Result<ApiResource> found = patiently([&] { return client_->discovery().resolve(word, stop_); });
  if (!found) return fail(with_hint(std::move(found).error(), word));
  return std::move(found->type);
}

Result<std::vector<ResourceType>> Connection::expand(std::string_view word) {
  if (played_) return played_->expand(word);
  Result<std::vector<ApiResource>> found =
      patiently([&] { return client_->discovery().expand(word, stop_); });
  if (!found) return fail(with_hint(std::move(found).error(), word));
  std::vector<ResourceType> types;
  for (ApiResource& resource : *found) {
    if (follows_ && resource.has_verb("list") && !resource.has_verb("watch")) {
      const std::string name = resource.type.gvr.group_resource();
      return fail(ErrorKind::protocol, "{} cannot be watched: the server can only list them", name)
          .with_hint("kinf get " + name + " prints them once");
    }
    types.push_back(std::move(resource.type));
  }
  return types;
}

Result<std::vector<ApiResource>> Connection::all_types() {
  if (played_) return fail(ErrorKind::usage, "--from has no server");
  Result<std::vector<ApiResource>> types =
      patiently([&] { return client_->discovery().all(stop_); });
  if (!types) return fail(with_hint(std::move(types).error(), ""));
  return types;
}

Result<std::vector<ResourceType>> Connection::take_all_types() {
  if (!played_) return fail(ErrorKind::usage, "a server has too many types to read all");
  return played_->take_all_types();
}

void Connection::forget_types() {
  if (client_) client_->discovery().forget();
}

const CredentialSource& Connection::credentials() const { return client_->credentials(); }

bool Connection::has_default_namespace() const {
  return !played_ || played_->default_namespace().has_value();
}

bool Connection::masks_secrets() const { return played_ && played_->masks_secrets(); }

std::string Connection::origin() const { return played_ ? played_->name() : "the server"; }

Result<std::vector<ResourceType>> Connection::wait_for_type(std::string_view word,
                                                            Clock::Mono deadline) {
  constexpr auto kPause = std::chrono::seconds(1);
  bool logged = false;
  while (true) {
    Result<std::vector<ResourceType>> types = expand(word);
    const bool unknown = !types && types.error().kind == ErrorKind::usage;
    if (!unknown) return types;
    if (!std::exchange(logged, true)) {
      log::notice("the server has no resource type \"{}\" yet; waiting for it", word);
    }
    const bool stopped =
        !sleep_until(clock_, std::min<Clock::Mono>(clock_.now() + kPause, deadline), stop_);
    if (clock_.now() >= deadline) return types;
    if (stopped) return fail(ErrorKind::stopped, "stopped");
    forget_types();
  }
}

Result<ApiResource> Connection::describe(const ResourceType& type) {
  const std::string name =
      fmt::format("{}.{}.{}", type.gvr.resource, type.gvr.version, type.gvr.group);
  return patiently([&] { return client_->discovery().resolve(name, stop_); });
}

Result<std::unique_ptr<ApiClient>> Connection::new_client() {
  if (played_) return fail(ErrorKind::usage, "--from has no server");
  return client_->new_api_client();
}

Result<std::unique_ptr<HttpListerWatcher>> Connection::source(HttpSource source) {
  if (played_) {
    return fail(ErrorKind::usage,
                "owners and labels of namespaces cannot be followed in a recording")
        .with_hint("for example: kinf sandbox --from FILE -- kinf index pods --by @root");
  }
  return client_->typed_source(std::move(source));
}

Result<InformerSource> Connection::informer_source(HttpSource source,
                                                   const std::string& description) {
  InformerSource made;
  if (played_) {
    Result<std::unique_ptr<ListerWatcher>> watcher = played_->add_source(source, description);
    if (!watcher) return fail(watcher);
    Result<std::function<bool(const Object&)>> selects = condition_of(source);
    if (!selects) return fail(selects);
    made.watcher = *std::move(watcher);
    made.selects = *std::move(selects);
    return made;
  }
  if (!source.field_selector.empty()) {
    filter_fields_here(source);
    made.selects = [](const Object& object) { return object.selected(); };
  }
  Result<std::unique_ptr<HttpListerWatcher>> watcher = client_->typed_source(std::move(source));
  if (!watcher) return fail(watcher);
  made.http = watcher->get();
  made.watcher = *std::move(watcher);
  return made;
}

std::string Connection::sandbox_hint(std::string_view word) const {
  if (sandbox_ == nullptr) return {};
  const std::vector<std::string> names = Sandbox::scenario_names();
  if (std::ranges::find(names, word) == names.end()) return {};
  return fmt::format("write --sandbox={} with an equals sign", word);
}

std::string Connection::network_hint() const {
  if (server_named_) return "check --server, or try --sandbox";
  std::vector<std::string> others = config_.contexts;
  std::erase(others, config_.context);
  if (others.empty()) return "set --server, or --context, or try --sandbox";
  constexpr std::size_t kShownContexts = 8;
  if (others.size() > kShownContexts) {
    others.resize(kShownContexts);
    others.emplace_back("…");
  }
  return fmt::format("other contexts: {};  or set --server", fmt::join(others, ", "));
}

}  // namespace kinf
