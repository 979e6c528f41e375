// SPDX-License-Identifier: Apache-2.0
#include "kinf/client/http_transfer.h"

#include <netinet/in.h>
#include <netinet/tcp.h>
#include <sys/socket.h>

#include <algorithm>
#include <charconv>

#include "kinf/base/ascii.h"
#include "kinf/base/limits.h"
#include "kinf/client/network_error.h"

namespace kinf {
namespace {

constexpr long kConnectTimeoutMs = std::chrono::milliseconds(limits::kConnectTime).count();
// libcurl fills this buffer up to 100 times before it returns (readwrite_data in its transfer.c),
// so one curl_multi_perform() reads up to 6.4 MB per transfer.
constexpr long kReadBufferBytes = 64L * 1024;
constexpr long kKeepaliveIdleSeconds = 15;
constexpr long kKeepaliveIntervalSeconds = 5;
constexpr int kKeepaliveProbes = 6;
// The connection fails if the peer acknowledges no data for this long. HTTP/2 pings would detect
// this too, but libcurl has no timeout for their responses.
constexpr int kTcpUserTimeoutMs = 45'000;
// kinf may use cached content of the system's CA file for this long. A configured CA is small, and
// is read for each connection (spec J22).
constexpr long kCaCacheSeconds = 60;
// One perform() inflates up to this many bytes (8 MiB) per transfer, and leaves the rest to the
// next perform(), so that a huge body does not delay a stop.
constexpr std::size_t kInflatedAtOnce = std::size_t{8} << 20;

// By itself, libcurl sends a request up to six times, each on a new connection, if HTTP/2 refuses
// its stream or a pooled connection was closed. HttpTransfer allows two attempts: it repeats a
// request only if it was sent on a pooled connection. Other retries are up to the caller, which
// waits between them.
constexpr int kSends = 2;

/// Sets socket options that curl_easy_setopt cannot set. Ignores errors: without these options, a
/// dead peer is only detected later.
void tune_socket(curl_socket_t socket) {
  (void)setsockopt(socket, IPPROTO_TCP, TCP_KEEPCNT, &kKeepaliveProbes, sizeof kKeepaliveProbes);
#ifdef TCP_USER_TIMEOUT
  (void)setsockopt(socket, IPPROTO_TCP, TCP_USER_TIMEOUT, &kTcpUserTimeoutMs,
                   sizeof kTcpUserTimeoutMs);
#endif
}

/// Sets a blob option to a copy of `text`.
void set_blob(CURL* easy, CURLoption option, const std::string& text) {
  curl_blob blob{};
  blob.data = const_cast<char*>(text.data());
  blob.len = text.size();
  blob.flags = CURL_BLOB_COPY;
  curl_easy_setopt(easy, option, &blob);
}

/// Sets the option `blob` to a copy of `text`. If `text` is empty, sets the option `path` to the
/// file name `file` instead.
void set_pem(CURL* easy, CURLoption blob, const std::string& text, CURLoption path,
             const std::string& file) {
  if (!text.empty()) {
    set_blob(easy, blob, text);
  } else {
    curl_easy_setopt(easy, path, file.c_str());
  }
}

/// Trusts the CA of `tls`, and not the system's CA folder.
void trust_only(CURL* easy, const TlsConfig& tls, CURLoption folder, CURLoption file,
                CURLoption blob) {
  curl_easy_setopt(easy, folder, nullptr);
  set_pem(easy, blob, tls.ca_data, file, tls.ca_file);
}

}  // namespace

HttpTransfer::HttpTransfer(HttpTransport& transport, const HttpSettings& settings,
                           const TransportRequest& request, bool fresh_connection, HttpSink& sink)
    : transport_(&transport),
      settings_(&settings),
      sink_(&sink),
      error_text_(CURL_ERROR_SIZE, '\0'),
      easy_(curl_easy_init()),
      silence_limit_(request.silence_limit),
      last_sign_of_life_(transport.clock().now()) {
  if (easy_ == nullptr) {
    finish(CURLE_OUT_OF_MEMORY);
    return;
  }
  configure(request, fresh_connection);
}

HttpTransfer::~HttpTransfer() {
  sink_ = nullptr;  // the derived part of the sink may already be destroyed
  transport_->remove(*this);
}

void HttpTransfer::configure(const TransportRequest& request, bool fresh_connection) {
  CURL* easy = easy_.get();
  curl_easy_setopt(easy, CURLOPT_NOSIGNAL, 1L);
#if LIBCURL_VERSION_NUM >= 0x075700
  // Without this, destroying a transfer waits for a name server that does not respond.
  curl_easy_setopt(easy, CURLOPT_QUICK_EXIT, 1L);
#endif
  curl_easy_setopt(easy, CURLOPT_PRIVATE, this);
  curl_easy_setopt(easy, CURLOPT_ERRORBUFFER, error_text_.data());
  curl_easy_setopt(easy, CURLOPT_HEADERFUNCTION, &HttpTransfer::on_header);
  curl_easy_setopt(easy, CURLOPT_HEADERDATA, this);
  curl_easy_setopt(easy, CURLOPT_WRITEFUNCTION, &HttpTransfer::on_body);
  curl_easy_setopt(easy, CURLOPT_WRITEDATA, this);
  curl_easy_setopt(easy, CURLOPT_PREREQFUNCTION, &HttpTransfer::on_send);
  curl_easy_setopt(easy, CURLOPT_PREREQDATA, this);
  curl_easy_setopt(easy, CURLOPT_BUFFERSIZE, kReadBufferBytes);
  curl_easy_setopt(easy, CURLOPT_SUPPRESS_CONNECT_HEADERS, 1L);
  curl_easy_setopt(easy, CURLOPT_FOLLOWLOCATION, 0L);
  curl_easy_setopt(easy, CURLOPT_CONNECTTIMEOUT_MS, kConnectTimeoutMs);
  curl_easy_setopt(easy, CURLOPT_FRESH_CONNECT, fresh_connection ? 1L : 0L);
  curl_easy_setopt(easy, CURLOPT_HTTP_VERSION, static_cast<long>(CURL_HTTP_VERSION_2TLS));
  // With TLS, wait for a connection that is being opened, because HTTP/2 can send several requests
  // on it. Without TLS, libcurl would wait for the first response on that connection.
  curl_easy_setopt(easy, CURLOPT_PIPEWAIT, settings_->server.scheme == "https" ? 1L : 0L);
  // Empty strings, not null, so that libcurl ignores the proxy variables of the environment.
  curl_easy_setopt(easy, CURLOPT_PROXY, settings_->proxy.c_str());
  curl_easy_setopt(easy, CURLOPT_NOPROXY, "");
  configure_tcp();
  configure_tls(request);
  configure_url(request);
}

void HttpTransfer::configure_tcp() {
  CURL* easy = easy_.get();
  curl_easy_setopt(easy, CURLOPT_TCP_NODELAY, 1L);
  curl_easy_setopt(easy, CURLOPT_TCP_KEEPALIVE, 1L);
  curl_easy_setopt(easy, CURLOPT_TCP_KEEPIDLE, kKeepaliveIdleSeconds);
  curl_easy_setopt(easy, CURLOPT_TCP_KEEPINTVL, kKeepaliveIntervalSeconds);
  curl_easy_setopt(easy, CURLOPT_SOCKOPTFUNCTION, &HttpTransfer::on_socket);
  curl_easy_setopt(easy, CURLOPT_SOCKOPTDATA, this);
}

void HttpTransfer::configure_url(const TransportRequest& request) {
  CURL* easy = easy_.get();
  Url target = settings_->server;
  // To verify the server under another name, use that name in the URL but connect to the real
  // address.
  if (target.scheme == "https" && !settings_->tls.server_name.empty()) {
    const Url& real = settings_->server;
    target.host = settings_->tls.server_name;
    const std::string port = std::to_string(real.effective_port());
    const std::string mapping = target.host + ":" + port + ":" + join_host_port(real.host, port);
    connect_to_.reset(curl_slist_append(nullptr, mapping.c_str()));
    curl_easy_setopt(easy, CURLOPT_CONNECT_TO, connect_to_.get());
    add_header("Host: " + real.authority());
  }
  const std::string url = target.origin() + target.path + request.target;
  curl_easy_setopt(easy, CURLOPT_URL, url.c_str());
  curl_easy_setopt(easy, CURLOPT_USERAGENT, settings_->user_agent.c_str());
  for (const std::string& header : request.headers) add_header(header);
  // Do not use CURLOPT_ACCEPT_ENCODING: libcurl would inflate everything that it reads at once.
  // GzipReader stops while the sink is full.
  if (request.accept_gzip) add_header("Accept-Encoding: gzip");
  curl_easy_setopt(easy, CURLOPT_HTTPHEADER, headers_.get());
}

void HttpTransfer::configure_tls(const TransportRequest& request) {
  CURL* easy = easy_.get();
  const TlsConfig& tls = settings_->tls;
  curl_easy_setopt(easy, CURLOPT_SSLVERSION, static_cast<long>(CURL_SSLVERSION_TLSv1_2));
  curl_easy_setopt(easy, CURLOPT_SSL_VERIFYPEER, tls.insecure ? 0L : 1L);
  curl_easy_setopt(easy, CURLOPT_SSL_VERIFYHOST, tls.insecure ? 0L : 2L);
  // As in Go, an https proxy is verified like the server.
  curl_easy_setopt(easy, CURLOPT_PROXY_SSL_VERIFYPEER, tls.insecure ? 0L : 1L);
  curl_easy_setopt(easy, CURLOPT_PROXY_SSL_VERIFYHOST, tls.insecure ? 0L : 2L);
  configure_cas();
#if LIBCURL_VERSION_NUM >= 0x075700
  curl_easy_setopt(easy, CURLOPT_CA_CACHE_TIMEOUT, tls.has_ca() ? 0L : kCaCacheSeconds);
#endif
  const bool own_cert = request.cert_pem.empty();
  if (own_cert && !tls.has_client_cert()) return;
  const std::string& cert = own_cert ? tls.cert_data : request.cert_pem;
  const std::string& key = own_cert ? tls.key_data : request.key_pem;
  set_pem(easy, CURLOPT_SSLCERT_BLOB, cert, CURLOPT_SSLCERT, tls.cert_file);
  set_pem(easy, CURLOPT_SSLKEY_BLOB, key, CURLOPT_SSLKEY, tls.key_file);
}

/// Chooses the CAs for the server and for an https proxy. Options that are not set here keep
/// libcurl's defaults.
void HttpTransfer::configure_cas() {
  CURL* easy = easy_.get();
  const TlsConfig& tls = settings_->tls;
  if (tls.has_ca()) {
    trust_only(easy, tls, CURLOPT_CAPATH, CURLOPT_CAINFO, CURLOPT_CAINFO_BLOB);
    trust_only(easy, tls, CURLOPT_PROXY_CAPATH, CURLOPT_PROXY_CAINFO, CURLOPT_PROXY_CAINFO_BLOB);
    return;
  }
  const auto set_place = [&](CURLoption option, const std::string& place) {
    if (!place.empty()) curl_easy_setopt(easy, option, place.c_str());
  };
  set_place(CURLOPT_CAINFO, tls.system_cas.file);
  set_place(CURLOPT_PROXY_CAINFO, tls.system_cas.file);
  set_place(CURLOPT_CAPATH, tls.system_cas.folder);
  set_place(CURLOPT_PROXY_CAPATH, tls.system_cas.folder);
}

void HttpTransfer::add_header(const std::string& line) {
  curl_slist* longer = curl_slist_append(headers_.get(), line.c_str());
  if (longer == nullptr) return;
  (void)headers_.release();
  headers_.reset(longer);
}

Clock::Mono HttpTransfer::silence_deadline() const {
  if (!silence_limit_ || !in_flight()) return Clock::kNever;
  return last_sign_of_life_ + *silence_limit_;
}

std::uint64_t HttpTransfer::take_received() {
  curl_off_t total = 0;
  if (easy_ == nullptr ||
      curl_easy_getinfo(easy_.get(), CURLINFO_SIZE_DOWNLOAD_T, &total) != CURLE_OK) {
    return 0;
  }
  const std::uint64_t before = received_;
  received_ = std::max(before, static_cast<std::uint64_t>(total));
  return received_ - before;
}

// libcurl calls this before it opens a new connection.
int HttpTransfer::on_socket(void* self, curl_socket_t socket, curlsocktype purpose) {
  HttpTransfer& transfer = *static_cast<HttpTransfer*>(self);
  if (transfer.sent_on_new_connection_) return CURL_SOCKOPT_ERROR;
  transfer.connects_ = true;
  if (purpose == CURLSOCKTYPE_IPCXN) tune_socket(socket);
  return CURL_SOCKOPT_OK;
}

// libcurl calls this when the connection and its TLS session are ready, before it sends the
// request.
int HttpTransfer::on_send(void* self, char*, char*, int, int) {
  HttpTransfer& transfer = *static_cast<HttpTransfer*>(self);
  if (transfer.sent_on_new_connection_ || ++transfer.sends_ > kSends) {
    return CURL_PREREQFUNC_ABORT;
  }
  transfer.sent_on_new_connection_ = std::exchange(transfer.connects_, false);
  return CURL_PREREQFUNC_OK;
}

std::size_t HttpTransfer::on_header(char* bytes, std::size_t, std::size_t size, void* self) {
  static_cast<HttpTransfer*>(self)->read_header_line({bytes, size});
  return size;
}

void HttpTransfer::read_header_line(std::string_view line) {
  last_byte_ = last_sign_of_life_ = transport_->clock().now();
  has_news_ = true;
  if (head_complete_ || sink_ == nullptr) return;  // ignore a trailer
  if (line.starts_with("HTTP/")) {
    head_ = HttpHead();
    const std::size_t space = line.find(' ');
    head_.protocol = line.substr(0, space);
    if (space != std::string_view::npos) {
      std::from_chars(line.data() + space + 1, line.data() + line.size(), head_.status);
    }
    return;
  }
  const std::string_view content = trimmed(line);
  if (content.empty()) {
    if (head_.status < 200) return;
    head_complete_ = true;
    if (equals_ignoring_case(head_.content_encoding, "gzip")) {
      gzip_ = std::make_unique<GzipReader>();
    }
    sink_->on_head(head_);
    return;
  }
  const std::size_t colon = content.find(':');
  if (colon == std::string_view::npos) return;
  const std::string_view name = content.substr(0, colon);
  const std::string value(trimmed(content.substr(colon + 1)));
  if (equals_ignoring_case(name, "content-type")) {
    head_.content_type = value;
  } else if (equals_ignoring_case(name, "content-encoding")) {
    head_.content_encoding = value;
  } else if (equals_ignoring_case(name, "retry-after")) {
    head_.retry_after = value;
  } else if (equals_ignoring_case(name, "warning") && head_.warnings.size() < limits::kWarnings) {
    head_.warnings.push_back(value);
  }
}

std::size_t HttpTransfer::on_body(char* bytes, std::size_t, std::size_t size, void* self) {
  HttpTransfer& transfer = *static_cast<HttpTransfer*>(self);
  transfer.last_byte_ = transfer.last_sign_of_life_ = transfer.transport_->clock().now();
  transfer.has_news_ = true;
  if (!transfer.gzip_) return transfer.pass_on({bytes, size}) ? size : 0;
  transfer.gzip_->feed({bytes, size});
  return transfer.inflate() ? size : 0;
}

bool HttpTransfer::pass_on(std::string_view bytes) {
  decoded_ += bytes.size();
  sink_refused_ = sink_ == nullptr || !sink_->on_bytes(bytes);
  return !sink_refused_;
}

/// Inflates until the sink is full or kInflatedAtOnce bytes are inflated. Returns false if the
/// transfer must end.
bool HttpTransfer::inflate() {
  while (inflated_ < kInflatedAtOnce && sink_ != nullptr && !sink_->is_full()) {
    Result<std::string_view> piece = gzip_->next();
    if (!piece) {
      damage_ = std::move(piece).error().within(settings_->origin);
      return false;
    }
    if (piece->empty()) return true;
    inflated_ += piece->size();
    if (!pass_on(*piece)) return false;
  }
  return true;
}

void HttpTransfer::deliver_rest() {
  inflated_ = 0;
  if (!has_rest()) return;
  const bool goes_on = inflate();
  if (!goes_on) {
    finish(CURLE_WRITE_ERROR);
    transport_->detach(*this);
  } else if (ended_ && !has_rest()) {
    finish(*ended_);
  }
}

void HttpTransfer::end(CURLcode code) {
  if (has_rest() && !sink_refused_) {
    ended_ = code;
  } else {
    finish(code);
  }
}

void HttpTransfer::finish(CURLcode code) {
  has_news_ = true;
  if (damage_) {
    outcome_ = fail(*std::move(damage_));
    return;
  }
  if (code == CURLE_OK || sink_refused_) {
    outcome_ = Result<void>();
    return;
  }
  TransferFailure failure;
  failure.curl_code = static_cast<int>(code);
  failure.detail = error_text_.c_str();
  if (failure.detail.empty()) failure.detail = curl_easy_strerror(code);
  failure.server = settings_->server.origin();
  failure.source = settings_->source;
  failure.proxy = without_secrets(settings_->proxy);
  if (easy_ != nullptr) {
    long os_errno = 0;
    curl_easy_getinfo(easy_.get(), CURLINFO_OS_ERRNO, &os_errno);
    curl_easy_getinfo(easy_.get(), CURLINFO_SSL_VERIFYRESULT, &failure.verify_result);
    failure.os_errno = static_cast<int>(os_errno);
    // Do not use CURLINFO_PRETRANSFER_TIME_T: newer versions of libcurl set it on failures, too.
    failure.connected = sends_ > 0;
  }
  outcome_ = fail(network_error(failure));
}

}  // namespace kinf
