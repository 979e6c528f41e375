// SPDX-License-Identifier: Apache-2.0
#include "sim/run.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <memory>
#include <utility>
#include <vector>

#include "sim/api_server.h"
#include "sim/subject.h"

namespace kinf::sim {
namespace {

using std::chrono::milliseconds;

/// All clients must have the state of etcd this long after the last fault. The longest waits are
/// the backoff (30 s), a silent connection (90 s), and lists after silent watches.
constexpr std::chrono::minutes kLongestRecovery(15);
/// A kube-apiserver sends a bookmark about once a minute.
constexpr std::chrono::minutes kBookmarkPeriod(1);
/// etcd is compacted at every fifth bookmark.
constexpr int kBookmarksPerCompaction = 5;
/// Enough that resyncs every second do not fill the work queue.
constexpr int kWorkPerRound = 10;

class Run {
 public:
  Run(const Schedule& schedule, bool traces)
      : plan_(schedule.plan),
        steps_(schedule.steps),
        verdict_(clock_, traces),
        random_(plan_.seed),
        network_(static_cast<std::size_t>(plan_.clients), static_cast<std::size_t>(plan_.servers),
                 random_) {
    for (int i = 0; i < plan_.servers; ++i) servers_.emplace_back(etcd_, random_);
    for (std::size_t i = 0; i < static_cast<std::size_t>(plan_.clients); ++i) {
      subjects_.push_back(
          std::make_unique<Subject>(i, plan_, etcd_, network_, clock_, verdict_, random_));
    }
  }

  Outcome run() {
    Outcome outcome;
    for (const Step& step : steps_) {
      if (!verdict_.holds()) break;
      verdict_.trace("- {}", text_of(step));
      take(step);
      tick();
      ++outcome.steps;
      if (is_fault(step.op)) ++outcome.faults;
    }
    heal();
    outcome.converged_in = converge();
    // What happens after the recovery arrives, too.
    for (std::size_t i = 0; i < kObjects && verdict_.holds(); i += 3) etcd_.put(i, 2);
    converge();
    check_resyncs();
    if (verdict_.holds()) {
      for (const auto& subject : subjects_) subject->finish();
    }
    outcome.broken = verdict_.broken();
    outcome.trace = verdict_.text();
    return outcome;
  }

 private:
  Clock::Mono now() const { return clock_.now(); }
  static std::size_t index(int number, std::size_t size) {
    return static_cast<std::size_t>(number) % size;
  }
  ApiServer& server(const Step& step) { return servers_[index(step.args[0], servers_.size())]; }
  std::size_t client(const Step& step) const { return index(step.args[0], subjects_.size()); }
  Subject& subject(const Step& step) { return *subjects_[client(step)]; }

  void take(const Step& step);
  void take_write(const Step& step);
  void take_server_fault(const Step& step);
  void take_etcd_fault(const Step& step);
  void take_client_fault(const Step& step);
  void restart(std::size_t server);
  void restart_all();
  void restore();
  void tick();
  void advance_to(Clock::Mono time);
  void heal();
  void leave_lost_timeline();
  std::int64_t converge();
  void check_resyncs();
  void run_round(Clock::Mono limit);
  bool pump_all(Clock::Mono& wake);
  bool has_converged(std::string& why) const;

