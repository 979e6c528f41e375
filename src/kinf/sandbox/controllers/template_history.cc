// SPDX-License-Identifier: Apache-2.0
#include "kinf/sandbox/controllers/template_history.h"

#include <algorithm>

#include "kinf/sandbox/controllers/owner_loop.h"

namespace kinf::sandbox {
namespace {

constexpr const char* kRevisionType = "controllerrevisions.apps";
constexpr const char* kPatchRule = "$patch";

std::int64_t number_of(const StoredPtr& revision) {
  return integer_or(field(revision->json, "revision"), 0);
}

}  // namespace

bool is_same_template(const Json& one, const Json& other) {
  const auto plain = [](const Json& pod_template) {
    nlohmann::json result = pod_template;
    if (result.contains("metadata") && result["metadata"].contains("labels") &&
        result["metadata"]["labels"].is_object()) {
      result["metadata"]["labels"].erase(kTemplateHash);
    }
    return result;
  };
  return plain(one) == plain(other);
}

std::string template_hash(const Json& pod_template) {
  constexpr std::string_view kAlphabet = "bcdfghjklmnpqrstvwxz2456789";
  std::uint64_t hash = 14695981039346656037ULL;  // FNV-1a hash of the JSON text with sorted members
  for (const char c : nlohmann::json(pod_template).dump()) {
    hash = (hash ^ static_cast<unsigned char>(c)) * 1099511628211ULL;
  }
  std::string result;
  for (int i = 0; i < 10; ++i, hash /= kAlphabet.size())
    result += kAlphabet[hash % kAlphabet.size()];
  return result;
}

std::string revision_hash(const StoredObject& revision) {
  return text(field(revision.json, "metadata", "labels", kRevisionHash));
}

Json template_of_revision(const Json& revision) {
  Json result = field(revision, "data", "spec", "template");
  if (result.is_object()) result.erase(kPatchRule);
  return result;
}

std::vector<StoredPtr> TemplateHistory::all(const Json& owner) const {
  std::vector<StoredPtr> result = cluster_.mirror().controlled(kRevisionType, uid_of(owner));
  std::ranges::stable_sort(result, {}, number_of);
  return result;
}

StoredPtr TemplateHistory::named(const Json& owner, const std::string& name) const {
  for (const StoredPtr& each : all(owner)) {
    if (each->key.name == name) return each;
  }
  return nullptr;
}

StoredPtr TemplateHistory::current(const Json& owner) {
  const std::vector<StoredPtr> revisions = all(owner);
  const std::int64_t newest = revisions.empty() ? 0 : number_of(revisions.back());
  const Json& wanted = field(owner, "spec", "template");
  const auto found = std::ranges::find_if(revisions, [&](const StoredPtr& each) {
    return is_same_template(template_of_revision(each->json), wanted);
  });
  if (found == revisions.end()) return create(owner, newest + 1);
  if (number_of(*found) < newest) {
    cluster_.edit(kRevisionType, (*found)->json,
                  [&](Json& current) { current["revision"] = newest + 1; });
  }
  return *found;
}

StoredPtr TemplateHistory::create(const Json& owner, std::int64_t number) {
  Json pod_template = field(owner, "spec", "template");
  const std::string hash = template_hash(pod_template);
  Json labels = field(pod_template, "metadata", "labels");
  if (!labels.is_object()) labels = Json::object();
  labels[hash_label_] = hash;
  Json metadata = {{"name", name_of(owner) + "-" + hash},
                   {"namespace", field(owner, "metadata", "namespace")},
                   {"labels", std::move(labels)}};
  const Json& annotations = field(owner, "metadata", "annotations");
  if (!annotations.is_null()) metadata["annotations"] = annotations;
  metadata["ownerReferences"] = Json::array({controller_reference_to(owner)});
  pod_template[kPatchRule] = "replace";
  return cluster_.create({{"kind", "ControllerRevision"},
                          {"apiVersion", "apps/v1"},
                          {"metadata", std::move(metadata)},
                          {"data", {{"spec", {{"template", std::move(pod_template)}}}}},
                          {"revision", number}});
}

void TemplateHistory::trim(const Json& owner, const std::set<std::string>& used) {
  std::vector<StoredPtr> idle = all(owner);
  std::erase_if(idle, [&](const StoredPtr& each) { return used.contains(each->key.name); });
  const std::int64_t limit = integer_or(field(owner, "spec", "revisionHistoryLimit"), 10);
  for (const StoredPtr& oldest : first_of(idle, std::ssize(idle) - limit)) {
    cluster_.remove(kRevisionType, oldest->json);
  }
}

}  // namespace kinf::sandbox
