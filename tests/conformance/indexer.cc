// SPDX-License-Identifier: Apache-2.0
#include "kinf/cache/indexer.h"

#include "conformance/compact_object.h"
#include "conformance/index_functions.h"
#include "conformance/results.h"
#include "conformance/runner.h"
#include "conformance/store_sequence.h"

namespace kinf::conformance {
namespace {

constexpr std::string_view kDefaultKeyFormat = "{ns}/{name}";

void replace_once(std::string& text, std::string_view from, std::string_view to) {
  if (const std::size_t at = text.find(from); at != std::string::npos) {
    text.replace(at, from.size(), to);
  }
}

KeyFunction key_function_from(const std::string& format) {
  if (format == kDefaultKeyFormat) return {};
  return [format](const Object& object) -> Result<std::string> {
    std::string key = format;
    replace_once(key, "{ns}", object.ns());
    replace_once(key, "{name}", object.name());
    return key;
  };
}

class IndexerSequence final : public Sequence {
 public:
  explicit IndexerSequence(IndexerOptions options) : indexer_(std::move(options)) {}

  Json step(const std::string& op, Fields& args, const Json& expected) override {
    if (auto result = read_step(indexer_, op, args)) return *result;
    if (op == "add" || op == "update") {
      const ObjectPtr object = object_from(args.at("obj"));
      const Json result =
          write_result(op == "add" ? indexer_.add(object) : indexer_.update(object), expected);
      is_over_ = result.contains("panic");
      return result;
    }
    if (op == "get") {
      const auto found = indexer_.get(*object_from(args.at("obj")));
      if (!found) return error_result(found);
      return {{"error", nullptr}, {"exists", static_cast<bool>(*found)}, {"obj", ref_of(*found)}};
    }
    if (op == "delete") return error_result(indexer_.remove(object_from(args.at("obj"))));
    if (op == "delete_tombstone") {
      return error_result(
          indexer_.remove(DeletedObject{args.text("key"), object_from(args.at("obj"))}));
    }
    if (op == "replace") {
      return error_result(indexer_.replace(objects_from(args.at("items")), args.text("rv")));
    }
    if (op == "add_indexers") {
      return error_result(indexer_.add_indexers(index_functions_from(args.at("indexers"))));
    }
    // A store has nothing to do for a resync, so it has no call.
    if (op == "resync") return error_result(Result<void>());
    if (op == "bookmark") {
      indexer_.bookmark(args.text("rv"));
    } else if (op == "transaction") {
      std::vector<StoreWrite> writes;
      for (const Json& one : args.at("txns")) writes.push_back(write_from(one));
      const TransactionReport report = indexer_.transaction(writes);
      if (!report.ok()) throw BadVector(report.error().message);
    } else {
      throw BadVector("unknown op " + op);
    }
    return nullptr;
  }

  Json state() override { return store_state(indexer_); }
  bool is_over() const override { return is_over_; }

 private:
  Indexer indexer_;
  bool is_over_ = false;
};

class IndexerRunner final : public SequenceRunner {
  std::unique_ptr<Sequence> start(Fields& config) override {
    IndexerOptions options;
    options.key_function = key_function_from(config.text("key_format"));
    options.indexers = index_functions_from(config.at("indexers"));
    options.behaviour = Behaviour::client_go;
    return std::make_unique<IndexerSequence>(std::move(options));
  }
};

const Registration kIndexer("indexer", [] { return std::make_unique<IndexerRunner>(); });

}  // namespace
}  // namespace kinf::conformance
