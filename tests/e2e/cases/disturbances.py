# SPDX-License-Identifier: Apache-2.0
"""etcd that stops or compacts, a busy server, permissions and types that are removed and restored.
Each happens during writes; at the end the printed events must add up to the server's state."""
import signal
import time

from cases.types import define_widgets
from objects import History, configmap, parsed, widget
from trial import case, expect, expect_equal
from writes import Writer, patiently, settle, under_writes

WIDGETS = "customresourcedefinitions.apiextensions.k8s.io"


@case("a watch loses and repeats nothing when etcd stops and starts during writes", 200,
      server="default")
def etcd_restart(t):
    def disturb():
        t.server.ctl("stop-etcd")
        time.sleep(3)
        t.server.ctl("start-etcd")
    under_writes(t, disturb, times=2, seconds=90)


@case("a list that hangs without etcd succeeds once etcd is back", 150,
      server="nocache")
def list_without_etcd(t):
    t.server.create("configmaps", t.namespace, configmap("there"))
    t.server.ctl("stop-etcd")
    kinf = t.kinf("watch", "cm", "-n", t.namespace, "-o", "json", "--request-timeout=3s")
    time.sleep(8)
    expect(kinf.running(), lambda: f"it should still retry, but printed {kinf.err.all()}")
    expect_equal(kinf.out.all(), [], "events without etcd")
    t.server.ctl("start-etcd")
    kinf.out.wait_for('"there"', seconds=60)
    settle(t, kinf, t.server)


@case("a stopped kinf misses nothing when etcd compacts its history, several times", 200,
      server="nocache")
def compaction(t):
    proxy = t.short_watches()

    def disturb():
        kinf = t.started[-1]
        kinf.signal(signal.SIGSTOP)
        time.sleep(9)  # the server ends the watch meanwhile; the writes continue
        t.server.ctl("compact")
        time.sleep(1)
        kinf.signal(signal.SIGCONT)
    kinf = under_writes(t, disturb, times=3, options=("--server", proxy.url))
    expect("expired" in "\n".join(kinf.err.all()), lambda: f"no notice of the gap in {kinf.err.all()}")


@case("a watch retries until a server with one request at a time answers", 150,
      server="tiny")
def one_in_flight(t):
    space = t.namespace
    writer = Writer(t.server, space, seed=3)
    more = Writer(t.server, space, seed=4)
    watches = [t.kinf("watch", "cm", "-n", space, "-o", "json", "-v=4") for _ in range(6)]
    for kinf in watches:
        kinf.out.wait_count(30, seconds=60)
    writer.stop()
    more.stop()
    for kinf in watches:
        expect(kinf.running(), lambda one=kinf: f"it should still watch, but printed {one.err.all()}")
        settle(t, kinf, t.server)


def binding_of_viewers(server):
    path = "/apis/rbac.authorization.k8s.io/v1/namespaces/default/rolebindings"
    binding = server.request("GET", f"{path}/viewers")
    body = {key: binding[key] for key in ("apiVersion", "kind", "roleRef", "subjects")}
    body["metadata"] = {"name": "viewers"}
    return (lambda: server.request("DELETE", f"{path}/viewers"),
            lambda: patiently(lambda: server.request("POST", path, body, accepted=(409,))))


@case("with --retry-forbidden a watch misses nothing when permissions are removed and restored", 200,
      server="default")
def rights(t):
    server = t.server
    take, give = binding_of_viewers(server)
    t.use_namespace("default")
    proxy = t.short_watches("viewer-token")
    kinf = t.kinf("watch", "cm", "-n", "default", "-o", "json", "--retry-forbidden", "--server", proxy.url)
    writer = Writer(server, "default", seed=5)
    kinf.out.wait_count(20)
    for _ in range(2):
        printed = len(kinf.err.all())
        take()
        kinf.err.wait_count(printed + 2, seconds=30)
        time.sleep(6)
        lines = kinf.err.all()[printed:]  # the error and its hint once, whatever else went wrong
        expect(sum("forbidden" in line for line in lines) == 1 and
               sum(line.startswith("hint:") for line in lines) == 1,
               lambda: f"unexpected: {kinf.err.all()}")
        give()
        before = len(kinf.out.all())
        kinf.out.wait_count(before + 20, seconds=60)
    writer.stop()
    settle(t, kinf, server)


@case("a watch that loses its permissions exits with 5 and says why", 90, server="default")
def rights_lost(t):
    take, _ = binding_of_viewers(t.server)
    proxy = t.short_watches("viewer-token")
    t.server.create("configmaps", "default", configmap("there"))
    kinf = t.kinf("watch", "cm", "-n", "default", "-o", "name", "--server", proxy.url)
    kinf.out.wait_for("configmap/there")
    take()
    status, _, err = kinf.finish(seconds=40)
    expect_equal(status, 5, f"status ({err})")
    expect("forbidden" in err and "hint:" in err, f"no reason or hint in {err!r}")


@case("a watch continues when its type is deleted and defined again", 150,
      server="default")
def type_recreated(t):
    server, space = t.server, t.namespace
    define_widgets(t)
    for number in range(5):
        server.create("widgets.kinf.test", space, widget(f"w-{number}", number))
    kinf = t.kinf("watch", "widgets", "-n", space, "-o", "json")
    kinf.out.wait_count(5)
    for generation in range(2):
        seen = len(kinf.out.all())
        server.delete(WIDGETS, "", "widgets.kinf.test")
        events = parsed(kinf.out.wait_count(seen + 5, seconds=40))
        expect_equal([event["type"] for event in events[seen:]], ["DELETED"] * 5, "events of the deletion")
        time.sleep(4)
        expect(kinf.running(), lambda: f"it should wait for the type, but printed {kinf.err.all()}")
        patiently(lambda: define_widgets(t))
        for number in range(5):
            patiently(lambda n=number: server.create(
                "widgets.kinf.test", space, widget(f"w-{n}", 10 * generation + n), accepted=(409,)))
        kinf.out.wait_count(seen + 10, seconds=60)
    history = History.of(parsed(kinf.out.all()))
    listed = server.list("widgets.kinf.test", space)["items"]
    expect_equal(history.versions(), {thing["metadata"]["name"]: thing["metadata"]["resourceVersion"]
                                      for thing in listed}, "remaining objects")
