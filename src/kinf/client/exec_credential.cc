// SPDX-License-Identifier: Apache-2.0
#include "kinf/client/exec_credential.h"

#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "kinf/base/ascii.h"
#include "kinf/base/base64.h"
#include "kinf/base/duration.h"
#include "kinf/base/files.h"
#include "kinf/base/limits.h"
#include "kinf/base/log.h"
#include "kinf/base/sync.h"
#include "kinf/base/timestamp.h"
#include "kinf/base/visible_text.h"
#include "kinf/base/yaml_document.h"
#include "kinf/process/child_process.h"

namespace kinf {
namespace {

using Json = nlohmann::json;

Result<Json> describe_cluster(const ClientConfig& config, const ExecConfig& exec) {
  Json cluster = {{"server", config.host}};
  if (!config.tls.server_name.empty()) cluster["tls-server-name"] = config.tls.server_name;
  if (config.tls.insecure) cluster["insecure-skip-tls-verify"] = true;
  std::string ca = config.tls.ca_data;
  if (ca.empty() && !config.tls.ca_file.empty()) {
    Result<std::string> text = read_file(config.tls.ca_file, limits::kAuthoritiesBytes);
    if (!text) {
      return fail(ErrorKind::usage,
                  "failed to load CA bundle for execProvider: " + text.error().message);
    }
    ca = *std::move(text);
  }
  if (!ca.empty()) cluster["certificate-authority-data"] = base64_encode(ca);
  if (!config.proxy_url.empty()) cluster["proxy-url"] = config.proxy_url;
  if (config.disable_compression.value_or(false)) cluster["disable-compression"] = true;
  cluster["config"] = nullptr;
  if (!exec.cluster_config.empty()) {
    Json extension = Json::parse(exec.cluster_config, nullptr, false);
    if (!extension.is_discarded()) cluster["config"] = std::move(extension);
  }
  return cluster;
}

/// Returns a string field of `object`; "" if it is missing, nullopt if it is not a string.
std::optional<std::string> text_of(const Json& object, const char* key) {
  const auto found = object.find(key);
  if (found == object.end() || found->is_null()) return "";
  if (!found->is_string()) return std::nullopt;
  return found->get<std::string>();
}

std::unexpected<Error> refuse(std::string message) {
  return fail(ErrorKind::auth, std::move(message));
}

/// Parses JSON or YAML. As in client-go, output that begins with `{` must be a single JSON
/// document; any text after it is an error.
Result<Json> parse_output(std::string_view output) {
  Json document;
  if (trimmed(output).starts_with('{')) {
    document = Json::parse(output, nullptr, false);
    if (document.is_discarded()) return refuse("decoding stdout: not a single JSON document");
  } else {
    Result<Json> yaml = parse_yaml(output);
    if (!yaml) return refuse("decoding stdout: " + yaml.error().message);
    document = *std::move(yaml);
  }
  if (!document.is_object()) return refuse("decoding stdout: not an ExecCredential");
  return document;
}

bool looks_like_pem(const std::string& text, std::string_view kind) {
  const std::size_t begin = text.find("-----BEGIN ");
  return begin != std::string::npos && text.find(kind, begin) != std::string::npos;
}

Result<ExecAnswer> read_status(const Json& status) {
  const auto token = text_of(status, "token");
  const auto cert = text_of(status, "clientCertificateData");
  const auto key = text_of(status, "clientKeyData");
  const auto expires = text_of(status, "expirationTimestamp");
  if (!token || !cert || !key || !expires) {
    return refuse("decoding stdout: a field of status is not a string");
  }
  if (token->empty() && cert->empty() && key->empty()) {
    return refuse("exec plugin didn't return a token or cert/key pair");
  }
  if (cert->empty() != key->empty()) {
    return refuse("exec plugin returned only certificate or key, not both");
  }
  if (!cert->empty() &&
      !(looks_like_pem(*cert, "CERTIFICATE-----") && looks_like_pem(*key, "PRIVATE KEY-----"))) {
    return refuse("failed parsing client key/certificate: not PEM");
  }
  ExecAnswer answer{*token, *cert, *key, std::nullopt};
  if (!expires->empty()) {
    const auto time = parse_timestamp(*expires);
    if (!time) return refuse("decoding stdout: expirationTimestamp is not a time");
    answer.expires = wall_time(*time);
  }
  return answer;
}

}  // namespace

Result<std::string> exec_info(const ClientConfig& config, const ExecConfig& exec,
                              bool interactive) {
  nlohmann::ordered_json spec = nlohmann::ordered_json::object();
  if (exec.provide_cluster_info) {
    const Result<Json> cluster = describe_cluster(config, exec);
    if (!cluster) return fail(cluster);
    spec["cluster"] = *cluster;
  }
  spec["interactive"] = interactive;
  const nlohmann::ordered_json document = {
      {"kind", "ExecCredential"}, {"apiVersion", exec.api_version}, {"spec", std::move(spec)}};
  return document.dump(-1, ' ', false, Json::error_handler_t::replace);
}

Result<ExecAnswer> read_exec_credential(std::string_view output, std::string_view api_version) {
  const Result<Json> document = parse_output(output);
  if (!document) return fail(document);
  const auto kind = text_of(*document, "kind");
  const auto version = text_of(*document, "apiVersion");
  if (!kind || !version || kind->empty() || version->empty()) {
    return refuse("decoding stdout: kind and apiVersion are missing");
  }
  if (*kind != "ExecCredential") {
    return refuse(fmt::format("decoding stdout: kind {} instead of ExecCredential", *kind));
  }
  if (*version != api_version) {
    return refuse(
        fmt::format("exec plugin is configured to use API version {}, plugin returned version {}",
                    api_version, *version));
  }
  const auto status = document->find("status");
  if (status == document->end() || status->is_null()) {
    return refuse("exec plugin didn't return a status field");
  }
  if (!status->is_object()) return refuse("decoding stdout: status is not a map");
  return read_status(*status);
}

namespace {

/// kinf logs a notice if a plugin runs longer than this, because the command prints nothing until
/// the plugin ends.
constexpr std::chrono::seconds kPatience(5);

std::string base_name(const std::string& path) { return path.substr(path.rfind('/') + 1); }

std::unexpected<Error> not_installed(const ExecConfig& exec) {
  constexpr const char* kHint =
      "the kubeconfig requires this credential plugin (users[].user.exec): install it or add it to "
      "PATH";
  return fail(ErrorKind::auth, "exec: executable {} not found", visible_text(exec.command))
      .with_hint(exec.install_hint.empty() ? kHint : exec.install_hint);
}

/// Converts an error from running the plugin to one of kind auth. Leaves errors of kind stopped
/// unchanged.
std::unexpected<Error> run_error(const ExecConfig& exec, Error error) {
  if (error.kind == ErrorKind::stopped) return fail(std::move(error));
  if (error.kind == ErrorKind::not_found) return not_installed(exec);
  return fail(ErrorKind::auth, "exec: executable {}: {}", visible_text(exec.command),
              error.message);
}

Result<void> check_exit(const ExecConfig& exec, const ChildExit& exit) {
  if (exit.signal != 0) {
    return fail(ErrorKind::auth, "exec: executable {} was killed by signal {}",
                visible_text(exec.command), exit.signal);
  }
  if (exit.code != 0) {
    return fail(ErrorKind::auth, "exec: executable {} failed with exit code {}",
                visible_text(exec.command), exit.code);
  }
  return {};
}

/// The credential of an exec plugin, cached until it expires or the server rejects it.
/// Threads: call every function from any thread. One caller of identity() runs the plugin; the
/// others wait for the result.
class ExecCredentials final : public CredentialSource {
 public:
  ExecCredentials(const ClientConfig& config, std::vector<std::string> headers,
                  CredentialOptions options, Clock& clock)
      : config_(config),
        headers_(std::move(headers)),
        options_(std::move(options)),
        clock_(&clock) {}

