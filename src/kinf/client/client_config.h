// SPDX-License-Identifier: Apache-2.0
// ClientConfig: everything needed to connect to one API server, as plain values. Made from a
// kubeconfig (client/config_builder.h) or a service account (client/in_cluster.h), or filled in by
// hand. Used by HttpTransport and CredentialSource.
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

namespace kinf {

/// How the server proves its identity, and the client certificate. `_data` (PEM text) wins over
/// `_file` (an absolute path) if both are set; empty: not configured. Files are read again for each
/// new connection.
struct TlsConfig {
  std::string ca_file;
  std::string ca_data;
  std::string cert_file;
  std::string cert_data;
  std::string key_file;
  std::string key_data;
  std::string server_name;  ///< for SNI and verification instead of the URL's host
  bool insecure = false;    ///< the server's certificate is not verified

  /// Whether a CA is configured; otherwise the system's own are trusted.
  bool has_ca() const { return !ca_file.empty() || !ca_data.empty(); }
  /// Whether both certificate and key are configured. One alone is not used, as in client-go.
  bool has_client_cert() const {
    return (!cert_file.empty() || !cert_data.empty()) && (!key_file.empty() || !key_data.empty());
  }
};

/// Sent as Impersonate-… headers. Without `user`, the others are not sent.
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
  std::vector<std::pair<std::string, std::string>> env;  ///< added to the environment of kinf
  std::string api_version;
  /// Whether it may read from standard input: `Never`, `IfAvailable` or `Always`.
  std::string interactive_mode = "IfAvailable";
  bool provide_cluster_info = false;
  std::string install_hint;  ///< already made safe for a terminal
  /// JSON of the cluster's extension client.authentication.k8s.io/exec, or empty.
  std::string cluster_config;
};

/// A legacy auth provider. Not supported; parsed so that the error can name it.
struct AuthProviderConfig {
  std::string name;
  std::map<std::string, std::string> config;
};

/// Where the default namespace comes from.
enum class NamespaceOrigin { built_in, flag, context, service_account };

/// A value; holds no connection.
struct ClientConfig {
  std::string host;  ///< as configured: a URL, `host` or `host:port`; server_url() completes it
  TlsConfig tls;
  std::string proxy_url;  ///< http, https or socks5; empty: the environment decides
  bool disable_compression = false;
  /// For lists and other short requests, never for a watch; zero: not configured.
  std::chrono::nanoseconds request_timeout{0};
  /// How long the server may send nothing during a short request: request_timeout, or 60 s.
  std::chrono::nanoseconds silence_limit() const {
    return request_timeout.count() > 0 ? request_timeout : std::chrono::seconds(60);
  }

  // Credentials. CredentialSource knows their precedence and rotation.
  std::string token;
  std::string token_file;  ///< absolute; wins over `token` while it can be read
  std::string username;
  std::string password;
  Impersonation impersonate;
  std::optional<ExecConfig> exec;
  std::optional<AuthProviderConfig> auth_provider;

  std::string default_namespace = "default";
  NamespaceOrigin namespace_origin = NamespaceOrigin::built_in;

  // Where the values come from, for messages.
  std::string source;  ///< `~/.kube/config`, `in-cluster`, `--server`
  std::string context;
  std::string cluster;
  std::string user;
  std::vector<std::string> contexts;  ///< all contexts of the kubeconfig, sorted
};

/// Returns the server's URL. Its path, empty or without a slash at the end, goes before every
/// request path. A host without a scheme is https if any TLS setting is configured, else http; an
/// empty host is localhost (client-go: DefaultServerURL). Errors: usage, without the password that
/// the URL may hold.
Result<Url> server_url(const ClientConfig& config);

/// Describes where the configuration comes from: `context "prod", ~/.kube/config`, or what is
/// known.
std::string describe_origin(const ClientConfig& config);

}  // namespace kinf
