// SPDX-License-Identifier: Apache-2.0
#include "kinf/cli/index/index_watch.h"

#include <doctest/doctest.h>
#include <fcntl.h>
#include <unistd.h>

#include <array>
#include <chrono>
#include <thread>

#include "fakes/change_builder.h"
#include "fakes/object_builder.h"

namespace kinf {
namespace {

/// The owner of every object, as the test says. The first time it is asked, it waits until it is
/// asked again, but not for long: the second question must not be possible meanwhile.
class Owner {
 public:
  std::vector<std::string> values() {
    MutexLock lock(mu_);
    std::vector<std::string> answer = {name_};
    if (++asked_ > 1) {
      changed_.notify_all();
      return answer;
    }
    changed_.notify_all();
    const auto deadline = std::chrono::steady_clock::now() + std::chrono::milliseconds(100);
    while (asked_ == 1 && std::chrono::steady_clock::now() < deadline) {
      changed_.wait_until(mu_, deadline, {});
    }
    return answer;
  }
  void rename(std::string name) {
    MutexLock lock(mu_);
    while (asked_ == 0) changed_.wait(mu_);
    name_ = std::move(name);
  }

 private:
  Mutex mu_;
  CondVar changed_;
  int asked_ KINF_GUARDED_BY(mu_) = 0;
  std::string name_ KINF_GUARDED_BY(mu_) = "old";
};

TEST_CASE("a value computed before an owner changed does not replace the newer one") {
  std::array<int, 2> ends{};
  REQUIRE(::pipe2(ends.data(), O_NONBLOCK) == 0);
  ResourceType pods;
  pods.gvr = {"", "v1", "pods"};
  IndexAnswer question;
  question.resource = &pods;
  question.specs = {IndexSpec::parse("@owner").value()};
  Owner owner;
  ExitRequest exit_request;
  FileWriter writer(ends[1]);
  IndexChangeWriter output(IndexChanges(false), {}, writer, exit_request);
  IndexWatch watch(
      question, [&](const IndexSpec&, const Object&) { return owner.values(); }, output,
      exit_request);
  EventHandler& handler = watch.add_handler();
  {
    std::jthread informer(
        [&] { handler.on_add(test::make_added(test::make_object(test::ObjectSpec()))); });
    owner.rename("new");
    watch.refresh();
  }
  watch.start_printing();
  std::array<char, 256> buffer{};
  const ssize_t size = ::read(ends[0], buffer.data(), buffer.size());
  const std::string text(buffer.data(), size > 0 ? static_cast<std::size_t>(size) : 0);
  CHECK(text.starts_with("new "));
  for (const int end : ends) ::close(end);
}

}  // namespace
}  // namespace kinf
