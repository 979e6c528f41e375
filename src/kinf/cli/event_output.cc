// SPDX-License-Identifier: Apache-2.0
#include "kinf/cli/event_output.h"

#include <cstring>
#include <utility>

#include "kinf/cli/error_report.h"

namespace kinf {
namespace {

constexpr std::size_t kWriteAt = 64 * 1024;

}  // namespace

class EventOutput::Handler final : public EventHandler {
 public:
  Handler(EventOutput& output, const ResourceType& type, std::function<void()> after_initial)
      : output_(output), type_(type), after_initial_(std::move(after_initial)) {}

  void on_add(const Change& change) override {
    if (output_.options_.watch_only && change.initial) return;
    output_.take(type_, change);
  }
  void on_update(const Change& change) override { output_.take(type_, change); }
  void on_delete(const Change& change) override { output_.take(type_, change); }
  void on_synced(const SyncedEvent& event) override {
    (void)event;
    output_.initial_taken();
    if (after_initial_) after_initial_();
  }
  void on_idle() override { output_.write_out(); }

 private:
  EventOutput& output_;
  const ResourceType& type_;
  const std::function<void()> after_initial_;
};

EventOutput::EventOutput(EventOutputOptions options, FileWriter& writer, Clock& clock,
                         ExitRequest& exit_request)
    : options_(std::move(options)),
      writer_(writer),
      clock_(clock),
      exit_request_(exit_request),
      printer_(make_event_printer(options_.print)) {}

EventOutput::~EventOutput() = default;

EventHandler& EventOutput::handler(const ResourceType& type, std::function<void()> after_initial) {
  handlers_.push_back(std::make_unique<Handler>(*this, type, std::move(after_initial)));
  MutexLock lock(mu_);
  gathering_ = handlers_.size() > 1;
  return *handlers_.back();
}

void EventOutput::stop_gathering() {
  MutexLock lock(mu_);
  if (!std::exchange(gathering_, false)) return;
  write_out_locked();
}

void EventOutput::initial_taken() {
  MutexLock lock(mu_);
  if (++synced_ == handlers_.size()) gathering_ = false;
  if (!gathering_) write_out_locked();
}

std::uint64_t EventOutput::printed() const {
  MutexLock lock(mu_);
  return printed_;
}

void EventOutput::take(const ResourceType& type, const Change& change) {
  MutexLock lock(mu_);
  if (options_.max_events && printed_ >= *options_.max_events) return;
  printer_->print(type, change, clock_.wall(), text_);
  ++printed_;
  const bool was_last = options_.max_events && printed_ >= *options_.max_events;
  if (was_last || text_.size() >= kWriteAt) write_out_locked();
  if (was_last) exit_request_.set(ExitCode::ok);
}

void EventOutput::write_out() {
  {
    MutexLock lock(mu_);
    if (!gathering_) write_out_locked();
  }
  if (options_.notify_when_idle) exit_request_.notify();
}

void EventOutput::finish() {
  MutexLock lock(mu_);
  write_out_locked();
}

void EventOutput::write_out_locked() {
  printer_->flush(text_);
  if (text_.empty()) return;
  const bool written = writer_.write(text_);
  text_.clear();
  if (written || exit_request_.code()) return;
  if (!writer_.reader_is_gone()) {
    report(Error(ErrorKind::internal,
                 std::string("writing to stdout: ") + std::strerror(writer_.failure())));
  }
  exit_request_.set(writer_.exit_code());
}

}  // namespace kinf