  Result<RequestIdentity> identity() override {
    {
      MutexLock lock(mu_);
      while (asking_ && !options_.stop.stop_requested()) answered_.wait(mu_, options_.stop);
      if (asking_) return fail(ErrorKind::stopped, "stopped");
      const bool expired = held_ && held_->expires && clock_->wall() > *held_->expires;
      if (held_ && !expired) return held_->identity;
      asking_ = true;
    }
    Result<Held> fresh = ask_plugin();
    MutexLock lock(mu_);
    asking_ = false;
    answered_.notify_all();
    if (!fresh) {
      Error error = std::move(fresh).error().within("getting credentials");
      if (error.hint.empty()) error.hint = "check the credential plugin (users[].user.exec)";
      return fail(std::move(error));
    }
    held_ = *std::move(fresh);
    return held_->identity;
  }
  void invalidate(const RequestIdentity& refused) override {
    MutexLock lock(mu_);
    if (held_ && held_->identity == refused) held_.reset();
  }
  std::string description() const override {
    return "exec: " + visible_text(base_name(config_.exec->command));
  }
  std::optional<Clock::Wall> expires_at() const override {
    MutexLock lock(mu_);
    return held_ ? held_->expires : std::nullopt;
  }

 private:
  struct Held {
    RequestIdentity identity;
    std::optional<Clock::Wall> expires;
  };

