// SPDX-License-Identifier: Apache-2.0
#include "kinf/recording/recording_summary.h"

#include <fmt/format.h>
#include <sys/stat.h>

#include <algorithm>
#include <bit>
#include <fstream>
#include <map>
#include <memory>
#include <unordered_map>
#include <utility>

#include "kinf/base/number_text.h"
#include "kinf/base/timestamp.h"
#include "kinf/recording/recorded_moment.h"
#include "kinf/recording/recording_file.h"

namespace kinf {
namespace {

/// Sorts by the number of versions, then by name, and keeps the first `most`.
std::vector<RecordedCount> sorted(std::vector<RecordedCount> counts, std::size_t most) {
  std::ranges::sort(counts, [](const RecordedCount& left, const RecordedCount& right) {
    return left.versions != right.versions ? left.versions > right.versions
                                           : left.name < right.name;
  });
  if (counts.size() > most) counts.resize(most);
  return counts;
}

/// Returns the sum of the gaps. Counts the time of gaps that overlap once.
Clock::Duration sum_of(std::vector<RecordedGap> gaps) {
  std::ranges::sort(gaps, {}, &RecordedGap::begin);
  Clock::Duration sum{};
  Clock::Wall counted{};
  for (const RecordedGap& gap : gaps) {
    sum += std::max(gap.end - std::max(gap.begin, counted), Clock::Duration());
    counted = std::max(counted, gap.end);
  }
  return sum;
}

std::int64_t size_of(const std::string& path) {
  struct stat info{};
  return ::stat(path.c_str(), &info) == 0 ? std::int64_t{info.st_size} : 0;
}

/// Fills a summary from the tables of a recording.
class Summarizer {
 public:
  Summarizer(Database& database, RecordingReader& reader, std::size_t most)
      : database_(database), reader_(reader), most_(most) {}

  Result<RecordingSummary> run() {
    Result<void> done = read_session();
    if (done) done = count_objects();
    if (done) done = count_managers();
    if (done) done = count_days();
    if (done) done = read_gaps();
    if (!done) return fail(done);
    return std::move(summary_);
  }

 private:
  Result<void> read_session() {
    summary_.bytes = size_of(reader_.path()) + size_of(reader_.path() + "-wal");
    summary_.masks_secrets = reader_.masks_secrets();
    summary_.begins = reader_.begins();
    summary_.ends = reader_.ends();
    const auto format = database_.integer("PRAGMA user_version");
    if (!format) return fail(format);
    summary_.format = format->value_or(0);
    return database_.for_each_row(
        fmt::format("SELECT server, {}, (SELECT count(*) FROM session) FROM session "
                    "ORDER BY id DESC LIMIT 1",
                    summary_.format < 2 ? "NULL" : "cluster"),
        [&](const Statement& row) {
          summary_.server = row.text(0);
          summary_.cluster = row.text(1);
          summary_.sessions = row.integer(2);
        });
  }

  Result<void> count_objects() {
    std::unordered_map<std::int64_t, std::int64_t> versions;
    // The index by object has all that this needs.
    Result<void> done = database_.for_each_row(
        "SELECT object, count(*) FROM version GROUP BY object",
        [&](const Statement& row) { versions[row.integer(0)] = row.integer(1); });
    if (!done) return done;
    std::map<std::int64_t, RecordedCount> types;
    std::vector<RecordedCount> objects;
    done = database_.for_each_row(
        "SELECT id, type, namespace, name FROM object", [&](const Statement& row) {
          const auto found = versions.find(row.integer(0));
          if (found == versions.end()) return;
          RecordedCount& type = types[row.integer(1)];
          ++type.objects;
          type.versions += found->second;
          summary_.versions += found->second;
          ++summary_.objects;
          const std::string ns(row.text(2));
          const auto named = reader_.types().find(row.integer(1));
          if (named == reader_.types().end()) return;
          type.name = named->second.type.gvr.group_resource();
          objects.push_back(
              {fmt::format("{} {}{}{}", type.name, ns, ns.empty() ? "" : "/", row.text(3)), 1,
               found->second});
          // Keep the memory small: only the first ones are needed.
          if (objects.size() >= kKept) objects = sorted(std::move(objects), most_);
        });
    for (auto& [id, type] : types) summary_.types.push_back(std::move(type));
    summary_.types = sorted(std::move(summary_.types), summary_.types.size());
    summary_.changers = sorted(std::move(objects), most_);
    return done;
  }

