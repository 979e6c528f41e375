// SPDX-License-Identifier: Apache-2.0
// One relayed connection between two socket pairs, and the bytes on a slow link.
#include "kinf/sandbox/faults/relay_connection.h"

#include <doctest/doctest.h>
#include <sys/socket.h>

#include <array>
#include <string>

namespace kinf::sandbox {
namespace {

using std::chrono::milliseconds;
using std::chrono::seconds;

const Clock::Mono kConnected{seconds(1000)};

struct Pair {
  Pair() {
    std::array<int, 2> fds{};
    REQUIRE(::socketpair(AF_UNIX, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0, fds.data()) == 0);
    near = FileDescriptor(fds[0]);
    far = FileDescriptor(fds[1]);
  }
  FileDescriptor near;  ///< the relay's end
  FileDescriptor far;   ///< the end of the client or of the server
};

struct Relayed {
  /// Polls and moves once.
  void step(Clock::Mono now = kConnected, const LinkOptions& link = {}) {
    std::array<pollfd, 2> fds{};
    connection.poll_for(fds[0], fds[1], now, link);
    (void)::poll(fds.data(), fds.size(), 0);
    connection.move(fds[0], fds[1], now, link);
  }
  static void send(const FileDescriptor& from, std::string_view bytes) {
    REQUIRE(::send(from.get(), bytes.data(), bytes.size(), MSG_NOSIGNAL) ==
            static_cast<ssize_t>(bytes.size()));
  }
  /// What has arrived; `closed` at the end of the stream.
  static std::string receive(const FileDescriptor& at) {
    std::array<char, 1024> buffer;
    const ssize_t size = ::recv(at.get(), buffer.data(), buffer.size(), MSG_DONTWAIT);
    if (size == 0) return "closed";
    return size < 0 ? "" : std::string(buffer.data(), static_cast<std::size_t>(size));
  }

