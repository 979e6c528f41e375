// SPDX-License-Identifier: Apache-2.0
#include "kinf/recording/version_decoder.h"

#include <utility>

namespace kinf {

VersionDecoder::VersionDecoder(VersionParts parts)
    : decoder_(parts.decode), needs_document_(std::move(parts.needs_document)) {
  if (!needs_document_ || parts.decode.form == ObjectForm::raw) return;
  parts.decode.form = ObjectForm::raw;
  raw_decoder_.emplace(std::move(parts.decode));
}

Result<ObjectPtr> VersionDecoder::decode(std::string_view json, const RowCells& row) {
  Result<ObjectPtr> object = decoder_.decode(json, row);
  if (!object || !raw_decoder_ || !needs_document_(**object)) return object;
  return raw_decoder_->decode(json, row);
}

}  // namespace kinf
