// SPDX-License-Identifier: Apache-2.0
// Router: from a request to a response: who may ask, which path means what, and what to do.
#pragma once

#include <functional>
#include <stop_token>
#include <string>

#include "kinf/sandbox/api/http_responses.h"
#include "kinf/sandbox/api/object_service.h"
#include "kinf/sandbox/api/representation.h"
#include "kinf/sandbox/api/resource_path.h"
#include "kinf/sandbox/faults/fault_injector.h"

namespace kinf::sandbox {

/// Threads: every call from any thread.
class Router {
 public:
  struct Options {
    std::string token;                ///< what a request must carry; empty: nothing
    std::function<void()> on_synced;  ///< a watch has come to where only changes are to come
    std::stop_token stop;             ///< ends the streams
    /// Takes a fault that is asked for at run time.
    std::function<Result<>(std::string_view spec)> inject;
    /// Told of each request before it is answered; may be empty.
    std::function<void(const HttpRequest&)> on_request;
  };

  Router(ResourceStore& store, ApiTypes& types, ObjectService& objects, Clock& clock,
         FaultInjector& faults, Options options)
      : store_(store),
        types_(types),
        objects_(objects),
        clock_(clock),
        faults_(faults),
        options_(std::move(options)) {}

  HttpResponse handle(const HttpRequest& request);

 private:
  /// A request for objects: where it leads and in which form it wants them.
  struct Call {
    const HttpRequest& request;
    const ResourcePath& path;
    Representation form;
    RequestFault fault;
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
