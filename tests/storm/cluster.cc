// SPDX-License-Identifier: Apache-2.0
#include "storm/cluster.h"

#include <fmt/format.h>
#include <httplib.h>

#include <algorithm>
#include <array>
#include <nlohmann/json.hpp>

#include "kinf/base/random.h"

namespace kinf::test {
namespace {

using Json = nlohmann::json;

constexpr std::array<const char*, 4> kNamespaces = {"default", "kube-node-lease", "kube-public",
                                                    "kube-system"};
constexpr std::chrono::seconds kListSilence(3);

const char* namespace_of(std::uint64_t number) { return kNamespaces[number % kNamespaces.size()]; }

Json configmap(const std::string& name, bool red, std::uint64_t value) {
  return {{"kind", "ConfigMap"},
          {"apiVersion", "v1"},
          {"metadata", {{"name", name}, {"labels", {{"team", red ? "red" : "blue"}}}}},
          {"data", {{"value", std::to_string(value)}}}};
}

ResourceType configmaps() { return {{"", "v1", "configmaps"}, "ConfigMap", "configmap", true}; }

}  // namespace

void RequestLog::saw(const SandboxRequest& request) {
  if (request.method != "GET" || request.continues) return;
  MutexLock lock(mu_);
  times_[request.authorization].push_back(clock_.now());
}

std::size_t RequestLog::most_in_two_seconds(const std::string& client) const {
  MutexLock lock(mu_);
  const auto found = times_.find("Bearer " + client);
  if (found == times_.end()) return 0;
  const std::vector<Clock::Mono>& times = found->second;
  std::size_t most = 0;
  std::size_t first = 0;
  for (std::size_t i = 0; i < times.size(); ++i) {
    while (times[i] - times[first] >= std::chrono::seconds(2)) ++first;
    most = std::max(most, i - first + 1);
  }
  return most;
}

/// Creates, changes and deletes every N-th object, N being the number of writers.
class StormCluster::Writer {
 public:
  Writer(const std::string& url, std::size_t objects, int number, int writers, std::uint64_t seed)
      : client_(url),
        objects_(objects),
        number_(static_cast<std::uint64_t>(number)),
        writers_(static_cast<std::uint64_t>(writers)),
        random_(seed + static_cast<std::uint64_t>(number) * 7919) {
    client_.set_keep_alive(true);
    client_.set_tcp_nodelay(true);
  }

  void write_one() {
    const std::uint64_t slots = std::max<std::uint64_t>(objects_ / writers_, 1);
    const std::uint64_t number = random_.next() % slots * writers_ + number_;
    const std::string name = fmt::format("cm-{}", number);
    const std::string all = fmt::format("/api/v1/namespaces/{}/configmaps", namespace_of(number));
    const std::uint64_t dice = random_.next() % 100;
    const std::uint64_t value = random_.next() % 1000;
    if (dice < 25) {
      client_.Delete(all + "/" + name);
    } else if (dice < 55) {
      client_.Post(all, configmap(name, value % 2 == 0, value).dump(), "application/json");
    } else {
      const Json patch = {{"metadata", {{"labels", {{"team", value % 2 == 0 ? "red" : "blue"}}}}},
                          {"data", {{"value", std::to_string(value)}}}};
      client_.Patch(all + "/" + name, patch.dump(), "application/merge-patch+json");
    }
  }

 private:
  httplib::Client client_;
  const std::size_t objects_;
  const std::uint64_t number_;
  const std::uint64_t writers_;
  Random random_;
};

StormCluster::StormCluster(Clock& clock, std::size_t window) : clock_(clock), log_(clock) {
  SandboxOptions options;
  options.relay = true;
  options.window = window;
  options.on_request = [this](const SandboxRequest& request) { log_.saw(request); };
  sandbox_ = std::make_unique<Sandbox>(std::move(options), clock);
}

Result<void> StormCluster::start(std::size_t objects) {
  objects_ = objects;
  if (const Result<std::string> url = sandbox_->start(); !url) return std::unexpected(url.error());
  for (std::size_t i = 0; i < objects; ++i) {
    Json object = configmap(fmt::format("cm-{}", i), i % 3 == 0, i);
    object["metadata"]["namespace"] = namespace_of(i);
    if (Result<void> loaded = sandbox_->load(object.dump()); !loaded) return loaded;
  }
  return {};
}

void StormCluster::start_writing(int writers, std::uint64_t seed, Clock::Duration pause) {
  for (int i = 0; i < writers; ++i) {
    writers_.emplace_back([this, i, writers, seed, pause](const std::stop_token& stop) {
      Writer writer(sandbox_->direct_url(), objects_, i, writers, seed);
      while (sleep_until(clock_, clock_.now() + pause, stop)) {
        writer.write_one();
        writes_.fetch_add(1);
      }
    });
  }
}

void StormCluster::stop_writing() { writers_.clear(); }

void StormCluster::write(int count, std::uint64_t seed) {
  Writer writer(sandbox_->direct_url(), objects_, 0, 1, seed);
  for (int i = 0; i < count; ++i) writer.write_one();
  writes_.fetch_add(static_cast<std::uint64_t>(count));
}

ClusterState StormCluster::state(bool red_only) const {
  ClusterState result;
  for (const std::string& document : sandbox_->objects("v1", "ConfigMap")) {
    const Json metadata = Json::parse(document).at("metadata");
    if (red_only && metadata.at("labels").at("team") != "red") continue;
    const std::string ns = metadata.at("namespace");
    const std::string name = metadata.at("name");
    result[ns + "/" + name] = {metadata.at("uid"), metadata.at("resourceVersion")};
  }
  return result;
}

Result<std::unique_ptr<HttpListerWatcher>> StormCluster::source(RequestAuthorizer& authorizer,
                                                                const HttpSource& plan) const {
  ClientConfig config;
  config.host = sandbox_->url();
  config.request_timeout = kListSilence;
  HttpSource source = plan;
  source.type = configmaps();
  source.form =
      plan.representation == Representation::object ? ObjectForm::raw : ObjectForm::metadata;
  return HttpListerWatcher::create(
      config, {}, std::shared_ptr<RequestAuthorizer>(std::shared_ptr<void>(), &authorizer),
      std::move(source), clock_);
}

}  // namespace kinf::test
