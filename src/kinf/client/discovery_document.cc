// SPDX-License-Identifier: Apache-2.0
#include "kinf/client/discovery_document.h"

#include <array>
#include <nlohmann/json.hpp>
#include <utility>

#include "kinf/base/limits.h"

namespace kinf {
namespace {

using Json = nlohmann::json;

constexpr std::string_view kListed = ".resources[]";
constexpr std::string_view kAggregated = ".items[].versions[].resources[]";

/// Receives the values of any discovery document one by one. `path_` is the path of the current
/// value, such as `.resources[].verbs[]`.
class DocumentReader final : public Json::json_sax_t {
 public:
  std::string kind;
  std::vector<ApiResource> resources;
  std::vector<GroupVersion> versions;
  std::string refusal;  ///< why the reader stopped early; empty if it did not, or for invalid JSON

  bool null() override { return true; }
  bool number_integer(number_integer_t) override { return true; }
  bool number_unsigned(number_unsigned_t) override { return true; }
  bool number_float(number_float_t, const string_t&) override { return true; }
  bool binary(binary_t&) override { return true; }
  bool parse_error(std::size_t, const std::string&, const Json::exception&) override {
    return false;
  }

  bool boolean(bool value) override {
    if (path_ == ".resources[].namespaced") resource_.type.namespaced = value;
    return true;
  }

  bool string(string_t& value) override {
    if (std::string* const text = place_of_text()) {
      *text = std::move(value);
    } else if (path_ == ".items[].versions[].resources[].scope") {
      resource_.type.namespaced = value == "Namespaced";
    } else if (path_ == ".groups[].versions[].version") {
      versions.push_back({"", std::move(value)});
      return is_within_limit();
    } else if (path_.starts_with(kAggregated)) {
      take_names(std::string_view(path_).substr(kAggregated.size()), value);
    } else if (path_.starts_with(kListed)) {
      take_names(std::string_view(path_).substr(kListed.size()), value);
    }
    return true;
  }

  bool start_object(std::size_t) override {
    if (path_ == kListed || path_ == kAggregated) {
      resource_ = {};
      resource_.type.namespaced = false;
    }
    return enter();
  }
  bool start_array(std::size_t) override {
    path_ += "[]";
    return enter();
  }
  bool key(string_t& name) override {
    path_.resize(levels_[depth_ - 1]);
    path_.append(".").append(name);
    return true;
  }
  bool end_object() override {
    path_.resize(levels_[depth_ - 1]);
    if (path_ == kListed || path_ == kAggregated) {
      finish_resource();
    } else if (path_ == ".items[].versions[]") {
      finish_version();
    } else if (path_ == ".items[]") {
      finish_group();
    } else if (path_ == ".groups[]") {
      finish_listed_group();
    }
    leave();
    return is_within_limit();
  }
  bool end_array() override {
    leave();
    return true;
  }

 private:
  bool enter() {
    if (depth_ == limits::kDiscoveryDepth) {
      refusal = "the response is nested too deeply";
      return false;
    }
    levels_[depth_++] = path_.size();
    return true;
  }
  void leave() {
    --depth_;
    path_.resize(depth_ == 0 ? 0 : levels_[depth_ - 1]);
  }
  bool is_within_limit() {
    if (resources.size() + versions.size() <= limits::kTypes) return true;
    refusal = "the response contains more than 200,000 types";
    return false;
  }

  /// Returns where to store the string at `path_`. Returns null if it is not needed or is stored in
  /// another form.
  std::string* place_of_text() {
    ResourceType& type = resource_.type;
    const std::pair<std::string_view, std::string*> places[] = {
        {".kind", &kind},
        {".resources[].name", &type.gvr.resource},
        {".resources[].singularName", &type.singular},
        {".resources[].kind", &type.kind},
        {".items[].versions[].resources[].resource", &type.gvr.resource},
        {".items[].versions[].resources[].singularResource", &type.singular},
        {".items[].versions[].resources[].responseKind.kind", &type.kind},
        {".items[].versions[].version", &version_},
        {".items[].metadata.name", &group_},
        {".groups[].name", &group_},
        {".groups[].preferredVersion.version", &preferred_}};
    for (const auto& [path, text] : places) {
      if (path == path_) return text;
    }
    return nullptr;
  }

