// SPDX-License-Identifier: Apache-2.0
// ClientConfig: the values needed to connect to one API server. Built from a kubeconfig
// (client/config_builder.h) or a service account (client/in_cluster.h), or set directly. Used by
// HttpTransport and CredentialSource.
#pragma once

#include <chrono>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "kinf/base/error.h"
#include "kinf/base/url.h"
#include "kinf/client/system_cas.h"

namespace kinf {

/// Settings to verify the server, and the client certificate. If both are set, `_data` (PEM text)
/// takes precedence over `_file` (an absolute path). Empty means not configured. Files are read
/// again for each new connection.
struct TlsConfig {
  std::string ca_file;
  std::string ca_data;
  std::string cert_file;
  std::string cert_data;
  std::string key_file;
  std::string key_data;
  std::string server_name;  ///< used for SNI and verification instead of the URL's host
  bool insecure = false;    ///< do not verify the server's certificate
  /// Trusted if no CA is configured, and for proxies.
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
  std::string install_hint;  ///< escaped for a terminal
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
  std::string proxy_url;  ///< http, https or socks5; if empty, the environment is used
  /// The `disable-compression` of the kubeconfig. See wants_compression().
  std::optional<bool> disable_compression;
  /// Applies to lists and other short requests, not to watches. Zero: not configured.
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

  // The sources of the values, for messages.
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
/// returns false for a server on a loopback address: there, the CPU time to compress costs more
/// than the bytes.
bool wants_compression(const ClientConfig& config);

/// Describes the source of the configuration: `context "prod", ~/.kube/config`. Omits unknown
/// parts.
std::string describe_origin(const ClientConfig& config);

}  // namespace kinf