  Result<Held> ask_plugin() const {
    const ExecConfig& exec = *config_.exec;
    const Result<bool> interactive = is_interactive();
    if (!interactive) return fail(interactive);
    const Result<std::string> info = exec_info(config_, exec, *interactive);
    if (!info) return fail(info);

    ChildCommand command;
    command.path = find_executable(exec.command, options_.environment);
    if (command.path.empty()) return not_installed(exec);
    command.arguments = exec.args;
    command.environment = options_.environment;
    for (const auto& [name, value] : exec.env) command.environment.push_back(name + "=" + value);
    command.environment.push_back("KUBERNETES_EXEC_INFO=" + *info);
    command.interactive = *interactive;

    const auto limit = *interactive ? options_.interactive_timeout : options_.exec_timeout;
    command.slow_after = kPatience;
    command.on_slow = [this, limit] {
      log::notice("waiting for the credential plugin {}; it is ended after {}",
                  visible_text(base_name(config_.exec->command)), duration_text(limit));
    };
    const Result<ChildExit> exit =
        run_child(command, *clock_, clock_->now() + limit, options_.stop);
    if (!exit) return run_error(exec, exit.error());
    if (auto good = check_exit(exec, *exit); !good) return fail(good);
    Result<ExecAnswer> answer = read_exec_credential(exit->output, exec.api_version);
    if (!answer) return fail(answer);
    if (!is_header_value(answer->token)) {
      return fail(ErrorKind::auth, "exec plugin returned a token with control characters");
    }
    Held held{{headers_, answer->cert_pem, answer->key_pem}, answer->expires};
    if (!answer->token.empty()) {
      held.identity.headers.push_back("Authorization: Bearer " + answer->token);
    }
    return held;
  }
  Result<bool> is_interactive() const {
    const std::string& mode = config_.exec->interactive_mode;
    if (mode == "Never") return false;
    if (mode != "Always") return options_.stdin_is_terminal && options_.stdin_taken.empty();
    std::string problem;
    if (!options_.stdin_is_terminal) {
      problem = "standard input is not a terminal";
    } else if (!options_.stdin_taken.empty()) {
      problem = "standard input is unavailable: " + options_.stdin_taken;
    }
    if (problem.empty()) return true;
    return fail(ErrorKind::auth, "exec plugin cannot support interactive mode: " + problem);
  }

  const ClientConfig config_;
  const std::vector<std::string> headers_;
  const CredentialOptions options_;
  Clock* const clock_;
  mutable Mutex mu_;
  CondVar answered_;
  bool asking_ KINF_GUARDED_BY(mu_) = false;
  std::optional<Held> held_ KINF_GUARDED_BY(mu_);
};

}  // namespace

std::unique_ptr<CredentialSource> exec_credentials(const ClientConfig& config,
                                                   std::vector<std::string> headers,
                                                   CredentialOptions options, Clock& clock) {
  return std::make_unique<ExecCredentials>(config, std::move(headers), std::move(options), clock);
}

}  // namespace kinf
