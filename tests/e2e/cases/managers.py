# SPDX-License-Identifier: Apache-2.0
"""Who made a change: compares what kinf names with who wrote, and with the managedFields of both versions."""
import json
import sqlite3

from apiserver import MERGE_PATCH, path_of
from field_managers import manager_of, newest_of, seconds
from objects import configmap, pod
from trial import case, expect_equal

APPLY_PATCH = "application/apply-patch+yaml"


class Script:
    """Writes to the server and waits until kinf has printed each change."""

    def __init__(self, t, watch):
        self._server, self._space, self._watch = t.server, t.namespace, watch
        self.wanted = []  # the manager of each change

    def write(self, method, resource, name, manager, body, wanted, part="", content_type=MERGE_PATCH):
        path = path_of(resource, self._space, name) + part
        query = f"?fieldManager={manager}" if manager else ""
        if content_type == APPLY_PATCH:
            query += "&force=true"
        self._server.request(method, path + query, body, content_type=content_type)
        self.wanted.append(wanted)
        self._watch.out.wait_count(len(self.wanted))

    def patch(self, resource, name, manager, body, wanted=None, part="", content_type=MERGE_PATCH):
        self.write("PATCH", resource, name, manager, body, manager if wanted is None else wanted, part, content_type)


def deployment():
    labels = {"app": "web"}
    return {"metadata": {"name": "web"}, "spec": {
        "replicas": 1, "selector": {"matchLabels": labels}, "template": {
            "metadata": {"labels": labels}, "spec": {"containers": [{"name": "c", "image": "i"}]}}}}


def recorded_managers(path):
    database = sqlite3.connect(f"file:{path}?mode=ro", uri=True)
    rows = database.execute("SELECT resource_version, coalesce(manager, '') FROM events ORDER BY seq").fetchall()
    database.close()
    return rows


@case("MANAGER names who wrote: scale, binding, label removal, apply, patch, status, finalizers", 90,
      server="default", in_parallel=True)
def managers(t):
    watch = t.kinf("watch", "pods,deployments,configmaps", "-n", t.namespace, "-l", "app!=none", "-o", "json",
                   "--show-managed-fields", "--show-old", "--record=m.kinf", "-v=2")
    watch.err.wait_until(lambda lines: sum("synced" in line for line in lines) == 3, "three types synced")
    script = Script(t, watch)
    plain = {"content_type": "application/json"}
    script.write("POST", "deployments.apps", "", "creator", deployment(), "creator", **plain)
    script.patch("deployments.apps", "web", "scaler", {"spec": {"replicas": 3}}, "scaler (scale)", "/scale")
    script.patch("deployments.apps", "web", "labeler", {"metadata": {"labels": {"tier": "front"}}})
    script.patch("deployments.apps", "web", "remover", {"metadata": {"labels": {"tier": None}}}, "labeler")
    applied = {"apiVersion": "apps/v1", "kind": "Deployment", "metadata": {"name": "web", "annotations": {"a": "1"}}}
    script.patch("deployments.apps", "web", "applier", applied, content_type=APPLY_PATCH)
    script.patch("deployments.apps", "web", "editor", {"spec": {"minReadySeconds": 5}})
    script.patch("deployments.apps", "web", "reporter", {"status": {"replicas": 2, "observedGeneration": 9}},
                 "reporter (status)", "/status")
    script.write("POST", "configmaps", "", "creator", configmap("map", v="1"), "creator", **plain)
    script.patch("configmaps", "map", "guard", {"metadata": {"finalizers": ["kinf.test/guard"]}})
    script.write("DELETE", "configmaps", "map", "", None, "")
    script.patch("configmaps", "map", "editor", {"data": {"v": "2"}})
    script.patch("configmaps", "map", "closer", {"metadata": {"finalizers": None}}, "")  # this ends it
    script.write("POST", "pods", "", "creator", pod("bound"), "creator", **plain)
    binding = {"apiVersion": "v1", "kind": "Binding", "metadata": {"name": "bound"},
               "target": {"kind": "Node", "name": "node-0"}}
    script.write("POST", "pods", "bound", "", binding, "", "/binding", "application/json")
    script.patch("pods", "bound", "kubelet", {"status": {"phase": "Running"}}, "kubelet (status)", "/status")
    watch.interrupt()
    watch.wait()
    events = [json.loads(line) for line in watch.out.all()]
    got = [event.get("manager", "") for event in events]
    expect_equal(got, script.wanted, "managers")
    expect_equal(got, [computed(event) for event in events], "managers computed from managedFields")
    expect_equal([name for _, name in recorded_managers(f"{t.folder}/m.kinf")], got, "recorded managers")


def computed(event):
    match event["type"]:
        case "ADDED": return newest_of(event["object"])
        case "MODIFIED": return manager_of(event["old"], event["object"], seconds(event["time"]))
        case _: return ""
