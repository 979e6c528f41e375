# SPDX-License-Identifier: Apache-2.0
"""Lets each step of a connection hang, and checks that each time-out flag and signal ends kinf in time
and with its exit code: connecting, TLS, an exec plugin, discovery, a list, a watch. A run that takes too
long is repeated alone, because other programs may have slowed it down.

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
import time

from hostile_server import LISTS, Server

LIMIT = "1s"
MOST = 4  # seconds, from the start or from the signal: LIMIT, and 3 s for a busy machine
LONG = 30  # after which kinf is killed
PAUSE = 0.3  # between the start and a signal, so that kinf comes to the step that hangs


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
    """Returns what is wrong, or None, and how long kinf took."""
    with tempfile.TemporaryDirectory(prefix="kinf-deadlines.") as name, \
            world(step, pathlib.Path(name)) as config:
        reader, writer = os.pipe()
        child = start(program, arguments, pathlib.Path(name), config, writer)
        os.close(writer)
        begin = time.monotonic()
        try:
            if number is not None:
                wait_until_blocked(child.pid)
                time.sleep(PAUSE)
                begin = time.monotonic()
                child.send_signal(number)
            text = child.communicate(timeout=LONG)[1].decode(errors="replace")
        except subprocess.TimeoutExpired:
            child.kill()
            child.communicate()
            return f"still running after {LONG} s", LONG
        finally:
            os.close(reader)
    seconds = time.monotonic() - begin
    if child.returncode not in codes:
        return f"exit code {child.returncode}, expected {sorted(codes)}: {text[:200]}", seconds
    return f"took {seconds:.1f} s, more than {MOST}" if seconds > MOST else None, seconds


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
    """Returns the step that hangs, the arguments, the signal and the exit codes of each run."""
    get, watch, index = ["get", "cm"], ["watch", "cm"], ["index", "cm"]
    run = ["run", "cm", "--drain", "1s", "--", "sleep", "1000"]
    others = (["check", "cm"], ["api-resources"], ["record", "cm", "--to", "r.kinf"],
              ["wait", "cm/a", "--for=delete"], index, run)
    for step in ("connect", "TLS", "plugin", "discovery", "list"):
        yield step, [*get, "--sync-timeout", LIMIT], None, {124}
        yield step, [*watch, "--sync-timeout", LIMIT], None, {124}
        yield step, [*watch, "--timeout", LIMIT], None, {124}
        yield step, [*index, "--sync-timeout", LIMIT], None, {124}
        yield step, ["run", "cm", "--sync-timeout", LIMIT, "--", "true"], None, {124}
        yield step, ["record", "cm", "--to", "r.kinf", "--sync-timeout", LIMIT], None, {124}
        yield step, ["wait", "cm/a", "--for=create", "--timeout", LIMIT], None, {124}
        yield step, ["history", "cm/a", "--timeout", LIMIT], None, {124}
        if step != "plugin":  # --request-timeout is not for plugins
            yield step, ["check", "cm", "--request-timeout", LIMIT], None, {4, 6}
            # kinf tries a list again until --sync-timeout.
            yield (step, [*get, "--request-timeout", LIMIT, "--sync-timeout", "2s"], None,
                   {124} if step == "list" else {6, 124})
        for number in (signal.SIGINT, signal.SIGTERM):
            for command in (get, watch, *others):
                if step != "list" or command[0] not in ("check", "api-resources"):
                    yield step, command, number, {128 + number}
    for number in (signal.SIGINT, signal.SIGTERM):
        for command in (watch, run, [*index, "-w"], ["record", "cm", "--to", "r.kinf"],
                        ["wait", "cm/a", "--for=delete"]):
            yield "watch", command, number, {128 + number}
    yield "watch", [*watch, "--timeout", LIMIT], None, {124}
    yield "watch", [*index, "-w", "--timeout", LIMIT], None, {124}
    yield "watch", ["wait", "cm/a", "--for=delete", "--timeout", LIMIT], None, {124}
    yield "watch", ["history", "cm/a", "--timeout", LIMIT], None, {124}


def main():
    program, *words = sys.argv[1:]
    program = str(pathlib.Path(program).resolve())
    runs = [one for one in plan()
            if all(word in f"{one[0]}: {' '.join(one[1])} {one[2]}" for word in words)]
    failed = 0
    with concurrent.futures.ThreadPoolExecutor(max_workers=8) as pool:
        outcomes = list(pool.map(lambda one: run(program, *one), runs))
    for one, (problem, seconds) in zip(runs, outcomes):
        if seconds > MOST:
            problem, _ = run(program, *one)
        if problem is not None:
            failed += 1
            step, arguments, number, _ = one
            what = f" and {signal.Signals(number).name}" if number else ""
            print(f"{step} hangs: kinf {' '.join(arguments)}{what}: {problem}")
    print(f"{len(runs)} runs, {failed} failed")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
