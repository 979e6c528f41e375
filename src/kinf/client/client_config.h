// SPDX-License-Identifier: Apache-2.0
// ClientConfig: the values needed to connect to one API server, with the CA certificates and the
// proxy to use. Built from a kubeconfig (client/config_builder.h) or a service account
// (client/config_choice.h), or set directly. Used by HttpTransport and CredentialSource.
#pragma once

#include <chrono>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "kinf/base/error.h"

namespace [[gnu::visibility("default")]] kinf {

struct Url;  // base/url.h

// Finds the CA certificates of the system, which are trusted if no CA is configured. Looks in the
// places of Go's crypto/x509 (root_unix.go, root_linux.go), so that kinf trusts what kubectl
// trusts.

/// The environment variables that select other CAs. Filled in by read_client_environment().
struct SystemCaEnvironment {
  std::string cert_file;  ///< $SSL_CERT_FILE
  std::string cert_dir;   ///< $SSL_CERT_DIR: a list of folders, separated by colons
};

/// Where the CA certificates are. If both members are set, both are used. An empty member means
/// libcurl's default.
struct SystemCas {
  std::string file;    ///< a PEM file with certificates
  std::string folder;  ///< a folder of certificates in files named by hash (`openssl rehash`)
};

/// Returns the paths of the system's CA certificates: a bundle file and a folder. For a path that
/// is empty, use the one in `defaults`. If the default paths do not exist, returns the bundle that
/// the Linux distribution installs, or its folder if there is no bundle. $SSL_CERT_FILE takes
/// precedence over the bundle if it names a readable file that is not empty, and $SSL_CERT_DIR over
/// the folder. Tests set `root`, which precedes all paths but those of the environment. Blocks on
/// the disk. Threads: any.
SystemCas find_system_cas(const SystemCaEnvironment& environment, const SystemCas& defaults,
                          const std::string& root = "");

/// Returns the CA file and the CA folder that libcurl was built with. Threads: any.
SystemCas libcurl_cas();

/// Settings to verify the server, and the client certificate. A `_data` member (PEM text) takes
/// precedence over the `_file` member (an absolute path) of the same name. Empty means not
/// configured. Files are read again for each new connection.
struct TlsConfig {
  std::string ca_file;
  std::string ca_data;
  std::string cert_file;
  std::string cert_data;
  std::string key_file;
  std::string key_data;
  std::string server_name;  ///< used for SNI and verification instead of the URL's host
  bool insecure = false;    ///< do not verify the server's certificate
  /// Trusted for the server and for an https proxy if no CA is configured.
  SystemCas system_cas;

  /// Returns whether a CA is configured. Otherwise the system's CAs are trusted.
  bool has_ca() const { return !ca_file.empty() || !ca_data.empty(); }
  /// Returns whether both certificate and key are configured. One without the other is ignored, as
  /// in client-go.
  bool has_client_cert() const {
    return (!cert_file.empty() || !cert_data.empty()) && (!key_file.empty() || !key_data.empty());
  }
};

/// Sent as Impersonate-… headers. If `user` is empty, none of them is sent.
struct Impersonation {
  std::string user;
  std::string uid;
  std::vector<std::string> groups;
  std::map<std::string, std::vector<std::string>> extra;
};

/// A program that prints an ExecCredential. CredentialSource runs it.
struct ExecConfig {
  std::string command;  ///< an absolute path, or a bare name to look up in PATH
  std::vector<std::string> args;
  std::vector<std::pair<std::string, std::string>> env;  ///< added to kinf's environment
  std::string api_version;
  /// Whether the program may read from standard input: `Never`, `IfAvailable` or `Always`.
  std::string interactive_mode = "IfAvailable";
  bool provide_cluster_info = false;
  std::string install_hint;  ///< shown if the program is not found; escaped for a terminal
  /// JSON of the cluster's extension client.authentication.k8s.io/exec, or empty.
  std::string cluster_config;
};

/// A legacy auth provider. Not supported; parsed so that the error can name it.
struct AuthProviderConfig {
  std::string name;
  std::map<std::string, std::string> config;
};

/// The source of the default namespace.
enum class NamespaceOrigin { built_in, flag, context, service_account };

struct ClientConfig {
  std::string host;  ///< as configured: a URL, `host` or `host:port`; see server_url()
  TlsConfig tls;
  std::string proxy_url;  ///< an http, https or socks5 URL; empty means the environment's proxy
  /// The `disable-compression` setting of the kubeconfig. See wants_compression().
  std::optional<bool> disable_compression;
  /// The User-Agent header; empty means `kinf/VERSION (SYSTEM)`. For headers that begin like those
  /// of a browser or of curl, API servers send JSON with indentation, which is twice as large.
  std::string user_agent;
  /// Applies to lists and other short requests, not to watches. Zero means not configured.
  std::chrono::nanoseconds request_timeout{0};
  /// Returns how long the server may send nothing during a short request: request_timeout if
  /// configured, otherwise 60 s.
  std::chrono::nanoseconds silence_limit() const {
    return request_timeout.count() > 0 ? request_timeout : std::chrono::seconds(60);
  }

