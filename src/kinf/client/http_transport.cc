// SPDX-License-Identifier: Apache-2.0
#include "kinf/client/http_transport.h"

#include <fmt/core.h>
#include <sys/utsname.h>

#include <algorithm>
#include <mutex>
#include <utility>

#include "kinf/base/ascii.h"
#include "kinf/base/sync.h"
#include "kinf/client/http_transfer.h"
#include "kinf/version.h"

namespace kinf {
namespace {

constexpr long kPooledConnections = 4;
// perform() calls libcurl again if its last call read at least kBusyBytes, because more may be
// waiting. It stops after kReadAtOnce (1 MiB).
constexpr std::uint64_t kBusyBytes = 8 * 1024;
constexpr std::uint64_t kReadAtOnce = 1024 * 1024;
// How long wait() sleeps while a stream is busy, so that several pieces can be read together. An
// API server writes 4 KB at a time. If each piece woke the reader, a list would cost the client a
// quarter more CPU time, and the server slightly more.
constexpr Clock::Duration kBusyPause = std::chrono::microseconds(500);

void start_libcurl_once() {
  static std::once_flag started;
  std::call_once(started, [] { curl_global_init(CURL_GLOBAL_DEFAULT); });
}

/// Returns Go's name of the architecture, which other clients use in their user agents.
std::string_view go_architecture(std::string_view machine) {
  if (machine == "x86_64") return "amd64";
  if (machine == "aarch64") return "arm64";
  return machine;
}

}  // namespace

std::string user_agent() {
  utsname system{};
  uname(&system);
  return fmt::format("kinf/{} ({}/{})", KINF_VERSION_STRING, to_lower(system.sysname),
                     go_architecture(system.machine));
}

/// Owns the curl multi handle. Other threads may only call wake(), which reads the handle under a
/// lock.
class HttpTransport::Multi {
 public:
  Multi() { open(); }
  ~Multi() { close(); }
  Multi(const Multi&) = delete;
  Multi& operator=(const Multi&) = delete;

  CURLM* handle() const { return handle_; }
  /// Returns false if libcurl had no descriptors or memory for the handle. To find out, wakes the
  /// handle and polls it once, which leaves it unchanged.
  bool works() const {
    return handle_ != nullptr && curl_multi_wakeup(handle_) == CURLM_OK &&
           curl_multi_poll(handle_, nullptr, 0, 0, nullptr) == CURLM_OK;
  }

  void reopen() {
    close();
    open();
    wake();  // repeats a wake-up that only the old handle may have received
  }

  void wake() {
    MutexLock lock(mu_);
    if (shared_handle_ != nullptr) curl_multi_wakeup(shared_handle_);
  }

 private:
  void open() {
    handle_ = curl_multi_init();
    curl_multi_setopt(handle_, CURLMOPT_MAXCONNECTS, kPooledConnections);
    MutexLock lock(mu_);
    shared_handle_ = handle_;
  }

  void close() {
    {
      MutexLock lock(mu_);
      shared_handle_ = nullptr;
    }
    curl_multi_cleanup(handle_);
  }

