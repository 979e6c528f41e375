# SPDX-License-Identifier: Apache-2.0
"""A proxy that makes the server end each watch after a few seconds.

It replaces timeoutSeconds in every request: a server uses its own flags only for requests without
it. The server then ends each watch cleanly.
"""
import http.client
import http.server
import re
import threading


class ShortWatches:
    """Plain HTTP in front of `server`. It adds a user's token, so kinf needs no credentials."""

    def __init__(self, server, token="admin-token", seconds=3):
        self.ended = 0  # watches so far
        proxy = self

        class Handler(http.server.BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"

            def handle(self):
                try:
                    super().handle()
                except OSError:
                    pass  # one side has closed the connection

            def do_GET(self):
                path = re.sub(r"timeoutSeconds=\d+", f"timeoutSeconds={seconds}", self.path)
                self.forward(path)
                if "watch=true" in path:
                    proxy.ended += 1

            def forward(self, path):
                headers = {"Accept": self.headers["Accept"], "Authorization": f"Bearer {token}"}
                connection, answer = server.open_get(path, headers)
                try:
                    self.send_response(answer.status)
                    self.send_header("Content-Type", answer.headers["Content-Type"])
                    self.send_header("Transfer-Encoding", "chunked")
                    self.end_headers()
                    while block := answer.read1(65536):
                        self.wfile.write(b"%x\r\n%s\r\n" % (len(block), block))
                    self.wfile.write(b"0\r\n\r\n")
                except http.client.HTTPException:
                    self.close_connection = True
                finally:
                    connection.close()

            def log_message(self, *_):
                pass

        self._listener = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self._listener.daemon_threads = True
        threading.Thread(target=self._listener.serve_forever, daemon=True).start()
        self.url = f"http://127.0.0.1:{self._listener.server_port}"

    def close(self):
        self._listener.shutdown()
        self._listener.server_close()
