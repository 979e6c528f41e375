// SPDX-License-Identifier: Apache-2.0
// Writes HTTP/1.1 responses. For clients that accept gzip, compresses bodies of at least 128 KiB,
// and the streams for which the handler asks for it. Ignores Range headers, as kube-apiserver does.
#pragma once

#include "kinf/sandbox/http/client_stream.h"
#include "kinf/sandbox/http/http_message.h"
#include "kinf/sandbox/http/request_head.h"

namespace kinf::sandbox {

/// Writes `response` to `client`, as the answer to `head`. Blocks until a stream has ended. Returns
/// true if the connection can be used for another request.
bool write_response(ClientStream& client, const RequestHead& head, HttpResponse response);

/// Writes the response to a request that is refused. The connection must be closed afterwards.
void write_refusal(ClientStream& client, const RequestError& error);

/// Writes all bytes. Returns false if the client has disconnected.
bool write_fully(ClientStream& client, std::string_view bytes);

}  // namespace kinf::sandbox
