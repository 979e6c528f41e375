// SPDX-License-Identifier: Apache-2.0
// Follows apimachinery's api/errors: a known reason determines the error kind; without one, the
// code does. Generic statuses use client-go's messages, because scripts may search for them.
#include "kinf/api/api_status.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <limits>

#include "kinf/api/json_members.h"
#include "kinf/base/ascii.h"
#include "kinf/base/limits.h"

namespace kinf {
namespace {

namespace ondemand = simdjson::ondemand;

constexpr std::string_view kTooLarge = "Too large resource version";
constexpr std::size_t kMaxBodyText = 2048;
/// The limits of what is kept of a Status. A server may send one of many MB.
constexpr std::size_t kMaxCauses = 100;

struct ReasonKind {
  std::string_view reason;
  ErrorKind kind;
};

constexpr std::array kReasons{
    ReasonKind{"Unauthorized", ErrorKind::auth},
    ReasonKind{"Forbidden", ErrorKind::forbidden},
    ReasonKind{"NotFound", ErrorKind::not_found},
    ReasonKind{"AlreadyExists", ErrorKind::conflict},
    ReasonKind{"Conflict", ErrorKind::conflict},
    ReasonKind{"Gone", ErrorKind::expired},
    ReasonKind{"Expired", ErrorKind::expired},
    ReasonKind{"TooManyRequests", ErrorKind::throttled},
    ReasonKind{"ServerTimeout", ErrorKind::unavailable},
    ReasonKind{"Timeout", ErrorKind::unavailable},
    ReasonKind{"StorageReadError", ErrorKind::unavailable},
    ReasonKind{"InternalError", ErrorKind::unavailable},
    ReasonKind{"ServiceUnavailable", ErrorKind::unavailable},
    ReasonKind{"Invalid", ErrorKind::usage},
    ReasonKind{"BadRequest", ErrorKind::usage},
    ReasonKind{"MethodNotAllowed", ErrorKind::usage},
    ReasonKind{"NotAcceptable", ErrorKind::usage},
    ReasonKind{"RequestEntityTooLarge", ErrorKind::usage},
    ReasonKind{"UnsupportedMediaType", ErrorKind::usage},
};

bool is_known_reason(std::string_view reason) {
  return std::ranges::any_of(kReasons,
                             [&](const ReasonKind& known) { return known.reason == reason; });
}

ErrorKind kind_of_code(int code) {
  using enum ErrorKind;
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
      status.reason == "Timeout" || (status.code == 504 && !is_known_reason(status.reason));
  for (const ApiStatus::Cause& cause : status.causes) {
    if (cause.reason == "ResourceVersionTooLarge") return true;
    if (timeout && cause.message == kTooLarge) return true;
  }
  return timeout && status.message.contains(kTooLarge);
}

ErrorKind kind_of(const ApiStatus& status) {
  if (is_too_large(status)) return ErrorKind::too_large_version;
  if (status.code == 429) return ErrorKind::throttled;
  for (const ReasonKind& known : kReasons) {
    if (known.reason == status.reason) return known.kind;
  }
  return kind_of_code(status.code);
}

std::string string_of(ondemand::value& value) {
  std::string_view text;
  if (value.get_string().get(text) != simdjson::SUCCESS) return {};
  if (text.size() <= limits::kErrorTextBytes) return std::string(text);
  text = text.substr(0, limits::kErrorTextBytes);
  while (!text.empty() && (static_cast<unsigned char>(text.back()) & 0xC0U) == 0x80U) {
    text.remove_suffix(1);
  }
  text.remove_suffix(1);  // the first byte of a character, which may be cut
  return std::string(text) + "…";
}

std::int64_t integer_of(ondemand::value& value) {
  std::int64_t number = 0;
  return value.get_int64().get(number) == simdjson::SUCCESS ? number : 0;
}

simdjson::error_code read_causes(ondemand::value value, ApiStatus& status) {
  return for_each_element(value, [&](ondemand::value element) {
    if (status.causes.size() == kMaxCauses) return simdjson::SUCCESS;
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

/// The fields that are checked but not stored.
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

struct GenericStatus {
  std::string_view reason;
  std::string message;
};

GenericStatus generic_status_of(int code, std::string_view verb, std::string_view text) {
  switch (code) {
    case 400:
      return {"BadRequest", "the server rejected our request for an unknown reason"};
    case 401:
      return {"Unauthorized", "the server has asked for the client to provide credentials"};
    case 403:
      return {"Forbidden", std::string(text)};
    case 404:
      return {"NotFound", "the server could not find the requested resource"};
    case 405:
      return {"MethodNotAllowed",
              "the server does not allow this method on the requested resource"};
    case 406:
      if (text != "unknown") return {"NotAcceptable", std::string(text)};
      return {"NotAcceptable",
              "the server was unable to respond with a content type that the client supports"};
    case 409:
      return {verb == "POST" ? "AlreadyExists" : "Conflict", "the server reported a conflict"};
    case 415:
      return {"UnsupportedMediaType", std::string(text)};
    case 422:
      return {"Invalid", "the server rejected our request due to an error in our request"};
    case 429:
      return {"TooManyRequests",
              "the server has received too many requests and has asked us to try again later"};
    case 503:
      return {"ServiceUnavailable", "the server is currently unable to handle the request"};
    case 504:
      return {"Timeout",
              "the server was unable to return a response in the time allotted, but may still be "
              "processing the request"};
    default:
      break;
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
    return fail(ErrorKind::protocol, fmt::format("not a Status object: {}", why));
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
  std::string_view text = trimmed(body.substr(0, kMaxBodyText));
  if (text.empty()) text = "unknown";
  auto [reason, message] = generic_status_of(code, verb, text);
  if (!resource.empty()) {
    message += fmt::format(" ({} {}{}{})", to_lower(verb), resource, name.empty() ? "" : " ", name);
  }
  const std::size_t dot = resource.find('.');
  ApiStatus status;
  status.code = code;
  status.reason = reason;
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

bool is_expired(const Error& error) { return error.kind == ErrorKind::expired; }

bool is_too_large_resource_version(const Error& error) {
  return error.kind == ErrorKind::too_large_version;
}

bool is_throttled(const Error& error) { return error.kind == ErrorKind::throttled; }

}  // namespace kinf
