// SPDX-License-Identifier: Apache-2.0
// Router: from a request to an answer: who may ask, which path means what, and what to do.
#pragma once

#include <functional>
#include <optional>
#include <stop_token>
#include <string>

#include "kinf/base/random.h"
#include "kinf/base/sync.h"
#include "kinf/sandbox/fault_injector.h"
#include "kinf/sandbox/http_message.h"
#include "kinf/sandbox/object_service.h"
#include "kinf/sandbox/resource_path.h"

namespace kinf::sandbox {

/// Threads: every call from any thread.
class Router {
 public:
  struct Options {
    std::string token;              ///< what a request must carry; empty: nothing
    std::function<void()> on_live;  ///< a watch has come to where only changes are to come
    std::stop_token stop;           ///< ends the streams
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

  HttpAnswer handle(const HttpRequest& request);

 private:
  HttpAnswer handle_resource(const HttpRequest& request, const ResourcePath& path);
  HttpAnswer read(const HttpRequest& request, const ResourcePath& path);
  HttpAnswer list(const HttpRequest& request, const ResourcePath& path, const FaultVerdict& fault);
  HttpAnswer watch(const HttpRequest& request, const ResourcePath& path, const FaultVerdict& fault);
  HttpAnswer create(const HttpRequest& request, const ResourcePath& path);
  HttpAnswer replace(const HttpRequest& request, const ResourcePath& path);
  HttpAnswer patch(const HttpRequest& request, const ResourcePath& path);
  HttpAnswer handle_subresource(const HttpRequest& request, const ResourcePath& path);
  HttpAnswer remove(const HttpRequest& request, const ResourcePath& path);
  HttpAnswer remove_all(const HttpRequest& request, const ResourcePath& path);
  HttpAnswer scale(const HttpRequest& request, const ResourcePath& path);
  HttpAnswer evict(const HttpRequest& request, const ResourcePath& path);
  /// What only a container could answer: logs, exec and the like.
  HttpAnswer refuse_container(const ResourcePath& path);
  HttpAnswer bind(const HttpRequest& request, const ResourcePath& path);
  HttpAnswer object_answer(int code, const HttpRequest& request, const ResourcePath& path,
                           const Answer<StoredPtr>& object);
  std::optional<HttpAnswer> handle_document(const HttpRequest& request);
  std::optional<HttpAnswer> handle_discovery(const HttpRequest& request);

  ResourceStore& store_;
  ApiTypes& types_;
  ObjectService& objects_;
  Clock& clock_;
  FaultInjector& faults_;
  Options options_;
};

/// The answer to `POST /sandbox/fault?spec=…`; empty for any other request.
std::optional<HttpAnswer> answer_fault_request(
    const HttpRequest& request, const std::function<Result<>(std::string_view spec)>& inject);

/// The object in the body, in JSON or protobuf; 415 for other media types.
Answer<Json> body_object(const HttpRequest& request);

HttpAnswer json_answer(int code, const Json& json);
HttpAnswer status_answer(const ApiStatus& status);

/// The edit that a patch of this media type makes; 415 for types that are not known.
Answer<ObjectService::Edit> edit_from_patch(const ApiType& type, const std::string& media_type,
                                            const std::string& body);

/// The scale of a workload (autoscaling/v1).
Json scale_of(const ApiType& type, const Json& object);

}  // namespace kinf::sandbox