  Pair client;
  Pair server;
  RelayConnection connection{std::move(client.near), std::move(server.near), kConnected};
};

TEST_CASE("bytes pass in both directions") {
  Relayed relayed;
  Relayed::send(relayed.client.far, "request");
  relayed.step();
  relayed.step();
  CHECK(Relayed::receive(relayed.server.far) == "request");
  Relayed::send(relayed.server.far, "answer");
  relayed.step();
  CHECK(Relayed::receive(relayed.client.far) == "answer");
  CHECK_FALSE(relayed.connection.is_closed());
}

TEST_CASE(
    "the end of the server is passed on after its last bytes, the end of the client at once") {
  Relayed relayed;
  Relayed::send(relayed.server.far, "last");
  relayed.server.far.reset();
  relayed.step();
  relayed.step();
  CHECK(Relayed::receive(relayed.client.far) == "last");
  CHECK(Relayed::receive(relayed.client.far) == "closed");
  CHECK_FALSE(relayed.connection.is_closed());  // what the client still sends is dropped
  relayed.step(kConnected + std::chrono::seconds(2));
  CHECK(relayed.connection.is_closed());

  Relayed abandoned;
  abandoned.client.far.reset();
  abandoned.step();
  CHECK(abandoned.connection.is_closed());
  CHECK(Relayed::receive(abandoned.server.far) == "closed");
}

TEST_CASE("cut and reset close the connection at once") {
  for (const FaultKind kind : {FaultKind::cut, FaultKind::reset}) {
    Relayed relayed;
    relayed.connection.apply(kind, false);
    CHECK(relayed.connection.is_closed());
    CHECK(Relayed::receive(relayed.client.far) == "closed");
    relayed.connection.apply(kind, false);
  }
}

TEST_CASE("a stalled connection passes nothing until its faults are cleared") {
  Relayed relayed;
  relayed.connection.apply(FaultKind::stall, false);
  Relayed::send(relayed.server.far, "late");
  relayed.step();
  CHECK(Relayed::receive(relayed.client.far).empty());
  relayed.connection.clear_faults();
  relayed.step();
  CHECK(Relayed::receive(relayed.client.far) == "late");

  relayed.connection.apply(FaultKind::stall, false);
  relayed.client.far.reset();
  relayed.step();
  CHECK(relayed.connection.is_closed());
}

TEST_CASE("truncate lets half of the next answer pass and closes") {
  Relayed relayed;
  relayed.connection.apply(FaultKind::truncate, false);
  relayed.step();
  CHECK_FALSE(relayed.connection.is_closed());
  Relayed::send(relayed.server.far, "0123456789");
  relayed.step();
  CHECK(relayed.connection.is_closed());
  CHECK(Relayed::receive(relayed.client.far) == "01234");
  CHECK(Relayed::receive(relayed.client.far) == "closed");
}

TEST_CASE("a fault for the first answer waits for its first bytes, and can be cleared before") {
  Relayed relayed;
  relayed.connection.apply(FaultKind::cut, true);
  relayed.connection.clear_faults();
  Relayed::send(relayed.server.far, "one");
  relayed.step();
  CHECK(Relayed::receive(relayed.client.far) == "one");
  relayed.connection.apply(FaultKind::cut, true);
  CHECK_FALSE(relayed.connection.is_closed());
  Relayed::send(relayed.server.far, "two");
  relayed.step();
  CHECK(relayed.connection.is_closed());
}

TEST_CASE("a slow connection sends what its rate allows, and says when it sends again") {
  const LinkOptions slow{100, {}};
  Relayed relayed;
  Relayed::send(relayed.server.far, std::string(25, 'x'));
  relayed.step(kConnected, slow);
  CHECK(Relayed::receive(relayed.client.far).empty());
  CHECK(relayed.connection.next_send(kConnected, slow) == kConnected + milliseconds(10));
  relayed.step(kConnected + milliseconds(100), slow);
  CHECK(Relayed::receive(relayed.client.far).size() == 10);
  relayed.step(kConnected + milliseconds(200), slow);
  CHECK(Relayed::receive(relayed.client.far).size() == 10);
  relayed.step(kConnected + milliseconds(300), slow);
  CHECK(Relayed::receive(relayed.client.far).size() == 5);
  CHECK(relayed.connection.next_send(kConnected, slow) == Clock::kNever);
}

TEST_CASE("latency delays each direction by half, and the first request by a round trip more") {
  const LinkOptions far{0, milliseconds(50)};
  Relayed relayed;
  Relayed::send(relayed.client.far, "request");
  relayed.step(kConnected, far);
  CHECK(relayed.connection.next_send(kConnected, far) == kConnected + milliseconds(75));
  relayed.step(kConnected + milliseconds(74), far);
  CHECK(Relayed::receive(relayed.server.far).empty());
  relayed.step(kConnected + milliseconds(75), far);
  CHECK(Relayed::receive(relayed.server.far) == "request");

  const Clock::Mono later = kConnected + milliseconds(200);
  Relayed::send(relayed.client.far, "again");
  Relayed::send(relayed.server.far, "answer");
  relayed.step(later, far);
  relayed.step(later + milliseconds(24), far);
  CHECK(Relayed::receive(relayed.server.far).empty());
  CHECK(Relayed::receive(relayed.client.far).empty());
  relayed.step(later + milliseconds(25), far);
  CHECK(Relayed::receive(relayed.server.far) == "again");
  CHECK(Relayed::receive(relayed.client.far) == "answer");
}

TEST_CASE("the end of a delayed answer does not overtake its bytes") {
  const LinkOptions far{0, milliseconds(50)};
  Relayed relayed;
  Relayed::send(relayed.server.far, "last");
  relayed.server.far.reset();
  relayed.step(kConnected, far);
  relayed.step(kConnected + milliseconds(1), far);
  CHECK_FALSE(relayed.connection.is_closed());
  relayed.step(kConnected + milliseconds(25), far);
  CHECK(Relayed::receive(relayed.client.far) == "last");
  CHECK(Relayed::receive(relayed.client.far) == "closed");
}

/// Takes everything that may leave now, piece by piece.
std::string take(DelayLine& line, Clock::Mono now, std::uint64_t speed = 0) {
  std::string taken;
  for (;;) {
    const std::string_view bytes = line.front(now, speed);
    if (bytes.empty()) return taken;
    taken += bytes;
    line.pop(bytes.size(), now, speed);
  }
}

TEST_CASE("bytes leave in order, none before it is due") {
  DelayLine line;
  CHECK(line.next(kConnected, 0) == Clock::kNever);
  line.push("late", kConnected + milliseconds(25));
  line.push("early", kConnected);  // as after a change of the latency
  CHECK(take(line, kConnected + milliseconds(24)).empty());
  CHECK(line.next(kConnected, 0) == kConnected + milliseconds(25));
  CHECK(take(line, kConnected + milliseconds(25)) == "lateearly");
  CHECK(line.is_empty());
}

TEST_CASE("a limit of 12 MB/s lets 12 MB leave in a second, however late the caller is") {
  DelayLine line;
  for (int i = 0; i < 200; ++i) line.push(std::string(100'000, 'x'), kConnected);
  std::size_t sent = 0;
  int wakes = 0;
  Clock::Mono now = kConnected;
  for (;;) {
    now = line.next(now, 12'000'000) + std::chrono::microseconds(wakes % 3 * 700);
    if (now > kConnected + seconds(1)) break;
    sent += take(line, now, 12'000'000).size();
    ++wakes;
  }
  CHECK(sent > 11'850'000);
  CHECK(sent <= 12'000'000);
  CHECK(wakes < 250);
}

TEST_CASE("an idle link saves nothing up, and a slow one sends single bytes") {
  DelayLine line;
  line.push("a", kConnected);
  CHECK(take(line, kConnected + milliseconds(250), 2).empty());
  CHECK(take(line, kConnected + milliseconds(500), 2) == "a");
  line.push("bcd", kConnected + seconds(60));
  CHECK(take(line, kConnected + seconds(60), 2).empty());
  CHECK(take(line, kConnected + milliseconds(60'500), 2) == "b");
}

TEST_CASE("the line is full when it holds what a link of this speed holds") {
  const auto capacity = [](std::uint64_t speed, Clock::Duration delay) {
    DelayLine line;
    while (!line.is_full(speed, delay)) line.push(std::string(1000, 'x'), kConnected);
    return line.size();
  };
  CHECK(capacity(0, {}) < 300'000);
  CHECK(capacity(0, milliseconds(25)) > 20'000'000);
  CHECK(capacity(1000, milliseconds(25)) < 300'000);
  CHECK(capacity(0, seconds(10)) < 70'000'000);
}

TEST_CASE("release lets everything leave at once") {
  DelayLine line;
  line.push("one", kConnected + seconds(9));
  line.release();
  CHECK(take(line, kConnected) == "one");
}

}  // namespace
}  // namespace kinf::sandbox
