// SPDX-License-Identifier: Apache-2.0
// Tests a part of a program without a server, threads or waiting: a resync after ten minutes and
// the end of an outage take no time. A framework for tests would replace expect().
#include <kinf/kinf.h>
#include <kinf/testing.h>

#include <cstdio>
#include <cstdlib>

namespace {

// The part of the program: counts the pods that have failed.
class FailedPods {
 public:
  explicit FailedPods(kinf::SharedInformer& pods)
      : registration_(kinf::or_exit(
            pods.add_event_handler([this](const kinf::Change& change) { note(change); },
                                   {.resync = std::chrono::minutes(10)}))) {}
  int failed() const { return failed_; }
  int reminders() const { return reminders_; }

 private:
  bool has_failed(const kinf::ObjectPtr& pod) const {
    return pod && !phase_.values(*pod).empty() && phase_.values(*pod)[0] == "Failed";
  }
  void note(const kinf::Change& change) {
    if (change.type == kinf::ChangeType::resync) ++reminders_;
    if (has_failed(change.old)) --failed_;
    if (has_failed(change.object)) failed_ += change.type == kinf::ChangeType::deleted ? -1 : 1;
  }

  kinf::Path phase_ = kinf::or_exit(kinf::Path::parse(".status.phase"));
  int failed_ = 0;
  int reminders_ = 0;
  kinf::HandlerRegistration registration_;
};

std::string pod(const char* phase) {
  return std::string(R"({"kind":"Pod","metadata":{"namespace":"shop","name":"web"},)") +
         R"("status":{"phase":")" + phase + "\"}}";
}

void expect(bool holds, const char* what) {
  std::printf("%s: %s\n", holds ? "passed" : "FAILED", what);
  if (!holds) std::exit(EXIT_FAILURE);
}

}  // namespace

int main() {
  kinf::testing::FakeClock clock;
  auto source = std::make_unique<kinf::testing::FakeSource>(clock, "pods");
  kinf::testing::FakeSource& server = *source;
  kinf::SharedInformer pods(std::move(source), clock);
  const FailedPods counter(pods);
  kinf::or_exit(server.put(pod("Running")));
  kinf::or_exit(pods.begin());
  kinf::testing::settle(pods);
  expect(pods.has_synced() && counter.failed() == 0, "a running pod is not counted");

  kinf::or_exit(server.put(pod("Failed")));
  kinf::testing::settle(pods);
  expect(counter.failed() == 1, "a failed pod is counted");

  kinf::testing::advance(pods, clock, std::chrono::minutes(25));
  expect(counter.reminders() == 2, "a resync comes every ten minutes");

  server.fail({kinf::ErrorKind::network, "connection refused"});
  server.remove("shop/web");
  kinf::testing::advance(pods, clock, std::chrono::minutes(1));
  expect(counter.failed() == 1, "an outage changes nothing");
  server.recover();
  kinf::testing::advance(pods, clock, std::chrono::minutes(1));
  expect(counter.failed() == 0, "what was deleted in an outage is noticed after it");
  pods.finish();
}
