// SPDX-License-Identifier: Apache-2.0
#include "kinf/http/http_connection.h"

#include <sys/socket.h>

#include <algorithm>
#include <array>
#include <boost/asio/post.hpp>
#include <exception>
#include <utility>

#include "kinf/base/log.h"

namespace kinf {
namespace {

using std::chrono::seconds;

/// How long a connection may stay open without a request.
constexpr seconds kKeepAlive(60);
/// How long a whole request may take to arrive, and how long the pause between two reads may be.
constexpr seconds kRequestTime(60);
constexpr seconds kReadTime(10);
/// How long the server waits for a client that accepts no bytes of a response.
constexpr seconds kWriteTime(10);
/// How long the server reads and drops what a client sends after its request was refused.
constexpr seconds kDiscardTime(2);
/// After this number of steps, a connection lets other connections run.
constexpr int kStepsPerTurn = 32;
constexpr std::size_t kReadSize = 16384;
/// While a stream is open, the server reads at most this many bytes of the next requests.
constexpr std::size_t kReadAhead = 4 * kReadSize;
/// An output buffer that is larger than this is freed when it has been sent.
constexpr std::size_t kKeptBuffer = 1024;

Clock::Mono now() { return RealClock().now(); }

/// Returns the response that kube-apiserver sends when its limit on requests is reached.
HttpResponse too_many_streams() {
  return {.code = 429,
          .content_type = "text/plain; charset=utf-8",
          .body = "Too many requests, please try again later.\n",
          .headers = {{"Retry-After", "1"}}};
}

/// Tells the server when a thread starts and stops working for a connection.
class BusyThread {
 public:
  explicit BusyThread(const HttpService& service) : service_(service) { service_.begin_work(); }
  ~BusyThread() { service_.end_work(); }
  BusyThread(const BusyThread&) = delete;
  BusyThread& operator=(const BusyThread&) = delete;

