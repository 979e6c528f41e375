// SPDX-License-Identifier: Apache-2.0
// Error and Result: what functions that can fail return. kinf throws no exceptions.
#pragma once

#include <chrono>
#include <expected>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

namespace kinf {

struct ApiStatus;  // api/api_status.h

/// What the caller should do about it, not where it happened.
enum class ErrorKind {
  usage,              ///< the request itself is wrong: tell the user
  auth,               ///< 401: the credentials are not accepted
  forbidden,          ///< 403: known, but not allowed
  not_found,          ///< 404: no such object, type or path
  conflict,           ///< 409
  expired,            ///< 410: history is gone, list again
  too_large_version,  ///< the server has not reached that resourceVersion yet
  throttled,          ///< 429: wait, then the same again
  unavailable,        ///< 5xx: try again later
  network,            ///< no answer; `fault` says how
  protocol,           ///< an answer that cannot be read
  stopped,            ///< asked to stop; not a failure
  internal,           ///< a bug, or this process has run out of a resource
};

/// How the network failed, for messages and to decide how to retry.
enum class NetworkFault { none, refused, unreachable, dns, tls, timeout, reset, closed };

/// One failure. `message` says what failed and where; `hint`, if any, what to do about it.
/// Copyable, may be moved between threads.
struct [[nodiscard]] Error {
  Error(ErrorKind kind_in, std::string message_in, NetworkFault fault_in = NetworkFault::none)
      : kind(kind_in), message(std::move(message_in)), fault(fault_in) {}

  /// Prepends what was being done to the message: `list pods: connection refused`.
  [[nodiscard]] Error within(std::string_view doing) const& {
    Error copy = *this;
    return std::move(copy).within(doing);
  }
  [[nodiscard]] Error within(std::string_view doing) && {
    message.insert(0, ": ").insert(0, doing);
    return std::move(*this);
  }

  ErrorKind kind;
  std::string message;
  std::string hint;
  std::shared_ptr<const ApiStatus> status;  ///< set when an API server answered with a Status
  std::optional<std::chrono::milliseconds> retry_after;
  NetworkFault fault;
};

/// std::expected, except that a temporary Result returns its value by value: a loop over
/// `store.by_index(…).value()` keeps the objects, and dropping the value is a compiler warning.
template <class T = void>
class [[nodiscard]] Result : public std::expected<T, Error> {
  using Base = std::expected<T, Error>;

 public:
  using Base::Base;

  [[nodiscard]] const T& value() const& { return Base::value(); }
  [[nodiscard]] T& value() & { return Base::value(); }
  [[nodiscard]] T value() && { return static_cast<Base&&>(*this).value(); }

  [[nodiscard]] const T& operator*() const& { return Base::operator*(); }
  [[nodiscard]] T& operator*() & { return Base::operator*(); }
  [[nodiscard]] T operator*() && { return static_cast<Base&&>(*this).operator*(); }
};

template <>
class [[nodiscard]] Result<void> : public std::expected<void, Error> {
 public:
  using std::expected<void, Error>::expected;
};

/// `return fail(ErrorKind::usage, "…")` from a function that returns a Result.
[[nodiscard]] inline std::unexpected<Error> fail(ErrorKind kind, std::string message) {
  return std::unexpected<Error>(Error(kind, std::move(message)));
}

}  // namespace kinf
