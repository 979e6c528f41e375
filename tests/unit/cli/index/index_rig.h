// SPDX-License-Identifier: Apache-2.0
// IndexRig: a session with caches that the test fills. For tests of `kinf index`.
#pragma once

#include <deque>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "fakes/manual_source.h"
#include "fakes/object_builder.h"
#include "fakes/pumped_informer.h"
#include "kinf/cli/flags/command_line.h"
#include "kinf/cli/flags/index_flags.h"
#include "kinf/cli/flags/informer_flags.h"
#include "kinf/cli/index/index_query.h"
#include "kinf/cli/session/session.h"
#include "unit/cli/connection/offline_connection.h"
#include "unit/print/sample_objects.h"

namespace kinf::test {

/// Returns a pod in `ns` with the label app, or without it if `app` is empty.
inline ObjectPtr app_pod(const std::string& ns, const std::string& name, const std::string& app) {
  ObjectSpec spec;
  spec.ns = ns;
  spec.name = name;
  spec.rv = "1";
  spec.uid = ns + name;
  if (!app.empty()) spec.labels = {{"app", app}};
  return make_object(spec);
}

struct IndexRig {
  /// `by`: the specs of --by.
  explicit IndexRig(const std::vector<std::string>& by, std::vector<std::string> namespaces = {}) {
    for (const std::string& text : by) command.by.push_back(IndexSpec::parse(text).value());
    session.plan.types.push_back(std::make_unique<ResourceType>(kPods));
    session.plan.namespaces = std::move(namespaces);
    session.informers =
        InformerSet::create({*offline.connection, nothing, flags, {}, offline.context()}).value();
  }

  /// Adds an informer whose initial list has these objects.
  void add_informer(std::vector<ObjectPtr> objects, const std::string& version = "100") {
    InformerOptions options;
    for (const IndexSpec& spec : command.by) {
      options.indexers[spec.name()] =
          [spec](const Object& object) -> Result<std::vector<std::string>> {
        return spec.values(object);
      };
    }
    PumpedInformer<ManualSource>& pumped = informers.emplace_back(std::move(options));
    pumped.start();
    pumped.source.answer_list(std::move(objects), version);
    pumped.settle();
    InformerSet::Member member;
    member.planned.type = session.plan.types.front().get();
    member.description = "pods";
    member.source = nullptr;
    member.informer = &pumped.informer;
    session.informers->members().push_back(std::move(member));
  }
  std::string keys_of(const std::vector<ObjectPtr>& objects) const {
    std::string text;
    for (const ObjectPtr& object : objects) {
      text += (text.empty() ? "" : " ") + command.key_format.key(*object);
    }
    return text;
  }

  OfflineConnection offline;
  std::deque<PumpedInformer<ManualSource>> informers;  ///< used by the session
  WatchPlan nothing;  ///< no informers besides those that are added
  InformerFlags flags;
  Session session;
  IndexCommand command;
};

}  // namespace kinf::test
