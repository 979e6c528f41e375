// SPDX-License-Identifier: Apache-2.0
// Rollout: how far a Deployment, StatefulSet or DaemonSet has rolled out its template, by the rules
// of `kubectl rollout status`. Pure functions. Threads: any.
#pragma once

#include <cstdint>
#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <string>
#include <string_view>

namespace kinf {

struct Rollout {
  enum class Phase {
    under_way,
    complete,
    failed,  ///< the progress deadline is exceeded, or another revision runs
    manual,  ///< the update strategy is not RollingUpdate, so that nothing rolls out by itself
  };
  Phase phase = Phase::under_way;
  std::string text;  ///< `1 out of 3 new replicas have been updated`
};

/// Returns whether kubectl knows a rollout of objects of this group and kind.
bool has_rollout(std::string_view group, std::string_view kind);

/// Returns the rollout of an object whose kind has_rollout(). `revision` is the wanted revision of
/// a Deployment. It is compared once the controller has seen the current generation.
Rollout rollout_of(std::string_view kind, const nlohmann::json& document,
                   std::optional<std::int64_t> revision = {});

}  // namespace kinf
