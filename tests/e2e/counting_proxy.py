# SPDX-License-Identifier: Apache-2.0
"""A proxy that forwards the bytes of connections and counts the connections."""
import socket
import threading
import urllib.parse


class CountingProxy:
    def __init__(self, server_url):
        self.connections = 0
        server = urllib.parse.urlsplit(server_url)
        self._server = (server.hostname, server.port)
        self._listener = socket.create_server(("127.0.0.1", 0))
        self.url = f"{server.scheme}://127.0.0.1:{self._listener.getsockname()[1]}"
        threading.Thread(target=self._accept, daemon=True).start()

    def close(self):
        self._listener.shutdown(socket.SHUT_RDWR)
        self._listener.close()

    def _accept(self):
        while True:
            try:
                client, _ = self._listener.accept()
            except OSError:
                return  # closed
            self.connections += 1
            server = socket.create_connection(self._server)
            for source, sink in ((client, server), (server, client)):
                threading.Thread(target=move, args=(source, sink), daemon=True).start()


def move(source, sink):
    try:
        while piece := source.recv(65536):
            sink.sendall(piece)
        sink.shutdown(socket.SHUT_WR)
    except OSError:
        pass  # the other side has closed its connection
