# SPDX-License-Identifier: Apache-2.0
"""Objects that enter and leave a selector while kinf watches."""
from objects import configmap, parsed, pod
from trial import case, expect_equal


def types_and_names(lines):
    return [(event["type"], event["object"]["metadata"]["name"]) for event in parsed(lines)]


def watch_labels(t, selector, steps, wanted):
    """Applies each step's labels to its ConfigMap and compares the events with `wanted`."""
    t.server.create("configmaps", t.namespace, configmap("in", {"app": "web"}))
    t.server.create("configmaps", t.namespace, configmap("out", {"app": "db"}))
    kinf = t.kinf("watch", "cm", "-n", t.namespace, "-o", "json", "-l", selector)
    kinf.out.wait_count(1)
    for name, labels in steps:
        t.server.patch("configmaps", t.namespace, name, {"metadata": {"labels": labels}})
    t.server.create("configmaps", t.namespace, configmap("zz-last", {"app": "web"}))
    kinf.out.wait_for("zz-last")
    wanted = [("ADDED", "in"), *wanted, ("ADDED", "zz-last")]
    expect_equal(types_and_names(kinf.out.all()), wanted, f"events of -l {selector}")


@case("an object that starts to match a label selector is added; one that stops is deleted")
def label(t):
    watch_labels(t, "app=web", [
        ("out", {"app": "web"}), ("out", {"more": "1"}), ("in", {"app": "db"}), ("in", {"more": "1"}),
        ("in", {"app": "web"})],
        [("ADDED", "out"), ("MODIFIED", "out"), ("DELETED", "in"), ("ADDED", "in")])


@case("set-based label selectors work the same")
def label_set(t):
    watch_labels(t, "app in (web,api),!legacy", [
        ("in", {"app": "api"}), ("in", {"legacy": "yes"}), ("in", {"legacy": None}),
        ("out", {"app": "api", "legacy": "yes"}), ("out", {"legacy": None})],
        [("MODIFIED", "in"), ("DELETED", "in"), ("ADDED", "in"), ("ADDED", "out")])


@case("a field selector on the phase follows pods")
def phase(t):
    t.server.create("pods", t.namespace, pod("runs", node="node-1"))
    t.server.create("pods", t.namespace, pod("waits", node="node-1"))

    def turn(name, phase_now):
        path = f"/api/v1/namespaces/{t.namespace}/pods/{name}/status"
        t.server.request("PATCH", path, {"status": {"phase": phase_now}},
                         content_type="application/merge-patch+json")
    turn("runs", "Running")
    kinf = t.kinf("watch", "pods", "-n", t.namespace, "-o", "json",
                  "--field-selector=status.phase=Running")
    kinf.out.wait_count(1)
    turn("waits", "Running")
    turn("runs", "Succeeded")
    t.server.delete("pods", t.namespace, "waits", "?gracePeriodSeconds=0")
    kinf.out.wait_count(5)
    expect_equal(types_and_names(kinf.out.all()), [("ADDED", "runs"), ("ADDED", "waits"), ("DELETED", "runs"),
                                        ("MODIFIED", "waits"), ("DELETED", "waits")], "events")


@case("kinf filters by a field that the server cannot select by")
def other_field(t):
    path = f"/api/v1/namespaces/{t.namespace}/configmaps/one"
    t.server.create("configmaps", t.namespace, {**configmap("one"), "data": {"level": "info"}})
    t.server.create("configmaps", t.namespace, configmap("two"))
    kinf = t.kinf("watch", "cm", "-n", t.namespace, "-o", "json",
                  "--field-selector=data.level=debug,metadata.name!=two", "-v=2")
    kinf.err.wait_for("the server cannot select by data.level; kinf filters here")
    kinf.err.wait_for("synced")
    for level in ("debug", "info"):
        t.server.request("PATCH", path, {"data": {"level": level}},
                         content_type="application/merge-patch+json")
    kinf.out.wait_count(2)
    expect_equal(types_and_names(kinf.out.all()), [("ADDED", "one"), ("DELETED", "one")], "events")


@case("a watch of one name prints only that object")
def one_name(t):
    kinf = t.kinf("watch", "cm/one", "-n", t.namespace, "-o", "json")
    for name in ("other", "one"):
        t.server.create("configmaps", t.namespace, configmap(name))
    kinf.out.wait_count(1)
    t.server.delete("configmaps", t.namespace, "other")
    t.server.delete("configmaps", t.namespace, "one")
    kinf.out.wait_count(2)
    expect_equal(types_and_names(kinf.out.all()), [("ADDED", "one"), ("DELETED", "one")], "events")
