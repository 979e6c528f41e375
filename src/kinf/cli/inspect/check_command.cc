// SPDX-License-Identifier: Apache-2.0
// kinf check: prints what kinf would use: context, server, user and namespace, and what the user
// may do with types. A line that reports a problem is followed by a hint.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "kinf/base/limits.h"
#include "kinf/base/number_text.h"
#include "kinf/base/timestamp.h"
#include "kinf/cli/connection/connection.h"
#include "kinf/cli/flags/inspect_flags.h"
#include "kinf/cli/flags/namespace_filter.h"
#include "kinf/cli/inspect/cache_verification.h"
#include "kinf/cli/inspect/type_check.h"
#include "kinf/cli/runtime/commands.h"
#include "kinf/cli/runtime/error_report.h"
#include "kinf/cli/runtime/file_writer.h"
#include "kinf/cli/selection/namespace_access.h"
#include "kinf/cli/selection/watch_plan.h"
#include "kinf/cli/session/clusters.h"
#include "kinf/client/api_client.h"
#include "kinf/client/credentials.h"
#include "kinf/client/paths.h"
#include "kinf/columns/human_duration.h"

namespace kinf {
namespace {

/// Returns the gitVersion of a /version document, or an empty string.
std::string git_version(const std::string& document) {
  if (document.size() > limits::kServerVersionBytes) return {};
  const auto json = nlohmann::json::parse(document, nullptr, false);
  if (!json.is_object() || !json.contains("gitVersion")) return {};
  return json["gitVersion"].is_string() ? json["gitVersion"].get<std::string>() : std::string();
}

std::string how_verified(const ClientConfig& config, const std::string& server) {
  if (!server.starts_with("https:")) return "none: requests are not encrypted";
  if (config.tls.insecure) return "the server's certificate is not verified";
  return config.tls.has_ca() ? "verified by the configured CA" : "verified by the system's CAs";
}

std::string origin_of(NamespaceOrigin origin) {
  switch (origin) {
    case NamespaceOrigin::flag: return "from --namespace";
    case NamespaceOrigin::context: return "from the context";
    case NamespaceOrigin::service_account: return "of the pod";
    default: return "built in";
  }
}

/// Returns the namespaces that a glob or an exclusion of -n selects. Blocks on requests.
Result<std::vector<std::string>> matching_namespaces(Connection& connection,
                                                     const NamespaceFilter& filter) {
  Result<std::vector<std::string>> names = NamespaceAccess(connection).names("");
  if (!names) return names;
  std::erase_if(*names, [&](const std::string& name) { return !filter.selects(name); });
  if (names->empty()) {
    return fail(ErrorKind::not_found, "no namespace matches")
        .with_hint("check the pattern, or use -A");
  }
  if (names->size() <= kNamespacesOneByOne) return names;
  return fail(ErrorKind::usage, "{} namespaces match, but kinf checks at most {}", names->size(),
              kNamespacesOneByOne)
      .with_hint("select fewer, or use -A");
}

/// Prints one line per step. Threads: one owner.
class Check {
 public:
  Check(const CheckCommand& command, Connection& connection, ApiClient& client,
        const ExitRequest& exit_request)
      : command_(command), connection_(connection), client_(client), exit_request_(exit_request) {
    for (const std::string& type : command.types) label_ = std::max(label_, type.size());
  }

  /// Runs all checks. Returns the exit code of a failed write, or else that of the first check that
  /// failed.
  Result<ExitCode> run() {
    check_all();
    return written_ == ExitCode::ok ? code_ : written_;
  }

 private:
  void check_all() {
    const ClientConfig& config = connection_.config();
    line("context", fmt::format("{} (from {})", config.context.empty() ? "none" : config.context,
                                config.source));
    if (!check_server()) return;
    line("TLS", how_verified(config, client_.server()));
    if (!check_user()) return;
    if (!check_namespaces()) return;
    for (const std::string& type : command_.types) check_types(type);
  }

  void line(const std::string& label, const std::string& text) {
    if (written_ != ExitCode::ok) return;
    written_ = write_stdout(fmt::format("{:<{}}   {}\n", label, label_, text), &exit_request_);
  }

