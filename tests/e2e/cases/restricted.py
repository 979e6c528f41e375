# SPDX-License-Identifier: Apache-2.0
"""Users who may list pods in some namespaces, but not in all."""
from objects import pod
from trial import case, expect, expect_equal

RBAC = "/apis/rbac.authorization.k8s.io/v1"


def grant(t, namespace, name, rule, user="nobody"):
    """Grants `user` one rule in a namespace, or in the cluster if `namespace` is empty."""
    prefix = "" if namespace else "Cluster"
    path = f"{RBAC}/namespaces/{namespace}" if namespace else RBAC
    plural = f"{prefix.lower()}roles"
    meta = {"metadata": {"name": name}}
    t.server.request("POST", f"{path}/{plural}", {**meta, "rules": [rule]}, accepted=(409,))
    t.server.request("POST", f"{path}/{prefix.lower()}rolebindings", {
        **meta, "roleRef": {"apiGroup": "rbac.authorization.k8s.io", "kind": f"{prefix}Role", "name": name},
        "subjects": [{"apiGroup": "rbac.authorization.k8s.io", "kind": "User", "name": user}]},
        accepted=(409,))


def reads(resource):
    return {"apiGroups": [""], "resources": [resource], "verbs": ["get", "list", "watch"]}


def prepare(t):
    """Creates three namespaces with a pod each. The user `nobody` may read pods in two of them."""
    names = [f"{t.namespace}-{letter}" for letter in "abc"]
    for name in names:
        t.server.create("namespaces", "", {"metadata": {"name": name, "labels": {"set": t.namespace}}})
        t.server.create("pods", name, pod(f"pod-of-{name[-1]}"))
    for name in names[:2]:
        grant(t, name, "pod-reader", reads("pods"))
    t.kubeconfig = t.server.kubeconfig("nobody")
    return names


@case("a user without rights to list namespaces is told to name them")
def unnamed(t):
    names = prepare(t)
    status, out, err = t.kinf("get", "pods", "-n", f"{t.namespace}-*", "-o", "name", "--as=stranger",
                              "--kubeconfig", t.server.kubeconfig("admin-token")).finish()
    expect_equal((status, out), (5, ""), f"status, stdout ({err})")
    expect('cannot list resource "namespaces"' in err and "name them: -n" in err, err)
    status, out, err = t.kinf("get", "pods", "-n", ",".join(names[:2]), "-o", "name").finish()
    expect_equal((status, out), (0, "pod/pod-of-a\npod/pod-of-b"), f"status, stdout ({err})")


@case("--accessible and globs read the namespaces of a restricted user one by one")
def accessible(t):
    grant(t, "", "namespace-reader", reads("namespaces"))
    prepare(t)
    glob = f"{t.namespace}-*"
    status, out, err = t.kinf("get", "pods", "-n", glob, "--accessible", "-o", "name").finish()
    expect_equal((status, out), (0, "pod/pod-of-a\npod/pod-of-b"), f"--accessible ({err})")
    status, out, err = t.kinf("get", "pods", "-n", f"{glob},!*-c", "-o", "name").finish()
    expect_equal((status, out), (0, "pod/pod-of-a\npod/pod-of-b"), f"a glob ({err})")
    status, out, err = t.kinf("get", "pods", "-A", "--accessible", "-o", "name").finish()
    expect(status == 0 and "pod/pod-of-a\npod/pod-of-b" in out and "pod-of-c" not in out, f"{out} ({err})")
    kinf = t.kinf("watch", "pods", "--namespace-selector", f"set={t.namespace}", "--accessible", "-o", "name",
                  "--output-watch-events")
    kinf.out.wait_count(2)
    t.server.create("pods", f"{t.namespace}-b", pod("later"))
    kinf.out.wait_for("ADDED pod/later")
    t.server.patch("namespaces", "", f"{t.namespace}-a", {"metadata": {"labels": {"set": None}}})
    kinf.out.wait_for("DELETED pod/pod-of-a")
