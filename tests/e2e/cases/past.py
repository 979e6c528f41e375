# SPDX-License-Identifier: Apache-2.0
"""Compares what kubectl prints while kinf records with what the recording shows afterwards.

PAST_MOMENTS (20) and PAST_SECONDS (60) set how many moments are compared, and in how long a time.
"""
import email.utils
import json
import os
import random
import re
import threading
import time

from lines import Failure
from objects import configmap, custom_type, pod, trimmed
from trial import case, expect, expect_equal

MOMENTS = int(os.environ.get("PAST_MOMENTS", "20"))
SECONDS = int(os.environ.get("PAST_SECONDS", "60"))

GADGET_TYPE = custom_type(
    "past.test", "Gadget", "gt",
    [{"name": "Size", "type": "integer", "jsonPath": ".spec.size"},
     {"name": "Seen", "type": "date", "jsonPath": ".spec.seen"},
     {"name": "Age", "type": "date", "jsonPath": ".metadata.creationTimestamp"}],
    {"type": "object", "x-kubernetes-preserve-unknown-fields": True})

TYPES = ("pods", "deployments.apps", "events", "configmaps", "nodes", "gadgets.past.test")


def stamp(seconds_ago=0):
    return time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime(time.time() - seconds_ago))


def pod_status(random_):
    restarts = random_.choice([0, 0, 1, 3])
    container = {"name": "main", "image": "i", "imageID": "", "ready": random_.random() < 0.7,
                 "restartCount": restarts, "state": {"running": {"startedAt": stamp(1)}}}
    if restarts:
        container["lastState"] = {"terminated": {"exitCode": 1, "startedAt": stamp(99),
                                                 "finishedAt": stamp(random_.randrange(90))}}
    return {"status": {"phase": "Running", "containerStatuses": [container]}}


class Load:
    """Creates, changes and deletes objects of all types until stopped."""

    def __init__(self, server, namespace, seed):
        self._server, self._namespace, self._random = server, namespace, random.Random(seed)
        self._stop = threading.Event()
        self.problems = []
        self.done = 0
        for i in range(3):
            self._create("nodes", "", {"metadata": {"name": f"node-{i}"}})
        for i in range(5):
            for resource in TYPES:
                if resource != "nodes":
                    self._create(resource, namespace, self._new(resource, f"first-{i}"))
        self._thread = threading.Thread(target=self._run, daemon=True)
        self._thread.start()

    def _create(self, resource, namespace, body):
        self._server.create(resource, namespace, body)

    def _new(self, resource, name):
        if resource == "pods":
            return pod(name, node="node-0")
        if resource == "configmaps":
            return configmap(name, key="value")
        if resource == "gadgets.past.test":
            return {"apiVersion": "past.test/v1", "kind": "Gadget", "metadata": {"name": name},
                    "spec": {"size": 1, "seen": stamp(self._random.randrange(300))}}
        if resource == "events":
            return {"metadata": {"name": name}, "type": "Normal", "reason": "Tested", "message": name,
                    "involvedObject": {"kind": "Pod", "name": "first-0", "namespace": self._namespace},
                    "count": 1, "firstTimestamp": stamp(7), "lastTimestamp": stamp(3)}
        labels = {"app": name}
        return {"metadata": {"name": name}, "spec": {
            "replicas": 2, "selector": {"matchLabels": labels},
            "template": {"metadata": {"labels": labels},
                         "spec": {"containers": [{"name": "c", "image": "i"}]}}}}

    def _change(self, resource, name):
        patch = {"metadata": {"labels": {"n": str(self.done)}}}
        path = None
        if resource == "pods":
            patch, path = pod_status(self._random), f"/api/v1/namespaces/{self._namespace}/pods/{name}/status"
        elif resource == "deployments.apps":
            patch = {"status": {"replicas": 2, "readyReplicas": self._random.randrange(3), "observedGeneration": 1}}
            path = f"/apis/apps/v1/namespaces/{self._namespace}/deployments/{name}/status"
        elif resource == "events":
            patch = {"count": self.done, "lastTimestamp": stamp()}
        elif resource == "configmaps":
            patch = {"data": {f"key-{self._random.randrange(5)}": str(self.done)}}
        elif resource == "gadgets.past.test":
            patch = {"spec": {"size": self.done, "seen": stamp(self._random.randrange(200))}}
        if path:
            self._server.request("PATCH", path, patch, content_type="application/merge-patch+json")
        else:
            self._server.patch(resource, self._namespace if resource != "nodes" else "", name, patch)

    def _run(self):
        names = {resource: [f"first-{i}" for i in range(5)] for resource in TYPES}
        names["nodes"] = [f"node-{i}" for i in range(3)]
        try:
            while not self._stop.is_set():
                resource = self._random.choice(TYPES)
                mine = names[resource]
                what = self._random.random()
                if resource != "nodes" and what < 0.15:
                    mine.append(f"more-{self.done}")
                    self._create(resource, self._namespace, self._new(resource, mine[-1]))
                elif resource != "nodes" and what < 0.3 and len(mine) > 5:
                    name = mine.pop(self._random.randrange(len(mine)))
                    self._server.delete(resource, self._namespace, name, "?gracePeriodSeconds=0")
                else:
                    self._change(resource, self._random.choice(mine))
                self.done += 1
        except Failure as failure:
            self.problems.append(str(failure))

    def stop(self):
        self._stop.set()
        self._thread.join(30)
        expect(not self.problems, lambda: self.problems[0])


def where(namespace, resource):
    return [] if resource == "nodes" else ["-n", namespace]


