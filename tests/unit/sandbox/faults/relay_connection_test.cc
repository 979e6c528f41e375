// SPDX-License-Identifier: Apache-2.0
// One relayed connection between two socket pairs.
#include "kinf/sandbox/faults/relay_connection.h"

#include <doctest/doctest.h>
#include <sys/socket.h>

#include <array>
#include <string>

namespace kinf::sandbox {
namespace {

using std::chrono::milliseconds;

const Clock::Mono kStart{std::chrono::seconds(1000)};

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
  void step(Clock::Mono now = kStart, const LinkOptions& link = {}) {
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
  RelayConnection connection{std::move(client.near), std::move(server.near), kStart};
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
  CHECK(relayed.connection.is_closed());
  CHECK(Relayed::receive(relayed.client.far) == "closed");

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
  relayed.step(kStart, slow);
  CHECK(Relayed::receive(relayed.client.far).empty());
  CHECK(relayed.connection.next_send(kStart, slow) == kStart + milliseconds(10));
  relayed.step(kStart + milliseconds(100), slow);
  CHECK(Relayed::receive(relayed.client.far).size() == 10);
  relayed.step(kStart + milliseconds(200), slow);
  CHECK(Relayed::receive(relayed.client.far).size() == 10);
  relayed.step(kStart + milliseconds(300), slow);
  CHECK(Relayed::receive(relayed.client.far).size() == 5);
  CHECK(relayed.connection.next_send(kStart, slow) == Clock::kNever);
}

TEST_CASE("latency delays each direction by half, and the first request by a round trip more") {
  const LinkOptions far{0, milliseconds(50)};
  Relayed relayed;
  Relayed::send(relayed.client.far, "request");
  relayed.step(kStart, far);
  CHECK(relayed.connection.next_send(kStart, far) == kStart + milliseconds(75));
  relayed.step(kStart + milliseconds(74), far);
  CHECK(Relayed::receive(relayed.server.far).empty());
  relayed.step(kStart + milliseconds(75), far);
  CHECK(Relayed::receive(relayed.server.far) == "request");

  const Clock::Mono later = kStart + milliseconds(200);
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
  relayed.step(kStart, far);
  relayed.step(kStart + milliseconds(1), far);
  CHECK_FALSE(relayed.connection.is_closed());
  relayed.step(kStart + milliseconds(25), far);
  CHECK(Relayed::receive(relayed.client.far) == "last");
  CHECK(relayed.connection.is_closed());
}

}  // namespace
}  // namespace kinf::sandbox