  void take_names(std::string_view member, std::string& value) {
    std::vector<std::string>* names = nullptr;
    if (member == ".verbs[]") names = &resource_.verbs;
    if (member == ".shortNames[]") names = &resource_.short_names;
    if (member == ".categories[]") names = &resource_.categories;
    if (names != nullptr && names->size() < limits::kTypeNames) names->push_back(std::move(value));
  }

  void finish_resource() {
    const std::string& name = resource_.type.gvr.resource;
    const bool is_subresource = name.find('/') != std::string::npos;
    if (!name.empty() && !is_subresource) resources.push_back(std::move(resource_));
  }
  /// Sets the version of the types read since the last call. Called at the end of a version,
  /// because its name may follow its types in the document.
  void finish_version() {
    for (; versioned_ < resources.size(); ++versioned_) {
      resources[versioned_].type.gvr.version = version_;
    }
    version_.clear();
  }
  void finish_group() {
    for (; grouped_ < resources.size(); ++grouped_) {
      resources[grouped_].type.gvr.group = group_;
    }
    group_.clear();
  }
  void finish_listed_group() {
    const std::size_t first = grouped_;
    std::vector<GroupVersion> ordered;
    if (!preferred_.empty()) ordered.push_back({group_, preferred_});
    for (; grouped_ < versions.size(); ++grouped_) {
      std::string& version = versions[grouped_].version;
      if (!version.empty() && version != preferred_) ordered.push_back({group_, version});
    }
    versions.resize(first);
    for (GroupVersion& one : ordered) versions.push_back(std::move(one));
    grouped_ = versions.size();
    group_.clear();
    preferred_.clear();
  }

  std::string path_;
  /// The length of path_ at each nesting level.
  std::array<std::size_t, limits::kDiscoveryDepth> levels_{};
  std::size_t depth_ = 0;
  ApiResource resource_;
  std::string group_;
  std::string version_;
  std::string preferred_;
  std::size_t versioned_ = 0;  ///< number of `resources` whose version is set
  std::size_t grouped_ = 0;    ///< number of `resources` or `versions` whose group is set
};

std::unexpected<Error> bad_document(const std::string& what) {
  return fail(ErrorKind::protocol, "API discovery: " + what);
}

/// Returns why the document cannot be read, or an empty string.
std::string read(std::string_view json, DocumentReader& reader) {
  if (Json::sax_parse(json, &reader)) return {};
  return reader.refusal.empty() ? "the response is not JSON" : reader.refusal;
}

}  // namespace

Result<std::vector<ApiResource>> parse_resource_list(std::string_view json,
                                                     const std::string& group,
                                                     const std::string& version) {
  DocumentReader reader;
  const std::string problem = read(json, reader);
  if (!problem.empty()) return bad_document(problem);
  if (reader.kind != "APIResourceList") {
    return bad_document("the response is not an APIResourceList");
  }
  for (ApiResource& resource : reader.resources) {
    resource.type.gvr.group = group;
    resource.type.gvr.version = version;
  }
  return std::move(reader.resources);
}

Result<ApiGroups> parse_groups(std::string_view json) {
  DocumentReader reader;
  const std::string problem = read(json, reader);
  if (!problem.empty()) return bad_document(problem);
  ApiGroups groups;
  groups.is_aggregated = reader.kind == "APIGroupDiscoveryList";
  if (!groups.is_aggregated && reader.kind != "APIGroupList") {
    return bad_document("the response is neither an APIGroupDiscoveryList nor an APIGroupList");
  }
  groups.resources = std::move(reader.resources);
  groups.versions = std::move(reader.versions);
  return groups;
}

}  // namespace kinf
