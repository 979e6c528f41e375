// SPDX-License-Identifier: Apache-2.0
#include "kinf/print/time_text.h"

#include <doctest/doctest.h>

#include <cstdlib>
#include <ctime>
#include <optional>

namespace kinf {
namespace {

/// The process's time zone while it lives. Only for tests, which have one thread here.
class TimeZone {
 public:
  explicit TimeZone(const char* zone) {
    if (const char* before = std::getenv("TZ")) before_ = before;
    setenv("TZ", zone, 1);
    tzset();
  }
  ~TimeZone() {
    if (before_) {
      setenv("TZ", before_->c_str(), 1);
    } else {
      unsetenv("TZ");
    }
    tzset();
  }

 private:
  std::optional<std::string> before_;
};

const Clock::Wall kTime{std::chrono::milliseconds(1795256042118)};

TEST_CASE("a time is shown in the zone of the process") {
  const TimeZone zone("XYZ-05:30");  // POSIX: west is positive
  CHECK(time_text(TimeForm::short_form, kTime, {}) == "15:44:02.118");
  CHECK(time_text(TimeForm::rfc3339, kTime, {}) == "2026-11-21T15:44:02.118+05:30");
  CHECK(time_text(TimeForm::unix_time, kTime, {}) == "1795256042.118");
}

TEST_CASE("UTC is Z, and milliseconds keep their zeros") {
  const TimeZone zone("UTC0");
  CHECK(time_text(TimeForm::rfc3339, kTime, {}) == "2026-11-21T10:14:02.118Z");
  CHECK(time_text(TimeForm::short_form, kTime - std::chrono::milliseconds(117), {}) ==
        "10:14:02.001");
}

TEST_CASE("a relative time counts from the start") {
  const auto after = [](std::chrono::milliseconds since) {
    return time_text(TimeForm::relative, kTime + since, kTime);
  };
  using namespace std::chrono_literals;
  CHECK(after(0ms) == "+0.000s");
  CHECK(after(2118ms) == "+2.118s");
  CHECK(after(62s) == "+1m02.000s");
  CHECK(after(3723004ms) == "+1h02m03.004s");
  CHECK(after(-5ms) == "-0.005s");
}

TEST_CASE("an event soon after a start within a millisecond is not before it") {
  using namespace std::chrono_literals;
  const Clock::Wall start = kTime + 700us;
  CHECK(time_text(TimeForm::relative, start, start) == "+0.000s");
  CHECK(time_text(TimeForm::relative, start + 200us, start) == "+0.000s");
  CHECK(time_text(TimeForm::relative, start + 1500us, start) == "+0.001s");
}

TEST_CASE("the usual times fit the width that is kept for them") {
  const TimeZone zone("XYZ-05:30");
  for (const TimeForm form : {TimeForm::short_form, TimeForm::rfc3339, TimeForm::unix_time}) {
    CHECK(time_text(form, kTime, {}).size() == time_width(form));
  }
  CHECK(time_text(TimeForm::relative, kTime + std::chrono::minutes(59), kTime).size() <=
        time_width(TimeForm::relative));
}

}  // namespace
}  // namespace kinf
