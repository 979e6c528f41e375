// SPDX-License-Identifier: Apache-2.0
// HttpConnection: an accepted connection from its first to its last byte: reads requests, asks the
// handler and sends the responses. Never waits: the reactor runs it when it can go on.
#pragma once

#include <atomic>
#include <functional>
#include <memory>
#include <optional>
#include <string>

#include "kinf/base/file_descriptor.h"
#include "kinf/sandbox/http/client_stream.h"
#include "kinf/sandbox/http/http_message.h"
#include "kinf/sandbox/http/reactor.h"
#include "kinf/sandbox/http/request_origin.h"
#include "kinf/sandbox/http/request_reader.h"
#include "kinf/sandbox/http/response_writer.h"
#include "kinf/sandbox/http/tls_identity.h"

namespace kinf::sandbox {

/// What the connections of a server share.
struct HttpService {
  std::function<HttpResponse(const HttpRequest&)> handler;  ///< runs on several threads at once
  HostNames hosts = HostNames::own;                         ///< see check_origin()
  std::size_t max_streams = 0;            ///< further streams are refused with 429
  const TlsIdentity* identity = nullptr;  ///< null: without TLS
  std::atomic<std::size_t> streams = 0;   ///< open now
};

/// Threads: one at a time.
class HttpConnection final : public Reactor::Task {
 public:
  /// `socket` is non-blocking. `service` must outlive the connection.
  HttpConnection(FileDescriptor socket, HttpService& service);
  ~HttpConnection() override;

  int descriptor() const override { return socket_.get(); }
  std::optional<Reactor::Wait> run(std::uint32_t events) override;
  /// Ends an open stream, and sends what the client can receive at once.
  void stop() override;

 private:
  enum class Step { done, waits, closes };  ///< `waits`: for `wait_`
  /// What follows when the output has been sent.
  enum class After { request, close, slow_close, discard };

  Step step();
  Step send();
  Step output_sent();
  Step write_stream();
  Step receive();
  Step discard();
  Step wait_for(const Transfer& transfer, Clock::Mono until);
  Step output(std::string text, After after);
  Step respond(RequestReader::Request request);
  void begin_stream(const RequestHead& head, HttpResponse response);
  void end_stream();
  Clock::Mono receive_deadline() const;

  FileDescriptor socket_;
  HttpService& service_;
  std::unique_ptr<ClientStream> client_;
  RequestReader reader_;
  std::string output_;
  std::size_t sent_ = 0;  ///< bytes of `output_`
  After after_ = After::request;
  std::optional<StreamEncoder> encoder_;
  std::unique_ptr<BodyStream> stream_;
  Clock::Mono progress_;  ///< when bytes last arrived or left, or began to wait
  Clock::Mono began_;     ///< when the first bytes of the request arrived
  Reactor::Wait wait_;
};

}  // namespace kinf::sandbox
