// SPDX-License-Identifier: Apache-2.0
#include "kinf/cli/watch/event_output.h"

#include <algorithm>
#include <utility>

#include "kinf/base/log.h"
#include "kinf/cli/runtime/error_report.h"
#include "kinf/cli/watch/history_rows.h"
#include "kinf/print/history_table.h"
#include "kinf/print/jq_printer.h"
#include "kinf/recording/state/state_saver.h"

namespace kinf {
namespace {

constexpr std::size_t kWriteAt = 64 * 1024;
/// Events in the initial list that are older than this are not printed.
constexpr std::chrono::hours kOldestEvent{1};

std::unique_ptr<EventPrinter> make_printer(const EventOutputOptions& options) {
  if (options.is_history && options.print.has_cells()) {
    return std::make_unique<HistoryTable>(options.print);
  }
  return make_event_printer(options.print);
}

}  // namespace

class EventOutput::Handler final : public EventHandler {
 public:
  Handler(EventOutput& output, const ResourceType& type, Receives receives, std::string cluster,
          std::function<void()> after_initial)
      : output_(output),
        type_(type),
        receives_(receives),
        cluster_(std::move(cluster)),
        after_initial_(std::move(after_initial)) {}

  void on_add(const Change& change) override {
    const bool print = !output_.options_.watch_only || !change.initial;
    if (receives_ == Receives::objects) return output_.take(*this, change, print);
    if (print) output_.take_note(*this, change);
  }
  void on_update(const Change& change) override {
    if (receives_ == Receives::objects) return output_.take_update(*this, change);
    if (change.type == ChangeType::updated) output_.take_note(*this, change);
  }
  void on_delete(const Change& change) override {
    if (receives_ == Receives::objects) output_.take(*this, change);
  }
  void on_known(const Change& known) override {
    if (receives_ == Receives::objects) output_.take(*this, known, false);
  }
  void on_synced(const SyncedEvent& event) override {
    output_.initial_taken(*this, event.resource_version);
  }
  void on_idle() override { output_.write_out(); }

 private:
  friend class EventOutput;

