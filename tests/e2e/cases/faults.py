# SPDX-License-Identifier: Apache-2.0
"""Servers that restart, die, lose history or hang during a watch. Each case has its own server."""
import signal
import threading
import time

from objects import History, configmap, parsed, pod
from trial import case, expect, expect_equal
from writes import Writer, settle, under_writes


@case("a watch loses and repeats nothing when the server restarts during writes", 150, server="default")
def restart(t):
    under_writes(t, lambda: t.server.ctl("restart-apiserver"), times=2)


@case("a watch loses and repeats nothing when the server is killed during writes", 150, server="default")
def kill(t):
    def disturb():
        t.server.ctl("kill-apiserver")
        t.server.ctl("start-apiserver")
    under_writes(t, disturb, times=2)


@case("a stopped kinf prints only the differences after its history expires", 120, server="default")
def expired(t):
    server, space = t.server, t.namespace
    for number in range(30):
        server.create("configmaps", space, configmap(f"c-{number:02}", value="old"))
    kinf = t.kinf("watch", "cm", "-n", space, "-o", "json")
    kinf.out.wait_count(30)
    before = History.of(parsed(kinf.out.all())).objects

    kinf.signal(signal.SIGSTOP)
    server.ctl("kill-apiserver")
    # Deleted in etcd while no server runs.
    server.ctl("forget", *[f"/registry/configmaps/{space}/c-0{number}" for number in (1, 2)])
    server.ctl("start-apiserver")
    server.delete("configmaps", space, "c-03")
    for name in ("c-04", "c-05"):
        server.patch("configmaps", space, name, {"data": {"value": "new"}})
    server.delete("configmaps", space, "c-06")
    server.create("configmaps", space, configmap("c-06", value="again"))
    server.create("configmaps", space, configmap("c-90"))
    server.ctl("kill-apiserver")
    server.ctl("compact")
    server.ctl("start-apiserver")
    kinf.signal(signal.SIGCONT)

    kinf.out.wait_count(38, seconds=60)
    settle(t, kinf, server)
    events = [event for event in parsed(kinf.out.all())[30:] if "zz-last" not in event["key"]]
    expect_equal(sorted((event["key"].split("/")[1], event["type"]) for event in events),
                 [("c-01", "DELETED"), ("c-02", "DELETED"), ("c-03", "DELETED"), ("c-04", "MODIFIED"),
                  ("c-05", "MODIFIED"), ("c-06", "ADDED"), ("c-06", "DELETED"), ("c-90", "ADDED")],
                 "differences")
    for event in events:
        expect_equal(event["source"], "relist", "source")
        name, gone = event["key"].split("/")[1], event["type"] == "DELETED"
        expect_equal(event.get("finalStateUnknown", False), gone, f"finalStateUnknown of {name}")
        expect_equal(event.get("recreated", False), (name, gone) == ("c-06", False), f"recreated of {name}")
        if gone:
            expect_equal(event["object"], before[event["key"]], f"last known state of {name}")
    expect("expired" in "\n".join(kinf.err.all()) and "relisted" in "\n".join(kinf.err.all()),
           lambda: f"no notice of the gap in {kinf.err.all()}")


@case("a table shows a deletion that no watch saw", 90, server="default")
def expired_table(t):
    for name in ("keep", "lose"):
        t.server.create("pods", t.namespace, pod(name))
    kinf = t.kinf("watch", "pods", "-n", t.namespace)
    kinf.out.wait_count(3)
    t.server.ctl("kill-apiserver")
    t.server.ctl("forget", f"/registry/pods/{t.namespace}/lose")
    t.server.ctl("compact")
    t.server.ctl("start-apiserver")
    kinf.out.wait_for("Deleted   lose", seconds=40)
    t.server.create("pods", t.namespace, pod("new"))
    kinf.out.wait_for("Added     new")
    expect_equal(len(kinf.out.all()), 5, "lines: header, two, the deletion, the new one")


@case("kinf tolerates a server that answers 403 right after its start", 150, server="default")
def forbidden_at_first(t):
    t.server.create("pods", "default", pod("there"))
    t.kubeconfig = t.server.kubeconfig("viewer")  # the server loads its permissions from etcd at the start
    kinf = t.kinf("watch", "pods", "-o", "name")
    kinf.out.wait_count(1)
    for number in range(3):
        t.server.ctl("kill-apiserver")
        t.server.ctl("start-apiserver")
        t.server.create("pods", "default", pod(f"after-{number}"))
        kinf.out.wait_for(f"pod/after-{number}", seconds=40)
    expect(kinf.running(), "still watching")
    expect_equal(len(kinf.out.all()), 4, "lines")

    t.server.ctl("stop-apiserver")
    starting = threading.Thread(target=t.server.ctl, args=("start-apiserver",))
    starting.start()
    while True:  # until the server answers; --retry-forbidden must retry a 403 in between
        status, out, err = t.kinf("get", "pods", "-o", "name", "--retry-forbidden").finish(seconds=40)
        if status != 6:
            break
        time.sleep(0.01)
    starting.join()
    expect_equal((status, len(out.splitlines())), (0, 4), f"status and lines of get ({err})")


@case("a watch reconnects when the server hangs, and prints each event once", 120, server="default")
def frozen(t):
    t.server.create("configmaps", t.namespace, configmap("one"))
    kinf = t.kinf("watch", "cm", "-n", t.namespace, "-o", "json", "--stall-timeout=3s", "-v=4")
    kinf.out.wait_count(1)
    t.server.ctl("freeze-apiserver")
    try:
        time.sleep(8)
    finally:
        t.server.ctl("thaw-apiserver")
    settle(t, kinf, t.server)
    expect(kinf.err.all(), "stderr is empty at -v=4")


@case("a watch misses nothing when the server ends it every few seconds", 90)
def short_watches(t):
    proxy = t.short_watches()
    kinf = t.kinf("watch", "cm", "-n", t.namespace, "-o", "json", "--server", proxy.url)
    writer = Writer(t.server, t.namespace, seed=11)
    time.sleep(20)
    writer.stop()
    settle(t, kinf, t.server)
    expect(3 <= proxy.ended <= 12, f"{proxy.ended} watches in 20 s")
    sources = {event["source"] for event in parsed(kinf.out.all())[1:]}
    expect("relist" not in sources, "a watch that the server ended cleanly caused a relist")
