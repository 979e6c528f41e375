// SPDX-License-Identifier: Apache-2.0
#include "kinf/cli/session/informer_set.h"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <sys/resource.h>

#include <algorithm>
#include <utility>

#include "kinf/base/assign.h"
#include "kinf/base/duration.h"
#include "kinf/base/log.h"
#include "kinf/base/number_text.h"
#include "kinf/base/quote.h"
#include "kinf/cli/connection/connection.h"
#include "kinf/cli/connection/played_input.h"
#include "kinf/cli/flags/informer_flags.h"
#include "kinf/cli/runtime/error_report.h"
#include "kinf/cli/selection/memberships.h"
#include "kinf/cli/selection/namespace_labels.h"
#include "kinf/cli/session/namespace_joiner.h"
#include "kinf/cli/session/replay.h"
#include "kinf/cli/session/type_joiner.h"
#include "kinf/cli/session/where_condition.h"
#include "kinf/query/condition.h"
#include "kinf/recording/play/player.h"
#include "kinf/recording/recorder.h"
#include "kinf/recording/resumed_source.h"
#include "kinf/recording/state/state_saver.h"

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

InformerRole role_of(const PlannedInformer& planned, const WatchPlan& plan) {
  if (planned.type == plan.events.get()) return InformerRole::extra;
  return planned.one_of_all ? InformerRole::one_of_all : InformerRole::requested;
}

/// Returns what helps when the server denies it: `kinf check pods -n shop`, with `flags`, those of
/// the connection.
std::string denial_hint_of(const PlannedInformer& planned, const std::string& flags) {
  std::string hint = "kinf check " + shell_word(planned.type->gvr.group_resource());
  const bool reads_all = planned.type->namespaced && planned.ns.empty();
  if (reads_all) hint += " -A";
  if (!planned.ns.empty()) hint += " -n " + shell_word(planned.ns);
  hint += flags;
  if (reads_all) hint += ";  --accessible or -n NAMESPACE reads only what is allowed";
  return hint;
}

InformerIdentity identity_of(const PlannedInformer& planned, const InformerFlags& flags,
                             const InformerNeeds& needs) {
  std::string fields = flags.field_selector;
  if (!planned.name.empty()) select_name(fields, planned.name);
  return {planned.type->gvr, planned.ns, flags.selector, std::move(fields), needs.form};
}

MonitorOptions monitor_options(const InformerSet::Inputs& inputs, TypeJoiner* types) {
  const InformerFlags& flags = inputs.flags;
  return {.retry_forbidden = flags.retry_forbidden,
          .wait_for_type = flags.wait_for_type,
          .notify_when_idle = inputs.connection.sandbox() != nullptr,
          .network_hint = inputs.connection.network_hint(),
          .cluster = inputs.plan.cluster,
          .outage = inputs.context.outage,
          .on_lost_type =
              types == nullptr ? std::function<void()>() : [types] { types->note_change(); },
          .replays = inputs.connection.played() != nullptr,
          .leave_out_denied = inputs.needs.list_only && !flags.retry_forbidden};
}

InformerOptions informer_options(const InformerFlags& flags, const InformerNeeds& needs,
                                 const Environment& environment) {
  InformerOptions options = helper_informer_options(flags, needs.list_only);
  options.queue = flags.queue;
  options.resync_period = flags.resync;
  options.indexers = needs.indexers;
  options.detect_mutations = environment.detect_mutations;
  if (environment.detect_mutations.value_or(false)) {
    log::verbose(2,
                 "checking cached objects for changes once a second "
                 "(KUBE_CACHE_MUTATION_DETECTOR)");
  }
  return options;
}

HttpSource source_of(const PlannedInformer& planned, const InformerFlags& flags,
                     const InformerNeeds& needs) {
  return {.type = *planned.type,
          .ns = planned.ns,
          .name = planned.name,
          .label_selector = flags.selector,
          .field_selector = flags.field_selector,
          .representation = needs.representation,
          .form = needs.form,
          .keep_managed_fields = needs.keep_managed_fields,
          .needs_manager = needs.manager,
          .shows_warnings = !planned.one_of_all,  // the user did not ask for the deprecated type
          .trim = needs.trim};
}

