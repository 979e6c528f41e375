// SPDX-License-Identifier: Apache-2.0
// SimSource: the ListerWatcher of one simulated client. Sends its requests through the Network and
// decodes the bytes of the responses with kinf's decoders. Checks what an informer asks for.
#pragma once

#include <deque>
#include <string>
#include <vector>

#include "kinf/api/lister_watcher.h"
#include "sim/network.h"
#include "sim/verdict.h"

namespace kinf::sim {

struct SourceOptions {
  std::size_t client = 0;
  bool red_only = false;
  bool supports_watch_list = false;
  bool prefers_watch_list = false;
  NewestFromMemory newest = NewestFromMemory::none;
  bool is_paced = true;         ///< check the rate of requests
  bool checks_versions = true;  ///< check what only holds if all responses are valid
};

/// What a client has received, as an observer of its connection sees it.
struct Wire {
  std::uint32_t newest = 0;      ///< the highest revision that it got since the last list
  std::uint32_t list_epoch = 0;  ///< etcd's epoch of the last complete list
  bool has_list = false;
  std::vector<std::uint32_t> lists{};  ///< the revisions of all complete lists
};

class SimSource final : public ListerWatcher {
 public:
  SimSource(Network& network, const Clock& clock, Verdict& verdict, Wire& wire,
            const SourceOptions& options)
      : network_(network), clock_(clock), verdict_(verdict), wire_(wire), options_(options) {}

  std::unique_ptr<ListCall> list(const ListOptions& options, ListSink& sink) override;
  std::unique_ptr<WatchCall> watch(const ListOptions& options) override;
  void wait(Clock::Mono deadline, const std::stop_token& stop) override;
  void wake() override {}
  void set_held(HeldObjects held) override { held_ = std::move(held); }
  void reset_connections() override { network_.reset(options_.client); }
  bool supports_watch_list() const override { return options_.supports_watch_list && !gave_up_; }
  void give_up_watch_list() override { gave_up_ = true; }
  bool prefers_watch_list() const override {
    return options_.prefers_watch_list && supports_watch_list();
  }
  NewestFromMemory newest_from_memory() const override { return options_.newest; }
  /// Old servers are not asked.
  std::unique_ptr<ListCall> newest_version(ListSink& sink) override;
  std::string description() const override { return "configmaps"; }

 private:
  class Listing;
  class Watching;

  std::shared_ptr<Exchange> send(bool is_watch, const ListOptions& options);
  void count_request();

  Network& network_;
  const Clock& clock_;
  Verdict& verdict_;
  Wire& wire_;
  const SourceOptions options_;
  HeldObjects held_;
  bool gave_up_ = false;
  std::deque<Clock::Mono> requests_;  ///< of the last second, without later pages
};

}  // namespace kinf::sim
