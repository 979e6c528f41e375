# SPDX-License-Identifier: Apache-2.0
"""Compares recordings with what etcd itself reports, while servers and connections fail.

RECORD_SECONDS (40) sets how long the writes and the failures of the longest case last.
"""
import collections
import json
import os
import random
import re
import signal
import threading
import time

from cases.past import GADGET_TYPE
from counting_proxy import CountingProxy
from apiserver import MERGE_PATCH, path_of
from etcd_watch import EtcdWatch, Recorded
from field_managers import WrittenVersions
from lines import Failure
from objects import configmap, pod
from trial import case, expect, expect_equal
from writes import Writer, patiently

SECONDS = int(os.environ.get("RECORD_SECONDS", "40"))
# A write reaches etcd a moment before or after the clock that a gap is noted with.
SLACK = 0.5

FOLDERS = {"/registry/pods": "pods", "/registry/configmaps": "configmaps", "/registry/secrets": "secrets",
           "/registry/services/specs": "services", "/registry/serviceaccounts": "serviceaccounts",
           "/registry/deployments": "deployments", "/registry/events": "events",
           "/registry/namespaces": "namespaces", "/registry/past.test/gadgets": "gadgets"}
GROUPS = {"deployments": "deployments.apps", "gadgets": "gadgets.past.test"}
TYPES = [GROUPS.get(resource, resource) for resource in FOLDERS.values()]


def new_object(resource, name, namespace):
    labels = {"app": name}
    meta = {"metadata": {"name": name}}
    if resource == "pods":
        return pod(name, node="node-0")
    if resource == "configmaps":
        return configmap(name, key="value")
    if resource == "secrets":
        return {**meta, "stringData": {"password": name}}
    if resource == "services":
        return {**meta, "spec": {"clusterIP": "None", "selector": labels}}
    if resource == "events":
        return {**meta, "type": "Normal", "reason": "Tested", "message": name,
                "involvedObject": {"kind": "Pod", "name": "p", "namespace": namespace}}
    if resource == "gadgets.past.test":
        return {"apiVersion": "past.test/v1", "kind": "Gadget", **meta, "spec": {"size": 1}}
    if resource == "deployments.apps":
        return {**meta, "spec": {"replicas": 1, "selector": {"matchLabels": labels}, "template": {
            "metadata": {"labels": labels}, "spec": {"containers": [{"name": "c", "image": "i"}]}}}}
    return meta


class AllTypes:
    """Creates, changes and deletes objects of all types until stopped. Ignores errors of the server."""

    def __init__(self, server, namespace, seed):
        self._server, self._namespace = server, namespace
        self._random = random.Random(seed)
        self._stop = threading.Event()
        self.done = 0
        self._thread = threading.Thread(target=self._run, daemon=True)
        self._thread.start()

    def _run(self):
        number = 0
        while not self._stop.wait(0.01):
            number += 1
            resource = self._random.choice(TYPES)
            namespace = "" if resource == "namespaces" else self._namespace
            name = f"one-{self._random.randrange(6)}"
            try:
                match self._random.randrange(4):
                    case 0 if resource != "namespaces":
                        self._server.delete(resource, namespace, name, "?gracePeriodSeconds=0")
                    case 1:
                        self._server.create(resource, namespace, new_object(resource, name, namespace))
                    case _:
                        self._patch(path_of(resource, namespace, name), number)
                self.done += 1
            except (Failure, OSError, ValueError):
                pass  # absent, exists already, or no server: try something else

    def _patch(self, path, number):
        """Sets or removes a label, in the name of one of three managers."""
        label, manager = f"n{self._random.randrange(3)}", f"m{self._random.randrange(3)}"
        value = None if self._random.randrange(3) == 0 else str(number)
        self._server.request("PATCH", f"{path}?fieldManager={manager}", {"metadata": {"labels": {label: value}}},
                             content_type=MERGE_PATCH)

    def stop(self):
        self._stop.set()
        self._thread.join()


class Recorders:
    """`kinf record` of all types, through a proxy, on the same file after each kill."""

    def __init__(self, t, proxy, path):
        self._t, self._proxy, self._path = t, proxy, path
        self.start()

    def start(self):
        self.now = self._t.kinf("record", ",".join(TYPES), "-A", "--to", self._path,
                                "--server", self._proxy.url)
        self.now.err.wait_for("recording", seconds=40)

    def kill(self):
        self.now.signal(signal.SIGKILL)
        self.now.wait()


