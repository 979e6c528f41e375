// SPDX-License-Identifier: Apache-2.0
// ServerWorld: implements CompletionWorld with the kubeconfig and the server that a command line
// names.
#pragma once

#include <memory>
#include <stop_token>

#include "kinf/cli/completion/completion_world.h"
#include "kinf/cli/flags/global_flags.h"

namespace kinf {

class Connection;
struct Environment;
struct Kubeconfig;
struct ResourceType;

/// Connects when the server is first needed. Functions that need the server return empty results on
/// failure, on stop, and with --from.
/// Threads: one owner.
class ServerWorld final : public CompletionWorld {
 public:
  /// `environment` and `clock` must outlive this object.
  ServerWorld(GlobalFlags flags, std::vector<Alias> aliases, const Environment& environment,
              Clock& clock, std::stop_token stop);
  ~ServerWorld() override;

  std::vector<std::string> contexts() override;
  std::vector<std::string> clusters() override;
  std::vector<std::string> users() override;
  std::vector<Alias> aliases() override { return aliases_; }
  std::vector<ApiResource> types() override;
  std::vector<std::string> namespaces() override;
  std::vector<ObjectPtr> objects(const std::vector<std::string>& types, ObjectPart part) override;

 private:
  /// Connects on the first call. Returns null if that failed, and with --from.
  Connection* connection();
  /// Lists the first page of objects. Returns them sorted by name.
  std::vector<ObjectPtr> list(const ResourceType& type, const std::string& ns, ObjectPart part);
  Kubeconfig kubeconfig() const;

  const GlobalFlags flags_;
  const std::vector<Alias> aliases_;
  const Environment& environment_;
  Clock& clock_;
  const std::stop_token stop_;
  bool is_opened_ = false;
  std::unique_ptr<Connection> connection_;
};

}  // namespace kinf