  const Plan& plan_;
  const std::vector<Step>& steps_;
  SimClock clock_;
  Verdict verdict_;
  Random random_;
  Etcd etcd_;
  Clock::Mono etcd_up_{};
  Clock::Mono next_bookmark_{};  ///< after the last step
  int bookmarks_ = 0;
  Network network_;
  std::vector<ApiServer> servers_;
  std::vector<std::unique_ptr<Subject>> subjects_;
};

void Run::take(const Step& step) {
  switch (step.op) {
    case Op::advance: return advance_to(now() + milliseconds(step.args[0]));
    case Op::pump:
      subject(step).pump(static_cast<StepPart>(step.args[1] % 3), step.args[2]);
      return;
    case Op::work: return subject(step).work();
    case Op::handler: return subject(step).add_handler();
    case Op::unhandle: return subject(step).remove_handler();
    default: take_write(step);
  }
}

void Run::take_write(const Step& step) {
  const std::size_t object = index(step.args[0], kObjects);
  switch (step.op) {
    case Op::put: return etcd_.put(object, static_cast<std::uint32_t>(step.args[1]));
    case Op::remove: return etcd_.remove(object);
    case Op::other: return etcd_.write_other();
    case Op::bookmark: return server(step).send_bookmarks(plan_.client_go == 0, now());
    default: take_server_fault(step);
  }
}

void Run::take_server_fault(const Step& step) {
  switch (step.op) {
    case Op::lag: return server(step).set_lagging(true);
    case Op::apply: return server(step).apply(static_cast<std::uint32_t>(step.args[1]), now());
    case Op::catch_up: return server(step).set_lagging(false);
    case Op::restart: return restart(index(step.args[0], servers_.size()));
    case Op::window: return server(step).lose_window();
    case Op::endless: return server(step).set_forgets_end_marks(step.args[1] != 0);
    case Op::deny: return server(step).deny(step.args[1], step.args[2]);
    default: take_etcd_fault(step);
  }
}

void Run::take_etcd_fault(const Step& step) {
  switch (step.op) {
    case Op::compact: return etcd_.compact();
    case Op::backup: return etcd_.back_up();
    case Op::restore: return restore();
    case Op::etcd_down: etcd_up_ = now() + milliseconds(step.args[0]); return;
    default: take_client_fault(step);
  }
}

void Run::take_client_fault(const Step& step) {
  switch (step.op) {
    case Op::cut: return network_.cut_client(client(step), step.args[1] != 0, now());
    case Op::stall: return network_.stall(client(step), now());
    case Op::down:
      network_.cut_client(client(step), true, now());
      return network_.take_down(client(step), now() + milliseconds(step.args[1]));
    case Op::latency: return network_.set_latency(client(step), milliseconds(step.args[1]));
    case Op::busy: return subject(step).set_busy(milliseconds(step.args[1]));
    case Op::poison: return subject(step).poison(step.args[1]);
    case Op::crash: return subject(step).crash(step.args[1]);
    case Op::power: return subject(step).lose_power(step.args[1] != 0, step.args[2]);
    case Op::disk_full: return subject(step).fill_disk(step.args[1]);
    case Op::clock: return clock_.jump(-milliseconds(step.args[0]));
    default: return;
  }
}

void Run::restart(std::size_t server) {
  network_.cut_server(server, now());
  servers_[server].restart();
}

void Run::restart_all() {
  for (std::size_t i = 0; i < servers_.size(); ++i) restart(i);
}

void Run::restore() {
  if (!etcd_.restore()) return;
  restart_all();
  for (const auto& subject : subjects_) subject->note_restore();
}

void Run::tick() {
  for (const auto& request : network_.take_arrived(now())) {
    servers_[request->server].receive(request, now());
  }
  for (ApiServer& server : servers_) server.tick(now(), now() >= etcd_up_);
}

void Run::advance_to(Clock::Mono time) { clock_.advance_to(time); }

void Run::heal() {
  verdict_.trace("- heal");
  network_.heal();
  etcd_up_ = now();
  for (ApiServer& server : servers_) {
    server.set_lagging(false);
    server.set_forgets_end_marks(false);
    server.deny(0, 0);
  }
  for (const auto& subject : subjects_) {
    subject->set_busy({});
    subject->poison(0);
  }
  if (etcd_.epoch() > 0) leave_lost_timeline();
  next_bookmark_ = now() + kBookmarkPeriod;
}

/// After a restore, revisions repeat with other contents. A client that has missed this and whose
/// version exists again cannot know: the protocol does not tell. So all versions expire, and none
/// is that of the servers.
void Run::leave_lost_timeline() {
  const auto has_current = [this] {
    return std::ranges::any_of(
        subjects_, [this](const auto& subject) { return subject->version() == etcd_.revision(); });
  };
  restart_all();  // and let the clients read what has arrived
  Clock::Mono wake = Clock::kNever;
  while (pump_all(wake)) continue;
  while (has_current()) etcd_.write_other();
  restart_all();
}

bool Run::pump_all(Clock::Mono& wake) {
  bool moved = false;
  for (const auto& subject : subjects_) {
    for (int i = 0; i < kWorkPerRound; ++i) subject->work();
    const StepResult result = subject->pump(StepPart::all, 1000);
    moved = moved || result.moved;
    wake = std::min({wake, result.wake, subject->next_event()});
  }
  return moved;
}

/// A client with a version of a lost timeline may have the right state by chance, but still has to
/// notice: it would miss the next writes.
bool Run::has_converged(std::string& why) const {
  return std::ranges::all_of(subjects_, [&](const auto& subject) {
    if (subject->version() <= etcd_.revision()) return subject->has_converged(why);
    why = fmt::format("version {} is newer than {}", subject->version(), etcd_.revision());
    return false;
  });
}

/// Does everything that is due, or else moves to the next time when something is.
void Run::run_round(Clock::Mono limit) {
  tick();
  Clock::Mono wake = std::min(limit, next_bookmark_);
  if (pump_all(wake)) return;
  wake = std::min(wake, network_.next_event());
  for (const ApiServer& server : servers_) wake = std::min(wake, server.next_event());
  advance_to(std::max(wake, now() + milliseconds(1)));
  if (now() < next_bookmark_) return;
  for (ApiServer& server : servers_) server.send_bookmarks(plan_.client_go == 0, now());
  next_bookmark_ = now() + kBookmarkPeriod;
  if (++bookmarks_ % kBookmarksPerCompaction == 0) etcd_.compact();
}

std::int64_t Run::converge() {
  const Clock::Mono start = now();
  const Clock::Mono end = start + kLongestRecovery;
  std::string why;
  while (verdict_.holds() && !has_converged(why)) {
    run_round(end);
    verdict_.expect(now() < end, "liveness", "after {} minutes: {}", kLongestRecovery.count(), why);
  }
  return std::chrono::duration_cast<milliseconds>(now() - start).count();
}

void Run::check_resyncs() {
  if (plan_.resync == 0 || !verdict_.holds()) return;
  for (const auto& subject : subjects_) subject->begin_resync_check();
  const Clock::Mono start = now();
  const Clock::Mono end = start + std::chrono::seconds(10 * plan_.resync);
  while (verdict_.holds() && now() < end) run_round(end);
  for (const auto& subject : subjects_) subject->check_resyncs(now() - start);
  converge();
}

}  // namespace

Outcome run_schedule(const Schedule& schedule, bool traces) { return Run(schedule, traces).run(); }

}  // namespace kinf::sim
