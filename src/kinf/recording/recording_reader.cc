// SPDX-License-Identifier: Apache-2.0
#include "kinf/recording/recording_reader.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <limits>
#include <utility>

#include "kinf/api/table_reader.h"
#include "kinf/base/assign.h"
#include "kinf/base/display_width.h"
#include "kinf/base/limits.h"
#include "kinf/base/log.h"
#include "kinf/base/quote.h"
#include "kinf/base/timestamp.h"
#include "kinf/recording/recorded_moment.h"
#include "kinf/recording/version_search.h"
#include "kinf/recording/version_table.h"

namespace kinf {
namespace {

Clock::Wall wall(std::int64_t nanoseconds) {
  return Clock::Wall(Clock::Duration(recorded_time(nanoseconds)));
}

/// Gaps of several informers with one cause begin and end within this time.
constexpr std::chrono::seconds kSameTime{2};
/// Among how many of the next gaps those with the same cause are looked for.
constexpr std::size_t kLookAhead = 4096;

bool have_one_cause(const RecordedGap& left, const RecordedGap& right) {
  return left.type != 0 && right.type != 0 && left.reason == right.reason &&
         std::chrono::abs(left.begin - right.begin) <= kSameTime &&
         std::chrono::abs(left.end - right.end) <= kSameTime;
}

/// A recording names who made each change, so managedFields are not read for it.
DecodeOptions without_writers(DecodeOptions options) {
  options.writers = false;
  return options;
}

}  // namespace

VersionDecoder::VersionDecoder(VersionParts parts)
    : decoder_(without_writers(parts.decode)), needs_document_(std::move(parts.needs_document)) {
  if (!needs_document_ || parts.decode.form == ObjectForm::raw) return;
  parts.decode.form = ObjectForm::raw;
  raw_decoder_.emplace(without_writers(std::move(parts.decode)));
}

Result<ObjectPtr> VersionDecoder::decode(std::string_view json, const RowCells& row) {
  Result<ObjectPtr> object = decoder_.decode(json, row);
  if (!object || !raw_decoder_ || !needs_document_(**object)) return object;
  return raw_decoder_->decode(json, row);
}

Result<std::unique_ptr<RecordingReader>> RecordingReader::open(const std::string& path,
                                                               const std::stop_token& stop) {
  return make(RecordingFile::open_for_reading(path, stop));
}

Result<std::unique_ptr<RecordingReader>> RecordingReader::open_written(const std::string& path) {
  return make(open_written_file(path));
}

Result<std::unique_ptr<RecordingReader>> RecordingReader::make(Result<RecordingFile> file) {
  if (!file) return fail(file);
  std::unique_ptr<RecordingReader> reader(new RecordingReader(*std::move(file)));
  Result<void> ready = reader->read_facts();
  if (ready) ready = reader->read_types();
  if (ready) ready = reader->read_names();
  if (ready) ready = reader->prepare();
  if (!ready) return fail(ready);
  return reader;
}

RecordingReader::RecordingReader(RecordingFile file) : file_(std::move(file)) {}

RecordingReader::~RecordingReader() = default;

Result<void> RecordingReader::prepare() {
  Result<TextRebuilder> rebuilder = TextRebuilder::open(*file_.database);
  if (!rebuilder) return fail(rebuilder);
  rebuilder_.emplace(*std::move(rebuilder));
  const Result<std::string> columns = version_columns(*file_.database);
  if (!columns) return fail(columns);
  Result<Statement> rows =
      file_.database->prepare(fmt::format("SELECT {}, type, namespace, name FROM version LEFT JOIN "
                                          "object ON id = object WHERE seq > ? "
                                          "ORDER BY seq",
                                          *columns),
                              limits::kVersionBytes);
  if (!rows) return fail(rows);
  rows_.emplace(*std::move(rows));
  seek(0);
  return {};
}

Result<void> RecordingReader::read_facts() {
  Result<void> done = file_.database->for_each_row(
      "SELECT (SELECT max(seq) FROM version), (SELECT max(ended) FROM session), "
      "(SELECT value FROM meta WHERE key = 'first_seq'), "
      "(SELECT value FROM meta WHERE key = 'secrets_masked'), "
      "(SELECT namespace FROM session ORDER BY id DESC LIMIT 1)",
      [&](const Statement& row) {
        last_seq_ = row.integer(0);
        ends_ = wall(row.integer(1));
        first_seq_ = row.integer(2);
        masks_secrets_ = row.integer(3) != 0;
        default_namespace_ = row.text(4);
      });
  if (!done) return done;
  if (last_seq_ < 0 || last_seq_ > kVersionsBound || first_seq_ < 0 ||
      first_seq_ > kVersionsBound) {
    const bool is_last = last_seq_ < 0 || last_seq_ > kVersionsBound;
    return fail(file_.database->damaged(
        fmt::format("version {} cannot be", is_last ? last_seq_ : first_seq_)));
  }
  // It may also have several names and patterns.
  const auto cannot_be = [](char c) { return c <= ' ' || c > '~' || c == '/' || c == ':'; };
  if (std::ranges::any_of(default_namespace_, cannot_be)) {
    return fail(file_.database->damaged(fmt::format(
        "{} is not the name of a namespace", kinf::quoted(shortened(default_namespace_, 100)))));
  }
  const std::string first =
      first_seq_ == 0
          ? "SELECT min(listed) FROM scope"
          : fmt::format("SELECT time FROM version WHERE seq > {} ORDER BY seq LIMIT 1", first_seq_);
  return file_.database->for_each_row(
      first, [&](const Statement& row) { begins_ = wall(row.integer(0)); });
}

Result<void> RecordingReader::read_types() {
  return file_.database->for_each_row(
      "SELECT id, api_group, version, resource, kind, singular, namespaced, "
      "short_names, categories FROM type ORDER BY id",
      [&](const Statement& row) { types_[row.integer(0)] = recorded_type(row, 1); });
}

Result<void> RecordingReader::read_names() {
  Result<void> done = file_.database->for_each_row(
      "SELECT id, name FROM manager",
      [&](const Statement& row) { managers_.emplace(row.integer(0), row.text(1)); });
  if (!done) return done;
  TableReader reader;
  return file_.database->for_each_row(
      "SELECT id, definitions FROM column_set", [&](const Statement& row) -> Result<void> {
        auto columns = reader.columns(row.text(1), nullptr);
        if (!columns) {
          return fail(file_.database->damaged(columns.error().message));
        }
        columns_.emplace(row.integer(0), *std::move(columns));
        return {};
      });
}

std::int64_t RecordingReader::id_of(const ResourceType& type) const {
  const auto found = std::ranges::find_if(
      types_, [&](const auto& known) { return known.second.type.gvr == type.gvr; });
  return found == types_.end() ? 0 : found->first;
}

Result<std::int64_t> RecordingReader::seq_at(Clock::Wall time) {
  Result<std::int64_t> seq = last_version_at(*file_.database, time.time_since_epoch().count());
  if (seq) seq = std::clamp(*seq, std::min(first_seq_, last_seq_), last_seq_);
  return seq;
}

Result<RecordedList> RecordingReader::first_list(std::int64_t type, std::string_view ns,
                                                 std::string_view name) {
  RecordedList found{first_seq_, begins_, ""};
  Result<void> done = file_.database->for_each_row(
      "SELECT synced_seq, listed, version FROM scope WHERE synced_seq IS NOT NULL AND NOT late AND "
      "type = ?1 "
      "AND (?2 = '' OR namespace = '' OR namespace = ?2) AND (?3 = '' OR name = '' OR name = ?3) "
      "AND session = (SELECT min(session) FROM scope WHERE synced_seq IS NOT NULL AND NOT late AND "
      "type = ?1) "
      "ORDER BY synced_seq DESC LIMIT 1",
      [&](const Statement& row) {
        if (row.integer(0) < first_seq_) return;
        found = {std::min(row.integer(0), last_seq_), wall(row.integer(1)),
                 std::string(row.text(2))};
      },
      type, ns, name);
  if (!done) return fail(done);
  return found;
}

Result<std::optional<std::int64_t>> RecordingReader::gathered() {
  return file_.database->integer(
      "SELECT gathered FROM session WHERE id = (SELECT min(session) FROM scope WHERE synced_seq IS "
      "NOT NULL)");
}

Result<std::vector<RecordedGap>> RecordingReader::gaps() {
  std::vector<RecordedGap> gaps;
  Result<void> done = file_.database->for_each_row(
      "SELECT g.begin, g.end, t.id, t.resource, g.reason, s.namespace, s.name, 0 FROM gap g "
      "JOIN scope s ON s.id = g.scope JOIN type t ON t.id = s.type UNION ALL "
      "SELECT begin, end, 0, 'all types', reason, '', '', 0 FROM gap WHERE scope IS NULL UNION ALL "
      "SELECT max(CASE WHEN s.synced_seq IS NOT NULL THEN s.watched END), "
      "(SELECT max(ended) FROM session), t.id, t.resource, 'no longer selected', s.namespace, "
      "s.name, 1 FROM scope s JOIN type t ON t.id = s.type GROUP BY s.type, s.namespace, s.name "
      "HAVING count(s.synced_seq) > 0 AND max(s.session) < (SELECT max(session) FROM scope) "
      "ORDER BY 1",
      [&](const Statement& row) {
        gaps.push_back({.begin = wall(row.integer(0)),
                        .end = wall(row.integer(1)),
                        .type = row.integer(2),
                        .resource = std::string(row.text(3)),
                        .reason = std::string(row.text(4)),
                        .ns = std::string(row.text(5)),
                        .name = std::string(row.text(6)),
                        .is_open = row.integer(7) != 0});
      });
  if (!done) return fail(done);
  return gaps;
}

Result<void> RecordingReader::check_selected(std::int64_t type, std::string_view ns,
                                             std::string_view name) {
  const auto text_of = [](std::string_view in, std::string_view one) {
    return in.empty() || one.empty() ? fmt::format("{}{}", in, one) : fmt::format("{}/{}", in, one);
  };
  const auto meet = [](std::string_view left, std::string_view right) {
    return left.empty() || right.empty() || left == right;
  };
  constexpr std::size_t kNamed = 20;
  std::vector<std::string> held;
  std::size_t count = 0;
  bool is_selected = false;
  Result<void> done = file_.database->for_each_row(
      "SELECT DISTINCT namespace, name FROM scope WHERE type = ? ORDER BY namespace, name",
      [&](const Statement& row) {
        is_selected = is_selected || (meet(ns, row.text(0)) && meet(name, row.text(1)));
        if (++count <= kNamed) held.push_back(text_of(row.text(0), row.text(1)));
      },
      type);
  if (!done || is_selected) return done;
  const auto found = types_.find(type);
  const std::string resource =
      found == types_.end() ? "objects" : found->second.type.gvr.group_resource();
  Error error(ErrorKind::usage,
              fmt::format("{} holds no {} of {}", path(), resource, text_of(ns, name)));
  if (held.empty()) return fail(std::move(error));
  return fail(std::move(error).with_hint(
      fmt::format("it holds those of {}{}", fmt::join(held, ", "),
                  count > kNamed ? fmt::format(" and {} others", count - kNamed) : "")));
}

Result<std::int64_t> RecordingReader::first_version() {
  if (const auto dropped = file_.database->meta("first_version"); !dropped || *dropped) {
    if (!dropped) return fail(dropped);
    return **dropped;
  }
  const std::string sql =
      first_seq_ == 0
          ? "SELECT min(CAST(version AS INTEGER)) FROM scope WHERE version <> ''"
          : fmt::format(
                "SELECT max(CAST(resource_version AS INTEGER)) FROM version WHERE seq <= {}",
                first_seq_);
  const Result<std::optional<std::int64_t>> first = file_.database->integer(sql);
  if (!first) return fail(first);
  return first->value_or(0);
}

Result<Clock::Wall> RecordingReader::limit_to_version(std::uint64_t version) {
  const auto limit = static_cast<std::int64_t>(
      std::min(version, std::uint64_t{std::numeric_limits<std::int64_t>::max()}));
  const Result<std::int64_t> first = first_version();
  if (!first) return fail(first);
  if (limit < *first) {
    return fail(ErrorKind::usage, "{} begins later than resourceVersion {}, at {}", path(), version,
                *first);
  }
  Result<VersionSearch> search = VersionSearch::open(*file_.database, limit, last_seq_);
  if (!search) return fail(search);
  const Result<std::int64_t> highest = search->highest();
  if (!highest) return fail(highest);
  if (limit > std::max(*first, *highest)) {
    log::notice("{} ends at resourceVersion {}, before {}", path(), std::max(*first, *highest),
                version);
  }
  const Result<std::int64_t> arrived = search->arrived();
  if (!arrived) return fail(arrived);
  version_search_ = std::make_unique<VersionSearch>(*std::move(search));
  return *arrived == 0 ? begins_ : std::max(begins_, wall(*arrived));
}

Result<Clock::Wall> RecordingReader::time_of_version(std::uint64_t version) {
  const Result<Clock::Wall> time = limit_to_version(version);
  version_search_.reset();
  return time;
}

std::shared_ptr<const TableColumns> RecordingReader::columns_of(const FoundVersion& version) const {
  const auto found = columns_.find(version.columns);
  return found == columns_.end() ? nullptr : found->second;
}

Result<Clock::Wall> RecordingReader::time_of(std::int64_t seq) {
  const auto time = file_.database->integer(
      "SELECT time FROM version WHERE seq <= ? ORDER BY seq DESC LIMIT 1", seq);
  if (!time) return fail(time);
  return *time ? wall(**time) : begins_;
}

Result<bool> RecordingReader::seek(std::int64_t seq, std::span<const ObjectSelection> only,
                                   std::int64_t last) {
  seek(seq);
  auto done = assign(selected_, SelectedVersions::find(*file_.database, only, seq, last));
  if (!done) return fail(done);
  return selected_.has_value();
}

void RecordingReader::seek(std::int64_t seq) {
  selected_.reset();
  rows_->reset();
  rows_->bind(1, seq);
}

Result<std::optional<RecordedVersion>> RecordingReader::next(std::int64_t last) {
  if (selected_) {
    const std::optional<std::int64_t> seq = selected_->next();
    if (!seq) return std::optional<RecordedVersion>();
    rows_->reset();
    rows_->bind(1, *seq - 1);
  }
  const Result<bool> row = rows_->step();
  if (!row) return fail(row);
  if (!*row || rows_->integer(0) > last) return std::optional<RecordedVersion>();
  if (Result<void> intact = check_version(*rows_); !intact) return fail(intact);
  if (rows_->is_null(version_column::count)) {
    return fail(rows_->database().damaged(
        fmt::format("the object of version {} is missing", rows_->integer(version_column::seq))));
  }
  // The statement may read texts of versions, which are larger.
  const std::size_t bytes = std::max(rows_->text(version_column::count + 1).size(),
                                     rows_->text(version_column::count + 2).size());
  if (bytes > limits::kRecordedTextBytes) {
    return fail(rows_->database().damaged("it has a value that is too large"));
  }
  std::optional<StoredText> text = StoredText::of(*rows_);
  const bool has_text = text.has_value();
  return RecordedVersion{.version = FoundVersion::of(*rows_),
                         .object = rows_->integer(version_column::object),
                         .type = rows_->integer(version_column::count),
                         .ns = std::string(rows_->text(version_column::count + 1)),
                         .name = std::string(rows_->text(version_column::count + 2)),
                         .text = text ? *std::move(text) : StoredText(),
                         .has_text = has_text};
}

Result<void> RecordingReader::rebuild(std::int64_t object, std::int64_t seq, std::string& text) {
  const auto found = rebuilder_->find(object, seq, false, text);
  if (!found) return fail(found);
  return {};
}

Result<StateObject> RecordingReader::state_object(std::int64_t id, FoundVersion version,
                                                  std::string_view text,
                                                  VersionDecoder& decoder) const {
  const VersionText parts = VersionText::split(text);
  RowCells row;
  row.cells = parts.cells;
  row.columns = columns_of(version);
  if (const auto manager = managers_.find(version.manager); manager != managers_.end()) {
    row.manager = manager->second;
  }
  Result<ObjectPtr> object = decoder.decode(parts.json, row);
  if (!object) {
    return fail(file_.database->damaged(
        fmt::format("version {}: {}", version.seq, object.error().message)));
  }
  Scratch scratch;
  const bool is_faithful =
      (*object)->form() == ObjectForm::raw && (*object)->json(scratch).size() == parts.json.size();
  return StateObject{id, std::move(version), *std::move(object), is_faithful};
}

Result<GapNotices> GapNotices::read(RecordingReader& reader, Clock::Wall begin, Clock::Wall end) {
  Result<std::vector<RecordedGap>> gaps = reader.gaps();
  if (!gaps) return fail(gaps);
  GapNotices notices;
  for (RecordedGap& gap : *gaps) {
    if ((gap.end > begin || gap.is_open) && gap.begin <= end)
      notices.gaps_.push_back(std::move(gap));
  }
  std::ranges::sort(notices.gaps_, {}, &RecordedGap::end);
  return notices;
}

void GapNotices::report(Clock::Wall time,
                        const std::function<bool(const RecordedGap& gap)>& concerns,
                        const std::function<void(const Gap& gap)>& report) {
  while (!gaps_.empty() && gaps_.front().end <= time) {
    const RecordedGap gap = std::move(gaps_.front());
    gaps_.pop_front();
    if (!concerns(gap)) continue;
    Gap found{gap.begin, gap.end, {}, gap.reason};
    if (gap.type != 0) found.resources.push_back(gap.resource);
    std::size_t at = 0;
    // The gaps are sorted by their ends. A recording has at most some thousand gaps at one time.
    while (at < std::min(gaps_.size(), kLookAhead) && gaps_[at].end - gap.end <= kSameTime) {
      const RecordedGap& other = gaps_[at];
      if (!have_one_cause(gap, other) || !concerns(other)) {
        ++at;
        continue;
      }
      found.begin = std::min(found.begin, other.begin);
      found.end = std::max(found.end, other.end);
      if (std::ranges::find(found.resources, other.resource) == found.resources.end()) {
        found.resources.push_back(other.resource);
      }
      gaps_.erase(gaps_.begin() + static_cast<std::ptrdiff_t>(at));
    }
    std::ranges::sort(found.resources);
    report(found);
  }
}

}  // namespace kinf
