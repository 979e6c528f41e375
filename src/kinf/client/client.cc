// SPDX-License-Identifier: Apache-2.0
#include "kinf/client/client.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <utility>

namespace kinf {
namespace {

/// Returns a text that identifies the user, without secrets. Part of the discovery cache key.
std::string user_of(const ClientConfig& config) {
  return fmt::format("{} {} as {} {}", config.user, config.username, config.impersonate.user,
                     fmt::join(config.impersonate.groups, ","));
}

}  // namespace

Result<std::unique_ptr<Client>> Client::from_environment(Clock& clock, std::stop_token stop,
                                                         const ConfigFlags& flags) {
  ClientEnvironment environment = read_client_environment();
  Result<ClientConfig> config = choose_client_config(environment.config, flags);
  if (!config) return fail(config);
  config->user_agent = flags.user_agent;
  ClientOptions options;
  options.credentials.environment = std::move(environment.all);
  options.credentials.stdin_is_terminal = environment.stdin_is_terminal;
  options.credentials.stop = std::move(stop);
  options.proxies = std::move(environment.proxies);
  return create(*std::move(config), std::move(options), clock);
}

Result<std::unique_ptr<Client>> Client::create(ClientConfig config, ClientOptions options,
                                               Clock& clock) {
  std::unique_ptr<Client> client(new Client(std::move(config), std::move(options), clock));
  if (Result<void> connected = client->connect(); !connected) return fail(connected);
  return client;
}

Client::Client(ClientConfig config, ClientOptions options, Clock& clock)
    : clock_(lasting_clock(clock)), config_(std::move(config)), options_(std::move(options)) {}

Result<void> Client::connect() {
  Result<std::unique_ptr<CredentialSource>> credentials =
      CredentialSource::create(config_, options_.credentials, clock_);
  if (!credentials) return fail(credentials);
  credentials_ = *std::move(credentials);
  Result<std::unique_ptr<ApiClient>> api_client = new_api_client();
  if (!api_client) return fail(api_client);
  api_client_ = *std::move(api_client);
  if (!options_.cache_folder.empty()) {
    discovery_cache_.emplace(options_.cache_folder, api_client_->server(), user_of(config_),
                             clock_);
  }
  discovery_ =
      std::make_unique<Discovery>(*api_client_, discovery_cache_ ? &*discovery_cache_ : nullptr);
  return {};
}

Result<std::unique_ptr<HttpListerWatcher>> Client::source(std::string_view type,
                                                          HttpSource source) {
  Result<ApiResource> found = discovery_->resolve(type, options_.credentials.stop);
  if (!found) return fail(found);
  source.type = std::move(found->type);
  return typed_source(std::move(source));
}

Result<std::unique_ptr<HttpListerWatcher>> Client::typed_source(HttpSource source) {
  source.server_version = discovery_->server_version();
  source.watch_lists = watch_lists_;
  return HttpListerWatcher::create(config_, options_.proxies, credentials_, std::move(source),
                                   clock_);
}

Result<std::unique_ptr<ApiClient>> Client::new_api_client() {
  return ApiClient::create(config_, options_.proxies, credentials_, clock_);
}

}  // namespace kinf
