// SPDX-License-Identifier: Apache-2.0
#include "kinf/cache/thread_safe_store.h"

#include "conformance/compact_object.h"
#include "conformance/index_functions.h"
#include "conformance/results.h"
#include "conformance/runner.h"
#include "conformance/store_sequence.h"

namespace kinf::conformance {
namespace {

class StoreSequence final : public Sequence {
 public:
  explicit StoreSequence(Indexers indexers) : store_(std::move(indexers), Behaviour::client_go) {}

  Json step(const std::string& op, Fields& args, const Json& expected) override {
    if (auto result = read_step(store_, op, args)) return *result;
    if (op == "add" || op == "update") {
      const ObjectPtr object = object_from(args.at("obj"));
      const Json result = write_result(op == "add" ? store_.add(args.text("key"), object)
                                                   : store_.update(args.text("key"), object),
                                       expected);
      is_over_ = result.contains("panic");
      return result;
    }
    if (op == "delete") {
      store_.remove(args.text("key"), *object_from(args.at("obj")));
    } else if (op == "delete_key") {
      store_.remove(args.text("key"));
    } else if (op == "replace") {
      expect_success(replace(args));
    } else if (op == "bookmark") {
      store_.bookmark(args.text("rv"));
    } else if (op == "transaction") {
      std::vector<StoreWrite> writes;
      for (const Json& one : args.at("txns")) writes.push_back(write_from(one));
      expect_success(store_.transaction(writes));
    } else if (op == "add_indexers") {
      return error_result(store_.add_indexers(index_functions_from(args.at("indexers"))));
    } else if (op == "resync") {
      return error_result(Result<void>());  // a store has nothing to do for it, so it has no call
    } else {
      throw BadVector("unknown op " + op);
    }
    return nullptr;
  }

  Json state() override { return store_state(store_); }
  bool is_over() const override { return is_over_; }

 private:
  Result<void> replace(Fields& args) {
    std::vector<std::pair<std::string, ObjectPtr>> items;
    for (const auto& item : args.at("items_by_key").items()) {
      items.emplace_back(item.key(), object_from(item.value()));
    }
    return store_.replace(std::move(items), args.text("rv"));
  }

  static void expect_success(const Result<void>& result) {
    if (!result) throw BadVector(result.error().message);
  }

  ThreadSafeStore store_;
  bool is_over_ = false;
};

class StoreRunner final : public SequenceRunner {
  std::unique_ptr<Sequence> start(Fields& config) override {
    return std::make_unique<StoreSequence>(index_functions_from(config.at("indexers")));
  }
};

const Registration kThreadSafeStore("thread_safe_store",
                                    [] { return std::make_unique<StoreRunner>(); });

}  // namespace
}  // namespace kinf::conformance
