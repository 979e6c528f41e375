// SPDX-License-Identifier: Apache-2.0
#include "kinf/recording/recorded_moment.h"

#include <fmt/format.h>

#include <algorithm>
#include <atomic>
#include <limits>
#include <thread>
#include <utility>

#include "kinf/base/log.h"
#include "kinf/base/sync.h"
#include "kinf/base/timestamp.h"
#include "kinf/recording/recording_reader.h"
#include "kinf/recording/recording_schema.h"
#include "kinf/recording/version_search.h"

namespace kinf {
namespace {

/// The maximum number of threads. More are not faster, because memory bandwidth limits them.
constexpr std::size_t kThreads = 4;
/// The number of objects that a thread takes at once. Fewer are not worth another thread.
constexpr std::size_t kChunk = 1000;

/// Rebuilds the objects of a state on several threads, which share one StateBuilder.
class StateBuilder {
 public:
  StateBuilder(const RecordingReader& reader, std::vector<WantedState> objects,
               const VersionParts& parts, std::stop_token stop)
      : reader_(reader), objects_(std::move(objects)), parts_(parts), stop_(std::move(stop)) {}

  std::size_t chunks() const { return (objects_.size() + kChunk - 1) / kChunk; }

  /// Takes chunks until none is left.
  void run(TextRebuilder& rebuilder) {
    VersionDecoder decoder(parts_);
    for (std::size_t i = next_++; i < chunks() && !has_failed_; i = next_++) {
      const auto first = objects_.begin() + static_cast<std::ptrdiff_t>(i * kChunk);
      const auto last = objects_.begin() +
                        static_cast<std::ptrdiff_t>(std::min((i + 1) * kChunk, objects_.size()));
      std::vector<StateObject> state;
      Result<void> done;
      for (auto object = first; object != last && done; ++object) {
        done = add(*object, rebuilder, decoder, state);
      }
      finish(std::move(done), std::move(state));
    }
  }

  Result<std::vector<StateObject>> take() {
    MutexLock lock(mu_);
    if (failure_) return fail(*failure_);
    return std::move(state_);
  }

 private:
  Result<void> add(const WantedState& object, TextRebuilder& rebuilder, VersionDecoder& decoder,
                   std::vector<StateObject>& state) const {
    if (stop_.stop_requested()) return fail(ErrorKind::stopped, "stopped");
    thread_local std::string text;
    Result<std::optional<FoundVersion>> found = rebuilder.find(object.id, object.seq, true, text);
    if (!found) return fail(found);
    if (!*found || (*found)->facts.type == ChangeType::deleted) return {};
    Result<StateObject> made = reader_.state_object(object.id, **std::move(found), text, decoder);
    if (!made) return fail(made);
    state.push_back(*std::move(made));
    return {};
  }

  void finish(Result<void> done, std::vector<StateObject> state) {
    MutexLock lock(mu_);
    if (!done && !failure_) failure_ = std::move(done).error();
    has_failed_ = failure_.has_value();
    std::ranges::move(state, std::back_inserter(state_));
  }

