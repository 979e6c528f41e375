// SPDX-License-Identifier: Apache-2.0
#include "conformance/deltas.h"

#include "conformance/compact_object.h"

namespace kinf::conformance {
namespace {

Json reference_of(const Delta& delta) {
  switch (delta.type) {
    case DeltaType::replaced_all:
      return {
          {"replaced_all", {{"rv", delta.resource_version}, {"objects", refs_of(delta.objects)}}}};
    case DeltaType::sync_all: return {{"sync_all", true}};
    case DeltaType::bookmark: return {{"bookmark", delta.resource_version}};
    default: break;
  }
  if (!delta.is_tombstone) return ref_of(delta.object);
  return {{"tombstone", {{"key", delta.key}, {"obj", ref_of(delta.object)}}}};
}

}  // namespace

Json delta_json(const Delta& delta) {
  Json pair = Json::array();
  pair.push_back(to_string(delta.type));
  pair.push_back(reference_of(delta));
  return pair;
}

Json deltas_json(const Deltas& deltas) {
  Json list = Json::array();
  for (const Delta& delta : deltas) list.push_back(delta_json(delta));
  return list;
}

}  // namespace kinf::conformance
