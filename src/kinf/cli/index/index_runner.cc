// SPDX-License-Identifier: Apache-2.0
#include "kinf/cli/index/index_runner.h"

#include <algorithm>
#include <utility>

#include "kinf/print/secret_mask.h"

namespace kinf {
namespace {

/// Replaces short type names in the values of @owner and @root: `deploy/web`.
Result<void> resolve_owner_types(Connection& connection, std::vector<IndexSpec>& specs) {
  for (IndexSpec& spec : specs) {
    const bool is_owner =
        spec.source() == IndexSpec::Source::owner || spec.source() == IndexSpec::Source::root;
    if (!is_owner || !spec.value()) continue;
    Result<ValuePattern> owner = resolve_owner(connection, *spec.value());
    if (!owner) return fail(owner);
    spec.set_value(*std::move(owner));
  }
  return {};
}

/// Rejects a --by whose groups would print values of Secrets without --show-secrets.
Result<void> check_secrets(const IndexCommand& command, const WatchPlan& plan) {
  if (!is_secret_type(*plan.types.front())) return {};
  if (command.output.show_secrets && !plan.secrets_masked) return {};
  for (const IndexSpec& spec : command.by) {
    if (!spec.may_show_secrets()) continue;
    return fail(ErrorKind::usage, "--by {} would print values of Secrets", spec.name())
        .with_hint(plan.secrets_masked ? "the recording has only their lengths"
                                       : "add --show-secrets to print them");
  }
  return {};
}

}  // namespace

IndexRunner::IndexRunner(const IndexCommand& command, Session& session,
                         const CommandContext& context, Clock::Mono sync_deadline)
    : command_(command),
      informer_flags_(command.informer),
      session_(session),
      context_(context),
      sync_deadline_(sync_deadline) {}

Result<void> IndexRunner::prepare() {
  if (session_.plan.types.size() != 1) {
    return fail(ErrorKind::usage, "index takes exactly one type, not a category of several");
  }
  if (Result<void> fine = check_secrets(command_, session_.plan); !fine) return fine;
  Connection& connection = *session_.connection;
  if (Result<void> done = resolve_owner_types(connection, command_.by); !done) return done;
  if (std::ranges::any_of(command_.by, &IndexSpec::follows_owners)) {
    owners_ = std::make_unique<OwnerTree>(connection, session_.plan.informer_namespaces(),
                                          informer_flags_, !command_.watch, context_.clock,
                                          [this] { note_owner_change(); });
  }
  return add_informers(session_, informer_flags_, needs_of(command_), context_);
}

Result<bool> IndexRunner::read() {
  InformerSet& informers = *session_.informers;
  informers.start();
  const bool synced = informers.wait_for_sync(sync_deadline_);
  informers.stop();
  if (!synced) return false;
  if (informer_flags_.must_exist) {
    report_absent(session_, informer_flags_, context_.exit_request);
    if (context_.exit_request.code()) return false;
  }
  if (owners_) {
    for (const InformerSet::Member& member : informers.members()) {
      const Result<void> followed =
          owners_->follow(member.objects(), sync_deadline_, context_.stop);
      if (!followed) return fail(followed);
    }
  }
  query_.emplace(session_, command_, owners_.get());
  return true;
}

Result<IndexPart> IndexRunner::part() {
  Result<IndexAnswer> answer = query_->answer();
  if (!answer) return fail(answer);
  return IndexPart{*std::move(answer), query_->values_of()};
}

Result<void> IndexRunner::watch(IndexChangeWriter& output) {
  const IndexAnswer question = IndexQuery(session_, command_, owners_.get()).question();
  IndexWatch watch(question, live_values(), output, context_.exit_request);
  Result<void> done = print_changes(watch);
  session_.informers->stop();
  if (done && informer_flags_.stats) session_.informers->print_stats(output.printed());
  return done;
}

Result<void> IndexRunner::print_changes(IndexWatch& watch) {
  InformerSet& informers = *session_.informers;
  Result<void> done = informers.add_handlers(
      [&](InformerSet::Member&) -> EventHandler& { return watch.add_handler(); });
  if (!done) return done;
  informers.hold_changes();
  informers.start();
  if (!informers.wait_for_sync(sync_deadline_) ||
      !informers.wait([&] { return watch.has_synced() || !watch.failure(); })) {
    return {};
  }
  done = watch.failure();
  if (done) done = follow_owners(watch);
  if (!done) return done;
  watch.start_printing();
  informers.release_changes();
  if (context_.environment.has_two_terminals()) {
    for (const InformerSet::Member& member : informers.members()) {
      informers.monitor().announce(member.description);
    }
  }
  informers.wait([&] {
    report_absent(session_, informer_flags_, context_.exit_request);
    if (owners_changed_.exchange(false)) done = follow_owners(watch);
    if (done) done = watch.failure();
    return !done || informers.has_handled_last_change();
  });
  return done;
}

Result<void> IndexRunner::follow_owners(IndexWatch& watch) {
  if (!owners_) return {};
  Result<void> followed = owners_->follow(
      watch.objects(), deadline_after(informer_flags_.sync_timeout, context_.clock), context_.stop);
  if (followed) watch.refresh();
  return followed;
}

void IndexRunner::note_owner_change() {
  owners_changed_ = true;
  context_.exit_request.notify();
}

ValuesOf IndexRunner::live_values() {
  return [this](const IndexSpec& spec, const Object& object) {
    if (!spec.follows_owners()) return spec.values(object);
    if (!owners_->is_known(object)) note_owner_change();
    return owners_->values(spec, object);
  };
}

}  // namespace kinf
