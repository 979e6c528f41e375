# SPDX-License-Identifier: Apache-2.0
"""The ways from a client to the API server: directly, or through a relay with delay and a limited
rate; both also through a proxy that counts bytes."""

import re
import socket
import subprocess
import tempfile
import threading
from pathlib import Path

WAN = ["latency:50ms", "slow:12MBps"]  # round trip, and bytes per second of a connection


def host_address():
    """An address of this machine that is not a loopback address, if it has one: a client may treat
    loopback addresses differently, say ask for no compression."""
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
        try:
            probe.connect(("192.0.2.1", 9))  # sends nothing
            return probe.getsockname()[0]
        except OSError:
            return "127.0.0.1"


class Counter:
    """Forwards connections to `server` and counts the bytes of the responses, as on the wire.

    Clients are counted and timed in different runs, so that counting costs them nothing."""

    def __init__(self, server, host):
        self.received = 0
        self._server = server
        self._listener = socket.create_server((host, 0))
        self.address = "{}:{}".format(*self._listener.getsockname())
        threading.Thread(target=self._accept, daemon=True).start()

    def close(self):
        self._listener.shutdown(socket.SHUT_RDWR)
        self._listener.close()

    def _accept(self):
        while True:
            try:
                client, _ = self._listener.accept()
            except OSError:
                return
            host, port = self._server.rsplit(":", 1)
            server = socket.create_connection((host, int(port)))
            for end in (client, server):
                end.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
            threading.Thread(target=self._move, args=(client, server, False), daemon=True).start()
            threading.Thread(target=self._move, args=(server, client, True), daemon=True).start()

    def _move(self, source, sink, counted):
        try:
            while piece := source.recv(1 << 20):
                if counted:
                    self.received += len(piece)
                sink.sendall(piece)
            sink.shutdown(socket.SHUT_WR)
        except OSError:
            for end in (source, sink):
                end.close()


class Link:
    """A way to the server. `kubeconfig` describes it; counted() gives one that counts bytes."""

    def __init__(self, name, address, kubeconfig):
        self.name = name
        self._address = address
        self._host = address.rsplit(":", 1)[0]
        self._original = Path(kubeconfig).read_text(encoding="utf-8")
        self._folder = tempfile.TemporaryDirectory(prefix="kinf-bench.")
        self.kubeconfig = self._write("link", address)

    def _write(self, name, address):
        # The certificate names localhost, whatever the address.
        text, changed = re.subn(r"( *)server: .*",
                                rf"\1server: https://{address}\n\1tls-server-name: localhost",
                                self._original)
        if changed != 1:
            raise ValueError("the kubeconfig must have one server")
        path = Path(self._folder.name, name + ".yaml")
        path.write_text(text, encoding="utf-8")
        return str(path)

    def counted(self):
        """Returns (counter, kubeconfig). Close the counter after use."""
        counter = Counter(self._address, self._host)
        return counter, self._write("counted", counter.address)

    def close(self):
        self._folder.cleanup()


class WanLink(Link):
    """Runs `kinf sandbox --relay` as the link."""

    def __init__(self, kinf, server, kubeconfig):
        faults = [word for fault in WAN for word in ("--fault", fault)]
        self._relay = subprocess.Popen(
            [kinf, "sandbox", "--quiet", "--relay", server, "--listen", host_address() + ":0",
             "--listen-any", *faults], stdout=subprocess.PIPE, text=True)
        address = self._relay.stdout.readline().strip()
        if not address:
            raise RuntimeError("the relay did not start")
        super().__init__("50 ms round trip, 12 MB/s", address, kubeconfig)

    def close(self):
        self._relay.terminate()
        self._relay.wait()
        super().close()
