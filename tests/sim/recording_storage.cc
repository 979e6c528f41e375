// SPDX-License-Identifier: Apache-2.0
// The storage of `kinf watch --record`.
#include <algorithm>
#include <map>
#include <optional>
#include <vector>

#include "kinf/recording/recorder.h"
#include "kinf/recording/recording_reader.h"
#include "sim/sim_handler.h"
#include "sim/storage.h"

namespace kinf::sim {
namespace {

/// A version in a recording.
struct Row {
  ChangeType type = ChangeType::added;
  std::string key;
  std::string version;

  friend bool operator==(const Row&, const Row&) = default;
};

/// The versions that a recording must have, from what its handler received.
class ExpectedRows final : public EventHandler {
 public:
  /// A gap was noted after the rows so far, and before those of the list.
  void relisted() { gaps_.push_back(rows_.size()); }
  /// Returns how many gaps of this session were noted before the last of the first `rows` rows.
  std::size_t gaps_before(std::size_t rows) const {
    return static_cast<std::size_t>(
        std::ranges::count_if(gaps_, [&](std::size_t at) { return at < rows; }));
  }

  void set_inner(EventHandler& inner) { inner_ = &inner; }
  /// A session begins with the rows of the earlier ones. `uids`: of the objects that exist.
  void begin(std::vector<Row> rows, const std::map<std::string, std::string>& uids);
  const std::vector<Row>& rows() const { return rows_; }

  void on_add(const Change& change) override {
    change.initial ? add_initial(change) : add(change);
    inner_->on_add(change);
  }
  void on_update(const Change& change) override {
    if (change.type == ChangeType::updated) add(change);
    inner_->on_update(change);
  }
  void on_delete(const Change& change) override {
    add(change);
    inner_->on_delete(change);
  }
  void on_synced(const SyncedEvent& event) override {
    std::vector<std::string> gone;
    for (const auto& [key, object] : known_) {
      if (!object.is_confirmed) gone.push_back(key);
    }
    for (const std::string& key : gone) remove(key);
    inner_->on_synced(event);
  }
  void on_idle() override { inner_->on_idle(); }

 private:
  struct Known {
    std::string uid;
    std::string version;
    bool is_confirmed = true;
  };

  void remove(const std::string& key) {
    rows_.push_back({ChangeType::deleted, key, known_.at(key).version});
    known_.erase(key);
  }
  void put(ChangeType type, const Change& change) {
    const std::string version(change.object->resource_version());
    rows_.push_back({type, change.key, version});
    known_.insert_or_assign(change.key, Known{std::string(change.object->uid()), version});
  }
  void add(const Change& change) {
    if (change.type != ChangeType::deleted) return put(change.type, change);
    if (!known_.contains(change.key)) return;
    if (!change.final_state_unknown) known_[change.key].version = change.object->resource_version();
    remove(change.key);
  }
  /// An object of the first list may be known from an earlier session.
  void add_initial(const Change& change) {
    const auto found = known_.find(change.key);
    if (found == known_.end()) return put(ChangeType::added, change);
    found->second.is_confirmed = true;
    if (found->second.uid != change.object->uid()) {
      remove(change.key);
      put(ChangeType::added, change);
    } else if (found->second.version != change.object->resource_version()) {
      put(ChangeType::updated, change);
    }
  }

  EventHandler* inner_ = nullptr;
  std::vector<Row> rows_;
  std::map<std::string, Known> known_;
  std::vector<std::size_t> gaps_;  ///< of this session: how many rows there were
};

void ExpectedRows::begin(std::vector<Row> rows, const std::map<std::string, std::string>& uids) {
  rows_ = std::move(rows);
  gaps_.clear();
  known_.clear();
  std::map<std::string, std::string> versions;
  for (const Row& row : rows_) versions[row.key] = row.version;
  for (const auto& [key, uid] : uids) known_[key] = {uid, versions[key], false};
}

class RecordingStorage final : public Storage {
 public:
  using Storage::Storage;

