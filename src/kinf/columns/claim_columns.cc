// SPDX-License-Identifier: Apache-2.0
// The cells of volumes, claims and storage classes, and of ingresses and endpoints.
#include <fmt/format.h>

#include <array>
#include <utility>

#include "kinf/columns/fields.h"
#include "kinf/columns/kind_columns.h"

namespace kinf::columns {
namespace {

/// Returns the access modes as kubectl abbreviates them, in its order: `RWO,RWX`.
std::string access_modes(const Json& modes) {
  constexpr std::array<std::pair<std::string_view, const char*>, 4> kModes = {
      {{"ReadWriteOnce", "RWO"},
       {"ReadOnlyMany", "ROX"},
       {"ReadWriteMany", "RWX"},
       {"ReadWriteOncePod", "RWOP"}}};
  std::vector<std::string> shown;
  for (const auto& [mode, abbreviation] : kModes) {
    for (const Json& each : elements(modes)) {
      if (text(each) != mode) continue;
      shown.emplace_back(abbreviation);
      break;
    }
  }
  return fmt::format("{}", fmt::join(shown, ","));
}

std::string phase_of(const Json& object) {
  const bool is_deleting = !field(object, "metadata", "deletionTimestamp").is_null();
  return is_deleting ? "Terminating" : text(field(object, "status", "phase"));
}

std::string storage_class_of(const Json& object) {
  const std::string old =
      text(field(object, "metadata", "annotations", "volume.beta.kubernetes.io/storage-class"));
  return old.empty() ? text(field(object, "spec", "storageClassName")) : old;
}

std::string or_unset(const Json& value) {
  const std::string written = text(value);
  return written.empty() ? "<unset>" : written;
}

/// Joins the first three texts with commas, and counts the others.
std::string first_three(const std::vector<std::string>& texts, std::size_t count) {
  constexpr std::size_t kShownTexts = 3;
  const std::vector<std::string> shown(
      texts.begin(),
      texts.begin() + static_cast<std::ptrdiff_t>(std::min(texts.size(), kShownTexts)));
  const std::string joined_text = fmt::format("{}", fmt::join(shown, ","));
  if (count <= kShownTexts) return joined_text;
  return fmt::format("{} + {} more...", joined_text, count - kShownTexts);
}

std::string hosts_of(const Json& ingress) {
  std::vector<std::string> hosts;
  for (const Json& rule : elements(field(ingress, "spec", "rules"))) {
    const std::string host = text(field(rule, "host"));
    if (!host.empty()) hosts.push_back(host);
  }
  if (hosts.empty()) return "*";
  return first_three(hosts, hosts.size());
}

std::string endpoint_addresses(const Json& endpoints) {
  std::vector<std::string> shown;
  const auto& subsets = elements(field(endpoints, "subsets"));
  if (subsets.empty()) return "<none>";
  for (const Json& subset : subsets) {
    const auto& ports = elements(field(subset, "ports"));
    for (std::size_t i = 0; i < std::max<std::size_t>(ports.size(), 1); ++i) {
      for (const Json& address : elements(field(subset, "addresses"))) {
        const std::string ip = text(field(address, "ip"));
        const bool is_v6 = ip.find(':') != std::string::npos;
        shown.push_back(ports.empty() ? ip
                                      : fmt::format("{}:{}", is_v6 ? "[" + ip + "]" : ip,
                                                    number(field(ports[i], "port"))));
      }
    }
  }
  return first_three(shown, shown.size());
}

}  // namespace

Json claim_cells(const Json& object, Clock::Wall now) {
  const std::string volume = text(field(object, "spec", "volumeName"));
  const Json& status = field(object, "status");
  return Json::array({name_of(object), phase_of(object), volume,
                      volume.empty() ? "" : text(field(status, "capacity", "storage")),
                      volume.empty() ? "" : access_modes(field(status, "accessModes")),
                      storage_class_of(object),
                      or_unset(field(object, "spec", "volumeAttributesClassName")),
                      age(object, now), or_unset(field(object, "spec", "volumeMode"))});
}

Json volume_cells(const Json& object, Clock::Wall now) {
  const Json& spec = field(object, "spec");
  const std::string claim = text(field(spec, "claimRef", "name"));
  return Json::array({name_of(object), text(field(spec, "capacity", "storage")),
                      access_modes(field(spec, "accessModes")),
                      text(field(spec, "persistentVolumeReclaimPolicy")), phase_of(object),
                      claim.empty() ? "" : text(field(spec, "claimRef", "namespace")) + "/" + claim,
                      storage_class_of(object), or_unset(field(spec, "volumeAttributesClassName")),
                      text(field(object, "status", "reason")), age(object, now),
                      or_unset(field(spec, "volumeMode"))});
}

Json storage_class_cells(const Json& object, Clock::Wall now) {
  const Json& marks = field(object, "metadata", "annotations");
  const bool is_default =
      text(field(marks, "storageclass.kubernetes.io/is-default-class")) == "true" ||
      text(field(marks, "storageclass.beta.kubernetes.io/is-default-class")) == "true";
  const auto or_text = [&](const char* key, const char* otherwise) {
    const std::string written = text(field(object, key));
    return written.empty() ? otherwise : written;
  };
  return Json::array(
      {name_of(object) + (is_default ? " (default)" : ""), text(field(object, "provisioner")),
       or_text("reclaimPolicy", "Delete"), or_text("volumeBindingMode", "Immediate"),
       is_true(field(object, "allowVolumeExpansion")) ? "true" : "false", age(object, now)});
}

Json ingress_cells(const Json& object, Clock::Wall now) {
  const bool has_tls = !elements(field(object, "spec", "tls")).empty();
  return Json::array({name_of(object), or_none(text(field(object, "spec", "ingressClassName"))),
                      hosts_of(object), balancer_addresses(object), has_tls ? "80, 443" : "80",
                      age(object, now)});
}

Json endpoints_cells(const Json& object, Clock::Wall now) {
  return Json::array({name_of(object), endpoint_addresses(object), age(object, now)});
}

}  // namespace kinf::columns
