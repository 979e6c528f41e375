// SPDX-License-Identifier: Apache-2.0
// Follows apimachinery's api/errors: a known reason determines the error kind; otherwise, the HTTP
// status code does. If a response contains no Status, kinf makes one with client-go's message,
// because scripts may search for that message.
#include "kinf/api/api_status.h"

#include <fmt/format.h>

#include <algorithm>
#include <limits>

#include "kinf/api/json_members.h"
#include "kinf/base/ascii.h"
#include "kinf/base/limits.h"

namespace kinf {
namespace {

namespace ondemand = simdjson::ondemand;

constexpr std::string_view kTooLarge = "Too large resource version";

struct ReasonKind {
  std::string_view reason;
  ErrorKind kind;
};

using enum ErrorKind;
constexpr ReasonKind kReasons[] = {{"Unauthorized", auth},
                                   {"Forbidden", forbidden},
                                   {"NotFound", not_found},
                                   {"AlreadyExists", already_exists},
                                   {"Conflict", conflict},
                                   {"Gone", expired},
                                   {"Expired", expired},
                                   {"TooManyRequests", throttled},
                                   {"ServerTimeout", unavailable},
                                   {"Timeout", unavailable},
                                   {"StorageReadError", unavailable},
                                   {"InternalError", unavailable},
                                   {"ServiceUnavailable", unavailable},
                                   {"Invalid", usage},
                                   {"BadRequest", usage},
                                   {"MethodNotAllowed", usage},
                                   {"NotAcceptable", usage},
                                   {"RequestEntityTooLarge", usage},
                                   {"UnsupportedMediaType", usage}};

/// Returns the row of a known reason; null for others.
const ReasonKind* find_reason(std::string_view reason) {
  const auto* const found = std::ranges::find(kReasons, reason, &ReasonKind::reason);
  return found == std::end(kReasons) ? nullptr : found;
}

ErrorKind kind_of_code(int code) {
  constexpr std::pair<int, ErrorKind> kKinds[] = {{401, auth},      {403, forbidden},
                                                  {404, not_found}, {409, conflict},
                                                  {410, expired},   {429, throttled}};
  for (const auto& [known, kind] : kKinds) {
    if (known == code) return kind;
  }
  if (code >= 500) return ErrorKind::unavailable;
  return code >= 400 ? ErrorKind::usage : ErrorKind::protocol;
}

bool is_too_large(const ApiStatus& status) {
  const bool timeout =
      status.reason == "Timeout" || (status.code == 504 && find_reason(status.reason) == nullptr);
  for (const ApiStatus::Cause& cause : status.causes) {
    if (cause.reason == "ResourceVersionTooLarge") return true;
    if (timeout && cause.message == kTooLarge) return true;
  }
  return timeout && status.message.contains(kTooLarge);
}

ErrorKind kind_of(const ApiStatus& status) {
  if (is_too_large(status)) return ErrorKind::too_large_version;
  if (status.code == 429) return ErrorKind::throttled;
  const ReasonKind* const known = find_reason(status.reason);
  return known != nullptr ? known->kind : kind_of_code(status.code);
}

std::string string_of(ondemand::value& value) {
  std::string_view text;
  if (value.get_string().get(text) != simdjson::SUCCESS) return {};
  if (text.size() <= limits::kErrorTextBytes) return std::string(text);
  text = text.substr(0, limits::kErrorTextBytes);
  while (!text.empty() && (static_cast<unsigned char>(text.back()) & 0xC0U) == 0x80U) {
    text.remove_suffix(1);
  }
  text.remove_suffix(1);  // the first byte of a UTF-8 character that may be incomplete
  return std::string(text) + "…";
}

std::int64_t integer_of(ondemand::value& value) {
  std::int64_t number = 0;
  return value.get_int64().get(number) == simdjson::SUCCESS ? number : 0;
}

simdjson::error_code read_causes(ondemand::value value, ApiStatus& status) {
  return for_each_element(value, [&](ondemand::value element) {
    if (status.causes.size() == limits::kCauses) return simdjson::SUCCESS;
    ApiStatus::Cause& cause = status.causes.emplace_back();
    return for_each_member(element, [&](JsonMember& member) {
      if (member.name == "reason") cause.reason = string_of(member.value);
      if (member.name == "message") cause.message = string_of(member.value);
      if (member.name == "field") cause.field = string_of(member.value);
      return simdjson::SUCCESS;
    });
  });
}

simdjson::error_code read_details(ondemand::value value, ApiStatus& status) {
  return for_each_member(value, [&](JsonMember& member) {
    if (member.name == "group") status.details_group = string_of(member.value);
    if (member.name == "kind") status.details_kind = string_of(member.value);
    if (member.name == "name") status.details_name = string_of(member.value);
    if (member.name == "causes") return read_causes(member.value, status);
    if (member.name == "retryAfterSeconds") {
      const std::int64_t seconds = integer_of(member.value);
      if (seconds > 0 && seconds <= std::numeric_limits<std::int32_t>::max()) {
        status.retry_after = std::chrono::seconds(seconds);
      }
    }
    return simdjson::SUCCESS;
  });
}

/// The fields of a Status that are checked but not stored.
struct StatusHead {
  std::string kind;
  std::string outcome;
};

simdjson::error_code read_member(JsonMember& member, StatusHead& head, ApiStatus& status) {
  const std::string_view name = member.name;
  ondemand::value& value = member.value;
  if (name == "kind") head.kind = string_of(value);
  if (name == "status") head.outcome = string_of(value);
  if (name == "message") status.message = string_of(value);
  if (name == "reason") status.reason = string_of(value);
  if (name == "code") {
    const std::int64_t code = integer_of(value);
    status.code = code > 0 && code < 1000 ? static_cast<int>(code) : 0;
  }
  if (name == "details") return read_details(value, status);
  if (name == "metadata") {
    return for_each_member(value, [&](JsonMember& inner) {
      if (inner.name == "continue") status.continue_token = string_of(inner.value);
      return simdjson::SUCCESS;
    });
  }
  return simdjson::SUCCESS;
}

/// The reason and message of a response without a Status, by HTTP status code.
struct GenericStatus {
  int code;
  std::string_view reason;
  std::string_view message;  ///< empty means the text of the response
};
constexpr GenericStatus kGeneric[] = {
    {400, "BadRequest", "the server rejected our request for an unknown reason"},
    {401, "Unauthorized", "the server has asked for the client to provide credentials"},
    {403, "Forbidden", ""},
    {404, "NotFound", "the server could not find the requested resource"},
    {405, "MethodNotAllowed", "the server does not allow this method on the requested resource"},
    {406, "NotAcceptable",
     "the server was unable to respond with a content type that the client supports"},
    {409, "Conflict", "the server reported a conflict"},
    {415, "UnsupportedMediaType", ""},
    {422, "Invalid", "the server rejected our request due to an error in our request"},
    {429, "TooManyRequests",
     "the server has received too many requests and has asked us to try again later"},
    {503, "ServiceUnavailable", "the server is currently unable to handle the request"},
    {504, "Timeout",
     "the server was unable to return a response in the time allotted, but may still be "
     "processing the request"}};

std::pair<std::string, std::string> generic_reason_and_message(int code, std::string_view verb,
                                                               std::string_view text) {
  if (code == 409 && verb == "POST") return {"AlreadyExists", "the server reported a conflict"};
  if (code == 406 && text != "unknown") return {"NotAcceptable", std::string(text)};
  const auto* const known = std::ranges::find(kGeneric, code, &GenericStatus::code);
  if (known != std::end(kGeneric)) {
    return {std::string(known->reason),
            std::string(known->message.empty() ? text : known->message)};
  }
  if (code >= 500) {
    return {"InternalError",
            fmt::format("an error on the server ({:?}) has prevented the request from succeeding",
                        text)};
  }
  return {"", fmt::format("the server responded with the status code {} but did not return more "
                          "information",
                          code)};
}

}  // namespace

Result<ApiStatus> parse_api_status(std::string_view json) {
  const auto refuse = [](std::string_view why) {
    return fail(ErrorKind::protocol, "not a Status object: {}", why);
  };
  ApiStatus status;
  StatusHead head;
  const auto error =
      for_each_member(json, [&](JsonMember& member) { return read_member(member, head, status); });
  if (error) return refuse(simdjson::error_message(error));
  if (head.kind != "Status") return refuse(fmt::format("its kind is \"{}\"", head.kind));
  if (head.outcome == "Success") return refuse("it reports success");
  return status;
}

ApiStatus generic_api_status(int code, std::string_view verb, std::string_view resource,
                             std::string_view name, std::string_view body) {
  std::string_view text = trimmed(body.substr(0, limits::kPlainErrorBytes));
  if (text.empty()) text = "unknown";
  auto [reason, message] = generic_reason_and_message(code, verb, text);
  if (!resource.empty()) {
    message += fmt::format(" ({} {}{}{})", to_lower(verb), resource, name.empty() ? "" : " ", name);
  }
  const std::size_t dot = resource.find('.');
  ApiStatus status;
  status.code = code;
  status.reason = std::move(reason);
  status.message = std::move(message);
  status.details_kind = resource.substr(0, dot);
  if (dot != std::string_view::npos) status.details_group = resource.substr(dot + 1);
  status.details_name = name;
  status.causes.push_back({"UnexpectedServerResponse", std::string(text), ""});
  return status;
}

Error to_error(ApiStatus status) {
  std::string message = status.message;
  if (message.empty() && !status.reason.empty()) {
    message = fmt::format("the server answered with the reason {}", status.reason);
  } else if (message.empty()) {
    message = fmt::format("the server answered with the status code {}", status.code);
  }
  Error error(kind_of(status), std::move(message));
  if (status.retry_after) error.retry_after = *status.retry_after;
  error.status = std::make_shared<const ApiStatus>(std::move(status));
  return error;
}

}  // namespace kinf
