// SPDX-License-Identifier: Apache-2.0
#include "kinf/cli/index/index_query.h"

#include <algorithm>
#include <set>
#include <unordered_set>

namespace kinf {
namespace {

/// Returns the values in the index that `spec` matches.
std::vector<std::string> wanted_values(const IndexTable& table, const IndexSpec& spec) {
  if (auto literals = spec.value()->literals()) return *std::move(literals);
  std::vector<std::string> values;
  table.for_each_value(spec.name(), [&](const std::string& value, std::size_t) {
    if (spec.wants(value)) values.push_back(value);
  });
  return values;
}

/// Returns the objects that match all `specs`. Every spec must have a value.
Result<std::vector<ObjectPtr>> matching(const IndexTable& table,
                                        const std::vector<const IndexSpec*>& specs) {
  std::vector<std::vector<std::string>> wanted;
  std::vector<std::string> names;
  for (const IndexSpec* spec : specs) {
    wanted.push_back(wanted_values(table, *spec));
    names.push_back(spec->name());
  }
  std::vector<IndexCondition> conditions;
  for (std::size_t i = 0; i < specs.size(); ++i) {
    if (wanted[i].size() == 1) conditions.push_back({names[i], wanted[i].front()});
  }
  Result<std::vector<ObjectPtr>> found = table.select(conditions);
  for (std::size_t i = 0; found && i < specs.size(); ++i) {
    if (wanted[i].size() == 1) continue;
    const Result<std::vector<ObjectPtr>> any = table.any_of(names[i], wanted[i]);
    if (!any) return fail(any);
    std::unordered_set<const Object*> those;
    for (const ObjectPtr& object : *any) those.insert(object.get());
    std::erase_if(*found, [&](const ObjectPtr& object) { return !those.contains(object.get()); });
  }
  return found;
}

}  // namespace

ValuesOf IndexQuery::values_of() const {
  return [this](const IndexSpec& spec, const Object& object) {
    if (spec.follows_owners()) return owners_->values(spec, object);
    const ValuesByObject& values = values_.at(spec.name());
    const auto found = values.find(&object);
    return found == values.end() ? std::vector<std::string>() : found->second;
  };
}

void IndexQuery::collect_values(const IndexTable& table) {
  std::set<std::string> collected;  // a key can have several values: --by @image=a --by @image=b
  for (const IndexSpec& spec : command_.by) {
    if (spec.follows_owners() || !collected.insert(spec.name()).second) continue;
    ValuesByObject& values = values_[spec.name()];
    table.for_each_value(spec.name(), [&](const std::string& value, std::size_t) {
      table.for_each_in_index(spec.name(), value, [&](const std::string&, const ObjectPtr& object) {
        values[object.get()].push_back(value);
      });
    });
  }
}

IndexAnswer IndexQuery::question() const {
  IndexAnswer answer;
  answer.resource = session_.plan.types.front().get();
  if (!session_.plan.several_namespaces() && answer.resource->namespaced) {
    answer.ns = session_.plan.namespaces.front();
  }
  answer.cluster = session_.plan.cluster;
  answer.specs = command_.by;
  answer.key_format = command_.key_format;
  answer.with_objects = command_.objects;
  answer.show_secrets = command_.output.show_secrets && !session_.plan.secrets_masked;
  return answer;
}

Result<IndexAnswer> IndexQuery::answer() {
  IndexAnswer answer = question();
  for (const InformerSet::Member& member : session_.informers->members()) {
    if (Result<void> done = select(member, answer); !done) return fail(done);
  }
  sort_by_key(answer.objects);
  return answer;
}

Result<void> IndexQuery::select(const InformerSet::Member& member, IndexAnswer& answer) {
  std::vector<const IndexSpec*> indexed;
  std::vector<const IndexSpec*> followed;
  for (const IndexSpec& spec : answer.specs) {
    if (spec.value()) (spec.follows_owners() ? followed : indexed).push_back(&spec);
  }
  Result<std::vector<ObjectPtr>> found;
  member.informer->indexer().with_read_lock([&](const IndexTable& table) {
    found = matching(table, indexed);
    if (!looks_up(command_)) collect_values(table);
  });
  if (!found) return fail(found);
  for (const ObjectPtr& object : *found) {
    if (!member.selects(*object)) continue;
    const bool holds = std::ranges::all_of(followed, [&](const IndexSpec* spec) {
      return std::ranges::any_of(owners_->values(*spec, *object),
                                 [&](const std::string& value) { return spec->wants(value); });
    });
    if (holds) answer.objects.push_back(object);
  }
  answer.resource_version = member.informer->last_sync_resource_version();
  return {};
}

IndexDump IndexQuery::dump() const {
  IndexDump dump;
  std::vector<IndexSpec> specs = command_.by;
  const auto put = [&](const std::string& index, const std::string& value, const Object& object) {
    dump[index][value].push_back(command_.key_format.key(object));
  };
  for (const InformerSet::Member& member : session_.informers->members()) {
    const auto copy = [&](const std::string& shown, std::string_view name) {
      dump[shown];
      for_each_indexed(member, name, [&](const std::string& value, const Object& object) {
        put(shown, value, object);
      });
    };
    if (specs.empty()) copy("@namespace", kNamespaceIndex);
    for (const IndexSpec& spec : specs) {
      if (!spec.follows_owners()) copy(spec.name(), spec.name());
    }
    for (const IndexSpec& spec : specs) {
      if (!spec.follows_owners()) continue;
      dump[spec.name()];
      for (const ObjectPtr& object : member.objects()) {
        for (const std::string& value : owners_->values(spec, *object)) {
          put(spec.name(), value, *object);
        }
      }
    }
  }
  for (auto& [index, values] : dump) {
    for (auto& [value, keys] : values) std::ranges::sort(keys);
  }
  return dump;
}

}  // namespace kinf