  /// Prints a line about a failure, and its hint.
  void failure(const std::string& label, const std::string& text, const Error& error) {
    if (error.kind == ErrorKind::stopped) return;
    line(label, text);
    if (!error.hint.empty()) line("", "hint: " + error.hint);
    if (code_ == ExitCode::ok) code_ = exit_code_for(error);
  }

  /// Returns whether the server answers.
  bool check_server() {
    const Clock::Mono start = connection_.clock().now();
    Result<ApiAnswer> answer = client_.get("/version", connection_.stop_token());
    const auto took = connection_.clock().now() - start;
    if (answer || answer.error().status != nullptr) {
      const std::string version = answer ? git_version(answer->body) : std::string();
      line("server", fmt::format("{}   {}   answers in {} ms", client_.server(),
                                 version.empty() ? "version unknown" : version,
                                 std::chrono::ceil<std::chrono::milliseconds>(took).count()));
      return true;
    }
    Error error = std::move(answer).error();
    if (error.kind == ErrorKind::network && error.hint.empty()) {
      error.hint = connection_.network_hint();
    }
    failure("server", fmt::format("{}   {}", client_.server(), error.message), error);
    return false;
  }

  std::string expiry_text(Clock::Wall expires) const {
    const Clock::Wall now = connection_.clock().wall();
    if (now < expires) return ", expires in " + human_age(now, expires);
    return ", expired on " + timestamp_text(std::chrono::floor<std::chrono::seconds>(expires));
  }

  /// Returns whether the server accepts the credentials.
  bool check_user() {
    const ClientConfig& config = connection_.config();
    const Result<ApiAnswer> answer = client_.get("/api", connection_.stop_token());
    const CredentialSource& credentials = connection_.credentials();
    const std::string source = credentials.description();
    std::string text = fmt::format("{} ({}", config.user.empty() ? "none" : config.user,
                                   source == "none" ? "no credentials" : source);
    if (const auto expires = credentials.expires_at()) text += expiry_text(*expires);
    text += ")";
    if (!config.impersonate.user.empty()) text += " as " + config.impersonate.user;
    if (answer || answer.error().kind != ErrorKind::auth) {
      line("user", text);
      return true;
    }
    Error error = answer.error();
    if (error.hint.empty())
      error.hint = "log in again, or use another --user, --token or --context";
    failure("user", text + "   not accepted: " + error.message, error);
    return false;
  }

  /// Finds the namespaces in which to check types. Returns whether there are any.
  bool check_namespaces() {
    if (command_.global.all_namespaces) {
      line("namespace", "all (from --all-namespaces)");
      namespaces_ = {""};
      return true;
    }
    const ClientConfig& config = connection_.config();
    const std::string origin = fmt::format("({})", origin_of(config.namespace_origin));
    const std::string text = fmt::format("{} {}", config.default_namespace, origin);
    const Result<NamespaceFilter> filter = NamespaceFilter::parse(config.default_namespace);
    if (filter && filter->is_exact()) {
      namespaces_ = filter->names();
      for (const std::string& name : namespaces_) check_namespace(name, origin);
      return true;
    }
    Result<std::vector<std::string>> names =
        filter ? matching_namespaces(connection_, *filter) : std::unexpected(filter.error());
    if (!names) {
      failure("namespace", fmt::format("{}   {}", text, names.error().message), names.error());
      return false;
    }
    namespaces_ = *std::move(names);
    line("namespace", fmt::format("{}: {}", text, fmt::join(namespaces_, ", ")));
    return true;
  }

  /// Checks that a namespace exists.
  void check_namespace(const std::string& name, const std::string& origin) {
    const std::string label = name == namespaces_.front() ? "namespace" : "";
    const std::string text = fmt::format("{} {}", name, origin);
    const Result<ApiAnswer> answer =
        client_.get("/api/v1/namespaces/" + percent_encode(name), connection_.stop_token());
    if (answer || answer.error().kind != ErrorKind::not_found) return line(label, text);
    Error error = answer.error();
    error.hint = "use --namespace; kinf get namespaces lists them";
    failure(label, text + "   does not exist", error);
  }