def kubectl_moment(t, resource):
    """Returns kubectl's table, and the resourceVersion and the time of its list."""
    program = t.start(["kubectl", "get", resource, *where(t.namespace, resource), "-v=8"])
    status, out, err = program.finish()
    expect_equal(status, 0, f"kubectl get {resource} ({err[-500:]})")
    answer = err[err.rindex("limit=500"):]
    version = re.search(r'resourceVersion\\?":\\?"(\d+)', answer)
    date = re.search(r"Date: (.*? GMT)", answer)
    expect(version and date, lambda: f"no resourceVersion or date in {answer[:2000]}")
    return out, version[1], email.utils.parsedate_to_datetime(date[1]).timestamp()


def listed(t, resource, version):
    """Returns the objects of the server at a resourceVersion."""
    plural, _, group = resource.partition(".")
    prefix = f"/apis/{group}/v1" if group else "/api/v1"
    space = "" if resource == "nodes" else f"/namespaces/{t.namespace}"
    answer = t.server.request("GET", f"{prefix}{space}/{plural}?resourceVersion={version}"
                                     "&resourceVersionMatch=Exact")
    return [dict(trimmed(item), kind=answer["kind"].removesuffix("List"), apiVersion=answer["apiVersion"])
            for item in answer["items"]]


def moment_flag(clock, version):
    return f"--at={time.strftime('%Y-%m-%dT%H:%M:%SZ', time.gmtime(clock))},rv={version}"


def same_table(print_at, wanted, clock, what):
    """The date of an answer may be a second later than the clock that counted its ages."""
    tables = [print_at(clock), print_at(clock - 1)]
    if wanted not in tables:
        expect_equal(tables[0].splitlines(), wanted.splitlines(), what)


@case(f"a recording shows {MOMENTS} random moments as kubectl did, itself and as an API server",
      seconds=SECONDS + 20 * MOMENTS + 120, server="default")
def moments(t):
    t.server.create("customresourcedefinitions.apiextensions.k8s.io", "", GADGET_TYPE)
    t.kubectl("wait", "crd/gadgets.past.test", "--for=condition=Established", "--timeout=20s")
    seed = int(os.environ.get("PAST_SEED", "14"))
    load = Load(t.server, t.namespace, seed)
    record = t.kinf("record", ",".join(TYPES), "-n", t.namespace, "--to=past.kinf")
    record.err.wait_for("recording")
    chance = random.Random(seed)
    times = sorted(chance.uniform(0, SECONDS) for _ in range(MOMENTS))
    begin = time.monotonic()
    taken = []
    for number, due in enumerate(times):
        time.sleep(max(0, begin + due - time.monotonic()))
        resource = TYPES[number % len(TYPES)] if number < len(TYPES) else chance.choice(TYPES)
        table, version, clock = kubectl_moment(t, resource)
        taken.append((resource, table, version, clock, listed(t, resource, version)))
    load.stop()
    time.sleep(1)
    record.interrupt()
    expect_equal(record.wait(), 130, "status of kinf record")
    expect(load.done > 10 * SECONDS, f"only {load.done} writes in {SECONDS} s")
    for resource, table, version, clock, objects in taken:
        compare(t, resource, table, version, clock, objects)


def compare(t, resource, table, version, clock, objects):
    arguments = [resource, *where(t.namespace, resource)]
    what = f"{resource} at resourceVersion {version}"

    def by_kinf(at):
        status, out, err = t.kinf("get", *arguments, "--from=past.kinf", moment_flag(at, version)).finish()
        expect_equal(status, 0, f"kinf get {what} ({err})")
        return out

    def by_kubectl(at, *more):
        status, out, err = t.kinf("sandbox", "--from=past.kinf", moment_flag(at, version), "--",
                                  "kubectl", "get", *arguments, *more).finish()
        expect_equal(status, 0, f"kubectl get {what} ({err})")
        return out

    same_table(by_kinf, table, clock, f"kinf get {what}")
    same_table(by_kubectl, table, clock, f"kubectl in the sandbox: {what}")
    served = json.loads(by_kubectl(clock, "-o", "json"))["items"]
    expect_equal(served, objects, f"kubectl get -o json in the sandbox: {what}")


@case("kubectl watches a recording that is played, and cannot change it")
def played(t):
    record = t.kinf("record", "configmaps", "-n", t.namespace, "--to=played.kinf")
    record.err.wait_for("recording")
    begin = stamp(-1)
    time.sleep(1.5)
    for name in ("one", "two"):
        t.server.create("configmaps", t.namespace, configmap(name, key="value"))
        time.sleep(0.7)
    t.server.delete("configmaps", t.namespace, "one")
    time.sleep(1)
    record.interrupt()
    record.wait()
    words = ('kubectl create cm x 2> refused; kubectl auth can-i delete cm > can; '
             'timeout 12 kubectl get cm -w --output-watch-events --no-headers')
    status, out, err = t.kinf("sandbox", "--from=played.kinf", f"--since={begin}", "--speed=2", "--",
                              "sh", "-c", words).finish(seconds=30)
    rows = [line.split()[:2] for line in out.splitlines()]
    expect_equal((status, rows), (124, [["ADDED", "one"], ["ADDED", "two"], ["DELETED", "one"]]),
                 f"status, events ({err})")
    expect("its last state stays" in err, err)
    with open(f"{t.folder}/refused", encoding="utf-8") as refused, open(f"{t.folder}/can", encoding="utf-8") as can:
        expect("read-only" in refused.read(), "kubectl create was not refused")
        expect_equal(can.read().split()[0], "no", "kubectl auth can-i delete")