long peak_memory_kilobytes() {
  rusage usage{};
  ::getrusage(RUSAGE_SELF, &usage);
  return usage.ru_maxrss;
}

/// Returns the joiner of later types; null without --all-types.
std::unique_ptr<TypeJoiner> make_type_joiner(const InformerSet::Inputs& inputs) {
  if (!inputs.flags.all_types || inputs.connection.played() != nullptr) return nullptr;
  std::vector<GroupVersionResource> known;
  for (const auto& type : inputs.plan.types) known.push_back(type->gvr);
  const auto ask = [inputs]() { return all_types(inputs.connection, inputs.plan, inputs.flags); };
  return std::make_unique<TypeJoiner>(
      known, ask, inputs.context.clock,
      [&exit_request = inputs.context.exit_request] { exit_request.notify(); });
}

std::unique_ptr<Replay> make_replay(const InformerSet::Inputs& inputs) {
  PlayedInput* const played = inputs.connection.played();
  if (played == nullptr) return nullptr;
  return std::make_unique<Replay>(played->player(), inputs.context.exit_request, played->speed());
}

}  // namespace

std::vector<ObjectPtr> InformerSet::Member::objects() const {
  std::vector<ObjectPtr> found = informer->indexer().list();
  if (selection) std::erase_if(found, [&](const ObjectPtr& one) { return !selects(*one); });
  return found;
}

InformerSet::InformerSet(Inputs inputs, SessionStores stores)
    : inputs_(std::move(inputs)),
      types_(make_type_joiner(inputs_)),
      monitor_(monitor_options(inputs_, types_.get()), clock(), exit_request()),
      factory_(clock(),
               informer_options(inputs_.flags, inputs_.needs, inputs_.context.environment)),
      stores_(std::move(stores)),
      replay_(make_replay(inputs_)) {}

Result<std::unique_ptr<InformerSet>> InformerSet::create(Inputs inputs, SessionStores stores) {
  const InformerNeeds needs = inputs.needs;
  std::unique_ptr<InformerSet> set(new InformerSet(std::move(inputs), std::move(stores)));
  if (set->inputs_.plan.memberships) {
    const Result<void> started = set->inputs_.plan.memberships->start(
        [&exit_request = set->exit_request()] { exit_request.notify(); });
    if (!started) return fail(started);
  }
  if (Result<void> added = set->add_new(needs); !added) return fail(added);
  return set;
}

InformerSet::~InformerSet() { stop(); }

Result<void> InformerSet::add_new(InformerNeeds needs) {
  inputs_.needs = std::move(needs);
  const WatchPlan& plan = inputs_.plan;
  std::vector<std::string> awaited;
  for (const AwaitedType& type : plan.awaited) {
    awaited.push_back(fmt::format("{}: {}", type.requested.type, type.error.message));
  }
  monitor_.set_awaited(std::move(awaited));
  for (std::size_t i = members_.size(); i < plan.informers.size(); ++i) {
    if (Result<void> added = add_member(plan.informers[i]); !added) return added;
  }
  return {};
}

