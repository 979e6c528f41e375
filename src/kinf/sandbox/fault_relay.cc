// SPDX-License-Identifier: Apache-2.0
#include "kinf/sandbox/fault_relay.h"

#include <fmt/format.h>

#include <utility>

#include "kinf/http/http_server.h"
#include "kinf/sandbox/api/http_responses.h"
#include "kinf/sandbox/faults/byte_relay.h"

namespace kinf {

class FaultRelay::Parts {
 public:
  Parts(FaultRelay& owner, Clock& clock)
      : bytes(clock),
        control(
            [&owner](const HttpRequest& request) {
              auto response = sandbox::fault_endpoint(
                  request, [&owner](std::string_view spec) { return owner.inject(spec); });
              return response ? *std::move(response)
                              : sandbox::status_response(sandbox::no_such_resource());
            },
            {.name = "sandbox"}) {}

  sandbox::ByteRelay bytes;
  HttpServer control;
};

FaultRelay::FaultRelay(FaultRelayOptions options, Clock& clock)
    : options_(std::move(options)), parts_(std::make_unique<Parts>(*this, clock)) {}

FaultRelay::~FaultRelay() { stop(); }

Result<void> FaultRelay::start() {
  const auto listen = parse_listen(options_.listen, options_.listen_any);
  if (!listen) return std::unexpected(listen.error());
  const auto server = parse_host_port(options_.server);
  if (!server) return std::unexpected(server.error());
  for (const std::string& spec : options_.faults) {
    if (Result<void> added = inject(spec); !added) return added;
  }
  const Result<int> port =
      parts_->bytes.start(listen->host, listen->port, server->host, server->port);
  if (!port) return std::unexpected(port.error());
  address_ = fmt::format("{}:{}", listen->host, *port);
  const Result<int> control = parts_->control.start("127.0.0.1", 0);
  if (!control) return std::unexpected(control.error());
  control_url_ = fmt::format("http://127.0.0.1:{}", *control);
  return {};
}

void FaultRelay::stop() {
  parts_->control.stop();
  parts_->bytes.stop();
}

Result<void> FaultRelay::inject(std::string_view spec) {
  const Result<sandbox::FaultSpec> parsed = sandbox::parse_fault(spec);
  if (!parsed) return std::unexpected(parsed.error());
  if (!sandbox::is_byte_fault(parsed->kind)) {
    return fail(ErrorKind::usage,
                fmt::format("fault \"{}\": a relay can only inject byte faults", spec));
  }
  parts_->bytes.add(*parsed);
  return {};
}

std::uint64_t FaultRelay::accepted() const { return parts_->bytes.accepted(); }

}  // namespace kinf
