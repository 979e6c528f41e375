# SPDX-License-Identifier: Apache-2.0
"""Keeps a port, at which connections are refused, until it is ended: hold_port.py HOST:PORT
With --silent after it, connections are accepted and never answered."""
import signal
import socket
import sys

host, port = sys.argv[1].rsplit(":", 1)
with socket.socket() as held:
    held.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    held.bind((host, int(port)))
    if "--silent" in sys.argv:
        held.listen()
    print("held", flush=True)
    signal.pause()
