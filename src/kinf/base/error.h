// SPDX-License-Identifier: Apache-2.0
// Error and Result: the return types of functions that can fail. kinf reports failures with them,
// not with exceptions.
#pragma once

#if defined(__cplusplus) && __cplusplus < 202100L
#error "kinf needs C++23: compile with -std=c++23, or link kinf::kinf with CMake"
#endif

#include <fmt/core.h>

#include <chrono>
#include <expected>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

namespace [[gnu::visibility("default")]] kinf {

struct ApiStatus;  // api/api_status.h

/// Tells the caller how to react to an error, not where the error happened.
enum class ErrorKind {
  usage,              ///< the request is wrong: the user must change it
  auth,               ///< 401: the credentials are not accepted
  forbidden,          ///< 403: the credentials are valid, but do not allow this request
  not_found,          ///< 404: no such object, type or path
  already_exists,     ///< 409: the name is taken; read that object, or choose another name
  conflict,           ///< 409: the object has changed; read it again and repeat the change
  expired,            ///< 410: the requested history no longer exists; list again
  too_large_version,  ///< the server has not reached that resourceVersion yet
  throttled,          ///< 429: wait, then send the same request again
  unavailable,        ///< 5xx: try again later
  network,            ///< no response; see `fault`
  protocol,           ///< the response cannot be parsed or is not what was requested
  stopped,            ///< stop was requested; not a failure
  internal,           ///< a bug in kinf, or the system provides no memory, descriptor or file
};

/// How the network failed. Used in messages and to decide how to retry.
enum class NetworkFault { none, refused, unreachable, dns, tls, timeout, reset, closed };

/// One failure. `message` says what failed and where. `hint` says what the user can do about it; it
/// may be empty. Errors may be copied, and passed to other threads.
struct [[nodiscard]] Error {
  Error(ErrorKind kind_in, std::string message_in, NetworkFault fault_in = NetworkFault::none)
      : kind(kind_in), message(std::move(message_in)), fault(fault_in) {}

  /// Prepends the failed operation to the message: `list pods: connection refused`.
  [[nodiscard]] Error within(std::string_view doing) const& {
    Error copy = *this;
    return std::move(copy).within(doing);
  }
  [[nodiscard]] Error within(std::string_view doing) && {
    message.insert(0, ": ").insert(0, doing);
    return std::move(*this);
  }
  /// Sets the hint.
  [[nodiscard]] Error with_hint(std::string_view what) && {
    hint = what;
    return std::move(*this);
  }

  ErrorKind kind;
  std::string message;
  std::string hint;
  /// Set if an API server responded with a Status; otherwise null.
  std::shared_ptr<const ApiStatus> status;
  std::optional<std::chrono::milliseconds> retry_after;
  NetworkFault fault;
};

/// Like std::expected, except that value() of a temporary returns a copy, not a reference. A loop
/// over `store.by_index(…).value()` is therefore safe. The compiler warns about an unused result.
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

/// An error to return from a function that returns a Result.
struct [[nodiscard]] Failure : std::unexpected<Error> {
  using std::unexpected<Error>::unexpected;

  /// Sets the hint.
  [[nodiscard]] Failure with_hint(std::string_view what) && {
    error().hint = what;
    return std::move(*this);
  }
};

/// Make an error to return: `return fail(ErrorKind::usage, "{}: no such type", name);`, or return
/// the error of another result: `if (!found) return fail(found);`
[[nodiscard]] inline Failure fail(Error error) { return Failure(std::move(error)); }
[[nodiscard]] inline Failure fail(ErrorKind kind, std::string message) {
  return Failure(Error(kind, std::move(message)));
}
template <class T>
[[nodiscard]] Failure fail(const Result<T>& failed) {
  return Failure(failed.error());
}
template <class Arg, class... Args>
[[nodiscard]] Failure fail(ErrorKind kind, fmt::format_string<Arg, Args...> format, Arg&& arg,
                           Args&&... args) {
  return fail(kind, fmt::format(format, std::forward<Arg>(arg), std::forward<Args>(args)...));
}

}  // namespace kinf
