// SPDX-License-Identifier: Apache-2.0
// The storage of `kinf watch --state`.
#include "kinf/recording/state_saver.h"

#include <algorithm>

#include "sim/sim_handler.h"
#include "sim/storage.h"

namespace kinf::sim {
namespace {

class StateStorage final : public Storage {
 public:
  using Storage::Storage;

  EventHandler& handler(EventHandler& output, EventOutput& printer) override {
    printer.set_state(saver_.get());
    return saver_->handler(0, output);
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
    if (saver_->step()) saved_ = printed;
  }

  void drop() override { saver_.reset(); }

  /// The state is that of one commit as a whole: the last one, or one that did not return.
  void check_file() override {
    const std::unique_ptr<StateFile> file = open_state();
    if (!file) return;
    State held{};
    for (const ObjectPtr& object : load(*file).objects) {
      held.at(object_of(object->name())) = version_of(*object);
    }
    const auto is_held = [&](const State& state) {
      return std::ranges::equal(held, state, is_same);
    };
    for (std::size_t i = 0; i < kObjects && !is_held(saved_) && !is_held(trying_); ++i) {
      setup_.verdict.expect(is_same(held.at(i), saved_.at(i)), "state",
                            "{}: {} is {} instead of {}", setup_.name, key_of(i),
                            text_of(held.at(i)), text_of(saved_.at(i)));
    }
    saved_ = trying_ = held;
  }

  std::unique_ptr<StateFile> open_state() {
    StateOptions options;
    options.server = "sim";
    options.scopes.push_back(scope());
    Result<std::unique_ptr<StateFile>> file =
        StateFile::open(disk_.path(), std::move(options), setup_.clock.wall());
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
  State saved_{};   ///< what the lines showed at the last commit
  State trying_{};  ///< and at the last try
};

}  // namespace

std::unique_ptr<Storage> make_state_storage(StorageSetup setup) {
  return std::make_unique<StateStorage>(std::move(setup));
}

}  // namespace kinf::sim
