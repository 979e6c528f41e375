# SPDX-License-Identifier: Apache-2.0
"""A server in front of the API server of $KUBECONFIG, for the cases that need other answers. serve()
writes a kubeconfig of it to the file `proxy.config`."""
import http.client
import http.server
import json
import os
import pathlib
import re

CONFIG = pathlib.Path(os.environ["KUBECONFIG"]).read_text(encoding="utf-8")
ADDRESS = re.search(r"server: http://(\S+)", CONFIG)[1]


class Proxy(http.server.BaseHTTPRequestHandler):
    """Forwards each request. A subclass overrides do_GET to answer some itself."""
    protocol_version = "HTTP/1.1"

    def do_GET(self):
        server = http.client.HTTPConnection(ADDRESS)
        server.request("GET", self.path, headers={"Accept": self.headers.get("Accept", "*/*")})
        answer = server.getresponse()
        self.begin(answer.status, answer.headers.get("Content-Type", ""))
        try:
            while piece := answer.read1(65536):
                self.wfile.write(piece)
        except OSError:  # the client or the server has gone
            pass

    def begin(self, status, content_type="application/json"):
        """Sends the header of an answer that ends with the connection."""
        self.send_response(status)
        self.send_header("Content-Type", content_type)
        self.send_header("Connection", "close")
        self.end_headers()
        self.close_connection = True

    def answer(self, status, document):
        self.begin(status)
        self.wfile.write(json.dumps(document, separators=(",", ":")).encode())

    def log_message(self, *arguments):
        pass


def serve(handler):
    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), handler)
    server.daemon_threads = True
    new = pathlib.Path("proxy.new")
    new.write_text(CONFIG.replace(ADDRESS, f"127.0.0.1:{server.server_port}"), encoding="utf-8")
    new.rename("proxy.config")
    server.serve_forever()
