// SPDX-License-Identifier: Apache-2.0
// PlayedInput: what a connection reads instead of a server (--from): a recording or a stream of
// JSON.
#pragma once

#include <memory>
#include <optional>
#include <stop_token>
#include <string>
#include <string_view>
#include <vector>

#include "kinf/base/error.h"

namespace kinf {

class ListerWatcher;
class Player;
class ReplayClock;
struct ApiResource;
struct HttpSource;
struct ReplayFlags;
struct ResourceType;

/// Threads: one owner; see Player.
class PlayedInput {
 public:
  /// Opens the file that `flags` name. With `only_state`, plays the state but no changes. `clock`
  /// must outlive this object; `stop` ends reading. Errors: usage; those of opening the file.
  static Result<std::unique_ptr<PlayedInput>> open(const ReplayFlags& flags, bool only_state,
                                                   ReplayClock& clock, const std::stop_token& stop);
  virtual ~PlayedInput();

  virtual Player& player() = 0;
  /// Returns the name for messages: a path or `standard input`.
  virtual std::string name() const = 0;
  /// Returns the default namespace of the command that wrote the recording; nullopt for a stream.
  virtual std::optional<std::string> default_namespace() const = 0;
  /// Returns whether the values of Secrets are masked in the input.
  virtual bool masks_secrets() const = 0;
  /// Returns the type named `word`, or the types of the category `word`. May block on a pipe.
  /// Errors: usage, if there are none.
  Result<std::vector<ResourceType>> expand(std::string_view word);
  /// Returns the types of all objects in the input, for a command that names no types. May block on
  /// a pipe. Errors: not_found, if there are none.
  virtual Result<std::vector<ResourceType>> take_all_types();
  /// Adds a source to player() and returns it. It reads the objects with the type, namespace and
  /// name of `source`, and applies no selectors. Errors: usage, if such objects were not recorded.
  virtual Result<std::unique_ptr<ListerWatcher>> add_source(const HttpSource& source,
                                                            const std::string& description) = 0;
  /// Returns the value of --speed; nullopt means that changes are played without waiting.
  std::optional<double> speed() const { return speed_; }

 protected:
  PlayedInput();

  /// Returns the types of the objects in the input. Adds unknown types to `known_types_`.
  virtual Result<std::vector<ResourceType>> held_types() = 0;

  std::vector<ApiResource> known_types_;

 private:
  std::optional<double> speed_;
};

}  // namespace kinf