  EventOutput& output_;
  const ResourceType& type_;
  const Receives receives_;
  const std::string cluster_;
  // The members below are guarded by the output's mutex.
  std::function<void()> after_initial_;  ///< empty after it was called
  std::vector<Change> held_;             ///< changes to print later
  std::size_t initial_ = 0;              ///< number of changes in held_ from the initial list
  bool synced_ = false;
  bool marked_ = false;  ///< the initial list and its bookmark, if any, were printed
  std::string version_;  ///< resourceVersion of the last printed change or bookmark
};

EventOutput::EventOutput(EventOutputOptions options, FileWriter& writer, Clock& clock,
                         ExitRequest& exit_request)
    : options_(std::move(options)),
      writer_(writer),
      clock_(clock),
      exit_request_(exit_request),
      printer_(make_printer(options_)),
      phase_(options_.in_order ? Phase::passing_on : Phase::gathering),
      rows_(std::make_unique<HistoryRows>(options_.sorts_rows)) {
  if (options_.jq) {
    printer_ = make_jq_printer({options_.jq, exit_request.stop_token(), options_.for_terminal,
                                [this](const Error& error) { end_with(error); }},
                               std::move(printer_));
  }
}

EventOutput::~EventOutput() = default;

void EventOutput::end_with(const Error& error) {
  if (exit_request_.code()) return;
  report(error);
  exit_request_.set(exit_code_for(error));
}

EventHandler& EventOutput::handler(const ResourceType& type, std::function<void()> after_initial,
                                   std::string cluster) {
  MutexLock lock(mu_);
  handlers_.push_back(std::make_unique<Handler>(*this, type, Receives::objects, std::move(cluster),
                                                std::move(after_initial)));
  return *handlers_.back();
}

EventHandler& EventOutput::events_handler(const ResourceType& type, std::string cluster) {
  MutexLock lock(mu_);
  auto handler = std::make_unique<Handler>(*this, type, Receives::events, std::move(cluster),
                                           std::function<void()>());
  events_[handler->cluster_].handler = handler.get();
  handlers_.push_back(std::move(handler));
  return *handlers_.back();
}

void EventOutput::stop_gathering() {
  std::vector<std::function<void()>> calls;
  {
    MutexLock lock(mu_);
    if (phase_ == Phase::gathering) calls = release_locked();
  }
  for (const auto& call : calls) call();
}

void EventOutput::initial_taken(Handler& handler, const std::string& version) {
  std::vector<std::function<void()>> calls;
  {
    MutexLock lock(mu_);
    handler.synced_ = true;
    handler.initial_ = handler.held_.size();
    handler.version_ = version;
    if (phase_ != Phase::gathering || has_all_lists_locked()) calls = release_locked();
  }
  for (const auto& call : calls) call();
}

void EventOutput::leave_cluster(std::string_view cluster) {
  std::vector<std::function<void()>> calls;
  {
    MutexLock lock(mu_);
    std::erase_if(handlers_, [&](const auto& one) { return one->cluster_ == cluster; });
    events_.erase(std::string(cluster));
    // The other clusters do not wait for this one.
    if (phase_ == Phase::gathering && has_all_lists_locked()) calls = release_locked();
  }
  for (const auto& call : calls) call();
}

/// Returns whether there are handlers, and all of them have their initial lists.
bool EventOutput::has_all_lists_locked() const {
  return !handlers_.empty() &&
         std::ranges::all_of(handlers_, [](const auto& one) { return one->synced_; });
}

std::vector<std::function<void()>> EventOutput::release_locked() {
  phase_ = Phase::releasing;
  print_initial_locked();
  std::vector<std::function<void()>> calls;
  for (const auto& handler : handlers_) {
    if (handler->receives_ == Receives::events || holds_locked(*handler)) continue;
    if (handler->synced_ && !std::exchange(handler->marked_, true) && options_.mark_initial_end) {
      printer_->flush(text_);
      printer_->set_cluster(handler->cluster_);
      printer_->print_bookmark(handler->type_, {handler->version_, true, clock_.wall()}, text_);
    }
    for (const Change& change : std::exchange(handler->held_, {})) print_locked(*handler, change);
    if (!handler->synced_) continue;
    if (auto call = std::exchange(handler->after_initial_, {})) calls.push_back(std::move(call));
  }
  release_notes_locked();
  phase_ = Phase::passing_on;
  write_out_locked();
  return calls;
}

void EventOutput::release_notes_locked() {
  struct Note {
    Clock::Wall time;
    const Handler* handler;
    Change change;
  };
  std::vector<Note> notes;
  for (const auto& handler : handlers_) {
    if (handler->receives_ != Receives::events) continue;
    for (Change& change : std::exchange(handler->held_, {})) {
      const Clock::Wall time = event_time(*change.object);
      notes.push_back({time, handler.get(), std::move(change)});
    }
  }
  std::ranges::stable_sort(notes, {}, &Note::time);
  for (const Note& note : notes) print_note_locked(*note.handler, note.change);
}

void EventOutput::bookmark(EventHandler& handler, const Delivered& delivered) {
  const std::string& version = delivered.resource_version;
  MutexLock lock(mu_);
  auto& known = static_cast<Handler&>(handler);
  const bool is_news = delivered.is_bookmark || known.version_ != version;
  if (!known.marked_ || version.empty() || !is_news) return;
  known.version_ = version;
  printer_->set_cluster(known.cluster_);
  printer_->print_bookmark(known.type_, {version, false, clock_.wall()}, text_);
  write_out_locked();
}

bool EventOutput::holds_locked(const Handler& handler) const {
  const bool sorts = !options_.sort.empty() || is_event_type(handler.type_);
  return (phase_ == Phase::gathering && (sorts || handlers_.size() > 1)) ||
         (sorts && !handler.synced_);
}

/// Returns the order in which to print the objects of the initial lists. Without --sort-by it is
/// their own order, in which the Events stand from the oldest to the newest.
std::vector<std::size_t> EventOutput::initial_order(const Initial& initial) const {
  std::vector<const Object*> objects;
  for (const auto& [handler, change] : initial) objects.push_back(change.object.get());
  Result<std::vector<std::size_t>> order = options_.sort.positions(objects);
  if (!order) {
    log::warning("--sort-by: {}", order.error().message);
    order = *SortOrder().positions(objects);
  }
  if (!options_.sort.empty()) return *std::move(order);
  std::vector<std::size_t> places;
  std::vector<std::pair<Clock::Wall, std::size_t>> events;
  for (const std::size_t place : *order) {
    if (objects[place] == nullptr || !is_event_type(initial[place].first->type_)) continue;
    places.push_back(place);
    events.emplace_back(event_time(*objects[place]), place);
  }
  std::ranges::sort(events);
  for (std::size_t i = 0; i < places.size(); ++i) (*order)[places[i]] = events[i].second;
  return *std::move(order);
}

/// Prints the held initial lists, sorted if --sort-by is given.
void EventOutput::print_initial_locked() {
  Initial initial;
  for (const auto& handler : handlers_) {
    if (handler->receives_ == Receives::events || holds_locked(*handler)) continue;
    const auto end = handler->held_.begin() + static_cast<std::ptrdiff_t>(handler->initial_);
    for (auto change = handler->held_.begin(); change != end; ++change) {
      initial.emplace_back(handler.get(), std::move(*change));
    }
    handler->held_.erase(handler->held_.begin(), end);
    handler->initial_ = 0;
  }
  for (const std::size_t place : initial_order(initial)) {
    print_locked(*initial[place].first, initial[place].second);
  }
}

std::uint64_t EventOutput::printed() const {
  MutexLock lock(mu_);
  return progress_.printed;
}

std::size_t EventOutput::unprinted() const {
  MutexLock lock(mu_);
  return printer_->unprinted();
}

std::optional<std::uint64_t> EventOutput::left_out() const {
  if (options_.filter.passes_all()) return std::nullopt;
  MutexLock lock(mu_);
  return progress_.left_out;
}

void EventOutput::take_update(Handler& handler, const Change& change) {
  if (!wants(handler.type_, change)) return;
  const bool counts = options_.filter.passes_all() || change.type != ChangeType::updated ||
                      options_.filter.passes(*change.old, *change.object);
  if (counts) return take(handler, change);
  MutexLock lock(mu_);
  ++progress_.left_out;
}

bool EventOutput::wants(const ResourceType& type, const Change& change) const {
  if (options_.events) return options_.events->contains(change.type);
  if (change.type == ChangeType::resync) return false;
  return change.type != ChangeType::deleted || !is_event_type(type);
}

void EventOutput::take(Handler& handler, const Change& change, bool print) {
  MutexLock lock(mu_);
  const auto of_cluster = events_.find(handler.cluster_);
  std::vector<Change> events;
  if (of_cluster != events_.end()) {
    events = of_cluster->second.involved.note_object(handler.type_, change);
  }
  print = print && wants(handler.type_, change);
  if (print && handler.synced_ && change.object) {
    handler.version_ = change.object->resource_version();
  }
  if (holds_locked(handler)) {
    if (print) handler.held_.push_back(change);
  } else if (print) {
    print_locked(handler, change);
  }
  for (const Change& event : events) print_note_locked(*of_cluster->second.handler, event);
}

void EventOutput::take_note(Handler& handler, const Change& change) {
  if (!wants(handler.type_, change)) return;
  MutexLock lock(mu_);
  if (phase_ == Phase::gathering) {
    handler.held_.push_back(change);
  } else {
    print_note_locked(handler, change);
  }
}

void EventOutput::print_note_locked(const Handler& handler, const Change& change) {
  if (progress_.is_done) return drop_locked(handler.type_, change);
  const EventNote note = event_note(*change.object);
  const Clock::Wall now = clock_.wall();
  if (change.initial && (!note.last_seen || *note.last_seen < now - kOldestEvent)) return;
  if (!events_[handler.cluster_].involved.is_about_known(note, change)) return;
  if (options_.is_history) {
    return add_row_locked({.type = &handler.type_,
                           .cluster = handler.cluster_,
                           .change = change,
                           .now = now,
                           .note = note});
  }
  printer_->set_cluster(handler.cluster_);
  printer_->print_note(handler.type_, change, note, now, text_);
  printed_locked(handler.type_, change);
}

void EventOutput::print_locked(const Handler& handler, const Change& change) {
  if (progress_.is_done) return drop_locked(handler.type_, change);
  if (options_.is_history) {
    return add_row_locked({.type = &handler.type_,
                           .cluster = handler.cluster_,
                           .change = change,
                           .now = clock_.wall()});
  }
  printer_->set_cluster(handler.cluster_);
  printer_->print(handler.type_, change, clock_.wall(), text_);
  printed_locked(handler.type_, change);
}

void EventOutput::take_gap(const Gap& gap) {
  MutexLock lock(mu_);
  add_row_locked({.gap = gap});
}

void EventOutput::add_row_locked(HistoryRow row) {
  rows_->add(std::move(row));
  print_rows_locked(false);
}

void EventOutput::print_rows_locked(bool all) {
  for (const HistoryRow& row : rows_->take(all)) {
    if (progress_.is_done) return;
    if (row.gap) {
      print_gap_locked(row);
      continue;
    }
    printer_->set_cluster(row.cluster);
    if (row.note) {
      printer_->print_note(*row.type, row.change, *row.note, row.now, text_);
    } else {
      printer_->print(*row.type, row.change, row.now, text_);
    }
    printed_locked(*row.type, row.change);
  }
}

void EventOutput::print_gap_locked(const HistoryRow& row) {
  const Gap& gap = *row.gap;
  const bool is_printed = row.is_between && printer_->print_gap(gap, text_);
  if (!is_printed) log_gap(gap);
}

void EventOutput::printed_locked(const ResourceType& type, const Change& change) {
  ++progress_.printed;
  const bool has_all = options_.max_events && progress_.printed >= *options_.max_events;
  Result<bool> holds = false;
  if (!has_all && options_.until) {
    holds = options_.until->holds(type, change, exit_request_.stop_token());
  }
  if (!holds) end_with(holds.error());
  progress_.is_done = has_all || (holds && *holds);
  if (progress_.is_done || text_.size() >= kWriteAt) write_out_locked();
  if (progress_.is_done) exit_request_.set(ExitCode::ok);
}

void EventOutput::drop_locked(const ResourceType& type, const Change& change) {
  if (state_ != nullptr) state_->not_written(type, change.key);
}

void EventOutput::write_out() {
  {
    MutexLock lock(mu_);
    write_out_locked();
  }
  if (options_.notify_when_idle) exit_request_.notify();
}

void EventOutput::finish() {
  MutexLock lock(mu_);
  for (const auto& handler : handlers_) {
    if (handler->synced_) continue;
    handler->synced_ = true;  // no more of its initial list will arrive
    handler->initial_ = handler->held_.size();
  }
  release_locked();
  print_rows_locked(true);
  write_out_locked();
}

void EventOutput::write_out_locked() {
  printer_->flush(text_);
  const bool written = writer_.write(text_);
  text_.clear();
  if (!written && !exit_request_.code()) exit_request_.set(writer_.exit_code());
  const bool holds =
      phase_ == Phase::releasing ||
      std::ranges::any_of(handlers_, [](const auto& one) { return !one->held_.empty(); });
  if (state_ != nullptr && written && !holds) state_->written();
}

}  // namespace kinf
