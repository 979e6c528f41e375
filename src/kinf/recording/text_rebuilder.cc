// SPDX-License-Identifier: Apache-2.0
#include "kinf/recording/text_rebuilder.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

namespace kinf {
namespace {

/// The texts of the versions that a writer bases on one another take fewer bytes.
constexpr std::size_t kChainBytesBound = 8 * VersionCodec::kLargest;

/// Returns the `seq` of the version on which a text is based; 0 if there is none. In a damaged
/// file, it may be any number.
std::int64_t base_of(const Statement& row) {
  namespace at = version_column;
  if (row.is_null(at::distance)) return 0;
  return static_cast<std::int64_t>(static_cast<std::uint64_t>(row.integer(at::seq)) -
                                   static_cast<std::uint64_t>(row.integer(at::distance)));
}

}  // namespace

FoundVersion FoundVersion::of(const Statement& row) {
  namespace at = version_column;
  return {.seq = row.integer(at::seq),
          .time = recorded_time(row.integer(at::time)),
          .facts = VersionFacts::unpack(row.integer(at::facts)),
          .resource_version = row.number_or_text(at::resource_version),
          .manager = row.integer(at::manager),
          .columns = row.integer(at::column_set)};
}

std::optional<StoredText> StoredText::of(const Statement& row) {
  namespace at = version_column;
  if (row.is_null(at::data)) return std::nullopt;
  return StoredText{row.integer(at::seq), base_of(row), row.integer(at::sample),
                    std::string(row.bytes(at::data))};
}

Result<TextRebuilder> TextRebuilder::open(Database& database) {
  const Result<std::string> columns = version_columns(database);
  if (!columns) return fail(columns);
  Result<Statement> versions = database.prepare(
      fmt::format("SELECT {} FROM version WHERE object = ? AND seq <= ? ORDER BY seq DESC",
                  *columns),
      limits::kVersionBytes);
  if (!versions) return fail(versions);
  Result<Statement> stored = database.prepare(
      fmt::format("SELECT {} FROM version WHERE seq = ?", *columns), limits::kVersionBytes);
  if (!stored) return fail(stored);
  Result<Statement> samples =
      database.prepare("SELECT data FROM sample WHERE id = ?", limits::kVersionBytes);
  if (!samples) return fail(samples);
  return TextRebuilder(*std::move(versions), *std::move(stored), *std::move(samples));
}

Result<std::optional<FoundVersion>> TextRebuilder::find(std::int64_t object, std::int64_t seq,
                                                        bool skip_deleted, std::string& text) {
  std::optional<FoundVersion> found;
  bool has_text = false;
  versions_.reset();
  versions_.bind(1, object).bind(2, seq);
  while (!has_text) {
    const Result<bool> row = versions_.step();
    if (!row) return fail(row);
    if (!*row) break;
    if (Result<void> intact = check_version(versions_); !intact) return fail(intact);
    if (!found) {
      found = FoundVersion::of(versions_);
      if (skip_deleted && found->facts.type == ChangeType::deleted) break;
    }
    if (std::optional<StoredText> stored = StoredText::of(versions_)) {
      chain_.front() = *std::move(stored);
      has_text = true;
    }
  }
  versions_.reset();
  if (!found || (skip_deleted && found->facts.type == ChangeType::deleted)) return found;
  if (!has_text) return damaged(found->seq, "its text is missing");
  if (Result<void> decoded = decode_chain(found->seq, text); !decoded) return fail(decoded);
  return found;
}

Result<bool> TextRebuilder::rebuild(std::int64_t seq, std::string& text) {
  Result<bool> found = load(seq, 0);
  if (!found || !*found) return found;
  if (Result<void> decoded = decode_chain(seq, text); !decoded) return fail(decoded);
  return true;
}

Result<bool> TextRebuilder::load(std::int64_t seq, std::size_t number) {
  if (number == chain_.size()) chain_.emplace_back();
  const Result<bool> row = stored_.bind(1, seq).step();
  if (!row) return fail(row);
  namespace at = version_column;
  const bool found = *row && !stored_.is_null(at::data);
  const Result<void> intact = found ? check_version(stored_) : Result<void>();
  if (found) {
    StoredText& text = chain_[number];
    text.seq = seq;
    text.base = base_of(stored_);
    text.sample = stored_.integer(at::sample);
    text.data = stored_.bytes(at::data);
  }
  stored_.reset();
  if (!intact) return fail(intact);
  return found;
}

Result<void> TextRebuilder::decode_chain(std::int64_t seq, std::string& text) {
  std::size_t last = 0;
  for (std::int64_t base = chain_[0].base; base != 0; base = chain_[last].base) {
    // A damaged file must not cause an endless loop.
    if (base >= seq) return damaged(seq, "its text is missing");
    if (last == kChainBound) return damaged(chain_[0].seq, "it is based on too many others");
    const Result<bool> found = load(base, last + 1);
    if (!found) return fail(found);
    if (!*found) return damaged(base, "its text is missing");
    seq = base;
    ++last;
  }
  std::string_view before;
  std::size_t bytes = 0;
  for (std::size_t i = last + 1; i-- > 0;) {
    std::string& into = i == 0 ? text : decoded_.at(i % 2);
    if (Result<void> done = decode(chain_[i], before, into); !done) return done;
    before = into;
    bytes += std::max(before.size(), codec_->delta().size());
    if (bytes > kChainBytesBound)
      return damaged(chain_[i].seq, "the texts before it are too large");
  }
  return {};
}

Result<void> TextRebuilder::decode(const StoredText& stored, std::string_view before,
                                   std::string& text) {
  const Result<const CodecSample*> known = sample(stored.sample);
  Result<void> done = known ? codec_->decode(stored.data, **known, before, text) : fail(known);
  if (done || done.error().kind != ErrorKind::protocol) return done;
  return damaged(stored.seq, done.error().message);
}

std::unexpected<Error> TextRebuilder::damaged(std::int64_t seq, std::string_view what) const {
  return fail(versions_.database().damaged(fmt::format("version {}: {}", seq, what)));
}

Result<const CodecSample*> TextRebuilder::sample(std::int64_t id) {
  static const CodecSample kNone;
  if (id == 0) return &kNone;
  const auto known = known_samples_.find(id);
  if (known != known_samples_.end()) return &known->second;
  const Result<bool> row = samples_.bind(1, id).step();
  if (!row) return fail(row);
  std::string text;
  Result<void> decoded = fail(ErrorKind::protocol, "its sample is missing");
  if (*row) decoded = codec_->decode(samples_.bytes(0), {}, {}, text);
  samples_.reset();
  if (!decoded) return fail(ErrorKind::protocol, "sample {}: {}", id, decoded.error().message);
  // A prepared sample takes up to three times the memory of its text.
  sample_bytes_ += 4 * text.size();
  if (sample_bytes_ > limits::kSampleBytes) {
    known_samples_.clear();
    sample_bytes_ = 4 * text.size();
  }
  CodecSample sample(std::move(text), CodecSample::Use::decode);
  return &known_samples_.emplace(id, std::move(sample)).first->second;
}

}  // namespace kinf