  const RecordingReader& reader_;
  const std::vector<WantedState> objects_;
  const VersionParts& parts_;
  const std::stop_token stop_;
  std::atomic<std::size_t> next_ = 0;
  std::atomic<bool> has_failed_ = false;
  Mutex mu_;
  std::vector<StateObject> state_ KINF_GUARDED_BY(mu_);
  std::optional<Error> failure_ KINF_GUARDED_BY(mu_);
};

}  // namespace

Result<std::int64_t> last_version_at(Database& database, std::int64_t time) {
  const auto first = database.integer("SELECT min(seq) FROM version");
  if (!first) return fail(first);
  const auto last = database.integer("SELECT max(seq) FROM version");
  if (!last) return fail(last);
  const Result<std::string> time_column = arrival_column(database);
  if (!time_column) return fail(time_column);
  Result<Statement> at = database.prepare(fmt::format(
      "SELECT seq, {} FROM version WHERE seq <= ? ORDER BY seq DESC LIMIT 1", *time_column));
  if (!at) return fail(at);
  // In a damaged file, they may be any numbers.
  const std::int64_t begin = std::clamp<std::int64_t>(first->value_or(1), 1, kVersionsBound);
  // Every version up to `low` arrived at or before `time`, and every version from `high` on later.
  std::int64_t low = begin - 1;
  std::int64_t high = std::clamp<std::int64_t>(last->value_or(0), 0, kVersionsBound) + 1;
  while (low + 1 < high) {
    const std::int64_t middle = low + (high - low) / 2;
    const Result<bool> row = at->bind(1, middle).step();
    if (!row) return fail(row);
    const std::int64_t found = *row ? at->integer(0) : 0;
    const bool early = *row && recorded_time(at->integer(1)) <= time;
    at->reset();
    // If no row is between `low` and `middle`, those versions were dropped.
    if (!*row || found <= low || early) {
      low = middle;
    } else {
      high = found;
    }
  }
  return low < begin ? 0 : low;
}

Clock::Wall end_of_millisecond(Clock::Wall time) {
  using std::chrono::milliseconds;
  const bool is_whole = time.time_since_epoch() % milliseconds(1) == Clock::Duration();
  return is_whole && time < Clock::Wall::max() - milliseconds(1)
             ? time + milliseconds(1) - Clock::Duration(1)
             : time;
}

Result<std::optional<Clock::Wall>> time_in(RecordingReader& reader, const RecordedMoment& moment) {
  if (moment.before_end) return reader.ends() - *moment.before_end;
  if (moment.time || !moment.version) return moment.time;
  return reader.time_of_version(*moment.version);
}

Result<FoundMoment> find_moment(RecordingReader& reader, const RecordedMoment& wanted) {
  RecordedMoment moment = wanted;
  if (moment.before_end) moment.time = reader.ends() - *moment.before_end;
  if (moment.version) {
    const Result<Clock::Wall> arrived = reader.limit_to_version(*moment.version);
    if (!arrived) return fail(arrived);
    return FoundMoment{reader.last_seq(), moment.time.value_or(*arrived)};
  }
  if (!moment.time) return FoundMoment{reader.last_seq(), reader.ends()};
  // kinf prints the time of the first list rounded down to milliseconds. Accept that printed time.
  const Clock::Wall begin = std::chrono::floor<std::chrono::milliseconds>(reader.begins());
  const Clock::Wall time =
      *moment.time < begin ? *moment.time : std::max(*moment.time, reader.begins());
  if (time < reader.begins()) {
    const auto begins = std::chrono::ceil<std::chrono::seconds>(reader.begins());
    return fail(ErrorKind::usage, "{} begins later than {}, at {}", reader.path(),
                local_time_text(time), local_time_text(begins))
        .with_hint(fmt::format("it ends at {}", local_time_text(reader.ends())));
  }
  if (time > reader.ends()) {
    log::notice("{} ends at {}, before {}", reader.path(), local_time_text(reader.ends()),
                local_time_text(time));
  }
  const bool is_exact = moment.plays_on || moment.before_end;
  const Result<std::int64_t> seq = reader.seq_at(is_exact ? time : end_of_millisecond(time));
  if (!seq) return fail(seq);
  return FoundMoment{*seq, time};
}

// The rest of this file implements RecordingReader::state().

Result<std::vector<WantedState>> RecordingReader::wanted_states(const StateQuery& query) {
  const auto type = types_.find(query.type);
  const bool is_namespaced = type == types_.end() || type->second.type.namespaced;
  const auto ids = find_objects(*file_.database, {query.type, is_namespaced, query.ns, query.name},
                                std::numeric_limits<std::size_t>::max());
  if (!ids) return fail(ids);
  std::vector<WantedState> found;
  for (const std::int64_t id : **ids) found.push_back({id, query.seq});
  if (Result<void> done = version_search_ ? limit(found, query.type) : Result<void>(); !done) {
    return fail(done);
  }
  return found;
}

Result<void> RecordingReader::limit(std::vector<WantedState>& states, std::int64_t type) {
  for (WantedState& state : states) {
    const Result<std::int64_t> seq = version_search_->newest(state.id, type);
    if (!seq) return fail(seq);
    state.seq = *seq;  // 0 means that the object did not exist yet
  }
  return {};
}

std::unique_ptr<Database> RecordingReader::open_again(const std::stop_token& stop) const {
  Result<std::unique_ptr<Database>> database = open_database_for_reading(path(), stop);
  if (!database) return nullptr;
  // A newer snapshot of the file has all versions of this reader's snapshot, unless some were
  // dropped meanwhile.
  const auto first = (*database)->meta("first_seq");
  if (!first || first->value_or(0) != first_seq_) return nullptr;
  return *std::move(database);
}

Result<std::vector<StateObject>> RecordingReader::state(const StateQuery& query,
                                                        const VersionParts& parts,
                                                        const std::stop_token& stop) {
  Result<std::vector<WantedState>> wanted = wanted_states(query);
  if (!wanted) return fail(wanted);
  StateBuilder builder(*this, *std::move(wanted), parts, stop);
  const std::size_t threads =
      std::min({kThreads, builder.chunks(), std::size_t{std::thread::hardware_concurrency()}});
  std::vector<std::jthread> others;
  for (std::size_t i = 1; i < threads; ++i) {
    others.emplace_back([&] {
      const std::unique_ptr<Database> database = open_again(stop);
      if (!database) return;
      Result<TextRebuilder> rebuilder = TextRebuilder::open(*database);
      if (rebuilder) builder.run(*rebuilder);
    });
  }
  builder.run(*rebuilder_);
  others.clear();  // joins the threads
  return builder.take();
}

}  // namespace kinf
