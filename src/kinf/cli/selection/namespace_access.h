// SPDX-License-Identifier: Apache-2.0
// NamespaceAccess: finds out which namespaces exist, and which of them the user may read.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "kinf/base/error.h"

namespace kinf {

class Connection;
struct ResourceType;

/// may_list_everywhere() and readable() send list requests with limit=1, because these need the
/// same permission as the list of an informer. All functions block on requests.
/// Threads: one owner; readable() uses up to kThreads threads of its own.
class NamespaceAccess {
 public:
  static constexpr std::size_t kThreads = 8;

  explicit NamespaceAccess(Connection& connection) : connection_(connection) {}

  /// Returns false if the server forbids listing `type` in all namespaces.
  Result<bool> may_list_everywhere(const ResourceType& type);
  /// Returns the names of the namespaces that match the selector `labels`, sorted, and keeps them
  /// for later calls. An empty `labels` matches all. If the user may not list namespaces, the
  /// error's hint says what to do.
  Result<std::vector<std::string>> names(const std::string& labels);
  /// Returns those of `namespaces` in which the user may list `type`, in the same order.
  Result<std::vector<std::string>> readable(const ResourceType& type,
                                            const std::vector<std::string>& namespaces);

 private:
  Connection& connection_;
  /// Names of namespaces, by label selector.
  std::map<std::string, std::vector<std::string>> names_;
};

}  // namespace kinf