Result<void> InformerSet::add_member(const PlannedInformer& planned) {
  const WatchPlan& plan = inputs_.plan;
  const bool is_events = planned.type == plan.events.get();
  const InformerFlags flags = flags_of(planned, plan, inputs_.flags);
  const InformerNeeds needs =
      is_events ? needs_of_events(flags) : needs_of_type(inputs_.needs, *planned.type, flags);
  const HttpSource source = source_of(planned, flags, needs);
  Member member;
  member.planned = planned;
  member.description = description_of(planned, plan);
  member.is_late = joiner_ != nullptr || (types_ != nullptr && handlers_.of);
  member.scope = members_.size();
  Result<InformerSource> made = inputs_.connection.informer_source(source, member.description);
  if (!made) return fail(made);
  member.source = made->http;
  member.observer = &monitor_.add(
      member.description,
      [http = member.source] { return http != nullptr ? http->list_count() : ListCount(); },
      role_of(planned, plan), denial_hint_of(planned, inputs_.connection.repeated_flags()));
  if (Recorder* const recorder = stores_.recorder.get()) {
    Result<RecordedScope> scope = recorded_scope(inputs_.connection, planned, flags);
    if (!scope) return fail(scope);
    scope->is_late = member.is_late;
    const Result<std::size_t> added = recorder->add_scope(*std::move(scope));
    if (!added) return fail(added);
    member.scope = *added;
    monitor_.add_delivery_hook(*member.observer, [recorder, at = *added](const Delivered& last) {
      recorder->heard(at, last.arrived, last.resource_version);
    });
    monitor_.add_relist_hook(*member.observer, [recorder, at = *added](const Relisted& list) {
      recorder->relisted(at, {list.watched_until, list.arrived, list.reason});
    });
  }
  std::optional<EarlierState> earlier;
  if (!replay_ && !member.is_late) {
    Result<void> loaded =
        assign(earlier, earlier_state(stores_, member.scope, inputs_.flags, source));
    if (!loaded) return loaded;
  }
  if (earlier && earlier->can_resume()) {
    made->watcher = std::make_unique<ResumedSource>(std::move(made->watcher), earlier->objects,
                                                    earlier->resume_version);
  }
  // A player of recordings does not know its identity.
  member.identity = made->watcher->identity().value_or(identity_of(planned, flags, needs));
  const Result<SharedInformer*> informer = factory_.informer_for(
      member.identity, [&] { return std::move(made->watcher); }, member.observer);
  if (!informer) return fail(informer);
  member.informer = *informer;
  if (earlier) {
    log::verbose(2, "{}: {} known from an earlier start", member.description,
                 counted(earlier->objects.size(), "object"));
    Result<void> restored = (*informer)->restore(earlier->objects, earlier->is_complete);
    if (!restored) return restored;
  }
  StateSaver* const state = stores_.state.get();
  if (state != nullptr && !inputs_.flags.state.after_run) {
    monitor_.add_delivery_hook(*member.observer, [state, at = member.scope](const Delivered& last) {
      state->delivered(at, last.resource_version);
    });
  }
  Selection selection = is_events ? Selection() : plan.selection_of(planned);
  if (made->selects) {
    selection.add([selects = std::move(made->selects)](const Object& object, const Object*) {
      return selects(object);
    });
  }
  if (flags.where && !is_events) {
    selection.add(where_condition(planned, flags.where, inputs_.context.stop,
                                  [this](const Error& error) { end_with(error); }));
  }
  if (flags.failing && !is_events) {
    selection.select_failing(clock(), [&end = exit_request()] { end.notify(); });
  }
  if (needs.keeps_selected) selection.keep_selected();
  member.follows_members = !selection.has_memberships();
  if (!selection.selects_all()) {
    member.selection = std::make_shared<const Selection>(std::move(selection));
  }
  members_.push_back(std::move(member));
  return {};
}

HandlerOptions InformerSet::direct_delivery() {
  HandlerOptions options;
  options.delivery = Delivery::direct;
  return options;
}

Result<void> InformerSet::add_handlers(std::function<EventHandler&(Member&)> handler_of,
                                       const HandlerOptions& options) {
  handlers_ = {std::move(handler_of), options};
  return register_handlers();
}

Result<void> InformerSet::register_handlers() {
  // Start the recorder first. The objects restored from --state are delivered at once, and may not
  // all fit in the recorder's queue.
  if (stores_.recorder) stores_.recorder->start();
  for (Member& member : members_) {
    if (member.handling) continue;
    if (Result<void> registered = register_handler(member); !registered) return registered;
  }
  return {};
}

