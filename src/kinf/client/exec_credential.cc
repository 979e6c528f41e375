// SPDX-License-Identifier: Apache-2.0
#include "kinf/client/exec_credential.h"

#include <fmt/format.h>

#include <charconv>
#include <nlohmann/json.hpp>

#include "kinf/base/base64.h"
#include "kinf/base/limits.h"
#include "kinf/base/read_file.h"
#include "kinf/base/timestamp.h"
#include "kinf/base/trimmed.h"
#include "kinf/base/yaml_document.h"

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

/// Parses JSON or YAML. Output that begins with `{` is JSON, as in client-go: text after the
/// document, such as a second document, is an error.
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
    if (!cluster) return std::unexpected(cluster.error());
    spec["cluster"] = *cluster;
  }
  spec["interactive"] = interactive;
  const nlohmann::ordered_json document = {
      {"kind", "ExecCredential"}, {"apiVersion", exec.api_version}, {"spec", std::move(spec)}};
  return document.dump(-1, ' ', false, Json::error_handler_t::replace);
}

Result<ExecAnswer> read_exec_credential(std::string_view output, std::string_view api_version) {
  const Result<Json> document = parse_output(output);
  if (!document) return std::unexpected(document.error());
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

}  // namespace kinf