def gone_namespace(server, name):
    """Creates a namespace with an object, and removes both."""
    patiently(lambda: server.create("namespaces", "", {"metadata": {"name": name}}, accepted=(409,)))
    patiently(lambda: server.create("configmaps", name, configmap("short", v="1"), accepted=(409,)))
    patiently(lambda: server.patch("configmaps", name, "short", {"data": {"v": "2"}}))
    patiently(lambda: server.request("DELETE", f"/api/v1/namespaces/{name}/configmaps/short", accepted=(404,)))
    patiently(lambda: server.request("DELETE", f"/api/v1/namespaces/{name}", accepted=(404, 409)))
    left = {"apiVersion": "v1", "kind": "Namespace", "metadata": {"name": name}, "spec": {"finalizers": []}}
    patiently(lambda: server.request("PUT", f"/api/v1/namespaces/{name}/finalize", left, accepted=(404,)))


def disturbances(t, proxy, recorders):
    """Returns the failures, in their order."""
    ctl = t.server.ctl
    count = iter(range(1000))

    def restart():
        ctl("restart-apiserver")

    def freeze():
        ctl("freeze-apiserver")
        time.sleep(3)
        ctl("thaw-apiserver")

    def outage_with_compaction():
        proxy.break_off()
        gone_namespace(t.server, f"gone-{next(count)}")
        ctl("kill-apiserver")
        ctl("compact")
        ctl("start-apiserver")
        gone_namespace(t.server, f"gone-{next(count)}")
        proxy.mend()

    def short_outage():
        proxy.break_off()
        gone_namespace(t.server, f"gone-{next(count)}")
        proxy.mend()

    def kill_recorder():
        recorders.kill()
        time.sleep(1)
        recorders.start()

    return [freeze, outage_with_compaction, short_outage, kill_recorder, restart]


def stop_recording(recorders):
    time.sleep(2)
    recorders.now.interrupt()
    expect_equal(recorders.now.wait(), 130, "status of kinf record")


@case("a recording has each version that etcd reports, or a gap there, while everything fails",
      seconds=3 * SECONDS + 240, server="default", in_parallel=True)
def every_version(t):
    server, space = t.server, t.namespace
    server.create("customresourcedefinitions.apiextensions.k8s.io", "", GADGET_TYPE)
    t.kubectl("wait", "crd/gadgets.past.test", "--for=condition=Established", "--timeout=20s")
    proxy = CountingProxy(server.url)
    recorders = Recorders(t, proxy, "all.kinf")
    recorders.now.err.wait_for("recording")
    watch = t.kinf("watch", ",".join(TYPES), "-A", "-o", "json", "--show-managed-fields")
    truth = EtcdWatch(server.variables["E2E_ETCD"], FOLDERS)
    load = AllTypes(server, space, seed=5)
    steps = disturbances(t, proxy, recorders)
    end = time.monotonic() + SECONDS
    rounds = 0
    while time.monotonic() < end or rounds < len(steps):
        time.sleep(2)
        steps[rounds % len(steps)]()
        rounds += 1
    time.sleep(12)  # the backoff of a watch may be long after an outage
    load.stop()
    stop_recording(recorders)
    watch.interrupt()
    watch.wait()
    recorded = Recorded(f"{t.folder}/all.kinf")
    compare(truth, recorded, load)
    compare_managers(recorded, watch.out.all())
    proxy.close()


def compare_managers(recorded, lines):
    compared, wrong = WrittenVersions(lines).wrong(recorded.managers)
    expect(compared > len(recorded.managers) / 2, f"only {compared} of {len(recorded.managers)} managers compared")
    expect(not wrong, lambda: f"{len(wrong)} of {compared} managers are wrong:\n" + "\n".join(wrong[:10]))
    print(f"     {compared} of {len(recorded.managers)} managers compared", flush=True)