/// Registers the handlers of one member. With queued delivery, changes may arrive late or merged. A
/// recording must contain every change, so in that case the recorder is registered separately, with
/// direct delivery.
Result<void> InformerSet::register_handler(Member& member) {
  const bool is_direct = handlers_.options.delivery == Delivery::direct;
  Recorder* const recorder = stores_.recorder.get();
  HandlerChain::Layers layers;
  layers.selection = member.selection.get();
  layers.is_late = member.is_late;
  if (stores_.state && !inputs_.flags.state.after_run) {
    layers.saves = [&](EventHandler& inner) -> EventHandler& {
      return stores_.state->handler(member.scope, inner);
    };
  }
  if (recorder != nullptr && is_direct) {
    layers.records = [&](EventHandler& inner) -> EventHandler& {
      return recorder->handler(member.scope, &inner);
    };
  }
  if (replay_ && is_direct) {
    layers.replays = [&](EventHandler& inner) -> EventHandler& { return replay_->handler(inner); };
  }
  auto handling = std::make_unique<Member::Handling>(layers, handlers_.of(member));
  if (recorder != nullptr && !is_direct) {
    auto recording = member.informer->add_event_handler(recorder->handler(member.scope, nullptr),
                                                        direct_delivery());
    if (!recording) return fail(recording);
    handling->recording = *std::move(recording);
  }
  auto registration =
      member.informer->add_event_handler(handling->chain.front(), handlers_.options);
  if (!registration) return fail(registration);
  handling->registration = *std::move(registration);
  Result<void> observed = observe_definitions(member, *handling);
  member.handling = std::move(handling);
  return observed;
}

Result<void> InformerSet::observe_definitions(Member& member, Member::Handling& handling) {
  if (!types_ || !TypeJoiner::is_definition(member.planned.type->gvr)) return {};
  auto registration = member.informer->add_event_handler(types_->handler(), direct_delivery());
  if (!registration) return fail(registration);
  handling.definitions = *std::move(registration);
  return {};
}

Result<void> InformerSet::follow_namespaces() {
  if (inputs_.plan.one_by_one.empty() || joiner_) return {};
  Result<std::unique_ptr<NamespaceJoiner>> joiner =
      NamespaceJoiner::create(inputs_.connection, inputs_.plan, inputs_.flags, clock(),
                              [&exit_request = exit_request()] { exit_request.notify(); });
  if (!joiner) return fail(joiner);
  joiner_ = *std::move(joiner);
  return {};
}

Result<void> InformerSet::join_planned() {
  Result<void> done = add_new(inputs_.needs);
  if (done) done = register_handlers();
  if (done) start();
  return done;
}

void InformerSet::leave_planned(std::size_t member) {
  Member left = std::move(members_[member]);
  left.handling.reset();
  const std::unique_ptr<SharedInformer> informer = factory_.release(left.identity);
  monitor_.remove(*left.observer);
  members_.erase(members_.begin() + static_cast<std::ptrdiff_t>(member));
  inputs_.plan.leave(member);
  log::verbose(2, "{}: left", left.description);
}

bool InformerSet::has_synced() const {
  return monitor_.all_synced() && std::ranges::all_of(members_, [&](const Member& member) {
           return member.follows_members || has_left_out(member);
         });
}

bool InformerSet::has_handled_last_change() const {
  if (replay_ ? !replay_->has_ended() : members_.empty()) return false;
  return std::ranges::all_of(members_, [&](const Member& member) {
    const SharedInformer& informer = *member.informer;
    const bool has_last = replay_ || inputs_.connection.has_scenario_ended_at(
                                         informer.indexer().last_store_sync_resource_version());
    return has_last && informer.stats().backlog == 0;
  });
}

Clock::Duration InformerSet::sync_limit() const {
  return inputs_.flags.sync_timeout.value_or(kSyncTimeout);
}

void InformerSet::end_with(const Error& error) {
  if (exit_request().code()) return;
  report(error);
  exit_request().set(exit_code_for(error));
}

void InformerSet::follow_namespaces_now() {
  if (!joiner_ || !handlers_.of) return;
  if (const Result<void> done = joiner_->update(*this); !done) end_with(done.error());
}

