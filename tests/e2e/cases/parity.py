# SPDX-License-Identifier: Apache-2.0
"""Every form of `get`, `wait` and `api-resources` beside kubectl, on twelve types and a custom one.

The standard output must be equal, and both must succeed or fail. What differs on purpose is in the
section DIFFERENCES FROM KUBECTL of man/kinf-get.1.
"""
from cases.types import define_widgets
from objects import configmap, pod, widget
from trial import case, expect, run_beside_kubectl

LABELS = {"app": "web", "tier": "front"}
TYPES = ["pods", "deployments", "replicasets", "configmaps", "secrets", "services", "serviceaccounts",
         "persistentvolumeclaims", "jobs", "cronjobs", "nodes", "namespaces", "widgets"]
CLUSTER_SCOPED = {"nodes", "namespaces"}
FORMS = [
    [], ["-o", "wide"], ["-o", "name"], ["-o", "json"], ["-o", "yaml"], ["-A"], ["-A", "-o", "name"],
    ["-l", "app=web"], ["-l", "app!=web", "-o", "name"], ["--show-labels"], ["-L", "app,tier"],
    ["--no-headers"], ["--show-kind"], ["--sort-by", ".metadata.name"],
    ["--field-selector", "metadata.name=b", "-o", "name"], ["-o", "jsonpath={.items[*].metadata.name}"],
    ["-o", "custom-columns=N:.metadata.name,L:.metadata.labels.app"], ["--server-print=false"],
    ["b"], ["b", "-o", "yaml"], ["a", "b", "-o", "json"], ["none"], ["none", "--ignore-not-found"],
]
OTHERS = [
    ["get", "all"], ["get", "pods,services"], ["get", "po/a", "svc/a"], ["get", "po,deploy", "-o", "name"],
    ["get", "deploy.apps"], ["get", "deployments.v1.apps", "-o", "name"], ["get", "pod", "a", "-o", "jsonpath={.spec}"],
    ["get", "poods"], ["get"], ["get", "pods", "-o", "wrong"], ["get", "pods", "-l", "a=(b"],
    ["get", "pods", "--field-selector", "spec.nodeName=n1"], ["get", "pods", "--chunk-size=1", "-o", "name"],
    ["api-resources", "-o", "name"], ["api-resources", "--no-headers", "-o", "name", "--namespaced=true"],
    ["api-resources", "--namespaced=false", "-o", "name"], ["api-resources", "--api-group=apps", "-o", "name"],
    ["api-resources", "--verbs=list,watch", "-o", "name"], ["api-resources", "--sort-by=name", "-o", "name"],
    ["api-resources", "--sort-by=kind", "-o", "name"], ["api-resources", "--categories=all", "-o", "name"],
    ["wait", "pod/a", "--for=jsonpath={.spec.nodeName}=n1", "--timeout=10s"],
    ["wait", "pod/a", "pod/b", "--for=create", "--timeout=10s"], ["wait", "pods", "--all", "--for=create", "--timeout=10s"],
    ["wait", "pods", "-l", "app=web", "--for=jsonpath={.metadata.name}", "--timeout=10s"],
    ["wait", "cm/none", "--for=delete", "--timeout=10s"], ["wait", "pod/a", "--for=condition=Ready", "--timeout=0"],
    ["wait", "pod/a", "--for=condition=Ready=false", "--timeout=0"], ["wait", "pod/a", "--for=wrong"],
    ["wait", "pod/a"], ["wait", "pod/none", "--for=condition=Ready", "--timeout=0"],
    ["wait", "widgets/a", "--for=jsonpath={.spec.size}=1", "--timeout=10s"],
]


def create_objects(t):
    define_widgets(t)
    template = {"metadata": {"labels": {"run": "x"}}, "spec": pod("x")["spec"]}
    selected = {"selector": {"matchLabels": {"run": "x"}}, "template": template}
    once = {"metadata": {}, "spec": {**pod("x")["spec"], "restartPolicy": "Never"}}
    claim = {"accessModes": ["ReadWriteOnce"], "resources": {"requests": {"storage": "1Gi"}}}
    specs = {
        "deployments.apps": {"replicas": 2, **selected}, "replicasets.apps": {"replicas": 1, **selected},
        "services": {"ports": [{"port": 80}], "selector": {"run": "x"}}, "serviceaccounts": None,
        "persistentvolumeclaims": claim, "jobs.batch": {"template": once},
        "cronjobs.batch": {"schedule": "0 0 1 1 *", "jobTemplate": {"spec": {"template": once}}},
    }
    for number, name in enumerate("abc"):
        labels = LABELS if name == "b" else {"app": "api"}
        t.server.create("pods", t.namespace, pod(name, labels, node="n1" if name == "a" else None))
        t.server.create("configmaps", t.namespace, configmap(name, labels, key=name))
        secret = {**configmap(name, labels, key="aGk="), "type": "Opaque"}
        t.server.create("secrets", t.namespace, secret)
        one = widget(name, number + 1)
        one["metadata"]["labels"] = labels
        t.server.create("widgets.kinf.test", t.namespace, one)
        for resource, spec in specs.items():
            made = {"metadata": {"name": name, "labels": labels}}
            t.server.create(resource, t.namespace, {**made, "spec": spec} if spec else made)


def compared(t, words):
    """Returns how kinf differs from kubectl, or None."""
    space = ["-n", t.namespace] if words[0] != "api-resources" and "-A" not in words else []
    mine = ["--show-secrets"] if "secrets" in words and words[0] == "get" else []
    wanted, got, same = run_beside_kubectl(t, [*words, *space], mine)
    if same and (got[0] == 0) == (wanted[0] == 0):
        return None
    seen = [f"\n  {name} {status} {out[:600]!r} {err[:200]!r}"
            for name, (status, out, err) in (("kubectl:", wanted), ("kinf:   ", got))]
    return " ".join(words) + "".join(seen)


@case("every form of get, wait and api-resources prints what kubectl prints", 900, server="default",
      in_parallel=True)
def forms(t):
    create_objects(t)
    commands = [["get", one, *form] for one in TYPES for form in FORMS
                if not ("-A" in form and one in CLUSTER_SCOPED)] + OTHERS
    expect(len(commands) >= 294, f"only {len(commands)} commands")
    different = [text for text in (compared(t, words) for words in commands) if text]
    expect(not different, f"{len(different)} of {len(commands)} differ:\n" + "\n".join(different))
