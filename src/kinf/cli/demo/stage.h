// SPDX-License-Identifier: Apache-2.0
// The stages of `kinf demo`, each a small program on the public library, and what they are given.
#pragma once

#include <functional>
#include <memory>
#include <stop_token>
#include <string>
#include <string_view>

#include "kinf/api/lister_watcher.h"
#include "kinf/base/clock.h"
#include "kinf/base/error.h"
#include "kinf/informer/informer_observer.h"
#include "kinf/informer/shared_informer.h"

namespace kinf {

/// What a stage is given. It also observes the informers of a stage, so that follow() wakes up.
/// Threads: print(), explain() and is_over() from any.
class Demo : public InformerObserver {
 public:
  virtual Clock& clock() = 0;
  /// Requested when the user ends the command.
  virtual std::stop_token stop() = 0;
  /// A source of the pods or deployments of the namespace.
  virtual Result<std::unique_ptr<ListerWatcher>> source(std::string_view type) = 0;
  virtual std::string ns() = 0;
  virtual Clock::Duration resync() = 0;
  virtual std::string listen() = 0;

  virtual void print(const std::string& line) = 0;
  /// With --explain: what has just happened, and where in the source it did.
  virtual void explain(std::string_view what, std::string_view file) = 0;
  /// Whether a client at `version` has seen the whole scenario. Never true for a real server.
  virtual bool is_over(const std::string& version) = 0;
  /// Blocks until `done()` holds, or stop. Calls it again after each print() and on_idle().
  virtual void wait_until(const std::function<bool()>& done) = 0;
  /// Blocks until the informer and its handlers have seen the whole scenario, or stop. The informer
  /// must have this as its observer, and each handler must print.
  void follow(const SharedInformer& informer);
};

Result<> demo_deltafifo(Demo& demo);
Result<> demo_listwatch(Demo& demo);
Result<> demo_reflector(Demo& demo);
Result<> demo_reflector_known(Demo& demo);
Result<> demo_informer(Demo& demo);
Result<> demo_shared(Demo& demo);
Result<> demo_shared_listwatch(Demo& demo);
Result<> demo_index_map(Demo& demo);
Result<> demo_http(Demo& demo);
Result<> demo_factory(Demo& demo);
Result<> demo_workqueue(Demo& demo);

/// `status.phase`; empty if there is none.
std::string phase_of(const Object& object);
/// An object from its JSON, which must be good.
ObjectPtr object_from(std::string_view json);

}  // namespace kinf