 private:
  const HttpService& service_;
};

}  // namespace

HttpConnection::HttpConnection(boost::asio::io_context& io, HttpService& service)
    : service_(service),
      strand_(io.get_executor()),
      socket_(strand_),
      timer_(strand_),
      progress_(now()),
      began_(progress_) {}

HttpConnection::~HttpConnection() { end_stream(); }

void HttpConnection::open(boost::asio::io_context& io, FileDescriptor socket,
                          HttpService& service) {
  const auto connection = std::make_shared<HttpConnection>(io, service);
  WaitError error;
  connection->socket_.assign(socket.get(), error);
  if (error) return;  // the system cannot wait for another socket
  const int descriptor = socket.release();
  connection->client_ = service.identity == nullptr
                            ? plain_stream(descriptor)
                            : tls_stream(service.identity->context(), descriptor);
  {
    MutexLock lock(service.mu);
    if (service.stopping) return;
    service.connections.insert(connection);
  }
  connection->post(&HttpConnection::run);
}

void HttpConnection::stop() { post(&HttpConnection::finish); }

void HttpConnection::post(void (HttpConnection::*function)()) {
  boost::asio::post(strand_, [me = shared_from_this(), function] { ((*me).*function)(); });
}

/// May be called from any thread, even while the connection is being destroyed.
void HttpConnection::wake() {
  if (is_woken_.exchange(true)) return;
  boost::asio::post(strand_, [weak = weak_from_this()] {
    const auto me = weak.lock();
    if (!me) return;
    me->is_woken_ = false;
    me->run();
  });
}

/// Does all work that is possible without blocking.
void HttpConnection::run() {
  const BusyThread busy(service_);
  for (int i = 0; i < kStepsPerTurn && socket_.is_open(); ++i) {
    const Step made = step();
    if (made == Step::closes) return close();
    if (made == Step::waits) return wait();
  }
  if (socket_.is_open()) post(&HttpConnection::run);
}

void HttpConnection::wait() {
  if (wait_.to_read) wait_for_socket(WaitedSocket::wait_read, waits_to_read_);
  if (wait_.to_write) wait_for_socket(WaitedSocket::wait_write, waits_to_write_);
  wait_until(wait_.until);
}

void HttpConnection::wait_for_socket(WaitedSocket::wait_type type, bool& is_waiting) {
  if (std::exchange(is_waiting, true)) return;
  socket_.async_wait(type, [me = shared_from_this(), &is_waiting](const WaitError& error) {
    is_waiting = false;
    if (!error) me->run();
  });
}

/// Makes run() execute at `time` at the latest. Keeps a timer that expires earlier: run() then
/// finds nothing to do and waits again.
void HttpConnection::wait_until(Clock::Mono time) {
  if (time >= timer_at_) return;
  timer_at_ = time;
  timer_.expires_at(time);  // cancels the previous wait
  timer_.async_wait([me = shared_from_this()](const WaitError& error) {
    if (error) return;
    me->timer_at_ = Clock::kNever;
    me->run();
  });
}

void HttpConnection::finish() {
  if (stream_) {
    if (!encoder_->is_full()) stream_->write_to(*encoder_);
    encoder_->end();
    end_stream();
    after_ = After::close;
    while (!output_.empty() && send() == Step::done) {
    }
  }
  close();
}

/// Closes the socket. Asio then calls the pending handlers with an error, which releases the
/// connection.
void HttpConnection::close() {
  if (!socket_.is_open()) return;
  end_stream();
  client_.reset();  // ends the TLS connection
  timer_.cancel();
  WaitError ignored;
  socket_.close(ignored);
  MutexLock lock(service_.mu);
  service_.connections.erase(shared_from_this());
}

HttpConnection::Step HttpConnection::step() {
  if (!output_.empty()) return send();
  if (stream_) return write_stream();
  return after_ == After::discard ? discard() : receive();
}

HttpConnection::Step HttpConnection::send() {
  const Transfer sent = client_->write(std::string_view(output_).substr(sent_));
  if (sent.bytes == 0) return wait_for(sent, progress_ + kWriteTime);
  progress_ = now();
  sent_ += sent.bytes;
  return sent_ < output_.size() ? Step::done : output_sent();
}

HttpConnection::Step HttpConnection::output_sent() {
  sent_ = 0;
  output_.clear();
  if (output_.capacity() > kKeptBuffer) output_.shrink_to_fit();
  if (stream_ || after_ == After::request) return Step::done;
  if (after_ == After::close) return Step::closes;
  // Closing a socket with unread bytes could discard the response before the client has read it.
  client_ = plain_stream(socket_.native_handle());  // ends the TLS connection
  ::shutdown(socket_.native_handle(), SHUT_WR);
  after_ = After::discard;
  return Step::done;
}

HttpConnection::Step HttpConnection::write_stream() {
  const std::optional<Clock::Mono> next = stream_->write_to(*encoder_);
  if (!next) {
    encoder_->end();
    end_stream();
  }
  progress_ = now();
  if (!output_.empty()) return Step::done;
  if (!next) return output_sent();
  wait_ = {.until = *next};
  return read_ahead();
}

HttpConnection::Step HttpConnection::receive() {
  auto request = reader_.next();
  if (!request) return output(refusal_text(request.error()), After::slow_close);
  if (*request) return respond(*std::move(*request));
  if (reader_.take_continue()) return output("HTTP/1.1 100 Continue\r\n\r\n", After::request);
  std::array<char, kReadSize> buffer;
  const Transfer read = client_->read(buffer.data(), buffer.size());
  if (read.bytes == 0) return wait_for(read, receive_deadline());
  progress_ = now();
  if (reader_.is_idle()) began_ = progress_;
  reader_.add({buffer.data(), read.bytes});
  return Step::done;
}

Clock::Mono HttpConnection::receive_deadline() const {
  if (reader_.is_idle()) return progress_ + kKeepAlive;
  return std::min(began_ + kRequestTime, progress_ + kReadTime);
}

/// While a stream is open, reads the next requests, to learn when the client has disconnected. A
/// client that closes its sending side counts as disconnected, because API clients do not
/// half-close. So does a client that sends kReadAhead bytes or more.
HttpConnection::Step HttpConnection::read_ahead() {
  while (reader_.waiting() < kReadAhead) {
    std::array<char, kReadSize> buffer;
    const Transfer read = client_->read(buffer.data(), buffer.size());
    if (read.is_end()) return Step::closes;
    if (read.bytes == 0) {
      wait_.to_read = wait_.to_read || read.waits_to_read;
      wait_.to_write = wait_.to_write || read.waits_to_write;
      break;
    }
    reader_.add({buffer.data(), read.bytes});
  }
  return reader_.waiting() < kReadAhead ? Step::waits : Step::closes;
}

/// Drops the bytes that the client still sends after its request was refused.
HttpConnection::Step HttpConnection::discard() {
  std::array<char, kReadSize> buffer;
  const Transfer read = client_->read(buffer.data(), buffer.size());
  if (now() >= progress_ + kDiscardTime) return Step::closes;
  return read.bytes > 0 ? Step::done : wait_for(read, progress_ + kDiscardTime);
}

HttpConnection::Step HttpConnection::wait_for(const Transfer& transfer, Clock::Mono until) {
  if (transfer.is_end() || now() >= until) return Step::closes;
  wait_ = {transfer.waits_to_read, transfer.waits_to_write, until};
  return stream_ ? read_ahead() : Step::waits;
}

HttpConnection::Step HttpConnection::output(std::string text, After after) {
  output_ = std::move(text);
  after_ = after;
  progress_ = now();
  return Step::done;
}

HttpConnection::Step HttpConnection::respond(RequestReader::Request request) {
  if (auto problem = check_origin(request.head, service_.hosts)) {
    return output(refusal_text(*problem), After::slow_close);
  }
  const RequestHead head = std::move(request.head);
  const auto asked = to_http_request(head, std::move(request.body));
  if (!asked) return output(refusal_text(asked.error()), After::slow_close);
  HttpResponse response;
  try {
    response = service_.handler(*asked);
  } catch (const std::exception& error) {
    log::warning("{}: {} {} failed: {}", service_.name, head.method, head.target, error.what());
    return output(refusal_text({500, "internal error"}), After::close);
  }
  const bool streams = response.stream && head.method != "HEAD";
  if (streams && service_.streams.fetch_add(1) >= service_.max_streams) {
    service_.streams.fetch_sub(1);
    response = too_many_streams();
  }
  output(response_text(head, response),
         keeps_connection(head, response) ? After::request : After::close);
  if (streams && response.stream) begin_stream(head, std::move(response));
  return Step::done;
}

void HttpConnection::begin_stream(const RequestHead& head, HttpResponse response) {
  encoder_.emplace(head, response, output_);
  stream_ = std::move(response.stream);
  stream_->start([this] { wake(); });
}

void HttpConnection::end_stream() {
  if (!stream_) return;
  stream_.reset();
  encoder_.reset();
  service_.streams.fetch_sub(1);
  began_ = now();  // the time limit of a request that was read ahead starts now
}

}  // namespace kinf
