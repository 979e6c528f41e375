# SPDX-License-Identifier: Apache-2.0
"""Objects that the cases create, and how events are compared."""
import copy
import json
import re

from lines import Failure

WIDGET_TYPE = {
    "apiVersion": "apiextensions.k8s.io/v1", "kind": "CustomResourceDefinition",
    "metadata": {"name": "widgets.kinf.test"},
    "spec": {"group": "kinf.test", "scope": "Namespaced",
             "names": {"plural": "widgets", "singular": "widget", "kind": "Widget", "shortNames": ["wd"]},
             "versions": [{"name": "v1", "served": True, "storage": True,
                           "additionalPrinterColumns": [
                               {"name": "Size", "type": "integer", "jsonPath": ".spec.size"}],
                           "schema": {"openAPIV3Schema": {"type": "object", "properties": {
                               "spec": {"type": "object", "properties": {"size": {"type": "integer"}}}}}}}]}}


def pod(name, labels=None, node=None):
    spec = {"containers": [{"name": "main", "image": "registry.example/web:1"}]}
    if node:
        spec["nodeName"] = node
    return {"metadata": {"name": name, "labels": labels or {}}, "spec": spec}


def configmap(name, labels=None, **data):
    return {"metadata": {"name": name, "labels": labels or {}}, "data": data}


def widget(name, size):
    return {"apiVersion": "kinf.test/v1", "kind": "Widget", "metadata": {"name": name},
            "spec": {"size": size}}


def version_of(thing):
    return thing["metadata"]["resourceVersion"]


def trimmed(thing):
    """The object as kinf keeps it: without managedFields."""
    thing = copy.deepcopy(thing)
    thing["metadata"].pop("managedFields", None)
    return thing


def bare(event):
    """Of an event of the server or of kinf: what both must agree on."""
    return event["type"], trimmed(event["object"])


def parsed(lines):
    """kinf's JSON events; a line that is no JSON is a Failure that shows it."""
    events = []
    for line in lines:
        try:
            events.append(json.loads(line))
        except json.JSONDecodeError as error:
            raise Failure(f"no JSON: {line[:300]!r}: {error}") from None
    return events


def cells(row):
    """The cells of a table row; columns are at least two blanks apart."""
    return re.split(r"\s{2,}", row.strip())


class History:
    """The state that printed events add up to; every event must be possible at its place."""

    def __init__(self):
        self.objects = {}  # key -> object

    def add(self, event):
        key, thing, kind = event["key"], event["object"], event["type"]
        known = self.objects.get(key)
        told = f"{kind} {key} at {version_of(thing)} ({event['source']})"
        if kind == "ADDED":
            if known:
                raise Failure(f"{told}, which is there since {version_of(known)}")
            self.objects[key] = thing
        elif kind == "MODIFIED":
            if not known:
                raise Failure(f"{told}, which is not there")
            if int(version_of(thing)) <= int(version_of(known)):
                raise Failure(f"{told}, no newer than {version_of(known)}")
            if thing["metadata"]["uid"] != known["metadata"]["uid"]:
                raise Failure(f"{told} is another object than the one before")
            self.objects[key] = thing
        elif kind == "DELETED":
            if not known:
                raise Failure(f"{told}, which is not there")
            del self.objects[key]
        else:
            raise Failure(f"an event of type {kind}")

    @classmethod
    def of(cls, events):
        history = cls()
        for event in events:
            history.add(event)
        return history

    def versions(self):
        return {thing["metadata"]["name"]: version_of(thing) for thing in self.objects.values()}