void InformerSet::follow_types_now() {
  if (!types_ || !handlers_.of || !types_->is_due()) return;
  const InformerFlags& flags = inputs_.flags;
  std::vector<GroupVersionResource> lost;
  bool watched = false;
  for (const Member& member : members_) {
    const GroupVersionResource& type = member.planned.type->gvr;
    if (monitor_.is_lost(*member.observer)) lost.push_back(type);
    watched = watched || (TypeJoiner::is_definition(type) && member.informer->has_synced() &&
                          flags.selector.empty() && flags.field_selector.empty());
  }
  TypeJoiner::Difference changes = types_->update(lost, watched);
  for (const GroupVersionResource& type : changes.gone) leave_type(type);
  if (changes.come.empty()) return;
  const std::size_t before = inputs_.plan.informers.size();
  Result<void> joined = add_types(inputs_.plan, inputs_.connection, std::move(changes.come), flags);
  std::vector<std::string> names;
  for (std::size_t i = before; i < inputs_.plan.informers.size(); ++i) {
    std::string name = inputs_.plan.informers[i].type->gvr.group_resource();
    if (std::ranges::find(names, name) == names.end()) names.push_back(std::move(name));
  }
  if (!names.empty()) log::notice("the server has new types: {}", first_names(names));
  if (joined) joined = join_planned();
  if (!joined) end_with(joined.error());
}

/// Removes the informers of a type that the server no longer has. The objects that are still in
/// their caches were deleted with the type, while no watch was open.
void InformerSet::leave_type(const GroupVersionResource& type) {
  log::notice("the server no longer has {}", type.group_resource());
  for (std::size_t i = members_.size(); i-- > 0;) {
    Member& member = members_[i];
    if (member.planned.type->gvr != type) continue;
    member.informer->stop();
    const Clock::Wall now = clock().wall();
    const std::vector<ObjectPtr> left = member.informer->indexer().list();
    if (stores_.recorder && !left.empty()) {
      stores_.recorder->relisted(member.scope, {{}, now, "the type was removed"});
    }
    for (const ObjectPtr& object : left) {
      member.handling->chain.front().on_delete({.type = ChangeType::deleted,
                                                .final_state_unknown = true,
                                                .origin = {ChangeSource::relist, now},
                                                .key = object->key(),
                                                .object = object});
    }
    inputs_.plan.forget(*member.planned.type);
    leave_planned(i);
  }
}

/// Once the others are synced, a command that only lists stops the informers that were left out
/// (see has_left_out()), so that they do not retry.
void InformerSet::stop_left_out() {
  if (!inputs_.needs.list_only || !monitor_.all_synced()) return;
  for (const Member& member : members_) {
    if (has_left_out(member)) member.informer->stop();
  }
}

void InformerSet::follow_members() {
  Memberships* const memberships = inputs_.plan.memberships.get();
  if (memberships == nullptr) return;
  const bool changed = memberships->take_changed();
  for (Member& member : members_) {
    const bool counts = member.selection && member.selection->has_memberships();
    if (!counts || !member.informer->has_synced() || (member.follows_members && !changed)) continue;
    const Result<void> followed = memberships->follow(
        member.informer->indexer().list(), clock().now() + sync_limit(), inputs_.context.stop);
    if (!followed && followed.error().kind != ErrorKind::stopped) end_with(followed.error());
    if (!followed) return;
    member.follows_members = true;
    if (member.handling) member.handling->chain.refresh(clock().wall());
  }
}

Clock::Mono InformerSet::refresh_due() {
  constexpr std::chrono::hours kDay{24};
  if (replay_) return Clock::kNever;
  const Clock::Wall now = clock().wall();
  Clock::Wall next = Clock::Wall::max();
  for (const Member& member : members_) {
    if (!member.handling) continue;
    HandlerChain& chain = member.handling->chain;
    if (chain.due() <= now) chain.refresh(now);
    next = std::min(next, chain.due());
  }
  if (next == Clock::Wall::max()) return Clock::kNever;
  return clock().now() + std::clamp<Clock::Duration>(next - now, Clock::Duration::zero(), kDay);
}

