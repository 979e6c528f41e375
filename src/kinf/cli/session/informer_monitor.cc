// SPDX-License-Identifier: Apache-2.0
#include "kinf/cli/session/informer_monitor.h"

#include <fmt/format.h>

#include <algorithm>
#include <memory>

#include "kinf/base/log.h"
#include "kinf/base/number_text.h"
#include "kinf/base/quote.h"
#include "kinf/cli/runtime/error_report.h"
#include "kinf/cli/runtime/exit_code.h"
#include "kinf/cli/session/outage.h"
#include "kinf/columns/human_duration.h"

namespace kinf {
namespace {

bool is_denial(const Error& error) {
  return error.kind == ErrorKind::auth || error.kind == ErrorKind::forbidden;
}

/// Returns whether the server cannot be reached or fails TLS verification; false for a
/// connection that broke.
bool is_no_server(const Error& error) {
  switch (error.fault) {
    case NetworkFault::refused:
    case NetworkFault::unreachable:
    case NetworkFault::dns:
    case NetworkFault::tls: return true;
    default: return false;
  }
}

/// The number of failures after which one of all types is left out, if a retry could succeed.
constexpr int kTries = 3;

/// Returns whether a retry would fail in the same way.
bool is_hopeless(const Error& error) {
  return error.kind == ErrorKind::usage || error.kind == ErrorKind::not_found;
}

/// Returns ` in 2m` for a retry after 2 minutes. Empty if the retry is less than a minute away.
std::string when(Clock::Duration retry_in) {
  constexpr std::chrono::seconds kLong(60);
  return retry_in < kLong ? "" : " in " + human_duration(retry_in);
}

std::string one_line(const Error& error) {
  std::string text = error_text(error);
  return text.substr(0, text.find('\n'));
}

}  // namespace

struct InformerMonitor::Observer final : InformerObserver {
  Observer(InformerMonitor& owner, std::string name, std::function<ListCount()> list,
           InformerRole what_for, std::string hint)
      : monitor(owner),
        description(std::move(name)),
        denial_hint(std::move(hint)),
        count(std::move(list)),
        role(what_for) {}

  void on_synced(const SyncedEvent& event) override { monitor.synced(*this, event); }
  void on_relisting(const Relisted& list) override {
    for (const auto& hook : monitor.hooks_of(*this, &Observer::relist_hooks)) hook(list);
  }
  void on_relisted(const Relisted& event) override {
    if (monitor.options_.replays) return;
    log::notice("{}: {}; relisted {}, {}", description, event.reason,
                counted(event.objects, "object"), counted(event.changed, "change"));
  }
  void on_watch_closed(const WatchEnded& event) override {
    log::verbose(4, "{}: watch closed by the server after {}, {}; resumed at resourceVersion {}",
                 description, human_duration(event.lived), counted(event.events, "event"),
                 event.resource_version);
    if (event.is_tenth_brief) {
      log::notice("{}: the last ten watches closed within 5 s each; watching again after pauses",
                  description);
    }
  }
  void on_resync() override { log::verbose(4, "{}: resync", description); }
  void on_error(const InformerFailure& failure) override { monitor.failed(*this, failure); }
  void on_delivered(const Delivered& delivered) override {
    for (const auto& hook : monitor.hooks_of(*this, &Observer::delivery_hooks)) hook(delivered);
  }
  void on_idle() override {
    if (monitor.options_.notify_when_idle || monitor.notifies_when_idle_) {
      monitor.exit_request_.notify();
    }
  }
  void on_recovered(Clock::Duration lasted) override { monitor.recovered(*this, lasted); }
  void on_stalled(Clock::Duration silent) override {
    monitor.note_stall(*this);
    log::notice("{}: stalled: no data for {}, and a new connection did not help", description,
                human_duration(silent));
  }

  void forget_denials() {
    denied_since.reset();
    denials = 0;
  }

