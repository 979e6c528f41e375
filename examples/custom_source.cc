// SPDX-License-Identifier: Apache-2.0
// An informer on a source that is no API server: any list with versions, and any stream of changes
// to it, can have a cache, indices and handlers. Here, three lamps are switched on one by one.
#include <kinf/kinf.h>

#include <cstdio>
#include <utility>

namespace {

kinf::ObjectPtr lamp(int number, bool on, int version) {
  const std::string name = "lamp-" + std::to_string(number);
  const std::string revision = std::to_string(version);
  const std::string json = R"({"metadata":{"name":")" + name + R"(","resourceVersion":")" +
                           revision + R"("},"on":)" + (on ? "true" : "false") + "}";
  kinf::ObjectFacts facts;
  facts.kind = "Lamp";
  facts.name = name;
  facts.uid = name;
  facts.resource_version = revision;
  facts.json = json;
  return kinf::Object::create(facts);
}

constexpr int kLamps = 3;

/// One page with all lamps, complete at once.
class Lamps final : public kinf::ListCall {
 public:
  explicit Lamps(kinf::ListSink& sink) : sink_(sink) {}
  std::optional<kinf::Result<kinf::ListPage>> poll() override {
    for (int i = 0; i < kLamps; ++i) sink_.item(lamp(i, false, i + 1));
    return kinf::ListPage{.resource_version = std::to_string(kLamps), .continue_token = ""};
  }

 private:
  kinf::ListSink& sink_;
};

/// Switches on a lamp at each call. Then it stays open, without further changes.
class Switch final : public kinf::WatchCall {
 public:
  explicit Switch(kinf::Clock& clock) : clock_(clock) {}
  kinf::WatchPoll poll() override {
    const int step = step_++;
    if (step == 0) return kinf::WatchOpened{};
    if (step > kLamps) return kinf::WatchPending{};
    kinf::WatchEvent event;
    event.type = kinf::WatchEventType::modified;
    event.object = lamp(step - 1, true, kLamps + step);
    event.resource_version = event.object->resource_version();
    return event;
  }
  kinf::Clock::Mono last_byte() const override { return clock_.now(); }

 private:
  kinf::Clock& clock_;
  int step_ = 0;
};

class LampSource final : public kinf::ListerWatcher {
 public:
  explicit LampSource(kinf::Clock& clock) : clock_(clock) {}
  std::unique_ptr<kinf::ListCall> list(const kinf::ListOptions&, kinf::ListSink& sink) override {
    return std::make_unique<Lamps>(sink);
  }
  std::unique_ptr<kinf::WatchCall> watch(const kinf::ListOptions&) override {
    return std::make_unique<Switch>(clock_);
  }
  /// Nothing happens after the last lamp, so this waits only for the end.
  void wait(kinf::Clock::Mono deadline, const std::stop_token& stop) override {
    const kinf::MutexLock lock(mutex_);
    while (!std::exchange(woken_, false) && !stop.stop_requested() && clock_.now() < deadline) {
      clock_.wait_until(changed_, mutex_, deadline, stop);
    }
  }
  void wake() override {
    const kinf::MutexLock lock(mutex_);
    woken_ = true;
    changed_.notify_all();
  }
  bool supports_watch_list() const override { return false; }
  std::string description() const override { return "lamps"; }

 private:
  kinf::Clock& clock_;
  kinf::Mutex mutex_;
  kinf::CondVar changed_;
  bool woken_ = false;
};

}  // namespace

int main() {
  kinf::RealClock clock;
  kinf::SharedInformer informer(std::make_unique<LampSource>(clock), clock);
  std::stop_source over;
  int lit = 0;
  kinf::FunctionHandler printer({
      .on_add = [](auto& change) { std::printf("%s is off\n", change.key.c_str()); },
      .on_update =
          [&](auto& change) {
            std::printf("%s is on\n", change.key.c_str());
            if (++lit == kLamps) over.request_stop();
          },
  });
  const auto registration = kinf::or_exit(informer.add_event_handler(printer));
  kinf::or_exit(informer.run(over.get_token()));
}
