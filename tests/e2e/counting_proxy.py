# SPDX-License-Identifier: Apache-2.0
"""A proxy that forwards the bytes of connections, counts the connections and can break them."""
import socket
import threading
import urllib.parse


class CountingProxy:
    def __init__(self, server_url):
        self.connections = 0
        self._is_broken = False
        self._open = []  # the sockets of all connections
        server = urllib.parse.urlsplit(server_url)
        self._server = (server.hostname, server.port)
        self._listener = socket.create_server(("127.0.0.1", 0))
        self.port = self._listener.getsockname()[1]
        self.url = f"{server.scheme}://127.0.0.1:{self.port}"
        threading.Thread(target=self._accept, daemon=True).start()

    def close(self):
        self._listener.shutdown(socket.SHUT_RDWR)
        self._listener.close()

    def break_off(self):
        """Ends all connections, and each new one at once, until mend()."""
        self._is_broken = True
        while self._open:
            try:
                self._open.pop().shutdown(socket.SHUT_RDWR)
            except OSError:
                pass  # it has ended

    def mend(self):
        self._is_broken = False

    def _accept(self):
        while True:
            try:
                client, _ = self._listener.accept()
            except OSError:
                return  # closed
            self.connections += 1
            threading.Thread(target=self._serve, args=(client,), daemon=True).start()

    def _serve(self, client):
        try:
            if self._is_broken:
                return
            server = socket.create_connection(self._server)
            self._open += [client, server]
            forward(client, server)
        except OSError:
            pass  # the server does not run
        finally:
            client.close()


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
