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
        self.port = self._listener.getsockname()[1]
        self.url = f"{server.scheme}://127.0.0.1:{self.port}"
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
            threading.Thread(target=self._serve, args=(client,), daemon=True).start()

    def _serve(self, client):
        forward(client, socket.create_connection(self._server))


def forward(client, server):
    """Moves bytes in both directions until both sides have ended."""
    other = threading.Thread(target=_move, args=(server, client), daemon=True)
    other.start()
    _move(client, server)
    other.join()


def _move(source, sink):
    try:
        while piece := source.recv(65536):
            sink.sendall(piece)
        sink.shutdown(socket.SHUT_WR)
    except OSError:
        pass  # the other side has closed its connection
