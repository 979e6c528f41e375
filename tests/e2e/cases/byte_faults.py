# SPDX-License-Identifier: Apache-2.0
"""Connection faults between kinf and a real server, over TLS and HTTP/2. The relay of `kinf sandbox`
injects them in the middle of requests and responses."""
import time
import urllib.parse
import urllib.request

from objects import configmap
from trial import case, expect
from writes import Writer, settle

FAULTS = ["cut:every=1s", "reset:every=1s", "stall:every=4s", "truncate:every=1s", "slow:40KBps",
          "random:seed=7:rate=0.5"]
SECONDS = 8


class Relay:
    def __init__(self, t):
        server = urllib.parse.urlsplit(t.server.url).netloc
        program = t.kinf("sandbox", "--relay", server)
        self.url = "https://" + program.out.wait_count(1)[0]
        said = program.err.wait_for("POST")[0]
        self._control = said[said.index("POST ") + 5:said.index("?")]

    def fault(self, spec):
        request = urllib.request.Request(f"{self._control}?spec={spec}", method="POST")
        with urllib.request.urlopen(request, timeout=10) as answer:
            expect(answer.status == 200, f"the relay refused {spec}")


def passes(t, fault, watch_list, output):
    for number in range(60):
        t.server.create("configmaps", t.namespace, configmap(f"c-{number}", pad="x" * 500))
    relay = Relay(t)
    kinf = t.kinf("watch", "cm", "-n", t.namespace, "-o", output, "--server", relay.url, "-v", "6",
                  f"--watch-list={watch_list}", "--stall-timeout=2s", "--request-timeout=5s",
                  "--max-retry-interval=2s")
    kinf.out.wait_count(60)
    expect(any("HTTP/2 200" in line for line in kinf.err.all()), "kinf did not speak HTTP/2")
    writer = Writer(t.server, t.namespace, seed=7)
    relay.fault(fault)
    time.sleep(SECONDS)
    writer.stop()
    relay.fault("none")
    expect(writer.done > 40, f"only {writer.done} writes succeeded")
    watches = sum("watch=true" in line and "GET " in line for line in kinf.err.all())
    expect(watches <= 5 * SECONDS, f"{watches} watches in {SECONDS} s")
    if output == "json":
        settle(t, kinf, t.server)
    else:
        settle_table(t, kinf)


def settle_table(t, kinf):
    """Adds a last object. Then checks that the rows add up to the server's state."""
    t.server.create("configmaps", t.namespace, configmap("zz-last"))
    kinf.out.wait_for("zz-last", seconds=60)
    left = set()
    for row in kinf.out.all()[1:]:
        event, name = row.split()[:2]
        expect((name in left) == (event != "Added"), f"{event} {name} is not possible here")
        if event == "Added":
            left.add(name)
        elif event == "Deleted":
            left.remove(name)
    listed = t.server.list("configmaps", t.namespace)["items"]
    expect(left == {thing["metadata"]["name"] for thing in listed}, "the rows do not add up to the server's state")


def register(fault, watch_list, output):
    name = fault.split(":", maxsplit=1)[0]
    way = "watch-list" if watch_list == "on" else "list"

    @case(f"byte fault {name} over HTTP/2 and TLS, {output} {way}", 120)
    def one(t):
        passes(t, fault, watch_list, output)


for each in FAULTS:
    for form in ("table", "json"):
        for mode in ("off", "on"):
            register(each, mode, form)
