# SPDX-License-Identifier: Apache-2.0
"""A watch without events."""
import time

from objects import configmap
from trial import case, expect, expect_equal


@case("a watch without events for three minutes stays connected and prints nothing", seconds=240,
      in_parallel=True)
def idle(t):
    t.server.create("configmaps", t.namespace, configmap("there"))
    kinf = t.kinf("watch", "cm", "-n", t.namespace, "-o", "name")
    kinf.out.wait_count(1)
    time.sleep(180)
    expect(kinf.running(), "it ended")
    expect_equal((kinf.out.all(), kinf.err.all()), (["configmap/there"], []), "what it printed")
    t.server.create("configmaps", t.namespace, configmap("new"))
    kinf.out.wait_for("configmap/new", seconds=2)
    kinf.interrupt()
    expect_equal(kinf.wait(), 130, "status")
