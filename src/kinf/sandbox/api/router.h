// SPDX-License-Identifier: Apache-2.0
// Router: answers HTTP requests to the sandbox. Checks the token, resolves the path, injects faults
// and calls the function that handles the request.
#pragma once

#include <functional>
#include <stop_token>
#include <string>

#include "kinf/sandbox/api/api_types.h"
#include "kinf/sandbox/api/http_responses.h"
#include "kinf/sandbox/api/object_service.h"
#include "kinf/sandbox/api/response_form.h"
#include "kinf/sandbox/faults/fault_injector.h"

namespace kinf::sandbox {

/// Threads: all functions may be called from any thread.
class Router {
 public:
  struct Options {
    std::string token;                ///< bearer token that requests must send (empty: no check)
    std::function<void()> on_synced;  ///< called when a watch has sent all existing objects
    /// Adds a fault. Called for `POST /sandbox/fault`.
    std::function<Result<void>(std::string_view spec)> inject;
    /// Called for each request before it is answered. May be empty.
    std::function<void(const HttpRequest&)> on_request;
    std::stop_token stop;  ///< ends requests that take a long time
  };

  Router(ResourceStore& store, ApiTypes& types, ObjectService& objects, Clock& clock,
         FaultInjector& faults, Options options)
      : store_(store),
        types_(types),
        objects_(objects),
        clock_(clock),
        faults_(faults),
        options_(std::move(options)) {}

  /// Answers a request. Does not wait for changes: the response to a watch contains a stream that
  /// writes the events later.
  HttpResponse handle(const HttpRequest& request);

 private:
  /// A request for objects, with its resolved path, representation and fault.
  struct Call {
    const HttpRequest& request;
    const ResourcePath& path;
    ResponseForm form;
    RequestFault fault;
    ObjectKey key;
  };

  HttpResponse handle_resource(const HttpRequest& request, const ResourcePath& path);
  HttpResponse list(const Call& call);
  HttpResponse watch(const Call& call);
  HttpResponse create(const Call& call);
  HttpResponse replace(const Call& call);
  HttpResponse patch(const Call& call);
  HttpResponse remove(const Call& call);
  HttpResponse remove_all(const Call& call);
  HttpResponse object_response(int code, const Call& call, const ApiResult<StoredPtr>& object);

  ResourceStore& store_;
  ApiTypes& types_;
  ObjectService& objects_;
  Clock& clock_;
  FaultInjector& faults_;
  Options options_;
};

}  // namespace kinf::sandbox
