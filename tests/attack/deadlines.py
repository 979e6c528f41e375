# SPDX-License-Identifier: Apache-2.0
"""Lets each step of a connection hang, and checks that each time-out flag and signal ends kinf in time
and with its exit code: connecting, TLS, an exec plugin, discovery, a list, a watch, the output.

  deadlines.py PROGRAM [WORD...]
"""
import concurrent.futures
import contextlib
import json
import os
import pathlib
import signal
import socket
import subprocess
import sys
import tempfile

from hostile_server import LISTS, Server

LONG = 45  # kinf ends within this; a hang that nothing bounds takes longer
LIMIT = "1s"


def kubeconfig(url, plugin=None):
    user = {"exec": {"apiVersion": "client.authentication.k8s.io/v1", "command": plugin,
                     "interactiveMode": "Never"}} if plugin else {}
    return json.dumps({
        "apiVersion": "v1", "kind": "Config", "current-context": "x",
        "clusters": [{"name": "c", "cluster": {"server": url, "insecure-skip-tls-verify": True}}],
        "users": [{"name": "u", "user": user}],
        "contexts": [{"name": "x", "context": {"cluster": "c", "user": "u"}}]})


class Silent:
    """A port that accepts connections and says nothing; with `full`, it does not even accept."""

    def __init__(self, full):
        self.sockets = [socket.socket()]
        self.sockets[0].bind(("127.0.0.1", 0))
        self.sockets[0].listen(0 if full else 64)
        self.port = self.sockets[0].getsockname()[1]
        for _ in range(8 if full else 0):  # fills the queue of the port
            waiting = socket.socket()
            waiting.setblocking(False)
            with contextlib.suppress(BlockingIOError):
                waiting.connect(("127.0.0.1", self.port))
            self.sockets.append(waiting)

    def __enter__(self):
        return self

    def __exit__(self, *_):
        for each in self.sockets:
            each.close()


@contextlib.contextmanager
def world(step, folder):
    """Yields the text of a kubeconfig for a connection that hangs at `step`."""
    if step in ("connect", "TLS", "plugin"):
        plugin = folder / "plugin"
        plugin.write_text("#!/bin/sh\nexec sleep 1000\n", encoding="ascii")
        plugin.chmod(0o755)
        with Silent(step == "connect") as port:
            yield kubeconfig(f"https://127.0.0.1:{port.port}",
                             str(plugin) if step == "plugin" else None)
        return
    hang = lambda request: request.wait()
    answers = {"discovery": {"/api/v1": hang}, "list": {LISTS: hang}}.get(step, {})
    with Server(answers) as server:
        yield kubeconfig(server.url)


def start(program, arguments, folder, config, output):
    (folder / "config").write_text(config, encoding="utf-8")
    return subprocess.Popen(
        [program, *arguments], cwd=folder, stdin=subprocess.DEVNULL, stdout=output,
        stderr=subprocess.PIPE,
        env={"HOME": str(folder), "TMPDIR": str(folder), "KUBECONFIG": str(folder / "config"),
             "PATH": os.environ["PATH"], "LC_ALL": "C.UTF-8"})


def run(program, step, arguments, number, codes):
    """Returns what is wrong, or None."""
    with tempfile.TemporaryDirectory(prefix="kinf-deadlines.") as name, \
            world(step, pathlib.Path(name)) as config:
        reader, writer = os.pipe()
        child = start(program, arguments, pathlib.Path(name), config, writer)
        os.close(writer)
        try:
            if number is not None:
                wait_until_blocked(child.pid)
                child.send_signal(number)
            text = child.communicate(timeout=LONG)[1].decode(errors="replace")
        except subprocess.TimeoutExpired:
            child.kill()
            child.communicate()
            return f"still running after {LONG} s"
        finally:
            os.close(reader)
    if child.returncode not in codes:
        return f"exit code {child.returncode}, expected {sorted(codes)}: {text[:200]}"
    return None


def wait_until_blocked(pid):
    """Waits until kinf has blocked the signals that it waits for."""
    while True:
        try:
            status = pathlib.Path(f"/proc/{pid}/status").read_text(encoding="ascii")
        except OSError:
            return
        blocked = [line for line in status.split("\n") if line.startswith("SigBlk:")]
        if not blocked or int(blocked[0].split()[1], 16) & (1 << (signal.SIGTERM - 1)):
            return


def plan():
    get, watch = ["get", "cm"], ["watch", "cm"]
    for step in ("connect", "TLS", "discovery", "list"):
        yield step, [*get, "--sync-timeout", LIMIT], None, {124}
        yield step, [*watch, "--sync-timeout", LIMIT], None, {124}
        yield step, [*watch, "--timeout", LIMIT], None, {124}
        yield step, ["index", "cm", "--sync-timeout", LIMIT], None, {124}
        yield step, ["wait", "cm/a", "--for=create", "--timeout", LIMIT], None, {124}
        for number in (signal.SIGINT, signal.SIGTERM):
            for command in (get, watch, ["check", "cm"], ["api-resources"]):
                if step != "list" or command in (get, watch):
                    yield step, command, number, {128 + number}
    yield "discovery", [*get, "--request-timeout", LIMIT], None, {6, 124}
    yield "plugin", [*get, "--sync-timeout", LIMIT], None, {1, 5, 6, 124}
    yield "plugin", [*watch, "--timeout", LIMIT], None, {124}
    for number in (signal.SIGINT, signal.SIGTERM):
        yield "plugin", get, number, {128 + number}
        yield "watch", watch, number, {128 + number}
        yield "watch", ["run", "cm", "--", "sleep", "1000"], number, {128 + number}
    yield "watch", [*watch, "--timeout", LIMIT], None, {124}


def main():
    program, *words = sys.argv[1:]
    program = str(pathlib.Path(program).resolve())
    runs = [one for one in plan()
            if all(word in f"{one[0]}: {' '.join(one[1])} {one[2]}" for word in words)]
    failed = 0
    with concurrent.futures.ThreadPoolExecutor(max_workers=4) as pool:
        for (step, arguments, number, _), problem in zip(
                runs, pool.map(lambda one: run(program, *one), runs)):
            if problem is not None:
                failed += 1
                what = f" and {signal.Signals(number).name}" if number else ""
                print(f"{step} hangs: kinf {' '.join(arguments)}{what}: {problem}")
    print(f"{len(runs)} runs, {failed} failed")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
