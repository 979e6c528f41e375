// SPDX-License-Identifier: Apache-2.0
#include "kinf/recording/type_sample.h"

#include <algorithm>
#include <utility>

namespace kinf {
namespace {

/// Larger texts are not used as samples, because compressing each version would take too long.
constexpr std::size_t kLargestWhole = 32 * 1024;
constexpr std::size_t kLargestChange = 4 * 1024;
/// Smaller changes compress well without a sample of their own.
constexpr std::size_t kSmallestChange = 40;
/// improve() looks again after this many versions, or a sixth of those so far.
constexpr std::size_t kSoonest = 8;
constexpr std::size_t kLatest = 2000;
/// Every kProbeStep-th of the earlier changes judges a sample.
constexpr std::size_t kProbeStep = 3;
/// A sample is stored if it is expected to save this many times what it takes; the first one, once.
constexpr std::int64_t kReturn = 2;
/// A sample is expected to serve at most this many versions, because other changes may follow.
constexpr std::size_t kServed = 4000;

}  // namespace

void TypeSample::note_whole(std::string_view text) {
  ++whole_count_;
  if (text.size() > kLargestWhole) return;
  other_whole_.swap(whole_);
  whole_ = text;
}

void TypeSample::note_change(std::string_view change) {
  if (change.size() < kSmallestChange || change.size() > kLargestChange) return;
  std::string& oldest = changes_[change_count_ % kChanges];
  if (!oldest.empty()) earlier_[change_count_ % kEarlier].swap(oldest);
  oldest = change;
  ++change_count_;
}

Result<std::optional<TypeSample::Made>> TypeSample::improve(VersionCodec& codec) {
  const std::size_t count = whole_count_ + change_count_;
  if (count < next_look_) return std::optional<Made>();
  next_look_ = count + std::clamp(count / 6, kSoonest, kLatest);
  Made made{.text = whole_, .data = {}};
  for (const std::string& change : changes_) made.text += change;
  if (made.text.empty()) return std::optional<Made>();
  made.text = CodecSample::with_statistics(std::move(made.text), earlier_);
  const Result<std::string_view> data = codec.encode_sample(made.text);
  if (!data) return fail(data);
  made.data = *data;
  const Result<std::int64_t> saved = expected_saving(codec, CodecSample(made.text));
  if (!saved) return fail(saved);
  const std::int64_t times = id_ == 0 ? 1 : kReturn;
  if (*saved < times * static_cast<std::int64_t>(made.data.size())) return std::optional<Made>();
  return made;
}

void TypeSample::use(Made made, std::int64_t id) {
  content_ = CodecSample(std::move(made.text));
  id_ = id;
}

Result<std::int64_t> TypeSample::saving(VersionCodec& codec, const CodecSample& sample,
                                        std::string_view text) const {
  const Result<std::string_view> now = codec.encode(text, content_, {});
  if (!now) return fail(now);
  const auto size = static_cast<std::int64_t>(now->size());
  const Result<std::string_view> then = codec.encode(text, sample, {});
  if (!then) return fail(then);
  return size - static_cast<std::int64_t>(then->size());
}

Result<std::int64_t> TypeSample::expected_saving(VersionCodec& codec,
                                                 const CodecSample& sample) const {
  std::int64_t expected = 0;
  if (!other_whole_.empty()) {
    const Result<std::int64_t> saved = saving(codec, sample, other_whole_);
    if (!saved) return saved;
    expected = *saved * static_cast<std::int64_t>(std::min(whole_count_, kServed));
  }
  std::int64_t changes = 0;
  std::int64_t count = 0;
  for (std::size_t i = 0; i < kEarlier; i += kProbeStep) {
    if (earlier_[i].empty()) continue;
    const Result<std::int64_t> saved = saving(codec, sample, earlier_[i]);
    if (!saved) return saved;
    changes += *saved;
    ++count;
  }
  if (count == 0) return expected;
  return expected + changes * static_cast<std::int64_t>(std::min(change_count_, kServed)) / count;
}

}  // namespace kinf
