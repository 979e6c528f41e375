# SPDX-License-Identifier: Apache-2.0
"""The stages of kinf demo on a real server. This file plays the scenario nettool there."""
import json
import signal
import urllib.request

from objects import pod
from trial import case, expect_equal

PHASE = {"content_type": "application/merge-patch+json"}


def patch_nettool(t, patch, subresource=""):
    t.server.request("PATCH", f"/api/v1/namespaces/{t.namespace}/pods/nettool{subresource}", patch, **PHASE)


def demo(t, stage, *flags):
    return t.kinf("demo", stage, "--kubeconfig", t.kubeconfig, "-n", t.namespace, *flags)


def check_stage(t, stage, lines_wanted, first):
    """Runs the stage and plays the scenario once `first` is printed. Checks the lines about nettool.

    The server first sets deletionTimestamp and then removes a pod. The finalizer keeps the two apart:
    a queue that still held the update would keep the deletion too.
    """
    t.server.create("pods", t.namespace, pod("quickstart", {"app": "quickstart"}))
    program = demo(t, stage)
    program.out.wait_for(first)
    nettool = pod("nettool")
    nettool["metadata"]["finalizers"] = ["kinf.test/wait"]
    t.server.create("pods", t.namespace, nettool)
    program.out.wait_for("nettool")
    patch_nettool(t, {"status": {"phase": "Running"}}, "/status")
    program.out.wait_for(lines_wanted[1])
    t.server.delete("pods", t.namespace, "nettool", "?gracePeriodSeconds=0")
    program.out.wait_until(lambda lines: lines.count(lines_wanted[1]) > 1, "the update that begins the deletion")
    patch_nettool(t, {"metadata": {"finalizers": None}})
    t.server.create("pods", t.namespace, pod("last"))
    program.out.wait_for("last")
    program.interrupt()
    expect_equal(program.wait(), 130, "exit status")
    lines = [line for line in program.out.all() if "nettool" in line]
    expect_equal(lines, lines_wanted, f"the lines of {stage}")


def stage_case(stage, first, added, updated, deleted=None):
    @case(f"demo {stage} prints the life of a pod on a real server", seconds=60)
    def run(t):
        check_stage(t, stage, [added, updated, updated] + ([deleted] if deleted else []), first)
    return run


stage_case("listwatch", "quickstart", "ADDED : nettool , Status: Pending", "MODIFIED : nettool , Status: Running",
           "DELETED : nettool , Status: Running")
# Without known objects a queue does not know what a deletion of an object is about that it has handed out.
stage_case("reflector", "quickstart", "Added : nettool : Pending", "Updated : nettool : Running")
stage_case("reflector-known", "quickstart", "Added : nettool : Pending", "Updated : nettool : Running",
           "Deleted : nettool : Running")
stage_case("informer", "OnAdd: quickstart", "OnAdd: nettool", "OnUpdate: nettool", "OnDelete: nettool")


@case("demo shared-listwatch notifies both handlers on a real server", seconds=60)
def shared(t):
    t.server.create("pods", t.namespace, pod("quickstart"))
    program = demo(t, "shared-listwatch")
    program.out.wait_until(lambda lines: sorted(lines) == ["OnAdd: quickstart", "OnAdd:second quickstart"],
                           "both handlers")


@case("demo workqueue processes the pods of a real server", seconds=60)
def workqueue(t):
    t.server.create("pods", t.namespace, pod("wiremock"))
    program = demo(t, "workqueue")
    key = f"{t.namespace}/wiremock"
    lines = program.out.wait_for(f"{key}: Pending")
    expect_equal(lines, [f"{key}: failed, again in {ms} ms" for ms in (100, 200, 400)] + [f"{key}: Pending"],
                 "lines")


@case("demo http answers from the index of a real server", seconds=60)
def http(t):
    t.server.create("pods", t.namespace, pod("robusta-forwarder-1", {"app": "robusta-forwarder"}))
    t.server.create("pods", t.namespace, pod("other", {"app": "other"}))
    program = demo(t, "http", "--listen", "127.0.0.1:0")
    line = [l for l in program.err.wait_for("listening on ") if "listening on" in l][0]
    with urllib.request.urlopen(line.split("listening on ")[1], timeout=10) as answer:
        expect_equal(json.load(answer), [f"{t.namespace}/robusta-forwarder-1"], "keys")


@case("demo factory lists, resyncs and follows a deployment of a real server", seconds=60)
def factory(t):
    spec = {"replicas": 0, "selector": {"matchLabels": {"a": "b"}},
            "template": {"metadata": {"labels": {"a": "b"}}, "spec": {"containers": [{"name": "c", "image": "i"}]}}}
    t.server.create("deployments.apps", t.namespace, {"metadata": {"name": "web"}, "spec": spec})
    program = demo(t, "factory", "--resync", "2s")
    program.out.wait_for("update deployment: web web")
    t.server.delete("deployments.apps", t.namespace, "web")
    lines = program.out.wait_for("delete a deployment: web")
    expect_equal(lines[:4], ["add a deployment: web", "1 -> web", "late handler: add a deployment: web",
                             "update deployment: web web"], "lines")
    program.signal(signal.SIGINT)
    expect_equal(program.wait(), 130, "exit status")