  // Credentials. For their precedence and rotation see CredentialSource.
  std::string token;
  std::string token_file;  ///< absolute path; takes precedence over `token` if it can be read
  std::string username;
  std::string password;
  Impersonation impersonate;
  std::optional<ExecConfig> exec;
  std::optional<AuthProviderConfig> auth_provider;

  std::string default_namespace = "default";
  NamespaceOrigin namespace_origin = NamespaceOrigin::built_in;

  // Where the values come from. Shown in messages.
  std::string source;  ///< `~/.kube/config`, `in-cluster`, `--server`
  std::string context;
  std::string cluster;
  std::string user;
  std::vector<std::string> contexts;  ///< all contexts of the kubeconfig, sorted
};

/// Returns the server's URL. Its path is a prefix for all request paths and has no trailing slash.
/// A host without a scheme uses https if any TLS setting is configured, otherwise http. An empty
/// host is localhost (client-go: DefaultServerURL). Errors: usage; the message does not contain the
/// URL's password.
Result<Url> server_url(const ClientConfig& config);

/// Returns whether to ask the server for compressed responses. If the configuration does not say,
/// returns true unless the server has a loopback address, because compression costs CPU time and a
/// loopback connection is fast.
bool wants_compression(const ClientConfig& config);

/// Describes the source of the configuration: `context "prod", ~/.kube/config`. Omits unknown
/// parts.
std::string describe_origin(const ClientConfig& config);

// Chooses the proxy for an API server: the kubeconfig's proxy-url, or else the environment's.
// libcurl must not read the environment itself, because older versions do not support CIDR blocks
// in NO_PROXY, and because the caller supplies the variables. Pure functions.
// Threads: any.

/// The values of HTTPS_PROXY, HTTP_PROXY and NO_PROXY (or of their lower-case names). Filled in by
/// read_client_environment().
struct ProxyEnvironment {
  std::string https_proxy;
  std::string http_proxy;
  std::string no_proxy;
};

/// Returns whether `host` is localhost, an address in 127.0.0.0/8, or ::1.
bool is_loopback(std::string_view host);

/// Checks the proxy-url of a kubeconfig or flag, as client-go does. Allows http, https and socks5.
/// Errors: usage, with the message `could not parse: …` or `unsupported scheme …`.
Result<void> check_proxy_url(std::string_view text);

/// Returns the URL of the proxy for `server` in libcurl's form; empty for a direct connection.
/// `proxy_url`, from the kubeconfig or a flag, takes precedence over the environment. Errors:
/// usage, for a scheme other than http, https, socks5 and socks5h.
Result<std::string> choose_proxy(const Url& server, const std::string& proxy_url,
                                 const ProxyEnvironment& environment);

/// Returns whether `no_proxy` excludes `server`. Follows Go's rules: `*`, CIDR blocks, IP
/// addresses, names including their subdomains, and `.name` for subdomains only. Addresses and
/// names may have a port. Loopback addresses are always excluded.
bool bypasses_proxy(const Url& server, const std::string& no_proxy);

}  // namespace kinf
