// SPDX-License-Identifier: Apache-2.0
// ClientConfig: everything needed to talk to one API server, as plain values. Made from a
// kubeconfig (client/kubeconfig.h) or a service account (client/in_cluster.h), or filled by hand;
// consumed by the transport and by CredentialSource. It opens nothing and holds no connection.
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

/// Who the server must be and who we are on the TLS level. Of a pair, `_data` (PEM text) wins over
/// `_file` (absolute path) when both are filled; empty = not configured. Only files may rotate.
struct TlsConfig {
  std::string ca_file;
  std::string ca_data;
  std::string cert_file;
  std::string cert_data;
  std::string key_file;
  std::string key_data;
  std::string server_name;  ///< for SNI and verification instead of the URL's host
  bool insecure = false;    ///< the server's certificate is not verified

  bool has_ca() const { return !ca_file.empty() || !ca_data.empty(); }
  /// A certificate without its key is not used, as in client-go.
  bool has_client_cert() const {
    return (!cert_file.empty() || !cert_data.empty()) && (!key_file.empty() || !key_data.empty());
  }
};

/// Sent as Impersonate-… headers. `uid`, `groups` and `extra` mean nothing without `user`.
struct Impersonation {
  std::string user;
  std::string uid;
  std::vector<std::string> groups;
  std::map<std::string, std::vector<std::string>> extra;
};

/// A program that prints an ExecCredential (client/credentials.h runs it).
struct ExecConfig {
  std::string command;  ///< absolute, or a bare name to be found in PATH
  std::vector<std::string> args;
  std::vector<std::pair<std::string, std::string>> env;  ///< added to the process's own
  std::string api_version;
  /// May it read from our standard input? `Never`, `IfAvailable` or `Always`.
  std::string interactive_mode = "IfAvailable";
  bool provide_cluster_info = false;
  std::string install_hint;  ///< control characters already made visible
  /// JSON of the cluster's extension client.authentication.k8s.io/exec, or empty.
  std::string cluster_config;
};

/// The in-tree login plugins of old. kinf runs none of them; kept to say so by name.
struct AuthProviderConfig {
  std::string name;
  std::map<std::string, std::string> config;
};

/// Who decided which namespace is the default one.
enum class NamespaceOrigin { built_in, flag, context, service_account };

/// Threads: a value.
struct ClientConfig {
  std::string host;  ///< as written: URL, `host` or `host:port`; server_url() completes it
  TlsConfig tls;
  std::string proxy_url;  ///< http, https or socks5; empty = the environment decides
  bool disable_compression = false;
  /// For lists and other short requests, never for a watch; zero = not given.
  std::chrono::nanoseconds request_timeout{0};
  /// The longest silence of a short request: request_timeout, or 60 s.
  std::chrono::nanoseconds silence_limit() const {
    return request_timeout.count() > 0 ? request_timeout : std::chrono::seconds(60);
  }

  // Who we are. For requests use CredentialSource, which knows about precedence and rotation.
  std::string token;
  std::string token_file;  ///< absolute; wins over `token` while it can be read
  std::string username;
  std::string password;
  Impersonation impersonate;
  std::optional<ExecConfig> exec;
  std::optional<AuthProviderConfig> auth_provider;

  std::string default_namespace = "default";
  NamespaceOrigin namespace_origin = NamespaceOrigin::built_in;

  // Where all this came from, for messages.
  std::string source;  ///< `~/.kube/config`, `in-cluster`, `--server`
  std::string context;
  std::string cluster;
  std::string user;
  std::vector<std::string> contexts;  ///< every context that could have been chosen, sorted
};

/// The server's address; `path` stands before every request path: empty, or `/k8s/clusters/c-1`
/// without a slash at the end. Without a scheme it is https if anything about TLS is configured,
/// else http; no host at all is localhost (as client-go's DefaultServerURL). Error: usage, which
/// shows no password.
Result<Url> server_url(const ClientConfig& config);

/// For messages: `context "prod", ~/.kube/config`, or only what is known of it.
std::string describe_origin(const ClientConfig& config);

}  // namespace kinf
