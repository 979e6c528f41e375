# SPDX-License-Identifier: Apache-2.0
"""A proxy that asks for a user and a password: HTTP with CONNECT, the same over TLS, or SOCKS5."""
import base64
import socket
import ssl

from counting_proxy import CountingProxy, forward

USER, PASSWORD = "proxy-user", "proxy-p4ssword"


class AuthProxy(CountingProxy):
    """Forwards to `server`, however the client names it. `scheme`: http, https or socks5."""

    def __init__(self, server, scheme):
        self.tunnels = 0  # connections with the right password
        self._tls = None
        if scheme == "https":
            self._tls = ssl.create_default_context(ssl.Purpose.CLIENT_AUTH)
            pki = f"{server.folder}/pki/apiserver"
            self._tls.load_cert_chain(f"{pki}.crt", f"{pki}.key")
        self._admit = self._admit_socks if scheme == "socks5" else self._admit_http
        self.scheme = scheme
        super().__init__(server.url)

    def url_for(self, password):
        return f"{self.scheme}://{USER}:{password}@127.0.0.1:{self.port}"

    def _serve(self, client):
        try:
            if self._tls:
                client = self._tls.wrap_socket(client, server_side=True)
            if self._admit(client):
                self.tunnels += 1
                forward(client, socket.create_connection(self._server))
        except OSError:
            pass  # the client has closed its connection
        finally:
            client.close()

    @staticmethod
    def _admit_http(client):
        head = b""
        while not head.endswith(b"\r\n\r\n"):
            piece = client.recv(1)
            if not piece:
                return False
            head += piece
        wanted = b"Basic " + base64.b64encode(f"{USER}:{PASSWORD}".encode())
        admitted = head.startswith(b"CONNECT ") and wanted in head
        client.sendall(b"HTTP/1.1 200 OK\r\n\r\n" if admitted else
                       b'HTTP/1.1 407 No\r\nProxy-Authenticate: Basic realm="x"\r\nContent-Length: 0\r\n\r\n')
        return admitted

    @staticmethod
    def _admit_socks(client):
        """RFC 1928 and 1929."""
        stream = client.makefile("rb", buffering=0)

        def text():
            return stream.read(stream.read(1)[0])

        stream.read(1)
        if 2 not in text():
            client.sendall(b"\5\xff")
            return False
        client.sendall(b"\5\2")
        stream.read(1)
        admitted = (text(), text()) == (USER.encode(), PASSWORD.encode())
        client.sendall(b"\1\0" if admitted else b"\1\1")
        if not admitted:
            return False
        kind = stream.read(4)[3]
        if kind == 3:
            text()
        else:
            stream.read(4 if kind == 1 else 16)
        stream.read(2)
        client.sendall(b"\5\0\0\1\0\0\0\0\0\0")
        return True
