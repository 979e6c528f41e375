# SPDX-License-Identifier: Apache-2.0
"""Reads what controllers have made of a namespace, without what differs from run to run."""
import collections
import json
import re

from apiserver import path_of

RESOURCES = ["deployments.apps", "replicasets.apps", "statefulsets.apps", "daemonsets.apps", "controllerrevisions.apps",
             "jobs.batch", "cronjobs.batch", "persistentvolumeclaims", "pods", "events"]
METADATA = ["labels", "annotations", "finalizers", "generation", "deletionTimestamp", "deletionGracePeriodSeconds"]
SPEC = ["replicas", "paused", "parallelism", "completions", "suspend", "backoffLimit", "selector", "nodeName",
        "hostname", "subdomain", "affinity"]
HASH_LABELS = ["pod-template-hash", "controller-revision-hash", "controller.kubernetes.io/hash"]
UID = re.compile(r"[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}")
TIME = re.compile(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?Z")
# A CronJob names its Jobs by the minute in which they are due.
MINUTE = re.compile(r"-\d{8}\b")
# A real DaemonSet updates its pods in any order of the nodes.
NODE = re.compile(r"\bhand-\d\b")
VERSION = re.compile(r'"resourceVersion": "\d+"')
SHORT = {UID: "UID", TIME: "TIME", MINUTE: "-MINUTE", NODE: "hand-N", VERSION: '"resourceVersion": "N"'}


def seen_pod(pod):
    """The parts of a pod's status that the script writes, in short."""
    conditions = {each["type"]: each["status"] for each in pod["status"].get("conditions", [])}
    return {"phase": pod["status"].get("phase"), "ready": conditions.get("Ready", "False")}


def seen_owner(owner):
    words = [f"{owner['apiVersion']} {owner['kind']} {owner['name']}"]
    return ", ".join(words + [flag for flag in ("controller", "blockOwnerDeletion") if owner.get(flag)])


def seen(kind, thing):
    """The parts of an object that are compared."""
    if kind == "Event":
        return {"type": thing["type"], "message": thing["message"], "component": thing["source"].get("component")}
    result = {key: thing["metadata"][key] for key in METADATA if key in thing["metadata"]}
    if kind == "persistentvolumeclaims":
        result.pop("finalizers", None)  # the sandbox does not hold back the deletion of claims in use
    if "ownerReferences" in thing["metadata"]:
        result["owners"] = list(map(seen_owner, thing["metadata"]["ownerReferences"]))
    spec = thing.get("spec", {})
    result.update({key: spec[key] for key in SPEC if spec.get(key) not in (None, "")})
    if kind == "ControllerRevision":
        result["revision"] = thing["revision"]
    if kind == "Pod":
        result["status"] = seen_pod(thing)
    elif thing.get("status") and kind != "persistentvolumeclaims":  # only the sandbox has a default storage class
        result["status"] = thing["status"]
    return result


class Reader:
    """Reads the state of one namespace again and again. Remembers the names it has replaced."""

    def __init__(self, server, namespace):
        self._server = server
        self._namespace = namespace
        self._hashes = {}  # hash -> its short name, in the order in which the hashes appeared
        self._generated = set()  # names that the server completes with five random letters

    def list(self, resource):
        return self._server.request("GET", path_of(resource, self._namespace))["items"]

    def state(self):
        """Returns {`Kind name`: the JSON of each object with this name, and how many are like this}."""
        found = {}
        lists = {resource: self.list(resource) for resource in RESOURCES}
        for things in lists.values():
            for thing in sorted(things, key=lambda one: one["metadata"]["creationTimestamp"]):
                self._learn(thing["metadata"])
        # A real controller that is still at work may write the revision of a set again while the set is
        # being deleted.
        lists["controllerrevisions.apps"] = self._with_living_owner(lists)
        for resource, things in lists.items():
            for thing in things:
                self._add(found, resource, thing)
        return {key: [f"{count} x {text}" for text, count in sorted(texts.items())]
                for key, texts in sorted(found.items())}

    @staticmethod
    def _with_living_owner(lists):
        dying = {thing["metadata"]["uid"] for resource in ("statefulsets.apps", "daemonsets.apps")
                 for thing in lists[resource] if "deletionTimestamp" in thing["metadata"]}
        return [thing for thing in lists["controllerrevisions.apps"]
                if thing["metadata"]["ownerReferences"][0]["uid"] not in dying]

    def _learn(self, metadata):
        for label in HASH_LABELS:
            value = metadata.get("labels", {}).get(label, "").rpartition("-")[2]
            if value and value not in self._hashes:
                self._hashes[value] = f"HASH{len(self._hashes) + 1}"
        if "generateName" in metadata:
            self._generated.add(metadata["generateName"])

    def _add(self, found, resource, thing):
        kind = {"events": "Event", "pods": "Pod"}.get(resource) or resource.partition(".")[0]
        text = json.dumps(seen(kind, thing), sort_keys=True)
        if kind == "Event":
            about = thing["involvedObject"]
            key, count = f"Event {about['kind']} {about['name']} {thing['reason']}", thing.get("count") or 1
        else:
            key, count = f"{kind} {thing['metadata']['name']}", 1
        if not key.startswith("Event Pod "):  # these are of the scheduler and the kubelet
            found.setdefault(self.plain(key), collections.Counter())[self.plain(text)] += count

    def plain(self, text):
        """Replaces random letters, hashes, uids and times."""
        for prefix in sorted(self._generated, key=len, reverse=True):
            text = re.sub(rf"\b{re.escape(prefix)}[a-z0-9]{{5}}\b", f"{prefix}*", text)
        for value, name in self._hashes.items():
            text = text.replace(value, name)
        text = re.sub(rf"\b{re.escape(self._namespace)}\b", "NAMESPACE", text)
        for pattern, word in SHORT.items():
            text = pattern.sub(word, text)
        return text
