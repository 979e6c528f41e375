// SPDX-License-Identifier: Apache-2.0
#include "kinf/recording/state/state_saver.h"

#include "kinf/base/ascii.h"

namespace kinf {
namespace {

/// Returns whether a version is a number that is not smaller than another one.
bool follows(std::string_view version, std::string_view other) {
  const auto number = parse_number<std::uint64_t>(version);
  const auto other_number = parse_number<std::uint64_t>(other);
  return number && other_number && *number >= *other_number;
}

}  // namespace

class StateSaver::Handler final : public EventHandler {
 public:
  Handler(StateSaver& saver, std::size_t scope, EventHandler& inner)
      : saver_(saver),
        scope_(scope),
        keyed_by_(saver.scope_of(saver.file_->scopes()[scope].type.type)),
        inner_(inner) {}

  void on_add(const Change& change) override { take(change); }
  void on_update(const Change& change) override {
    if (change.type == ChangeType::updated) return take(change);
    MutexLock order(saver_.order_);  // no take(): a resync changes nothing
    inner_.on_update(change);
  }
  void on_delete(const Change& change) override { take(change); }
  void on_known(const Change& known) override { inner_.on_known(known); }
  void on_synced(const SyncedEvent& event) override {
    MutexLock order(saver_.order_);
    inner_.on_synced(event);
    MutexLock lock(saver_.mu_);
    saver_.passed_.complete.insert(scope_);
    saver_.pass_version_locked(scope_, event.resource_version);
  }
  void on_idle() override { inner_.on_idle(); }

 private:
  void take(const Change& change) {
    MutexLock order(saver_.order_);
    {
      MutexLock lock(saver_.mu_);
      saver_.current_.emplace(Key{keyed_by_, change.key}, change);
    }
    inner_.handle(change);
    MutexLock lock(saver_.mu_);
    if (!saver_.current_) return;
    saver_.passed_.changes.insert_or_assign(saver_.current_->first,
                                            std::move(saver_.current_->second));
    saver_.current_.reset();
    saver_.pass_version_locked(scope_, saver_.version_after_locked(scope_, change));
  }
  StateSaver& saver_;
  const std::size_t scope_;
  const std::size_t keyed_by_;
  EventHandler& inner_;
};

void StateSaver::Batch::add(Batch&& later) {
  for (auto& [key, change] : later.changes) changes.insert_or_assign(key, std::move(change));
  complete.merge(later.complete);
  for (auto& [scope, version] : later.versions) versions.insert_or_assign(scope, version);
  later = {};
}

StateSaver::StateSaver(std::unique_ptr<StateFile> file, Clock& clock,
                       std::function<void(const Error&)> failed)
    : DiskWriter(clock, std::move(failed)), file_(std::move(file)) {}

EventHandler& StateSaver::handler(std::size_t scope, EventHandler& inner) {
  return keep(std::make_unique<Handler>(*this, scope, inner));
}

/// Returns the first scope of `type`. The saver uses it for all scopes of the type, because their
/// objects have different keys.
std::size_t StateSaver::scope_of(const ResourceType& type) const {
  const std::vector<RecordedScope>& scopes = file_->scopes();
  std::size_t scope = 0;
  while (scope + 1 < scopes.size() && scopes[scope].type.type.gvr != type.gvr) ++scope;
  return scope;
}

/// Returns the version that is complete with a change that was passed on. Empty if that is known
/// only later.
std::string StateSaver::version_after_locked(std::size_t scope, const Change& change) const {
  const auto before = versions_.find(scope);
  const bool is_event =
      change.origin.source == ChangeSource::watch && file_->scopes()[scope].is_ordered;
  if (!is_event || before == versions_.end() || before->second.empty()) return {};
  if (change.final_state_unknown || !change.object) return before->second;
  const std::string version(change.object->resource_version());
  return follows(version, before->second) ? version : before->second;
}

void StateSaver::pass_version_locked(std::size_t scope, const std::string& version) {
  if (has_dropped_) return;
  const bool is_usable = version != "0" && parse_number<std::uint64_t>(version).has_value();
  versions_[scope] = is_usable ? version : std::string();
  passed_.versions[scope] = versions_[scope];
}

void StateSaver::delivered(std::size_t scope, const std::string& version) {
  MutexLock lock(mu_);
  pass_version_locked(scope, version);
}

void StateSaver::written() {
  MutexLock lock(mu_);
  if (passed_.empty() || has_failed_) return;
  ready_.add(std::move(passed_));
  changed_.notify_all();
}

void StateSaver::not_written(const ResourceType& type, const std::string& key) {
  const Key dropped{scope_of(type), key};
  MutexLock lock(mu_);
  has_dropped_ = true;
  if (current_ && current_->first == dropped) {
    current_.reset();
  } else {
    passed_.changes.erase(dropped);
    forget_versions_locked(type, passed_);
  }
}

void StateSaver::forget_versions_locked(const ResourceType& type, Batch& batch) const {
  for (std::size_t scope = 0; scope < file_->scopes().size(); ++scope) {
    if (file_->scopes()[scope].type.type.gvr == type.gvr) batch.versions[scope].clear();
  }
}

void StateSaver::changed(const ResourceType& type, const Change& change) {
  MutexLock lock(mu_);
  if (has_failed_) return;
  ready_.changes.insert_or_assign(Key{scope_of(type), change.key}, change);
  forget_versions_locked(type, ready_);
  changed_.notify_all();
}

void StateSaver::completed(std::size_t scope) {
  MutexLock lock(mu_);
  ready_.complete.insert(scope);
  changed_.notify_all();
}

void StateSaver::reached(std::size_t scope, const std::string& version) {
  MutexLock lock(mu_);
  if (has_failed_) return;
  ready_.versions[scope] = version;
  changed_.notify_all();
}

bool StateSaver::take() {
  taken_ = std::exchange(ready_, {});
  return !taken_.empty();
}

Result<void> StateSaver::write() {
  for (const auto& [key, change] : taken_.changes) {
    if (!change.object || change.type == ChangeType::resync) continue;
    if (Result<void> saved = file_->save(key.first, change); !saved) return saved;
  }
  for (const std::size_t scope : taken_.complete) file_->set_complete(scope);
  for (const auto& [scope, version] : taken_.versions) file_->set_version(scope, version);
  taken_ = {};
  return file_->commit(clock_.wall());
}

}  // namespace kinf