  EventHandler& handler(EventHandler& output, EventOutput& printer) override {
    (void)printer;
    expected_.set_inner(output);
    return recorder_->handler(0, &expected_);
  }
  void delivered(Clock::Wall arrived) override { recorder_->heard(0, arrived); }
  void relisting(const Relisted& list) override {
    recorder_->relisted(0, {list.watched_until, list.arrived, list.reason});
    expected_.relisted();
  }

 private:
  EarlierState open_file() override {
    auto writer = RecordingWriter::open(disk_.path(), writer_options(), setup_.clock.wall());
    expect(writer.has_value(), "it does not open: {}", writer ? "" : writer.error().message);
    if (!writer) return {};
    recorder_ = std::make_unique<Recorder>(*std::move(writer), setup_.clock,
                                           [this](const Error& error) { fail(error); });
    const Result<std::size_t> added = recorder_->add_scope(scope());
    expect(added.has_value(), "no scope: {}", added ? "" : added.error().message);
    return {};
  }

  static WriterOptions writer_options() {
    WriterOptions options;
    options.server.address = "sim";
    return options;
  }

  void commit(bool is_last, const State& printed) override {
    (void)printed;
    if (is_last) recorder_->finish();
    recorder_->step();
    const std::size_t taken = expected_.rows().size();
    if (!has_failed() && recorder_->totals().versions == taken - begun_) committed_ = taken;
    expect(!is_last || has_failed() || committed_ == taken, "{} of {} versions after the end",
           committed_, taken);
  }

  void drop() override { recorder_.reset(); }

  void checkpointed() override { durable_ = committed_; }

  void forget() override {
    begun_ = committed_ = durable_ = begun_gaps_ = 0;
    expected_.begin({}, {});
  }

  /// What a file holds: its versions, its gaps, and the objects that exist at its end.
  struct Contents {
    std::vector<Row> rows;
    std::size_t gaps = 0;
    std::map<std::string, std::string> uids;
  };

  /// The file has the first changes that reached it: at least those of the last commit, or, after a
  /// power failure, of the last checkpoint.
  void check_file(bool power_failed) override {
    Contents contents;
    const Result<void> read = read_file(contents);
    const std::size_t least = power_failed ? durable_ : committed_;
    expect(contents.rows.size() >= least, "{} of {} committed versions: {}", contents.rows.size(),
           least, read ? "" : read.error().message);
    if (!contents.rows.empty()) expect(read.has_value(), "{}", read ? "" : read.error().message);
    const std::string wrong = difference(contents);
    expect(wrong.empty(), "{}", wrong);
    // The changes of a list are never there without the gap before them.
    const std::size_t gaps = contents.rows.size() > begun_
                                 ? begun_gaps_ + expected_.gaps_before(contents.rows.size())
                                 : 0;
    expect(!read || contents.gaps >= gaps, "{} of {} gaps", contents.gaps, gaps);
    if (power_failed) setup_.verdict.trace("{} goes back to {}", setup_.name, place_of(contents));
    if (power_failed) durable_ = contents.rows.size();
    go_on_with(std::move(contents));
  }

  /// SQLite has no checksums of the main file. So versions in the middle may be missing unnoticed,
  /// but each one that is there reached the file, and in this order.
  bool check_damage() override {
    const bool is_intact = disk_.is_intact();
    Contents contents;
    const Result<void> read = read_file(contents);
    if (!read) {
      check_message(read.error());
    } else {
      auto wanted = expected_.rows().begin();
      for (const Row& row : contents.rows) {
        wanted = std::find(wanted, expected_.rows().end(), row);
        expect(wanted != expected_.rows().end(), "{} was never at {}", row.key, row.version);
        if (wanted != expected_.rows().end()) ++wanted;
      }
    }
    if (!read || !is_intact || !difference(contents).empty()) return use_damaged(), false;
    setup_.verdict.trace("{} goes back to {}", setup_.name, place_of(contents));
    durable_ = contents.rows.size();
    go_on_with(std::move(contents));
    return true;
  }

  /// kinf cannot know that the file is damaged. It may fail, but says why.
  void use_damaged() {
    auto writer = RecordingWriter::open(disk_.path(), writer_options(), setup_.clock.wall());
    if (!writer) return check_message(writer.error());
    const Result<std::size_t> added = (*writer)->add_scope(scope());
    if (!added) return check_message(added.error());
    Result<void> done = (*writer)->synced(0, {}, setup_.clock.wall());
    if (done) done = (*writer)->commit(setup_.clock.wall());
    if (!done) check_message(done.error());
  }

