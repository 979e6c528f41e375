// SPDX-License-Identifier: Apache-2.0
#include "kinf/cache/store_reader.h"

#include "conformance/compact_object.h"
#include "conformance/results.h"
#include "conformance/runner.h"
#include "kinf/cache/indexer.h"

namespace kinf::conformance {
namespace {

IndexerOptions options_with(bool namespace_index) {
  IndexerOptions options;
  if (namespace_index) options.indexers.emplace(kNamespaceIndex, namespace_index_function);
  return options;
}

LabelSelector selector_from(Fields& args) {
  auto selector = LabelSelector::parse(args.text("selector"));
  if (!selector) throw BadVector(selector.error().message);
  return std::move(*selector);
}

class ListerSequence final : public Sequence {
 public:
  ListerSequence(const std::vector<ObjectPtr>& objects, bool namespace_index,
                 const std::string& resource)
      : indexer_(options_with(namespace_index)), lister_(indexer_, resource) {
    for (const ObjectPtr& object : objects) {
      if (const Result<void> added = indexer_.add(object); !added) {
        throw BadVector(added.error().message);
      }
    }
  }

  Json step(const std::string& op, Fields& args, const Json& /*expected*/) override {
    if (op == "list") return objects_result(lister_.list(selector_from(args)));
    if (op == "list_namespace") {
      return objects_result(lister_.list(args.text("namespace"), selector_from(args)));
    }
    if (op == "get") return value_result(lister_.get(args.text("name")), "obj", ref_of);
    if (op == "get_namespace") {
      return value_result(lister_.get(args.text("namespace"), args.text("name")), "obj", ref_of);
    }
    throw BadVector("unknown op " + op);
  }

  Json state() override { return nullptr; }

 private:
  static Json objects_result(const std::vector<ObjectPtr>& objects) {
    return {{"error", nullptr}, {"objs", sorted_refs_of(objects)}};
  }

  Indexer indexer_;
  Lister lister_;
};

class ListerRunner final : public SequenceRunner {
  std::unique_ptr<Sequence> start(Fields& config) override {
    return std::make_unique<ListerSequence>(objects_from(config.at("objects")),
                                            config.flag("namespace_index"),
                                            config.text("resource"));
  }
};

const Registration kLister("lister", [] { return std::make_unique<ListerRunner>(); });

}  // namespace
}  // namespace kinf::conformance
