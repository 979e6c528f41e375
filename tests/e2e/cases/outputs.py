# SPDX-License-Identifier: Apache-2.0
"""The output formats, --sort-by and selections of `kinf get` compared with kubectl's."""
from objects import configmap
from trial import case, expect_same_as_kubectl

TEMPLATES = [
    "{.items[*].metadata.name}",
    "{.items[0].metadata.name}",
    "{.items[-1:].metadata.name}",
    "{.items[1:4:2].metadata.name}",
    "{.items[*]['metadata.name','status.phase']}",
    "{.items[*].metadata['name','namespace']}",
    '{range .items[*]}{.metadata.name}{"\\t"}{.status.phase}{"\\n"}{end}',
    '{range .items[*]}{range .spec.containers[*]}{.name}:{.image} {end}{"\\n"}{end}',
    '{.items[?(@.metadata.name=="load-000003")].spec}',
    '{.items[?(@.status.phase!="Running")].metadata.name}',
    "{.items[?(@.metadata.labels.tier)].metadata.name}",
    "{.items[?(@.spec.terminationGracePeriodSeconds>=30)].metadata.name}",
    "{.items[0].metadata.labels}",
    "{.items[0].metadata.labels.app}{.items[0].metadata.labels.none}",
    "{.items[0].spec.containers}",
    "{.items[0].spec.tolerations}",
    "{.items[0].metadata.managedFields[*].manager}",
    "{.items[0].spec.enableServiceLinks}",
    "{.kind}/{.apiVersion}",
    "{.items[0].metadata.creationTimestamp}",
    '{"a text"}{.items[0].spec.priority}',
    "{@.items[2].metadata.name}",
    "{$.items[2].metadata.name}",
]

COLUMNS = [
    "NAME:.metadata.name,PHASE:.status.phase",
    "N:metadata.name,NODE:{.spec.nodeName},NO:{.a.b}",
    "N:{metadata.name},C:.spec.containers[*].name,I:.spec.containers[0].image",
    "L:.metadata.labels,C:.spec.containers",
    "T:.metadata.creationTimestamp,S:.spec.securityContext,P:.spec.priority",
]


@case("JSONPath templates and custom columns print what kubectl prints")
def expressions(t):
    t.loadgen("create", "-ns", t.namespace, "-n", 6, "-running")
    for template in TEMPLATES:
        expect_same_as_kubectl(t, "pods", "-o", f"jsonpath={template}")
    expect_same_as_kubectl(t, "pods", "-o", "jsonpath-as-json={.items[*].metadata.labels}")
    for template in ("{.metadata.name}", "{.spec}", "{.metadata.managedFields}", "{.status.phase}"):
        expect_same_as_kubectl(t, "pod", "load-000002", "-o", f"jsonpath={template}")
    for columns in COLUMNS:
        expect_same_as_kubectl(t, "pods", "-o", f"custom-columns={columns}")
    expect_same_as_kubectl(t, "pods", "-o", f"custom-columns={COLUMNS[0]}", "--no-headers")


@case("--sort-by sorts as kubectl does")
def sorted_objects(t):
    sizes = {"disk-10": "1Gi", "disk-9": "500M", "disk-1": "2e9", "disk-100": "1500Ki", "b": "7"}
    for name, size in sizes.items():
        one = configmap(name)
        one["data"] = {"size": size, "word": f"w{len(size)}"}
        t.server.create("configmaps", t.namespace, one)
    for path in (".metadata.name", "{.metadata.name}", "metadata.uid", ".metadata.resourceVersion"):
        expect_same_as_kubectl(t, "configmaps", "--sort-by", path, "-l", "app!=none")
        expect_same_as_kubectl(t, "configmaps", "--sort-by", path, "-o", "name")
    for path in (".data.size", ".data.word", "{.data['size']}"):
        expect_same_as_kubectl(t, "configmaps", *sizes, "--sort-by", path, "-o", "name")
    t.loadgen("create", "-ns", t.namespace, "-kind", "deployments", "-n", 5)
    expect_same_as_kubectl(t, "deploy", "--sort-by", ".spec.replicas", "-o", "name")
    expect_same_as_kubectl(t, "deploy", "--sort-by", ".metadata.creationTimestamp", "-o", "name")


@case("tables, documents, several types and selections are those of kubectl")
def forms(t):
    t.loadgen("create", "-ns", t.namespace, "-n", 12, "-running")
    t.loadgen("create", "-ns", t.namespace, "-kind", "deployments", "-n", 3)
    for words in (["pods", "--show-kind"], ["pods,deploy"], ["deploy,pods", "-o", "name"],
                  ["pods,deploy", "--no-headers"], ["pods", "-o", "wide"],
                  ["pods", "--server-print=false"], ["pods", "load-000001", "-o", "yaml"],
                  ["pods", "-o", "yaml"], ["pods", "-o", "json"], ["pods,deploy", "-o", "json"],
                  ["pods", "--field-selector", "metadata.name=load-000004"],
                  ["pods", "--field-selector", "status.phase!=Running", "-o", "name"],
                  ["pods", "--field-selector", "status.phase=Running,metadata.name!=load-000000"],
                  ["deploy/load-000001", "pod/load-000002"]):
        expect_same_as_kubectl(t, *words)