  void go_on_with(Contents contents) {
    begun_ = committed_ = contents.rows.size();
    begun_gaps_ = contents.gaps;
    expected_.begin(std::move(contents.rows), contents.uids);
  }

  std::string place_of(const Contents& contents) const {
    return fmt::format("{} of {} versions", contents.rows.size(), expected_.rows().size());
  }

  /// Returns what is not as the changes that reached the file; empty if it has the first of them.
  std::string difference(const Contents& contents) const {
    const std::vector<Row>& wanted = expected_.rows();
    for (std::size_t i = 0; i < contents.rows.size(); ++i) {
      const Row& row = contents.rows[i];
      if (i >= wanted.size() || row != wanted[i]) {
        return fmt::format("version {} is {} at {}", i, row.key, row.version);
      }
    }
    return {};
  }

  Result<void> read_file(Contents& contents) {
    auto reader = RecordingReader::open(disk_.path());
    if (!reader) return std::unexpected(reader.error());
    Result<void> read = read_rows(**reader, contents.rows);
    if (read) read = count_gaps(**reader, contents.gaps);
    return read ? read_objects(**reader, contents) : read;
  }

  static Result<void> count_gaps(RecordingReader& reader, std::size_t& count) {
    const Result<std::vector<RecordedGap>> gaps = reader.gaps();
    if (!gaps) return std::unexpected(gaps.error());
    count = static_cast<std::size_t>(
        std::ranges::count_if(*gaps, [](const RecordedGap& gap) { return !gap.is_open; }));
    return {};
  }

  Result<void> read_rows(RecordingReader& reader, std::vector<Row>& rows) {
    reader.seek(0);
    while (rows.size() <= expected_.rows().size()) {
      Result<std::optional<RecordedVersion>> next = reader.next(reader.last_seq());
      if (!next) return std::unexpected(next.error());
      if (!*next) break;
      const RecordedVersion& one = **next;
      rows.push_back(
          {one.version.facts.type, one.ns + "/" + one.name, one.version.resource_version});
    }
    return {};
  }

  /// Rebuilds the objects that exist at the end. They must be those of the rows.
  Result<void> read_objects(RecordingReader& reader, Contents& contents) {
    std::map<std::string, std::string> versions;
    for (const Row& row : contents.rows) {
      versions[row.key] = row.type == ChangeType::deleted ? "" : row.version;
    }
    std::erase_if(versions, [](const auto& one) { return one.second.empty(); });
    const Result<std::vector<StateObject>> state =
        reader.state({.seq = reader.last_seq(), .type = reader.id_of(kSimType)}, {});
    if (!state) return std::unexpected(state.error());
    for (const StateObject& one : *state) {
      const std::string key = one.object->key();
      const std::string version(one.object->resource_version());
      if (version != versions[key])
        return kinf::fail(ErrorKind::internal, fmt::format("{} is at {}", key, version));
      contents.uids[key] = one.object->uid();
    }
    if (contents.uids.size() == versions.size()) return {};
    return kinf::fail(ErrorKind::internal,
                      fmt::format("{} of {} objects", contents.uids.size(), versions.size()));
  }

  template <class... Args>
  void expect(bool holds, fmt::format_string<Args...> format, Args&&... args) {
    if (holds) return;
    setup_.verdict.expect(false, "recording", "{}: {}", setup_.name,
                          fmt::format(format, std::forward<Args>(args)...));
  }

  std::unique_ptr<Recorder> recorder_;
  ExpectedRows expected_;
  std::size_t begun_ = 0;       ///< rows of earlier runs
  std::size_t committed_ = 0;   ///< rows that no kill can lose
  std::size_t durable_ = 0;     ///< rows that no power failure can lose
  std::size_t begun_gaps_ = 0;  ///< gaps of earlier runs
};

}  // namespace

std::unique_ptr<Storage> make_recording_storage(StorageSetup setup) {
  return std::make_unique<RecordingStorage>(std::move(setup));
}

}  // namespace kinf::sim