  /// Checks the type `word`, or all types of the category `word`.
  void check_types(const std::string& word) {
    const Result<std::vector<ResourceType>> types = connection_.expand(word);
    if (!types) return failure(word, types.error().message, types.error());
    if (types->size() == 1) return check_type(word, types->front());
    for (const ResourceType& type : *types) label_ = std::max(label_, type.gvr.resource.size());
    for (const ResourceType& type : *types) check_type(type.gvr.resource, type);
  }

  /// Checks a type in each namespace. If there are several, prints the namespaces in a column.
  void check_type(const std::string& label, const ResourceType& type) {
    if (!type.namespaced || namespaces_.size() == 1) {
      return check_type_in(namespaces_.front(), label, "", type);
    }
    const std::size_t width = std::ranges::max(namespaces_, {}, &std::string::size).size();
    for (const std::string& ns : namespaces_) {
      const bool is_first = ns == namespaces_.front();
      check_type_in(ns, is_first ? label : "", fmt::format("{:<{}}   ", ns, width), type);
    }
  }

  /// Checks a type in one namespace. `column` is the text to print before the result.
  void check_type_in(const std::string& ns, const std::string& label, const std::string& column,
                     const ResourceType& type) {
    const Result<TypeCheck> check = TypeCheck::run(connection_, type, ns);
    if (!check) return failure(label, column + check.error().message, check.error());
    if (check->problem) return failure(label, column + check->text(), *check->problem);
    line(label, column + check->text());
    if (command_.verify) verify(type, ns);
  }

  void verify(const ResourceType& type, const std::string& ns) {
    const Result<CacheVerification> found = verify_cache(connection_, type, ns);
    if (!found) return failure("", "cache not verified: " + found.error().message, found.error());
    if (found->differences.empty()) {
      return line("", "cache equals the server: " + counted(found->objects, "object"));
    }
    constexpr std::size_t kShownObjects = 5;
    std::string text = fmt::format("cache differs from the server in {}:",
                                   counted(found->differences.size(), "object"));
    std::size_t shown = 0;
    for (const auto& [key, versions] : found->differences) {
      if (shown++ == kShownObjects) break;
      text += fmt::format(" {} (cached {}, server {})", key, version_text(versions.cached),
                          version_text(versions.served));
    }
    failure("", text, Error(ErrorKind::internal, text));
  }

  static std::string version_text(const std::string& version) {
    return version.empty() ? "absent" : version;
  }

  const CheckCommand& command_;
  Connection& connection_;
  ApiClient& client_;
  const ExitRequest& exit_request_;
  /// The namespaces in which types are checked; {""} means all at once.
  std::vector<std::string> namespaces_;
  std::size_t label_ = std::string_view("namespace ").size();
  ExitCode code_ = ExitCode::ok;
  ExitCode written_ = ExitCode::ok;
};

Result<ExitCode> check_one(const CheckCommand& command, const CommandContext& context) {
  const auto connection = Connection::open(
      command.global, {.request_timeout = command.request_timeout, .play_scenario = false},
      context.environment, context.clock, context.stop);
  if (!connection) return fail(connection);
  const auto client = (*connection)->new_client();
  if (!client) return fail(client);
  const Result<ExitCode> code = Check(command, **connection, **client, context.exit_request).run();
  return context.exit_request.code() ? *context.exit_request.code() : code;
}

}  // namespace

/// Checks one or more contexts. If there are several and one fails, reports the error and continues
/// with the next one. Returns the code of the first failure.
Result<ExitCode> run_command(const CheckCommand& command, const CommandContext& context) {
  const auto contexts = chosen_contexts(command.global, context.environment);
  if (!contexts) return fail(contexts);
  if (contexts->empty()) return check_one(command, context);
  ExitCode first = ExitCode::ok;
  for (const std::string& name : *contexts) {
    if (name != contexts->front()) {
      const ExitCode written = write_stdout("\n", &context.exit_request);
      if (written != ExitCode::ok) return written;
    }
    CheckCommand one = command;
    one.global.config.overrides.context = name;
    const Result<ExitCode> code = check_one(one, context);
    if (context.exit_request.code()) return *context.exit_request.code();
    if (!code) report(code.error(), name);
    if (first == ExitCode::ok) first = code ? *code : exit_code_for(code.error());
  }
  return first;
}

}  // namespace kinf