  InformerMonitor& monitor;
  const std::string description;
  const std::string denial_hint;  ///< what to do when the server denies the list or watch
  const std::function<ListCount()> count;
  const InformerRole role;
  // The members below are guarded by the monitor's mutex.
  bool is_synced = false;
  bool left_out = false;  ///< access is denied; the command continues without it
  bool left_out_reported = false;
  bool is_lost = false;     ///< the server did not have the type at the last failure
  std::size_t objects = 0;  ///< number of objects in the initial list
  Clock::Duration synced_in{};
  bool failing = false;  ///< true from the first failure until recovery
  bool stalled = false;  ///< true from the first report of a stall until recovery
  std::optional<Clock::Mono> denied_since;
  int denials = 0;   ///< consecutive denials
  int failures = 0;  ///< since the informer synced or recovered
  std::string last_failure;
  bool has_named_tls = false;  ///< a TLS failure was reported since the last recovery
  std::vector<std::function<void(const Relisted&)>> relist_hooks;
  std::vector<std::function<void(const Delivered&)>> delivery_hooks;
};

InformerMonitor::InformerMonitor(MonitorOptions options, Clock& clock, ExitRequest& exit_request)
    : options_(std::move(options)),
      clock_(clock),
      exit_request_(exit_request),
      started_(clock.now()) {}

InformerMonitor::~InformerMonitor() = default;

std::string InformerMonitor::sync_text_locked(const Observer& one) const {
  return fmt::format("{}: synced, {} in {}", one.description, counted(one.objects, "object"),
                     seconds_text(one.synced_in));
}

void InformerMonitor::announce(std::string_view description) const {
  if (log::enabled(2)) return;  // synced() has logged it
  std::vector<std::string> lines;
  {
    MutexLock lock(mu_);
    for (const auto& one : all_) {
      if (one->description == description) lines.push_back(sync_text_locked(*one));
    }
  }
  for (const std::string& line : lines) log::notice("{}", line);
}

InformerObserver& InformerMonitor::add(std::string description, std::function<ListCount()> list,
                                       InformerRole role, std::string denial_hint) {
  if (denial_hint.empty()) denial_hint = "kinf check " + shell_word(description);
  MutexLock lock(mu_);
  time_to_sync_.reset();
  all_.push_back(std::make_unique<Observer>(*this, std::move(description), std::move(list), role,
                                            std::move(denial_hint)));
  return *all_.back();
}

void InformerMonitor::remove(const InformerObserver& observer) {
  MutexLock lock(mu_);
  std::erase_if(all_, [&](const auto& one) { return one.get() == &observer; });
}

void InformerMonitor::add_relist_hook(const InformerObserver& observer,
                                      std::function<void(const Relisted&)> hook) {
  MutexLock lock(mu_);
  find_locked(observer).relist_hooks.push_back(std::move(hook));
}

void InformerMonitor::add_delivery_hook(const InformerObserver& observer,
                                        std::function<void(const Delivered&)> hook) {
  MutexLock lock(mu_);
  find_locked(observer).delivery_hooks.push_back(std::move(hook));
}

InformerMonitor::Observer& InformerMonitor::find_locked(const InformerObserver& observer) {
  return **std::ranges::find(all_, &observer, &std::unique_ptr<Observer>::get);
}

template <class Hooks>
Hooks InformerMonitor::hooks_of(const Observer& one, Hooks Observer::* hooks) const {
  MutexLock lock(mu_);
  return one.*hooks;
}

void InformerMonitor::set_awaited(std::vector<std::string> types) {
  MutexLock lock(mu_);
  awaited_ = std::move(types);
}

void InformerMonitor::synced(Observer& one, const SyncedEvent& event) {
  const Clock::Duration took = clock_.now() - started_;
  std::string text;
  bool has_all = false;
  {
    MutexLock lock(mu_);
    one.is_synced = true;
    one.left_out = one.is_lost = false;
    one.failures = 0;
    one.objects = event.objects;
    one.synced_in = took;
    one.forget_denials();
    note_sync_locked();
    text = sync_text_locked(one);
    has_all = awaited_.empty() && time_to_sync_;
  }
  log::verbose(2, "{}", text);
  if (has_all && options_.outage != nullptr) options_.outage->end();
  report_left_out();
  exit_request_.notify();
}

void InformerMonitor::report_left_out() {
  std::vector<std::string> left_out;
  {
    MutexLock lock(mu_);
    if (!time_to_sync_) return;
    for (const auto& one : all_) {
      if (one->role != InformerRole::one_of_all || one->is_synced) continue;
      if (std::exchange(one->left_out_reported, true)) continue;
      left_out.push_back(fmt::format("{} ({})", one->description,
                                     one->denials > 0 ? "denied" : one->last_failure));
    }
  }
  log_left_out(options_.cluster, left_out);
}

void InformerMonitor::note_sync_locked() {
  if (time_to_sync_) return;
  const auto is_settled = [](const auto& one) { return one->is_synced || one->left_out; };
  const auto is_synced = [](const auto& one) { return one->is_synced; };
  if (std::ranges::all_of(all_, is_settled) && std::ranges::any_of(all_, is_synced)) {
    time_to_sync_ = clock_.now() - started_;
  }
}

void InformerMonitor::failed(Observer& one, const InformerFailure& failure) {
  const Error& error = failure.error;
  if (error.kind == ErrorKind::stopped || exit_request_.code()) return;
  const bool denied = is_denial(error);
  bool first = false;
  bool synced_before = false;
  bool can_be_left_out = false;
  bool offers_retries = false;
  bool lost_type = false;
  bool notes_loss = false;
  {
    MutexLock lock(mu_);
    synced_before = one.is_synced;
    first = !one.failing;
    ++one.failures;
    if (one.role == InformerRole::one_of_all && !synced_before) {
      can_be_left_out = denied || is_hopeless(error) ||
                        (error.kind != ErrorKind::network && one.failures >= kTries);
      // Many types may fail in the same way. Report it once.
      first = first && std::ranges::none_of(all_, [&](const auto& other) {
                return other->failing && other->last_failure == one_line(error);
              });
    }
    one.failing = true;
    one.last_failure = one_line(error);
    one.is_lost = error.kind == ErrorKind::not_found;
    lost_type = one.is_lost && one.role == InformerRole::one_of_all && options_.on_lost_type;
    notes_loss = lost_type && (synced_before || one.failures == 1);
    // Report the first TLS failure even after other failures, because retries cannot fix a
    // certificate.
    if (error.fault == NetworkFault::tls && !std::exchange(one.has_named_tls, true)) first = true;
    if (!denied) {
      one.forget_denials();
    } else if (++one.denials == 1) {
      one.denied_since = clock_.now();
      // Each named object has its own informer, and the server may deny all of them with the same
      // message. Report it once.
      first = std::ranges::none_of(all_, [&](const auto& other) {
        return other.get() != &one && other->denials > 0 && other->last_failure == one.last_failure;
      });
    }
    if (can_be_left_out || (denied && !synced_before && options_.leave_out_denied)) {
      one.left_out = true;
      note_sync_locked();
    }
    if (lost_type) first = false;
    // One line names all that were left out, unless that is everything.
    if (can_be_left_out) first = denied && one.denials == 1 && all_denied_locked();
    offers_retries = offers_retries_locked();
  }
  const bool is_waited_for = options_.wait_for_type && error.kind == ErrorKind::not_found;
  if (!synced_before && !can_be_left_out &&
      (is_no_server(error) || (is_hopeless(error) && !is_waited_for))) {
    return give_up(error);
  }
  if (first && denied) {
    Error denial = error;
    denial.hint = one.denial_hint;
    if (offers_retries) denial.hint += ";  --retry-forbidden keeps trying";
    if (error.kind == ErrorKind::auth) {
      denial.hint = error.hint.empty()
                        ? "the server rejected the credentials; pass others with --token"
                        : error.hint;
    }
    report_failure(denial);
  } else if (first) {
    log::notice("{}: {}; retrying{}", one.description, one_line(error), when(failure.retry_in));
  } else {
    log::verbose(4, "{}: {}; next try in {}", one.description, one_line(error),
                 seconds_text(failure.retry_in));
  }
  report_left_out();
  if (notes_loss) options_.on_lost_type();
  exit_request_.notify();
}

void InformerMonitor::note_stall(Observer& one) {
  MutexLock lock(mu_);
  one.stalled = true;
}

void InformerMonitor::recovered(Observer& one, Clock::Duration lasted) {
  bool was_failing = false;
  {
    MutexLock lock(mu_);
    was_failing = std::exchange(one.failing, false) || one.stalled;
    one.is_lost = false;
    one.stalled = false;
    one.has_named_tls = false;
    one.forget_denials();
  }
  if (was_failing) log::notice("{}: recovered after {}", one.description, human_duration(lasted));
}

void InformerMonitor::report_failure(const Error& error) const {
  if (options_.outage != nullptr) return options_.outage->report(error);
  report(error, options_.cluster);
}

void InformerMonitor::give_up(const Error& error) {
  if (exit_request_.code()) return;
  Error fatal = error;
  if (fatal.hint.empty() && fatal.kind == ErrorKind::network) fatal.hint = options_.network_hint;
  report_failure(fatal);
  exit_request_.set(exit_code_for(fatal));
}

/// Returns whether each requested informer is left out or denied. After its initial list, an
/// informer counts as denied only after two denials in a row, because a restarting server may deny
/// requests for a short time.
bool InformerMonitor::all_denied_locked() const {
  return !all_.empty() && awaited_.empty() && std::ranges::all_of(all_, [](const auto& one) {
    const bool is_left_out = one->left_out && one->role == InformerRole::requested;
    return one->role == InformerRole::extra || is_left_out ||
           one->denials >= (one->is_synced ? 2 : 1);
  });
}

/// Returns whether the hint after a denial names --retry-forbidden. Returns false if the command
/// continues anyway, with other informers or clusters.
bool InformerMonitor::offers_retries_locked() const {
  return !options_.retry_forbidden && options_.cluster.empty() &&
         std::ranges::all_of(all_, [](const auto& one) {
           return one->role == InformerRole::extra || one->denials > 0;
         });
}

Clock::Mono InformerMonitor::denial_deadline() const {
  MutexLock lock(mu_);
  if (options_.retry_forbidden || !all_denied_locked()) return Clock::kNever;
  Clock::Mono latest = Clock::Mono::min();
  for (const auto& one : all_) {
    if (one->role == InformerRole::extra || !one->denied_since) continue;
    const Clock::Duration grace =
        one->is_synced ? Clock::Duration(kDenialGrace) : Clock::Duration();
    latest = std::max(latest, *one->denied_since + grace);
  }
  return latest;
}

bool InformerMonitor::denied_for_good() const {
  const Clock::Mono deadline = denial_deadline();
  return deadline != Clock::kNever && clock_.now() >= deadline;
}

bool InformerMonitor::has_left_out(const InformerObserver& observer) const {
  MutexLock lock(mu_);
  const auto found = std::ranges::find(all_, &observer, &std::unique_ptr<Observer>::get);
  return (*found)->left_out;
}

bool InformerMonitor::is_denied(const InformerObserver& observer) const {
  MutexLock lock(mu_);
  const auto found = std::ranges::find(all_, &observer, &std::unique_ptr<Observer>::get);
  return (*found)->denials > 0;
}

bool InformerMonitor::is_lost(const InformerObserver& observer) const {
  MutexLock lock(mu_);
  const auto found = std::ranges::find(all_, &observer, &std::unique_ptr<Observer>::get);
  return (*found)->is_lost;
}

std::optional<Clock::Duration> InformerMonitor::time_to_sync() const {
  MutexLock lock(mu_);
  return time_to_sync_;
}

bool InformerMonitor::all_synced() const {
  MutexLock lock(mu_);
  return awaited_.empty() && time_to_sync_;
}

std::vector<RunningList> InformerMonitor::running_lists() const {
  MutexLock lock(mu_);
  std::vector<RunningList> lists;
  for (const auto& one : all_) {
    if (one->is_synced || one->left_out) continue;
    const ListCount count = one->count ? one->count() : ListCount();
    lists.push_back({one->description, count.received, count.total});
  }
  return lists;
}

std::vector<std::string> InformerMonitor::unsynced() const {
  MutexLock lock(mu_);
  std::vector<std::string> result = awaited_;
  for (const auto& one : all_) {
    if (one->is_synced || (one->left_out && one->role == InformerRole::requested)) continue;
    result.push_back(one->description +
                     (one->last_failure.empty() ? "" : ": " + one->last_failure));
  }
  return result;
}

}  // namespace kinf