  CURLM* handle_ = nullptr;
  Mutex mu_;
  CURLM* shared_handle_ KINF_GUARDED_BY(mu_) = nullptr;
};

Result<std::unique_ptr<HttpTransport>> HttpTransport::create(const ClientConfig& config,
                                                             const ProxyEnvironment& proxies,
                                                             Clock& clock) {
  const Result<Url> server = server_url(config);
  if (!server) return fail(server);
  if (server->scheme == "https" && config.tls.insecure && config.tls.has_ca()) {
    // The message is client-go's.
    return fail(ErrorKind::usage,
                "specifying a root certificates file with the insecure flag is not allowed")
        .with_hint("remove insecure-skip-tls-verify, or the certificate-authority");
  }
  Result<std::string> proxy = choose_proxy(*server, config.proxy_url, proxies);
  if (!proxy) return fail(proxy);
  start_libcurl_once();
  const auto is_control = [](unsigned char c) { return c < 0x20 || c == 0x7f; };
  if (std::ranges::any_of(config.user_agent, is_control)) {
    return fail(ErrorKind::usage,
                "the user agent has control characters, which a header cannot have");
  }
  HttpSettings settings{
      *server,           config.tls,
      *std::move(proxy), describe_origin(config),
      server->origin(),  config.user_agent.empty() ? user_agent() : config.user_agent};
  std::unique_ptr<HttpTransport> transport(new HttpTransport(std::move(settings), clock));
  if (!transport->multi_->works()) {
    return fail(ErrorKind::internal, "cannot open connections: no memory or descriptors left");
  }
  return transport;
}

HttpTransport::HttpTransport(HttpSettings settings, Clock& clock)
    : settings_(std::make_unique<const HttpSettings>(std::move(settings))),
      clock_(&lasting_clock(clock)),
      multi_(std::make_unique<Multi>()) {}

HttpTransport::~HttpTransport() = default;

const std::string& HttpTransport::origin() const { return settings_->origin; }

std::unique_ptr<HttpTransfer> HttpTransport::start(const TransportRequest& request,
                                                   HttpSink& sink) {
  if (dial_anew_ && transfers_.empty()) {
    multi_->reopen();
    dial_anew_ = false;
  }
  auto transfer = std::make_unique<HttpTransfer>(*this, *settings_, request, dial_anew_, sink);
  if (transfer->in_flight()) curl_multi_add_handle(multi_->handle(), transfer->handle());
  transfers_.push_back(transfer.get());
  return transfer;
}

void HttpTransport::remove(HttpTransfer& transfer) {
  std::erase(transfers_, &transfer);
  detach(transfer);
}

/// Makes libcurl forget a transfer, and close its connection if the response is incomplete.
void HttpTransport::detach(const HttpTransfer& transfer) {
  if (transfer.handle() != nullptr) {
    curl_multi_remove_handle(multi_->handle(), transfer.handle());
  }
}

void HttpTransport::perform() {
  for (HttpTransfer* transfer : transfers_) transfer->deliver_rest();
  if (must_wait()) return count_bytes();
  read();
  collect_finished();
  finish_silent();
}

/// Calls libcurl until a call reads few bytes, so that the owner gets the bytes of a busy stream in
/// one go. One call reads only a single buffer or TLS record from an HTTP/1.1 connection.
void HttpTransport::read() {
  int running = 0;
  const std::uint64_t first = bytes_received();
  while (bytes_received() < first + kReadAtOnce) {
    const std::uint64_t before = bytes_received();
    curl_multi_perform(multi_->handle(), &running);
    count_bytes();
    const bool is_busy = bytes_received() - before >= kBusyBytes;
    if (running == 0 || !is_busy || must_wait()) break;
  }
  was_busy_ = running > 0 && bytes_received() - first >= kBusyBytes;
}

bool HttpTransport::must_wait() const {
  return std::any_of(transfers_.begin(), transfers_.end(), [](const HttpTransfer* transfer) {
    return transfer->is_full() || transfer->has_rest();
  });
}

void HttpTransport::count_bytes() {
  std::uint64_t received = 0;
  std::uint64_t decoded = 0;
  for (HttpTransfer* transfer : transfers_) {
    received += transfer->take_received();
    decoded += transfer->take_decoded();
  }
  bytes_received_.fetch_add(received, std::memory_order_relaxed);
  bytes_decoded_.fetch_add(decoded, std::memory_order_relaxed);
}

void HttpTransport::collect_finished() {
  int left = 0;
  while (const CURLMsg* message = curl_multi_info_read(multi_->handle(), &left)) {
    if (message->msg != CURLMSG_DONE) continue;
    HttpTransfer* transfer = nullptr;
    curl_easy_getinfo(message->easy_handle, CURLINFO_PRIVATE, &transfer);
    if (transfer->in_flight()) transfer->end(message->data.result);
  }
}

void HttpTransport::finish_silent() {
  const Clock::Mono now = clock_->now();
  for (HttpTransfer* transfer : transfers_) {
    if (now < transfer->silence_deadline()) continue;
    transfer->finish(CURLE_OPERATION_TIMEDOUT);
    detach(*transfer);
  }
}

Clock::Mono HttpTransport::next_silence() const {
  Clock::Mono next = Clock::kNever;
  for (const HttpTransfer* transfer : transfers_) {
    next = std::min(next, transfer->silence_deadline());
  }
  return next;
}

void HttpTransport::wait(Clock::Mono deadline, const std::stop_token& stop) {
  const auto has_news = [](const HttpTransfer* transfer) { return transfer->has_news(); };
  if (std::any_of(transfers_.begin(), transfers_.end(), has_news)) return;
  const std::stop_callback wake_on_stop(stop, [this] { wake(); });
  if (stop.stop_requested()) return;
  // Waits for one hour at most, because libcurl's timeout is an int in milliseconds.
  constexpr Clock::Duration kHour = std::chrono::hours(1);
  const Clock::Mono until = std::min(deadline, next_silence());
  const Clock::Mono now = clock_->now();
  if (until <= now) return;
  if (std::exchange(was_busy_, false)) {
    sleep_until(*clock_, std::min(until, now + kBusyPause), stop);
    return;
  }
  const Clock::Duration left = until == Clock::kNever ? kHour : std::min(until - now, kHour);
  const auto timeout = std::chrono::ceil<std::chrono::milliseconds>(left);
  curl_multi_poll(multi_->handle(), nullptr, 0, static_cast<int>(timeout.count()), nullptr);
}

void HttpTransport::wake() { multi_->wake(); }

void HttpTransport::reset_connections() { dial_anew_ = true; }

}  // namespace kinf