/// When the initial lists are there, names the fields in --where that no object has, but only if
/// one has a similar field.
void InformerSet::hint_at_typos() {
  const auto& where = inputs_.flags.where;
  if (!where || typos_checked_ || !monitor_.all_synced()) return;
  typos_checked_ = true;
  const WatchPlan& plan = inputs_.plan;
  std::vector<ObjectPtr> objects;
  for (const Member& member : members_) {
    if (member.planned.type == plan.events.get()) continue;  // --where does not apply to them
    const std::vector<ObjectPtr> some = member.informer->indexer().list();
    objects.insert(objects.end(), some.begin(), some.end());
  }
  name_mistyped_fields(where->paths(), objects, plan);
}

void InformerSet::start() {
  if (stores_.state) stores_.state->start();
  if (!replay_) {
    if (const Result<void> started = factory_.start(); !started) end_with(started.error());
    return;
  }
  std::vector<SharedInformer*> informers;
  for (const Member& member : members_) informers.push_back(member.informer);
  replay_->start(std::move(informers));
}

void InformerSet::hold_changes() {
  if (replay_) replay_->hold();
}

bool InformerSet::has_recorded_times() const {
  return replay_ && inputs_.connection.played()->player().clock().has_wall();
}

void InformerSet::on_gap(std::function<void(const Gap& gap)> report) {
  if (replay_) inputs_.connection.played()->player().on_gap(std::move(report));
}

void InformerSet::release_changes() {
  if (replay_) replay_->release();
}

Clock::Mono InformerSet::begin_gathering(Clock::Duration limit, std::function<void()> end) {
  if (!replay_) return clock().now() + limit;
  replay_->on_gathered(std::move(end));
  return Clock::kNever;
}

void InformerSet::end_gathering(const std::function<void()>& end) {
  stores_.recorder ? stores_.recorder->gathered(end) : end();
}

void InformerSet::stop() {
  joiner_.reset();
  if (replay_) replay_->stop();
  factory_.shutdown();
  for (Member& member : members_) {
    if (!member.handling) continue;
    member.handling->registration.reset();
    member.handling->recording.reset();
    member.handling->definitions.reset();
  }
  if (stores_.recorder) stores_.recorder->finish();
}

bool InformerSet::save_state() { return !stores_.state || stores_.state->finish(); }

void InformerSet::repeat(Clock::Duration period, std::function<bool()> task) {
  task_ = {std::move(task), period, clock().now() + period};
}

bool InformerSet::wait(const std::function<bool()>& done, Clock::Mono deadline,
                       Clock::Mono recheck) {
  while (!exit_request().code()) {
    if (clock().now() >= task_.due) {
      task_.due = task_.run() ? clock().now() + task_.period : Clock::kNever;
      continue;
    }
    follow_namespaces_now();
    follow_types_now();
    follow_members();
    const Clock::Mono refresh_at = refresh_due();
    stop_left_out();
    hint_at_typos();
    if (done()) return true;
    if (clock().now() >= deadline) {
      exit_request().set(ExitCode::timed_out);
    } else if (monitor_.denied_for_good()) {
      exit_request().set(ExitCode::denied);
    } else {
      if (clock().now() >= recheck) recheck = Clock::kNever;
      const Clock::Mono join_due = joiner_ ? joiner_->due() : Clock::kNever;
      const Clock::Mono types_due = types_ ? types_->due() : Clock::kNever;
      exit_request().wait(clock(), std::min({deadline, recheck, task_.due, join_due, types_due,
                                             refresh_at, monitor_.denial_deadline()}));
    }
  }
  return false;
}

bool InformerSet::wait_for_sync(Clock::Mono deadline) {
  if (wait([&] { return has_synced(); }, deadline)) return true;
  if (exit_request().code() == ExitCode::timed_out && clock().now() >= deadline) {
    report(Error(ErrorKind::unavailable,
                 fmt::format("no initial list within {}: {}", duration_text(sync_limit()),
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
  if (const auto& where = inputs_.flags.where) {
    skipped += fmt::format(" where_failures={}", where->failures());
  }
  log::warning(
      "stats: objects={} events={}{} relists={} bytes={} decoded={} peak_rss={}kB synced_in={}",
      objects, printed_events, skipped, relists, bytes, decoded, peak_memory_kilobytes(),
      synced ? seconds_text(*synced) : "never");
}

}  // namespace kinf
