// SPDX-License-Identifier: Apache-2.0
#include "kinf/sandbox/http/http_connection.h"

#include <poll.h>
#include <sys/socket.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <exception>
#include <utility>

#include "kinf/base/file_descriptor.h"
#include "kinf/base/log.h"
#include "kinf/sandbox/http/request_conversion.h"
#include "kinf/sandbox/http/socket_stream.h"
#include "kinf/sandbox/http/tls_stream.h"

namespace kinf::sandbox {
namespace {

using std::chrono::seconds;

/// How long a connection may be without a request.
constexpr seconds kKeepAlive(60);
/// The time from the first to the last byte of a request, and between two reads.
constexpr seconds kRequestTime(60);
constexpr seconds kReadTime(10);
/// How long a client may receive nothing of what is sent to it.
constexpr seconds kWriteTime(10);
/// How long the rest of a refused request is read.
constexpr seconds kDiscardTime(2);
/// After this number of steps, other connections have a turn.
constexpr int kStepsPerTurn = 32;
constexpr std::size_t kReadSize = 16384;
/// A buffer that is larger is freed when it has been sent.
constexpr std::size_t kKeptBuffer = 1024;

constexpr std::uint32_t kPeerClosed = kPollPeerClosed;
constexpr std::uint32_t kGone = kPeerClosed | POLLHUP | POLLERR;

Clock::Mono now() { return RealClock().now(); }

/// The answer of kube-apiserver's limit on requests.
HttpResponse too_many_streams() {
  HttpResponse response;
  response.code = 429;
  response.content_type = "text/plain; charset=utf-8";
  response.body = "Too many requests, please try again later.\n";
  response.headers = {{"Retry-After", "1"}};
  return response;
}

std::unique_ptr<ClientStream> client_stream(int socket, const TlsIdentity* identity) {
  if (identity == nullptr) return std::make_unique<SocketStream>(socket);
  return std::make_unique<TlsStream>(identity->context(), socket);
}

}  // namespace

HttpConnection::HttpConnection(FileDescriptor socket, HttpService& service)
    : socket_(std::move(socket)),
      service_(service),
      client_(client_stream(socket_.get(), service.identity)),
      progress_(now()),
      began_(progress_) {}

HttpConnection::~HttpConnection() { end_stream(); }

/// A client that closes its sending side during a stream counts as disconnected, because API
/// clients do not half-close.
std::optional<Reactor::Wait> HttpConnection::run(std::uint32_t events) {
  if (stream_ && (events & kGone) != 0) return std::nullopt;
  for (int i = 0; i < kStepsPerTurn; ++i) {
    const Step made = step();
    if (made == Step::closes) return std::nullopt;
    if (made == Step::waits) return wait_;
  }
  return Reactor::Wait{0, Clock::Mono::min()};
}

void HttpConnection::stop() {
  if (!stream_) return;
  if (!encoder_->is_full()) stream_->write_to(*encoder_);
  encoder_->end();
  end_stream();
  after_ = After::close;
  while (!output_.empty() && send() == Step::done) {
  }
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
  client_ = std::make_unique<SocketStream>(socket_.get());  // ends TLS
  ::shutdown(socket_.get(), SHUT_WR);
  after_ = After::discard;
  return Step::done;
}

HttpConnection::Step HttpConnection::write_stream() {
  const std::optional<Clock::Mono> next = stream_->write_to(*encoder_);
  if (!next) {
    encoder_->end();
    end_stream();
  }
  if (output_.empty() && next) {
    wait_ = {kPeerClosed, *next};
    return Step::waits;
  }
  progress_ = now();
  return output_.empty() ? output_sent() : Step::done;
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

/// Drops what the client still sends after a refusal.
HttpConnection::Step HttpConnection::discard() {
  std::array<char, kReadSize> buffer;
  const Transfer read = client_->read(buffer.data(), buffer.size());
  if (now() >= progress_ + kDiscardTime) return Step::closes;
  return read.bytes > 0 ? Step::done : wait_for(read, progress_ + kDiscardTime);
}

HttpConnection::Step HttpConnection::wait_for(const Transfer& transfer, Clock::Mono until) {
  if (transfer.waits_for == 0 || now() >= until) return Step::closes;
  wait_ = {transfer.waits_for | (stream_ ? kPeerClosed : 0U), until};
  return Step::waits;
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
    log::warning("sandbox: {} {} failed: {}", head.method, head.target, error.what());
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
}

}  // namespace kinf::sandbox
