// SPDX-License-Identifier: Apache-2.0
#include "kinf/cli/session/informer_set.h"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <sys/resource.h>
#include <unistd.h>

#include <algorithm>
#include <utility>

#include "kinf/api/selectors.h"
#include "kinf/base/duration.h"
#include "kinf/base/log.h"
#include "kinf/base/number_text.h"
#include "kinf/cli/runtime/error_report.h"
#include "kinf/cli/runtime/exit_code.h"
#include "kinf/informer/informer_observer.h"
#include "kinf/print/secret_mask.h"
#include "kinf/query/update_filter.h"

namespace kinf {
namespace {

/// Describes an informer in messages: `pods`, `pods/web`, `pods/web in shop`.
std::string description_of(const PlannedInformer& planned, const WatchPlan& plan) {
  std::string text = plan.cluster.empty() ? "" : plan.cluster + ": ";
  text += planned.type->gvr.group_resource();
  if (!planned.name.empty()) text += "/" + planned.name;
  if (plan.several_namespaces() && !planned.ns.empty()) text += " in " + planned.ns;
  return text;
}

/// Names what an informer reads in the words of `kubectl auth can-i`: `pods/web -n shop`.
std::string access_of(const PlannedInformer& planned, const WatchPlan& plan) {
  const std::string resource = planned.type->gvr.group_resource();
  std::string words = shell_word(planned.name.empty() ? resource : resource + "/" + planned.name);
  if (!planned.ns.empty()) words += " -n " + shell_word(planned.ns);
  if (!plan.cluster.empty()) words += " --context " + shell_word(plan.cluster);
  return words;
}

InformerIdentity identity_of(const PlannedInformer& planned, const InformerFlags& flags,
                             const InformerNeeds& needs) {
  std::string fields = flags.field_selector;
  if (!planned.name.empty()) select_name(fields, planned.name);
  return {planned.type->gvr, planned.ns, flags.selector, std::move(fields), needs.form};
}

InformerOptions informer_options(const InformerFlags& flags, const InformerNeeds& needs) {
  InformerOptions options;
  options.queue = flags.queue;
  options.resync_period = flags.resync;
  options.watch_list = flags.watch_list;
  options.indexers = needs.indexers;
  options.page_size = flags.chunk_size;
  options.pages_in_flight = flags.pages_in_flight;
  options.list_only = needs.list_only;
  options.stall_timeout = flags.stall_timeout;
  options.backoff.cap = flags.max_retry_interval;
  options.backoff.initial = std::min(options.backoff.initial, options.backoff.cap);
  options.seed = static_cast<std::uint64_t>(::getpid());
  return options;
}

/// Returns the condition of --field-selector, which has been decided from the whole object, and of
/// --where for the objects of one informer. `where` may be null.
Selection::Condition condition_of(const PlannedInformer& planned,
                                  const std::shared_ptr<Where>& where,
                                  const std::stop_token& stop) {
  const std::string resource = planned.type->gvr.group_resource();
  const bool is_secret = is_secret_type(*planned.type);
  return [where, resource, is_secret, stop](const Object& object, const Object* old) {
    return object.selected() &&
           (!where || where->matches(object, old, resource + " " + object.key(), is_secret, stop));
  };
}

/// Returns what a recording needs: whole objects with the cells of their rows.
InformerNeeds recorded_needs(InformerNeeds needs, const InformerFlags& flags) {
  if (flags.metadata != MetadataMode::on) needs.representation = Representation::table_with_object;
  needs.form = ObjectForm::raw;
  needs.manager = true;
  return needs;
}

/// Returns the condition of the selectors for the objects of a recording, which no server selects.
/// Empty if there are none.
Result<Selection::Condition> played_condition(const InformerFlags& flags) {
  const Result<LabelSelector> labels = LabelSelector::parse(flags.selector);
  if (!labels) return std::unexpected(labels.error());
  const Result<FieldSelector> fields = FieldSelector::parse(flags.field_selector);
  if (!fields) return std::unexpected(fields.error());
  if (labels->empty() && fields->empty()) return Selection::Condition();
  const auto filter = std::make_shared<FieldFilter>();
  for (const FieldRequirement& requirement : fields->requirements()) filter->add(requirement);
  return [labels = *labels, filter](const Object& object, const Object*) {
    return labels.matches(object) && filter->matches(object);
  };
}

long peak_memory_kilobytes() {
  rusage usage{};
  ::getrusage(RUSAGE_SELF, &usage);
  return usage.ru_maxrss;
}

HttpSource source_of(const PlannedInformer& planned, const InformerFlags& flags,
                     const InformerNeeds& needs) {
  HttpSource source;
  source.type = *planned.type;
  source.ns = planned.ns;
  source.name = planned.name;
  source.label_selector = flags.selector;
  source.field_selector = flags.field_selector;
  source.representation = needs.representation;
  source.form = needs.form;
  source.keep_managed_fields = needs.keep_managed_fields;
  source.needs_manager = needs.manager;
  source.trim = needs.trim;
  return source;
}

/// Makes kinf filter by the fields that the server does not support.
void filter_fields_here(HttpSource& source) {
  const auto fields = std::make_shared<FieldFilter>();
  source.selects = [fields](const Object& whole) { return fields->matches(whole); };
  source.on_unsupported_field = [fields, type = source.type.gvr.group_resource()](
                                    const FieldRequirement& requirement) {
    fields->add(requirement);
    log::notice("{}: the server cannot select by {}; kinf filters here", type, requirement.field);
  };
}

}  // namespace

Result<std::unique_ptr<InformerSet>> InformerSet::create(Connection& connection,
                                                         const WatchPlan& plan,
                                                         const InformerFlags& flags,
                                                         const InformerNeeds& needs,
                                                         const CommandContext& context) {
  MonitorOptions monitor;
  monitor.retry_forbidden = flags.retry_forbidden;
  monitor.leave_out_denied = needs.list_only && !flags.retry_forbidden;
  monitor.wait_for_type = flags.wait_for_type;
  monitor.notify_when_idle = connection.sandbox() != nullptr;
  monitor.network_hint = connection.network_hint();
  monitor.cluster = plan.cluster;
  monitor.replays = connection.player() != nullptr;
  std::unique_ptr<InformerSet> set(
      new InformerSet(monitor, informer_options(flags, needs), context));
  set->where_ = flags.where;
  set->memberships_ = plan.memberships;
  if (plan.memberships) {
    plan.memberships->start([&exit_request = context.exit_request] { exit_request.notify(); });
  }
  set->player_ = connection.player();
  set->replay_speed_ = connection.replay_speed();
  if (!flags.record.file.empty()) {
    if (Result<void> opened = set->open_recorder(connection, flags.record); !opened) {
      return std::unexpected(std::move(opened).error());
    }
  }
  if (!flags.state.file.empty()) {
    if (Result<void> opened = set->open_state(connection, plan, flags); !opened) {
      return std::unexpected(std::move(opened).error());
    }
  }
  set->sync_limit_ = flags.sync_timeout.value_or(kSyncTimeout);
  if (Result<void> added = set->add_new(connection, plan, flags, needs); !added) {
    return std::unexpected(std::move(added).error());
  }
  return set;
}

Result<void> InformerSet::add_new(Connection& connection, const WatchPlan& plan,
                                  const InformerFlags& all_flags, const InformerNeeds& needs) {
  std::vector<std::string> awaited;
  for (const AwaitedType& type : plan.awaited) {
    awaited.push_back(fmt::format("{}: {}", type.requested.type, type.error.message));
  }
  monitor_.set_awaited(std::move(awaited));
  for (std::size_t i = members_.size(); i < plan.informers.size(); ++i) {
    if (Result<void> added = add_member(connection, plan, all_flags, needs); !added) return added;
  }
  return {};
}

Result<void> InformerSet::add_member(Connection& connection, const WatchPlan& plan,
                                     const InformerFlags& all_flags, const InformerNeeds& needs) {
  const std::size_t number = members_.size();
  const PlannedInformer& planned = plan.informers[number];
  const bool is_events = planned.type == plan.events.get();
  const InformerFlags flags = flags_of(planned, plan, all_flags);
  InformerNeeds wanted = is_events ? InformerNeeds() : needs;
  if (recorder_ || saves_written_) wanted = recorded_needs(wanted, flags);
  HttpSource source = source_of(planned, flags, wanted);
  if (player_ == nullptr && !flags.field_selector.empty()) filter_fields_here(source);
  const std::string description = description_of(planned, plan);
  HttpListerWatcher* borrowed = nullptr;
  Result<std::unique_ptr<ListerWatcher>> watcher =
      make_source(connection, source, description, borrowed);
  if (!watcher) return std::unexpected(std::move(watcher).error());
  InformerObserver& observer = monitor_.add(
      description, [borrowed] { return borrowed ? borrowed->list_count() : ListCount(); },
      is_events ? InformerRole::extra : InformerRole::requested, access_of(planned, plan));
  std::size_t scope = 0;
  if (recorder_) {
    const Result<std::size_t> added = add_recorded_scope(connection, planned, flags);
    if (!added) return std::unexpected(added.error());
    scope = *added;
    monitor_.add_idle_hook(observer, [this, scope] { recorder_->heard(scope); });
  }
  const Result<SharedInformer*> informer = factory_.informer_for(
      identity_of(planned, flags, wanted), [&] { return *std::move(watcher); }, &observer);
  if (!informer) return std::unexpected(informer.error());
  if (state_) {
    if (Result<void> restored = restore(number, **informer, source); !restored) return restored;
  }
  Member member{planned, description, borrowed, *informer};
  member.identity = identity_of(planned, flags, wanted);
  member.observer = &observer;
  member.scope = scope;
  member.is_late = followed_.has_value();
  if (Result<void> selected = select(member, plan, flags, is_events); !selected) return selected;
  members_.push_back(std::move(member));
  return {};
}

Result<void> InformerSet::select(Member& member, const WatchPlan& plan, const InformerFlags& flags,
                                 bool is_events) const {
  const PlannedInformer& planned = member.planned;
  Selection selection = is_events ? Selection() : plan.selection_of(planned);
  if (player_ != nullptr) {
    Result<Selection::Condition> played = played_condition(flags);
    if (!played) return std::unexpected(std::move(played).error());
    if (*played) selection.add(*std::move(played));
  }
  const std::shared_ptr<Where> where = is_events ? nullptr : where_;
  const bool by_fields = player_ == nullptr && !flags.field_selector.empty();
  if (by_fields || where) selection.add(condition_of(planned, where, stop_));
  member.follows_members = !selection.has_memberships();
  if (!selection.selects_all()) {
    member.selection = std::make_shared<const Selection>(std::move(selection));
  }
  return {};
}

HandlerOptions InformerSet::direct_delivery() {
  HandlerOptions options;
  options.delivery = Delivery::direct;
  return options;
}

InformerSet::~InformerSet() { stop(); }

Result<void> InformerSet::add_handlers(std::function<EventHandler&(Member&)> handler_of,
                                       const HandlerOptions& options) {
  handler_of_ = std::move(handler_of);
  handler_options_ = options;
  return register_handlers();
}

Result<void> InformerSet::register_handlers() {
  // Each object of a state is recorded at once, and they may be more than fit in the queue.
  if (recorder_) recorder_->start();
  for (std::size_t i = registrations_.size(); i < members_.size(); ++i) {
    Member& member = members_[i];
    EventHandler* handler = &handler_of_(member);
    if (member.is_late) {
      late_handlers_.push_back(std::make_unique<LateHandler>(*handler));
      handler = late_handlers_.back().get();
    }
    if (member.selection) {
      member.handler = std::make_shared<SelectingHandler>(*member.selection, *handler);
      handler = member.handler.get();
    }
    if (saves_written_) handler = &state_->handler(i, *handler);
    if (recorder_ && handler_options_.delivery == Delivery::direct) {
      handler = &recorder_->handler(member.scope, handler);
    } else if (recorder_) {
      auto recording = member.informer->add_event_handler(recorder_->handler(member.scope, nullptr),
                                                          direct_delivery());
      if (!recording) return std::unexpected(std::move(recording).error());
      recordings_.push_back(*std::move(recording));
    }
    if (player_ != nullptr && handler_options_.delivery == Delivery::direct) {
      handler = &replay_order_.handler(*handler);
    }
    auto registration = member.informer->add_event_handler(*handler, handler_options_);
    if (!registration) return std::unexpected(std::move(registration).error());
    registrations_.push_back(*std::move(registration));
  }
  return {};
}

Result<void> InformerSet::follow_namespaces(Connection& connection, WatchPlan& plan,
                                            const InformerFlags& flags,
                                            const InformerNeeds& needs) {
  if (plan.one_by_one.empty() || followed_ || player_ != nullptr) return {};
  Result<std::unique_ptr<NamespaceFollower>> follower = NamespaceFollower::create(
      connection, flags, clock_, [&exit_request = exit_request_] { exit_request.notify(); });
  if (!follower) return std::unexpected(std::move(follower).error());
  followed_.emplace(connection, plan, flags, needs, *std::move(follower));
  return {};
}

Result<void> InformerSet::join_namespaces() {
  if (!followed_->namespaces->update(followed_->plan)) return {};
  Result<void> done =
      add_new(followed_->connection, followed_->plan, followed_->flags, followed_->needs);
  if (done) done = register_handlers();
  if (done) start();
  return done;
}

/// Leaves a namespace after its last object was reported as deleted. While objects exist that are
/// not selected any longer, their deletions may still have to be reported.
void InformerSet::leave_namespaces() {
  WatchPlan& plan = followed_->plan;
  const auto is_leaving = [&](const Member& one) {
    return plan.is_joined(one.planned) && followed_->namespaces->has_left(one.planned.ns);
  };
  // Before the informers are asked: one that has something left to do then notifies after it.
  monitor_.notify_when_idle(std::ranges::any_of(members_, is_leaving));
  for (std::size_t i = members_.size(); i-- > 0;) {
    const Member& found = members_[i];
    if (!is_leaving(found)) continue;
    const bool is_over = found.informer->has_synced() && found.informer->indexer().size() == 0 &&
                         found.informer->stats().backlog == 0;
    if (!is_over) continue;
    const Member member = found;
    const auto at = static_cast<std::ptrdiff_t>(i);
    registrations_.erase(registrations_.begin() + at);
    if (!recordings_.empty()) recordings_.erase(recordings_.begin() + at);
    const std::unique_ptr<SharedInformer> informer = factory_.release(member.identity);
    monitor_.remove(*member.observer);
    members_.erase(members_.begin() + at);
    plan.leave(i);
    log::verbose(2, "{}: left", member.description);
  }
}

std::vector<ObjectPtr> InformerSet::Member::objects() const {
  std::vector<ObjectPtr> found = informer->indexer().list();
  if (selection) std::erase_if(found, [&](const ObjectPtr& one) { return !selects(*one); });
  return found;
}

bool InformerSet::has_synced() const {
  return monitor_.all_synced() && std::ranges::all_of(members_, [&](const Member& member) {
           return member.follows_members || has_left_out(member);
         });
}

void InformerSet::follow_namespaces_now() {
  if (!followed_ || !handler_of_) return;
  if (const Result<void> joined = join_namespaces(); !joined) {
    if (exit_request_.code()) return;
    report(joined.error());
    exit_request_.set(exit_code_for(joined.error()));
  }
  leave_namespaces();
}

/// Ends the retries of the informers that the command goes on without.
void InformerSet::stop_left_out() {
  for (const Member& member : members_) {
    if (has_left_out(member)) member.informer->stop();
  }
}

void InformerSet::follow_members() {
  if (!memberships_) return;
  const bool changed = memberships_->take_changed();
  for (Member& member : members_) {
    const bool counts = member.selection && member.selection->has_memberships();
    if (!counts || !member.informer->has_synced() || (member.follows_members && !changed)) continue;
    const Result<void> followed =
        memberships_->follow(member.informer->indexer().list(), clock_.now() + sync_limit_, stop_);
    if (!followed && followed.error().kind == ErrorKind::stopped) return;
    if (!followed) {
      report(followed.error());
      exit_request_.set(exit_code_for(followed.error()));
      return;
    }
    member.follows_members = true;
    if (member.handler) member.handler->refresh(clock_.wall());
  }
}

void InformerSet::start() {
  if (state_) state_->start();
  if (player_ == nullptr) return factory_.start();
  if (replay_) return;
  std::vector<SharedInformer*> informers;
  for (const Member& member : members_) informers.push_back(member.informer);
  replay_ = std::make_unique<Replay>(*player_, std::move(informers), replay_order_, exit_request_,
                                     holds_changes_, replay_speed_, on_gathered_);
}

void InformerSet::stop() {
  followed_.reset();
  if (replay_) replay_->stop();
  factory_.shutdown();
  registrations_.clear();
  recordings_.clear();
  if (recorder_) recorder_->finish();
}

void InformerSet::repeat(Clock::Duration period, std::function<bool()> task) {
  task_ = std::move(task);
  task_period_ = period;
  task_due_ = clock_.now() + period;
}

bool InformerSet::wait(const std::function<bool()>& done, Clock::Mono deadline,
                       Clock::Mono recheck) {
  while (!exit_request_.code()) {
    if (clock_.now() >= task_due_) {
      task_due_ = task_() ? clock_.now() + task_period_ : Clock::kNever;
      continue;
    }
    follow_namespaces_now();
    follow_members();
    stop_left_out();
    if (done()) return true;
    if (clock_.now() >= deadline) {
      exit_request_.set(ExitCode::timed_out);
    } else if (monitor_.denied_for_good()) {
      exit_request_.set(ExitCode::denied);
    } else {
      if (clock_.now() >= recheck) recheck = Clock::kNever;
      const Clock::Mono access_due = followed_ ? followed_->namespaces->due() : Clock::kNever;
      exit_request_.wait(
          clock_, std::min({deadline, recheck, task_due_, access_due, monitor_.denial_deadline()}));
    }
  }
  return false;
}

bool InformerSet::wait_for_sync(Clock::Mono deadline) {
  if (wait([&] { return has_synced(); }, deadline)) return true;
  if (exit_request_.code() == ExitCode::timed_out && clock_.now() >= deadline) {
    report(Error(ErrorKind::unavailable,
                 fmt::format("no initial list within {}: {}", duration_text(sync_limit_),
                             fmt::join(monitor_.unsynced(), "; "))));
  }
  return false;
}

void InformerSet::print_stats(std::uint64_t printed_events,
                              std::optional<std::uint64_t> left_out) const {
  std::size_t objects = 0;
  std::uint64_t relists = 0;
  std::uint64_t bytes = 0;
  std::uint64_t decoded = 0;
  for (const Member& member : members_) {
    const InformerStats stats = member.informer->stats();
    objects += stats.objects;
    relists += stats.relists;
    if (member.source == nullptr) continue;
    bytes += member.source->bytes_received();
    decoded += member.source->bytes_decoded();
  }
  const auto synced = monitor_.time_to_sync();
  std::string skipped = left_out ? fmt::format(" left_out={}", *left_out) : "";
  if (where_) skipped += fmt::format(" where_failures={}", where_->failures());
  log::warning(
      "stats: objects={} events={}{} relists={} bytes={} decoded={} peak_rss={}kB synced_in={}",
      objects, printed_events, skipped, relists, bytes, decoded, peak_memory_kilobytes(),
      synced ? seconds_text(*synced) : "never");
}

}  // namespace kinf
