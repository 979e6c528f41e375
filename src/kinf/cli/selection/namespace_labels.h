// SPDX-License-Identifier: Apache-2.0
// NamespaceLabels: follows the namespaces whose labels match a selector.
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "kinf/api/event_handler.h"
#include "kinf/informer/handler_registration.h"

namespace kinf {

class Connection;
class SharedInformer;
struct HttpSource;
struct InformerFlags;
struct InformerOptions;
struct ResourceType;

/// Returns the options of a helper informer, which reads namespaces or owners in order to select or
/// group other objects. With `list_only`, the informer does not follow changes.
InformerOptions helper_informer_options(const InformerFlags& flags, bool list_only);

/// Returns a source of the metadata of all objects of a type. An empty `ns` means all namespaces.
HttpSource metadata_source(const ResourceType& type, const std::string& ns);

/// Returns a source of the metadata of the namespaces whose labels match.
HttpSource namespace_source(const std::string& labels);

/// Threads: one owner creates it and waits for its list; any thread may call contains().
class NamespaceLabels {
 public:
  /// Creates the informer. With `list_only`, it does not follow changes; otherwise it calls
  /// `changed` from its thread after the initial list, and when a namespace starts or stops
  /// matching. Empty `labels` match every namespace. All references must outlive this object.
  static Result<std::unique_ptr<NamespaceLabels>> create(Connection& connection,
                                                         const std::string& labels,
                                                         const InformerFlags& flags, bool list_only,
                                                         Clock& clock,
                                                         const std::function<void()>& changed);
  ~NamespaceLabels();
  NamespaceLabels(const NamespaceLabels&) = delete;
  NamespaceLabels& operator=(const NamespaceLabels&) = delete;

  Result<void> start();
  /// Blocks until the initial list is in the cache. Fails at `deadline` or on stop.
  Result<void> wait_for_sync(Clock::Mono deadline, const std::stop_token& stop) const;
  /// Returns whether the initial list is in the cache.
  bool has_synced() const;
  /// Returns whether the namespace exists and its labels match.
  bool contains(std::string_view ns) const;
  /// Returns the names of the namespaces whose labels match, sorted.
  std::vector<std::string> names() const;

 private:
  NamespaceLabels() = default;

  std::unique_ptr<FunctionHandler> handler_;
  std::unique_ptr<SharedInformer> informer_;
  std::optional<HandlerRegistration> registration_;
};

}  // namespace kinf