  Result<void> count_managers() {
    std::vector<RecordedCount> managers;
    Result<void> done = database_.for_each_row(
        "SELECT m.name, v.versions FROM (SELECT manager, count(*) AS versions FROM version "
        "WHERE manager IS NOT NULL GROUP BY manager) v JOIN manager m ON m.id = v.manager",
        [&](const Statement& row) {
          managers.push_back({std::string(row.text(0)), 0, row.integer(1)});
        });
    summary_.managers = sorted(std::move(managers), most_);
    return done;
  }

  /// Counts the versions of each day of UTC, which begins at midnight.
  Result<void> count_days() {
    const auto day_of = [](Clock::Wall time) {
      return std::chrono::floor<std::chrono::days>(time);
    };
    const Result<std::int64_t> first = reader_.seq_at(summary_.begins - Clock::Duration(1));
    if (!first) return fail(first);
    std::int64_t before = *first;
    const auto last = day_of(summary_.ends);
    for (auto day = day_of(summary_.begins); day <= last && before < reader_.last_seq();) {
      const Clock::Wall end{day + std::chrono::days(1)};
      const Result<std::int64_t> seq = reader_.seq_at(end - Clock::Duration(1));
      if (!seq) return fail(seq);
      if (*seq > before) {
        summary_.days.push_back(
            {timestamp_text(std::chrono::sys_seconds(day)).substr(0, 10), 0, *seq - before});
        before = *seq;
        ++day;
      } else {
        // Go on at the day of the next version: days without versions may be many.
        const Result<Clock::Wall> next = reader_.time_of(before + 1);
        if (!next) return fail(next);
        day = std::max(day_of(*next), day + std::chrono::days(1));
      }
    }
    return {};
  }

  Result<void> read_gaps() {
    Result<std::vector<RecordedGap>> gaps = reader_.gaps();
    if (!gaps) return fail(gaps);
    std::erase_if(*gaps, [](const RecordedGap& gap) { return gap.is_open; });
    summary_.unrecorded = sum_of(*gaps);
    summary_.gaps = *std::move(gaps);
    std::ranges::sort(summary_.gaps, [](const RecordedGap& left, const RecordedGap& right) {
      const auto longer = left.end - left.begin <=> right.end - right.begin;
      return longer != 0 ? longer > 0 : left.begin < right.begin;
    });
    return {};
  }

  static constexpr std::size_t kKept = 10'000;

  Database& database_;
  RecordingReader& reader_;
  const std::size_t most_;
  RecordingSummary summary_;
};

/// Adds big-endian or little-endian words to the checksum of a write-ahead log
/// (https://sqlite.org/fileformat.html#checksum_algorithm).
class LogChecksum {
 public:
  explicit LogChecksum(bool is_big_endian) : is_big_endian_(is_big_endian) {}

  void start_with(std::string_view checksum) {
    first_ = big_endian_word(checksum, 0);
    second_ = big_endian_word(checksum, kWord);
  }
  void add(std::string_view bytes) {
    for (std::size_t at = 0; at + 2 * kWord <= bytes.size(); at += 2 * kWord) {
      first_ += word(bytes, at) + second_;
      second_ += word(bytes, at + kWord) + first_;
    }
  }
  bool is(std::string_view checksum) const {
    return first_ == big_endian_word(checksum, 0) && second_ == big_endian_word(checksum, kWord);
  }
  static std::uint32_t big_endian_word(std::string_view bytes, std::size_t at) {
    std::uint32_t value = 0;
    for (std::size_t i = 0; i < kWord; ++i) {
      value = value << 8U | static_cast<unsigned char>(bytes[at + i]);
    }
    return value;
  }

 private:
  static constexpr std::size_t kWord = 4;

  std::uint32_t word(std::string_view bytes, std::size_t at) const {
    const std::uint32_t value = big_endian_word(bytes, at);
    return is_big_endian_ ? value : std::byteswap(value);
  }

