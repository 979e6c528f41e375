# SPDX-License-Identifier: Apache-2.0
"""Writes during disturbances, and checks of what a watch has printed at the end."""
import random
import threading
import time

from lines import Failure
from objects import History, configmap, parsed, trimmed
from trial import expect, expect_equal


class Writer:
    """Creates, changes and deletes ConfigMaps until stopped. Ignores errors of the server."""

    def __init__(self, server, namespace, seed):
        self._server, self._namespace = server, namespace
        self._random = random.Random(seed)
        self._stop = threading.Event()
        self.done = 0
        self._thread = threading.Thread(target=self._run, daemon=True)
        self._thread.start()

    def _run(self):
        while not self._stop.wait(0.005):
            name = f"c-{self._random.randrange(40)}"
            body = {"data": {"value": str(self._random.random())}}
            try:
                match self._random.randrange(4):
                    case 0: self._server.delete("configmaps", self._namespace, name)
                    case 1: self._server.create("configmaps", self._namespace, configmap(name))
                    case _: self._server.patch("configmaps", self._namespace, name, body)
                self.done += 1
            except (Failure, OSError, ValueError):
                pass  # absent, exists already, or no server: try something else

    def stop(self):
        self._stop.set()
        self._thread.join()


def patiently(request, seconds=60):
    """Retries request() while the server is down or busy. Returns its response."""
    deadline = time.monotonic() + seconds
    while True:
        try:
            return request()
        except (Failure, OSError, ValueError):
            if time.monotonic() > deadline:
                raise
            time.sleep(0.1)


def settle(t, kinf, server):
    """Adds a last object and waits for it. Then checks that the printed events add up to the
    server's state."""
    patiently(lambda: server.create("configmaps", t.namespace, configmap("zz-last"), accepted=(409,)))
    kinf.out.wait_for("zz-last", seconds=60)
    listed = patiently(lambda: server.list("configmaps", t.namespace))["items"]
    wanted = {thing["metadata"]["name"]: trimmed(thing) for thing in listed}
    history = History.of(parsed(kinf.out.all()))
    got = {thing["metadata"]["name"]: thing for thing in history.objects.values()}
    expect_equal(sorted(got), sorted(wanted), "remaining objects")
    for name, thing in wanted.items():
        for absent in ("apiVersion", "kind"):  # the items of a list do not have them
            thing[absent] = got[name][absent]
        expect_equal(got[name], thing, f"last state of {name}")


def under_writes(t, disturb, times, seconds=40, options=()):
    """Watches ConfigMaps while they change and calls disturb() `times` times. Each time events must
    arrive again within `seconds`."""
    kinf = t.kinf("watch", "cm", "-n", t.namespace, "-o", "json", *options)
    writer = Writer(t.server, t.namespace, seed=7)
    kinf.out.wait_count(10)
    for _ in range(times):
        disturb()
        before = len(kinf.out.all())
        kinf.out.wait_count(before + 20, seconds=seconds)
    writer.stop()
    expect(writer.done > 40, f"only {writer.done} writes succeeded")
    settle(t, kinf, t.server)
    return kinf