def compare(truth, recorded, load):
    times = truth.stop()
    expect(load.done > 5 * SECONDS, f"only {load.done} writes in {SECONDS} s")
    wrong = recorded.wrong_order()
    expect(wrong is None, wrong)
    seen = {version for version, _, unknown in recorded.rows if not unknown}
    missing = [(version, when) for version, when in sorted(times.items(), key=lambda one: one[1])
               if version not in seen]
    lost = [(version, when) for version, when in missing if not recorded.covers(version, when, SLACK)]
    reasons = collections.Counter(re.sub(r"\d+", "N", gap[4])[:60] for gap in recorded.gaps)
    facts = f"{len(times)} versions, {len(missing)} of them in {len(recorded.gaps)} gaps ({dict(reasons)})"
    expect(not lost, lambda: f"{len(lost)} of {facts} are in no gap:\n" + "\n".join(
        f"  {version} at {when:.3f}" for version, when in lost[:10]) + "\ngaps:\n" + "\n".join(
            f"  {one[0]} {one[1]} {one[2]:.3f} to {one[3]:.3f}: {one[4]}" for one in recorded.gaps))
    invented = [version for version in seen if version.revision >= truth.first and version not in times]
    expect(not invented, lambda: f"never in etcd: {invented[:5]}")
    print(f"     {facts}", flush=True)


@case("a recorder notices in 5 s that etcd was restored from a backup, and notes the gap", 240,
      server="default")
def restored(t):
    server, space = t.server, t.namespace
    for number in range(6):
        server.create("configmaps", space, configmap(f"old-{number}", v="1"))
    server.ctl("back-up-etcd")
    patiently(lambda: server.patch("configmaps", space, "old-0", {"data": {"v": "2"}}))
    record = t.kinf("record", "configmaps", "-n", space, "--to=back.kinf")
    watch = t.kinf("watch", "configmaps", "-n", space, "-o", "json")
    record.err.wait_for("recording")
    watch.out.wait_count(6)
    writer = Writer(server, space, seed=2)
    watch.out.wait_count(60)
    writer.stop()
    server.delete("configmaps", space, "old-1")
    watch.out.wait_until(lambda lines: any("old-1" in line and "DELETED" in line for line in lines), "old-1 deleted")

    server.ctl("kill-apiserver")
    server.ctl("restore-etcd")
    time.sleep(3)  # both have failed to connect
    server.ctl("start-apiserver")
    for kinf in (record, watch):
        lines = kinf.err.wait_for("went back from", seconds=60)
        at = {text: next(i for i, line in enumerate(lines) if text in line)
              for text in ("recovered after", "went back from")}
        took = kinf.err.time_of(at["went back from"]) - kinf.err.time_of(at["recovered after"])
        expect(took < 5, f"noticed {took:.1f} s after the reconnect: {lines}")
    patiently(lambda: server.create("configmaps", space, configmap("zz-last", v="1")))
    watch.out.wait_for("zz-last")
    time.sleep(1)
    record.interrupt()
    expect_equal(record.wait(), 130, "status of kinf record")
    expect_restored(t, gaps=1)

    # The same while kinf does not run.
    record = t.kinf("record", "configmaps", "-n", space, "--to=back.kinf")
    record.err.wait_for("recording")
    patiently(lambda: server.patch("configmaps", space, "zz-last", {"data": {"v": "2"}}))
    time.sleep(2)
    record.signal(signal.SIGKILL)
    record.wait()
    server.ctl("kill-apiserver")
    server.ctl("restore-etcd")
    server.ctl("start-apiserver")
    record = t.kinf("record", "configmaps", "-n", space, "--to=back.kinf")
    record.err.wait_for("went back from", seconds=10)
    time.sleep(1)
    record.interrupt()
    record.wait()
    expect_restored(t, gaps=2)


def expect_restored(t, gaps):
    """Compares the end of the recording with the server."""
    reasons = [gap[4] for gap in Recorded(f"{t.folder}/back.kinf").gaps]
    expect(len(reasons) == gaps and all("went back from" in reason for reason in reasons),
           f"reasons of gaps: {reasons}")
    wanted = {one["metadata"]["name"]: one["metadata"]["resourceVersion"]
              for one in t.server.list("configmaps", t.namespace)["items"]}
    status, out, err = t.kinf("get", "configmaps", "-n", t.namespace, "--from=back.kinf", "-o", "json").finish()
    expect_equal(status, 0, f"status of kinf get ({err})")
    got = {one["metadata"]["name"]: one["metadata"]["resourceVersion"] for one in json.loads(out)["items"]}
    expect_equal(got, wanted, "final state")
