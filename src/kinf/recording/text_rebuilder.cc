// SPDX-License-Identifier: Apache-2.0
#include "kinf/recording/text_rebuilder.h"

#include <fmt/format.h>

#include <utility>

namespace kinf {

Result<TextRebuilder> TextRebuilder::open(Database& database) {
  Result<Statement> versions = database.prepare(
      "SELECT seq, time, facts, resource_version, manager, column_set, data FROM version "
      "WHERE object = ? AND seq <= ? ORDER BY seq DESC");
  if (!versions) return std::unexpected(std::move(versions).error());
  return TextRebuilder(*std::move(versions));
}

Result<std::optional<FoundVersion>> TextRebuilder::find(std::int64_t object, std::int64_t seq,
                                                        bool skip_deleted, std::string& text) {
  std::optional<FoundVersion> found;
  bool whole = false;
  std::size_t count = 0;
  versions_.reset();
  versions_.bind(1, object).bind(2, seq);
  while (!whole) {
    const Result<bool> row = versions_.step();
    if (!row) return std::unexpected(row.error());
    if (!*row) break;
    const VersionFacts facts = VersionFacts::unpack(versions_.integer(2));
    if (!found) {
      found = {.seq = versions_.integer(0),
               .time = versions_.integer(1),
               .facts = facts,
               .resource_version = std::string(versions_.text(3)),
               .manager = versions_.integer(4),
               .columns = versions_.integer(5)};
      if (skip_deleted && facts.type == ChangeType::deleted) break;
    }
    if (versions_.is_null(6)) continue;  // the same text as the version before
    if (count == patches_.size()) patches_.emplace_back();
    patches_[count++] = versions_.bytes(6);
    whole = facts.whole;
  }
  versions_.reset();
  if (!found || (skip_deleted && found->facts.type == ChangeType::deleted)) return found;
  if (!whole) {
    return fail(ErrorKind::protocol,
                fmt::format("the recording is damaged: object {} has no whole version", object));
  }
  before_.clear();
  while (count > 0) {
    const Result<void> decoded = codec_->decode(patches_[--count], before_, text);
    if (!decoded) return std::unexpected(decoded.error());
    if (count > 0) std::swap(text, before_);
  }
  return found;
}

}  // namespace kinf
