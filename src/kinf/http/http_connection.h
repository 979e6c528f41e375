// SPDX-License-Identifier: Apache-2.0
// HttpConnection: serves an accepted connection from its first to its last byte. Reads requests,
// calls the handler and sends the responses. Never blocks: Asio calls it when the socket is ready,
// a timer expires or its stream has something to write.
#pragma once

// clang-format off
#include <exception>  // must precede Asio 1.74, which uses it without including it
// clang-format on

#include <atomic>
#include <boost/asio/basic_waitable_timer.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/asio/posix/basic_stream_descriptor.hpp>
#include <boost/asio/strand.hpp>
#include <chrono>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <unordered_set>

#include "kinf/base/clock.h"
#include "kinf/base/file_descriptor.h"
#include "kinf/base/sync.h"
#include "kinf/http/client_stream.h"
#include "kinf/http/http_message.h"
#include "kinf/http/request_reader.h"
#include "kinf/http/response_writer.h"
#include "kinf/http/tls_identity.h"

namespace kinf {

/// Runs the Asio handlers of one connection, or of one listening socket, one at a time.
using Strand = boost::asio::strand<boost::asio::io_context::executor_type>;
/// A socket on which Asio waits. ClientStream reads and writes it.
using WaitedSocket = boost::asio::posix::basic_stream_descriptor<Strand>;
using WaitTimer =
    boost::asio::basic_waitable_timer<std::chrono::steady_clock,
                                      boost::asio::wait_traits<std::chrono::steady_clock>, Strand>;
using WaitError = boost::system::error_code;

class HttpConnection;

/// The state that all connections of a server share.
struct HttpService {
  std::string name;                                         ///< name of the server, for the log
  std::function<HttpResponse(const HttpRequest&)> handler;  ///< runs on several threads at once
  /// Called by a thread before and after it works for a connection.
  std::function<void()> begin_work;
  std::function<void()> end_work;
  HostNames hosts = HostNames::own;       ///< accepted host names; see check_origin()
  std::size_t max_streams = 0;            ///< further streams are refused with status 429
  const TlsIdentity* identity = nullptr;  ///< null means no TLS
  std::atomic<std::size_t> streams = 0;   ///< number of open streams
  Mutex mu;
  bool stopping KINF_GUARDED_BY(mu) = false;
  /// All open connections.
  std::unordered_set<std::shared_ptr<HttpConnection>> connections KINF_GUARDED_BY(mu);
};

/// Threads: call open() and stop() from any thread. The other functions run in the connection's
/// strand.
class HttpConnection final : public std::enable_shared_from_this<HttpConnection> {
 public:
  /// Serves a non-blocking socket until the client or stop() closes it. `service` must outlive
  /// `io`.
  static void open(boost::asio::io_context& io, FileDescriptor socket, HttpService& service);
  HttpConnection(boost::asio::io_context& io, HttpService& service);
  ~HttpConnection();
  HttpConnection(const HttpConnection&) = delete;
  HttpConnection& operator=(const HttpConnection&) = delete;

  /// Ends an open stream, sends what the client can receive at once, and closes the connection.
  void stop();

 private:
  enum class Step { done, waits, closes };  ///< `waits`: until a condition in `wait_` holds
  /// What the connection does when the output has been sent.
  enum class After { request, close, slow_close, discard };
  struct Wait {
    bool to_read = false;
    bool to_write = false;
    Clock::Mono until = Clock::kNever;
  };

  void run();
  void post(void (HttpConnection::*function)());
  void wake();
  void wait();
  void wait_for_socket(WaitedSocket::wait_type type, bool& is_waiting);
  void wait_until(Clock::Mono time);
  void finish();
  void close();
  Step step();
  Step send();
  Step output_sent();
  Step write_stream();
  Step receive();
  Step read_ahead();
  Step discard();
  Step wait_for(const Transfer& transfer, Clock::Mono until);
  Step output(std::string text, After after);
  Step respond(RequestReader::Request request);
  void begin_stream(const RequestHead& head, HttpResponse response);
  void end_stream();
  Clock::Mono receive_deadline() const;

  HttpService& service_;
  Strand strand_;
  WaitedSocket socket_;
  WaitTimer timer_;
  std::unique_ptr<ClientStream> client_;
  RequestReader reader_;
  std::string output_;
  std::size_t sent_ = 0;  ///< number of bytes of `output_` that are sent
  After after_ = After::request;
  std::optional<StreamEncoder> encoder_;
  std::unique_ptr<BodyStream> stream_;
  Clock::Mono progress_;  ///< when bytes were last received, sent or added to `output_`
  Clock::Mono began_;     ///< when the first bytes of the request arrived
  Wait wait_;
  bool waits_to_read_ = false;
  bool waits_to_write_ = false;
  Clock::Mono timer_at_ = Clock::kNever;  ///< when the timer expires
  std::atomic<bool> is_woken_ = false;    ///< a call of run() is pending
};

}  // namespace kinf
