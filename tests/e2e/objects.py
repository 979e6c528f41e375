# SPDX-License-Identifier: Apache-2.0
"""Objects that the cases create, and helpers to compare events."""
import copy
import json
import re

from lines import Failure


def custom_type(group, kind, short_name, columns, spec):
    """A CustomResourceDefinition of a namespaced kind. `spec` is the schema of .spec."""
    singular = kind.lower()
    return {
        "apiVersion": "apiextensions.k8s.io/v1", "kind": "CustomResourceDefinition",
        "metadata": {"name": f"{singular}s.{group}"},
        "spec": {"group": group, "scope": "Namespaced",
                 "names": {"plural": f"{singular}s", "singular": singular, "kind": kind, "shortNames": [short_name]},
                 "versions": [{"name": "v1", "served": True, "storage": True,
                               "additionalPrinterColumns": columns,
                               "schema": {"openAPIV3Schema": {"type": "object", "properties": {"spec": spec}}}}]}}


WIDGET_TYPE = custom_type(
    "kinf.test", "Widget", "wd", [{"name": "Size", "type": "integer", "jsonPath": ".spec.size"}],
    {"type": "object", "properties": {"size": {"type": "integer"}}})


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
    """Returns the object without managedFields, as kinf prints it."""
    thing = copy.deepcopy(thing)
    thing["metadata"].pop("managedFields", None)
    return thing


def bare(event):
    """Returns the part of an event that must be equal for the server and for kinf."""
    return event["type"], trimmed(event["object"])


def parsed(lines):
    """Parses kinf's JSON events. A line that is not JSON is a Failure."""
    events = []
    for line in lines:
        try:
            events.append(json.loads(line))
        except json.JSONDecodeError as error:
            raise Failure(f"not JSON: {line[:300]!r}: {error}") from None
    return events


def cells(row):
    """Returns the cells of a table row. Columns are separated by two or more spaces."""
    return re.split(r"\s{2,}", row.strip())


class History:
    """The state after applying the printed events. Fails on an event that does not fit the state."""

    def __init__(self):
        self.objects = {}  # key -> object

    def add(self, event):
        key, thing, kind = event["key"], event["object"], event["type"]
        known = self.objects.get(key)
        what = f"{kind} {key} at {version_of(thing)} ({event['source']})"
        if kind == "ADDED":
            if known:
                raise Failure(f"{what}, which exists since {version_of(known)}")
            self.objects[key] = thing
        elif kind == "MODIFIED":
            if not known:
                raise Failure(f"{what}, which does not exist")
            if int(version_of(thing)) <= int(version_of(known)):
                raise Failure(f"{what}, not newer than {version_of(known)}")
            if thing["metadata"]["uid"] != known["metadata"]["uid"]:
                raise Failure(f"{what}: the uid has changed")
            self.objects[key] = thing
        elif kind == "DELETED":
            if not known:
                raise Failure(f"{what}, which does not exist")
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
