# SPDX-License-Identifier: Apache-2.0
"""Lists in pages that are requested ahead of time."""
import re

from counting_proxy import CountingProxy
from trial import case, expect, expect_equal


@case("the pages of a list are those of one snapshot, and share one HTTP/2 connection")
def one_connection(t):
    t.loadgen("create", "-ns", t.namespace, "-n", 400)
    wanted = sorted(t.kubectl("get", "pods", "-n", t.namespace, "-o", "name").split())
    for in_flight in (1, 4):
        proxy = CountingProxy(t.server.url)
        status, out, err = t.kinf("get", "pods", "-n", t.namespace, "-o", "name", "-v", "6",
                                  "--chunk-size=50", f"--pages-in-flight={in_flight}",
                                  "--server", proxy.url).finish()
        proxy.close()
        expect_equal(status, 0, f"status of kinf get ({err})")
        expect_equal(sorted(out.split()), wanted, "the names")
        expect_equal(len(re.findall(r"GET \S+/pods\?\S*limit=50", err)), 8, f"the pages in {err}")
        expect("HTTP/2 200" in err, "kinf did not speak HTTP/2")
        expect_equal(proxy.connections, 2, "the connections: one of discovery, one of the list")


@case("pages of the default size double")
def doubling(t):
    t.loadgen("create", "-ns", t.namespace, "-n", 1700)
    _, out, err = t.kinf("get", "pods", "-n", t.namespace, "-o", "name", "-v", "6").finish()
    expect_equal(len(out.split()), 1700, "the objects")
    expect_equal(re.findall(r"GET \S+/pods\?\S*limit=(\d+)", err), ["500", "1000", "2000"], "the pages")
