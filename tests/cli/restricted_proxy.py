# SPDX-License-Identifier: Apache-2.0
"""Stands in front of the API server of $KUBECONFIG for a user who may read pods in some namespaces
only. Writes a kubeconfig of itself to the file `proxy.config`.

  restricted_proxy.py CLOSED

Refuses pods in all namespaces together, and in each namespace that is named in the file CLOSED.
"""
import http.client
import http.server
import json
import os
import pathlib
import re
import sys

config = pathlib.Path(os.environ["KUBECONFIG"]).read_text()
address = re.search(r"server: http://(\S+)", config)[1]
closed = pathlib.Path(sys.argv[1])


class Proxy(http.server.BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def do_GET(self):
        path = self.path.split("?")[0]
        namespace = re.fullmatch(r"/api/v1/(?:namespaces/([^/]+)/)?pods", path)
        if namespace and (not namespace[1] or namespace[1] in closed.read_text().split()):
            return self.refuse()
        server = http.client.HTTPConnection(address)
        server.request("GET", self.path, headers={"Accept": self.headers.get("Accept", "*/*")})
        answer = server.getresponse()
        self.send_response(answer.status)
        self.send_header("Content-Type", answer.headers.get("Content-Type", ""))
        self.send_header("Connection", "close")
        self.end_headers()
        self.close_connection = True
        try:
            while piece := answer.read1(65536):
                self.wfile.write(piece)
        except OSError:  # the client or the server has gone
            pass

    def refuse(self):
        body = json.dumps({"kind": "Status", "apiVersion": "v1", "status": "Failure", "code": 403,
                           "reason": "Forbidden", "message": "pods is forbidden"}).encode()
        self.send_response(403)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *arguments):
        pass


server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Proxy)
server.daemon_threads = True
pathlib.Path("proxy.new").write_text(config.replace(address, f"127.0.0.1:{server.server_port}"))
pathlib.Path("proxy.new").rename("proxy.config")
server.serve_forever()
