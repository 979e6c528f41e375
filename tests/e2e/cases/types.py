# SPDX-License-Identifier: Apache-2.0
"""Several types in one watch, custom resources, and `kinf get` compared with kubectl."""
from objects import WIDGET_TYPE, bare, configmap, parsed, pod, version_of, widget
from trial import case, expect, expect_equal, expect_same_as_kubectl

TYPES = {"pods": "pods", "configmaps": "configmaps", "widgets.kinf.test": "widgets.kinf.test"}


def define_widgets(t):
    """Creates the type and waits until the server serves it."""
    t.server.create("customresourcedefinitions.apiextensions.k8s.io", "", WIDGET_TYPE, accepted=(409,))
    for _ in range(200):
        answer = t.server.request("GET", "/apis/kinf.test/v1/widgets", accepted=(404, 429))
        if isinstance(answer, dict) and answer.get("kind") == "WidgetList":
            return
    expect(False, f"the server does not serve widgets: {answer}")


@case("two types and a custom resource in one watch have the events of plain watches")
def three_types(t):
    define_widgets(t)
    t.server.create("pods", t.namespace, pod("first"))
    t.server.create("configmaps", t.namespace, configmap("first"))
    t.server.create("widgets.kinf.test", t.namespace, widget("first", 1))
    kinf = t.kinf("watch", "pods,cm,widgets", "-n", t.namespace, "-o", "json")
    rows = t.kinf("watch", "pods,cm,widgets", "-n", t.namespace)
    kinf.out.wait_count(3)
    rows.out.wait_count(4)
    raw = {resource: t.watch(resource, t.namespace, version_of(t.server.list(resource, t.namespace)))
           for resource in TYPES}
    for number in range(5):
        name = f"n-{number}"
        t.server.create("pods", t.namespace, pod(name))
        t.server.create("configmaps", t.namespace, configmap(name))
        t.server.create("widgets.kinf.test", t.namespace, widget(name, number))
        t.server.patch("widgets.kinf.test", t.namespace, name, {"spec": {"size": number + 100}})
        t.server.delete("configmaps", t.namespace, name)
        t.server.delete("pods", t.namespace, name)
    for resource, last in (("pods", pod("zz")), ("configmaps", configmap("zz")),
                           ("widgets.kinf.test", widget("zz", 0))):
        t.server.create(resource, t.namespace, last)
        kinf.out.wait_until(
            lambda seen, one=resource: any(f'"resource":"{one}","key":"{t.namespace}/zz"' in line
                                           for line in seen), f"the last of {resource}")
    got = parsed(kinf.out.all())
    for resource in TYPES:
        sent = raw[resource].wait_until(
            lambda seen: seen and seen[-1]["object"]["metadata"]["name"] == "zz", "the last object")
        mine = [bare(event) for event in got[3:] if event["resource"] == resource]
        expect_equal(mine, [bare(event) for event in sent], resource)
    lines = rows.out.wait_until(
        lambda seen: all(any(line.split()[1] == f"{kind}/zz" for line in seen)
                         for kind in ("pod", "configmap", "widget.kinf.test")), "the last rows")
    expect_equal(lines[0].split(), ["EVENT", "NAME", "AGE", "STATE"], "header")
    names = {tuple(line.split()[:2]) for line in lines[1:]}
    for row in (("Added", "pod/n-4"), ("Deleted", "configmap/n-4"), ("Updated", "widget.kinf.test/n-4")):
        expect(row in names, f"no row {row} in\n" + "\n".join(lines))


@case("a custom resource shows the columns of its definition")
def printer_columns(t):
    define_widgets(t)
    t.server.create("widgets.kinf.test", t.namespace, widget("one", 7))
    status, out, _ = t.kinf("get", "wd", "-n", t.namespace).finish()
    expect_equal(status, 0, "status")
    expect_equal([line.split()[:2] for line in out.splitlines()], [["NAME", "SIZE"], ["one", "7"]], "table")


@case("kinf get prints what kubectl get prints")
def same_as_kubectl(t):
    t.loadgen("create", "-ns", t.namespace, "-n", 30, "-running")
    t.loadgen("create", "-ns", t.namespace, "-kind", "deployments", "-n", 5)
    for words in (["pods"], ["pods", "-o", "wide"], ["pods", "-o", "name"], ["deploy"],
                  ["pods", "--show-labels"], ["pods", "-L", "app,tier"], ["pods", "--no-headers"],
                  ["pods", "-l", "app=robusta"], ["pods", "load-000003"], ["cm", "-A"]):
        expect_same_as_kubectl(t, *words, space="-A" not in words)


@case("an empty namespace prints the same message as kubectl")
def nothing_there(t):
    status, out, err = t.kinf("get", "pods", "-n", t.namespace).finish()
    expect_equal((status, out, err), (0, "", f"No resources found in {t.namespace} namespace."), "get")
