// SPDX-License-Identifier: Apache-2.0
// The storage of `kinf watch --state`.
#include "kinf/recording/state/state_saver.h"

#include <algorithm>

#include "sim/sim_handler.h"
#include "sim/storage.h"

namespace kinf::sim {
namespace {

/// Notes when the first list is complete.
class SyncNote final : public EventHandler {
 public:
  void on_add(const Change& change) override { inner->on_add(change); }
  void on_update(const Change& change) override { inner->on_update(change); }
  void on_delete(const Change& change) override { inner->on_delete(change); }
  void on_known(const Change& known) override { inner->on_known(known); }
  void on_synced(const SyncedEvent& event) override {
    has_synced = true;
    inner->on_synced(event);
  }
  void on_idle() override { inner->on_idle(); }

  EventHandler* inner = nullptr;
  bool has_synced = false;
};

class StateStorage final : public Storage {
 public:
  using Storage::Storage;

  EventHandler& handler(EventHandler& output, EventOutput& printer) override {
    printer.set_state(saver_.get());
    output_.inner = &output;
    return saver_->handler(0, output_);
  }

 private:
  EarlierState open_file() override {
    std::unique_ptr<StateFile> file = open_state();
    if (!file) return {};
    EarlierState earlier = load(*file);
    saver_ = std::make_unique<StateSaver>(std::move(file), setup_.clock,
                                          [this](const Error& error) { fail(error); });
    return earlier;
  }

  void commit(bool is_last, const State& printed) override {
    (void)is_last;
    if (has_failed()) return;
    trying_ = printed;
    saver_->step();
    if (!saver_->has_failed() && commits_.back() != printed) commits_.push_back(printed);
  }

  void drop() override { saver_.reset(); }

  void checkpointed() override { durable_ = commits_.size() - 1; }

  void forget() override {
    commits_ = {trying_ = State{}}, durable_ = 0;
    output_.has_synced = false;
  }

  /// The state is that of one commit as a whole: the last one, one that did not return, or, after
  /// a power failure, an earlier one.
  void check_file(bool power_failed) override {
    const std::unique_ptr<StateFile> file = open_state();
    if (!file) return;
    const EarlierState earlier = load(*file);
    setup_.verdict.expect(!earlier.is_complete || output_.has_synced, "state",
                          "{} is complete before its first list", setup_.name);
    output_.has_synced = earlier.is_complete;
    const State held = state_of(earlier);
    const std::size_t first = power_failed ? durable_ : commits_.size() - 1;
    const State& last = commits_.back();
    for (std::size_t i = 0; i < kObjects && !is_commit(held, first); ++i) {
      setup_.verdict.expect(is_same(held.at(i), last.at(i)), "state", "{}: {} is {} instead of {}",
                            setup_.name, key_of(i), text_of(held.at(i)), text_of(last.at(i)));
    }
    if (power_failed) setup_.verdict.trace("{} goes back to {}", setup_.name, place_of(held));
    go_on_with(held);  // durable: the end of this connection makes a checkpoint
  }

  /// SQLite has no checksums of the main file. So old and new pages may pass for a state that never
  /// was, but each of its objects was once in it.
  bool check_damage() override {
    const bool is_intact = disk_.is_intact();
    Result<std::unique_ptr<StateFile>> file =
        StateFile::open(disk_.path(), state_options(), setup_.clock.wall());
    if (!file) return check_message(file.error()), false;
    Result<EarlierState> earlier = (*file)->load(0, {});
    if (!earlier) return check_message(earlier.error()), false;
    for (const ObjectPtr& object : earlier->objects) expect_known(*object);
    const State held = state_of(*earlier);
    if (!is_intact || !is_commit(held, 0)) return use_damaged(**file, *earlier), false;
    setup_.verdict.trace("{} goes back to {}", setup_.name, place_of(held));
    output_.has_synced = earlier->is_complete;
    go_on_with(held);
    return true;
  }

  void expect_known(const Object& object) {
    const std::size_t number = object_of(object.name());
    const auto has = [&](const State& state) {
      return number < kObjects && is_same(state.at(number), version_of(object));
    };
    setup_.verdict.expect(std::ranges::any_of(commits_, has) || has(trying_), "state",
                          "{}: {} was never {}", setup_.name, object.name(),
                          text_of(version_of(object)));
  }

  /// kinf cannot know that the file is damaged. It may fail, but says why.
  void use_damaged(StateFile& file, const EarlierState& earlier) {
    Result<void> saved;
    for (const ObjectPtr& object : earlier.objects) {
      if (saved) saved = file.save(0, {.key = object->key(), .object = object});
    }
    if (saved) saved = file.commit(setup_.clock.wall());
    if (!saved) check_message(saved.error());
  }

  void go_on_with(const State& held) {
    if (commits_.back() != held) commits_.push_back(held);
    durable_ = commits_.size() - 1;
    trying_ = held;
  }

  static State state_of(const EarlierState& earlier) {
    State state{};
    for (const ObjectPtr& object : earlier.objects) {
      const std::size_t number = object_of(object->name());
      if (number < kObjects) state.at(number) = version_of(*object);
    }
    return state;
  }

  /// Returns which commit has this state.
  std::string place_of(const State& held) const {
    std::size_t place = commits_.size();
    while (place > 0 && !std::ranges::equal(held, commits_[place - 1], is_same)) --place;
    return fmt::format("commit {} of {}", place, commits_.size());
  }

  bool is_commit(const State& held, std::size_t first) const {
    const auto is_held = [&](const State& state) {
      return std::ranges::equal(held, state, is_same);
    };
    return is_held(trying_) || std::any_of(commits_.begin() + static_cast<std::ptrdiff_t>(first),
                                           commits_.end(), is_held);
  }

  StateOptions state_options() const {
    StateOptions options;
    options.server.address = "sim";
    options.scopes.push_back(scope());
    return options;
  }

  std::unique_ptr<StateFile> open_state() {
    Result<std::unique_ptr<StateFile>> file =
        StateFile::open(disk_.path(), state_options(), setup_.clock.wall());
    setup_.verdict.expect(file.has_value(), "state", "{} does not open: {}", setup_.name,
                          file ? "" : file.error().message);
    return file ? *std::move(file) : nullptr;
  }

  EarlierState load(StateFile& file) {
    Result<EarlierState> earlier = file.load(0, {});
    setup_.verdict.expect(earlier.has_value(), "state", "{} cannot be read: {}", setup_.name,
                          earlier ? "" : earlier.error().message);
    return earlier ? *std::move(earlier) : EarlierState();
  }

  std::unique_ptr<StateSaver> saver_;
  SyncNote output_;
  std::vector<State> commits_{State{}};  ///< what the lines showed at each commit to this file
  std::size_t durable_ = 0;              ///< the last one that no power failure can lose
  State trying_{};                       ///< what the lines showed at the last try
};

}  // namespace

std::unique_ptr<Storage> make_state_storage(StorageSetup setup) {
  return std::make_unique<StateStorage>(std::move(setup));
}

}  // namespace kinf::sim