  const bool is_big_endian_;
  std::uint32_t first_ = 0;
  std::uint32_t second_ = 0;
};

/// Returns how many frames of a write-ahead log SQLite does not read, because one before them is
/// damaged although intact ones with the end of a transaction follow it. A crash leaves a damaged
/// frame at the end only. Each frame is compared with the checksum that the one before it has.
std::int64_t lost_frames(const std::string& path, const std::stop_token& stop) {
  constexpr std::size_t kHeader = 32;
  constexpr std::size_t kFrameHeader = 24;
  constexpr std::uint32_t kLittleEndian = 0x377f0682;
  std::ifstream log(path + "-wal", std::ios::binary);
  std::string header(kHeader, '\0');
  if (!log.read(header.data(), kHeader)) return 0;
  const auto field = [](std::string_view bytes, std::size_t at) {
    return LogChecksum::big_endian_word(bytes, at);
  };
  const std::uint32_t page_size = field(header, 8);
  if ((field(header, 0) | 1U) != (kLittleEndian | 1U) || page_size < 512 || page_size > 65536) {
    return 0;
  }
  const std::string_view salts = std::string_view(header).substr(16, 8);
  std::string before = header.substr(24, 8);
  std::string frame(kFrameHeader + page_size, '\0');
  std::int64_t behind = 0;  // frames from the first damaged one on
  std::int64_t lost = 0;    // the same up to the last intact end of a transaction
  while (!stop.stop_requested() &&
         log.read(frame.data(), static_cast<std::streamsize>(frame.size()))) {
    const std::string_view bytes(frame);
    if (bytes.substr(8, 8) != salts) break;  // of an earlier log in the same file
    LogChecksum checksum(field(header, 0) != kLittleEndian);
    checksum.start_with(before);
    checksum.add(bytes.substr(0, 8));
    checksum.add(bytes.substr(kFrameHeader));
    before = frame.substr(16, 8);
    const bool is_intact = checksum.is(before);
    if (!is_intact || behind > 0) ++behind;
    const bool ends_transaction = field(bytes, 4) != 0;
    if (is_intact && behind > 0 && ends_transaction) lost = behind;
  }
  // A writer may have begun the log again meanwhile.
  std::string now(kHeader, '\0');
  log.clear();
  return log.seekg(0).read(now.data(), kHeader) && now == header ? lost : 0;
}

}  // namespace

Result<RecordingSummary> summarize_recording(const std::string& path, std::size_t most,
                                             const std::stop_token& stop) {
  Result<std::unique_ptr<RecordingReader>> reader = RecordingReader::open(path, stop);
  if (!reader) return fail(reader);
  Result<std::unique_ptr<Database>> database = open_database_for_reading(path, stop);
  if (!database) return fail(database);
  return Summarizer(**database, **reader, most).run();
}

Result<std::int64_t> check_recording(const std::string& path, const std::stop_token& stop) {
  Result<std::unique_ptr<RecordingReader>> opened = RecordingReader::open(path, stop);
  if (!opened) return fail(opened);
  RecordingReader& reader = **opened;
  std::int64_t count = 0;
  std::string text;
  VersionDecoder decoder({});
  while (true) {
    if (stop.stop_requested()) return fail(ErrorKind::stopped, "stopped");
    Result<std::optional<RecordedVersion>> next = reader.next(reader.last_seq());
    if (!next) return fail(next);
    if (!*next) break;
    ++count;
    const RecordedVersion& version = **next;
    if (!version.has_text && version.version.seq <= reader.first_seq()) continue;
    Result<void> rebuilt = reader.rebuild(version.object, version.version.seq, text);
    Result<StateObject> object =
        rebuilt ? reader.state_object(version.object, version.version, text, decoder)
                : Result<StateObject>(fail(rebuilt));
    if (!object) {
      Error error = std::move(object).error();
      if (error.kind == ErrorKind::protocol) {
        error.message += fmt::format(" (read for version {} of {}/{})", version.version.seq,
                                     version.ns, version.name);
      }
      return fail(std::move(error));
    }
  }
  Result<std::vector<RecordedGap>> gaps = reader.gaps();
  if (!gaps) return fail(gaps);
  if (const std::int64_t lost = lost_frames(path, stop); lost > 0) {
    return fail(ErrorKind::protocol,
                "{} is damaged: its log {}-wal is: {} of it cannot be read, with the last changes",
                path, path, counted(static_cast<std::size_t>(lost), "frame"));
  }
  return count;
}

}  // namespace kinf
