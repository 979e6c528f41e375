// SPDX-License-Identifier: Apache-2.0
#include "kinf/cli/index/index_watch.h"

#include <algorithm>
#include <utility>

namespace kinf {

IndexChangeWriter::IndexChangeWriter(IndexChanges changes, std::optional<std::uint64_t> max_events,
                                     FileWriter& writer, ExitRequest& exit_request)
    : max_events_(max_events),
      writer_(writer),
      exit_request_(exit_request),
      changes_(std::move(changes)) {}

void IndexChangeWriter::reserve(const std::vector<IndexTuple>& tuples) {
  MutexLock lock(mu_);
  for (const IndexTuple& tuple : tuples) changes_.reserve(tuple);
}

void IndexChangeWriter::print(const IndexAnswer& question, const std::vector<IndexMove>& moves,
                              std::string_view key) {
  MutexLock lock(mu_);
  for (const IndexMove& move : moves) {
    if (max_events_ && printed_ >= *max_events_) return;
    text_ += changes_.line(question, move, key);
    ++printed_;
  }
  if (!max_events_ || printed_ < *max_events_) return;
  write_out_locked();
  exit_request_.set(ExitCode::ok);
}

void IndexChangeWriter::write_out() {
  MutexLock lock(mu_);
  write_out_locked();
}

void IndexChangeWriter::write_out_locked() {
  if (text_.empty()) return;
  const bool written = writer_.write(text_);
  text_.clear();
  if (!written && !exit_request_.code()) exit_request_.set(writer_.exit_code());
}

std::uint64_t IndexChangeWriter::printed() const {
  MutexLock lock(mu_);
  return printed_;
}

class IndexWatch::Handler final : public EventHandler {
 public:
  explicit Handler(IndexWatch& watch) : watch_(watch) {}
  void on_add(const Change& change) override { watch_.take(change.key, change.object); }
  void on_update(const Change& change) override { watch_.take(change.key, change.object); }
  void on_delete(const Change& change) override { watch_.take(change.key, nullptr); }
  void on_synced(const SyncedEvent&) override {
    {
      MutexLock lock(watch_.mu_);
      ++watch_.synced_;
    }
    watch_.exit_request_.notify();
  }
  void on_idle() override { watch_.output_.write_out(); }

 private:
  IndexWatch& watch_;
};

IndexWatch::IndexWatch(const IndexAnswer& question, ValuesOf values_of, IndexChangeWriter& output,
                       ExitRequest& exit_request)
    : question_(question),
      values_of_(std::move(values_of)),
      output_(output),
      exit_request_(exit_request) {}

IndexWatch::~IndexWatch() = default;

EventHandler& IndexWatch::add_handler() {
  handlers_.push_back(std::make_unique<Handler>(*this));
  return *handlers_.back();
}

bool IndexWatch::has_synced() const {
  MutexLock lock(mu_);
  return synced_ == handlers_.size();
}

void IndexWatch::start_printing() {
  MutexLock lock(mu_);
  printing_ = true;
  std::vector<const Place*> sorted;
  for (const auto& [key, place] : places_) {
    sorted.push_back(&place);
    output_.reserve(place.tuples);
  }
  std::ranges::sort(sorted, {}, [](const Place* place) {
    return std::pair(place->object->ns(), place->object->name());
  });
  for (const Place* place : sorted) move_locked(*place->object, {}, place->tuples);
  output_.write_out();
}

bool IndexWatch::compute(const Object& object, const std::vector<IndexTuple>& before,
                         std::vector<IndexTuple>& now) {
  limit_.remove(before.size(), question_.specs.size());
  Result<std::vector<IndexTuple>> tuples =
      index_tuples(object, question_.specs, values_of_, limit_);
  if (tuples) {
    now = *std::move(tuples);
    return true;
  }
  failure_ = fail(tuples);
  exit_request_.notify();
  return false;
}

Result<void> IndexWatch::failure() const {
  MutexLock lock(mu_);
  return failure_;
}

void IndexWatch::take(const std::string& key, const ObjectPtr& object) {
  // Compute the values under the lock. Owner values depend on other objects, so an older result
  // must not replace the result of a concurrent refresh().
  MutexLock lock(mu_);
  if (!failure_) return;
  const auto known = places_.find(key);
  if (!object && known == places_.end()) return;
  const std::vector<IndexTuple> none;
  const std::vector<IndexTuple>& before = known == places_.end() ? none : known->second.tuples;
  std::vector<IndexTuple> now;
  if (object && !compute(*object, before, now)) return;
  if (!object) limit_.remove(before.size(), question_.specs.size());
  move_locked(object ? *object : *known->second.object, before, now);
  if (object) {
    places_.insert_or_assign(key, Place{object, std::move(now)});
  } else {
    places_.erase(known);
  }
}

void IndexWatch::refresh() {
  {
    MutexLock lock(mu_);
    if (!failure_) return;
    for (auto& [key, place] : places_) {
      std::vector<IndexTuple> now;
      if (!compute(*place.object, place.tuples, now)) return;
      move_locked(*place.object, place.tuples, now);
      place.tuples = std::move(now);
    }
  }
  output_.write_out();
}

std::vector<ObjectPtr> IndexWatch::objects() const {
  MutexLock lock(mu_);
  std::vector<ObjectPtr> objects;
  for (const auto& [key, place] : places_) objects.push_back(place.object);
  return objects;
}

void IndexWatch::move_locked(const Object& object, const std::vector<IndexTuple>& before,
                             const std::vector<IndexTuple>& now) {
  if (!printing_) return;
  const std::vector<IndexMove> moves = index_moves(before, now);
  if (!moves.empty()) output_.print(question_, moves, question_.key_format.key(object));
}

}  // namespace kinf
