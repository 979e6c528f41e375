# SPDX-License-Identifier: Apache-2.0
"""Who made a change, from the managedFields of both versions: the rule that kinf documents, once more."""
import datetime
import json

NEAR = 2  # seconds
EPOCH = "1970-01-01T00:00:00Z"  # of an entry without a time


def seconds(text):
    return int(datetime.datetime.fromisoformat(text).timestamp())


def entries_of(thing):
    """Returns the entries by their identity: the time, the text of the fields and the name of each."""
    found = {}
    for entry in thing["metadata"].get("managedFields", []):
        part = entry.get("subresource", "")
        identity = (entry["manager"], entry["operation"], part, entry.get("apiVersion", ""))
        found[identity] = (seconds(entry.get("time", EPOCH)), json.dumps(entry.get("fieldsV1", {}), separators=(",", ":")),
                           f"{entry['manager']} ({part})" if part else entry["manager"])
    return found


def by_difference(before, after):
    """Returns the manager whose entry differs; None if there is none."""
    found = []
    for place, (identity, (time, fields, name)) in enumerate(after.items()):
        old_time, old_fields, _ = before.get(identity, (None, "", ""))
        grew = len(fields) > len(old_fields)
        if time != old_time:
            rank = 3
        elif len(fields) < len(old_fields):
            rank = 1
        elif fields != old_fields:
            rank = 2
        else:
            continue
        found.append((rank, time, grew, not name.endswith("(status)"), place, name))
    for identity, (time, _, name) in before.items():
        if identity not in after:
            found.append((1, time, False, not name.endswith("(status)"), -1, name))
    return max(found)[-1] if found else None


def manager_of(before, after, arrived):
    """Returns who made `after` from `before` (None: unknown), received `arrived` seconds after 1970; empty if
    that cannot be known."""
    entries = entries_of(after)
    if before is not None:
        if name := by_difference(entries_of(before), entries):
            return name
        if "deletionTimestamp" in after["metadata"] and "deletionTimestamp" not in before["metadata"]:
            return ""
    created = seconds(after["metadata"]["creationTimestamp"]) if before is not None else None
    recent = [(time, place, name) for place, (time, _, name) in enumerate(entries.values())
              if time != created and abs(int(arrived) - time) <= NEAR]
    return max(recent)[-1] if recent else ""


def newest_of(thing):
    """Returns the manager that an object which is added is said to have."""
    entries = [(time, place, name) for place, (time, _, name) in enumerate(entries_of(thing).values())]
    return max(entries)[-1] if entries else ""


class WrittenVersions:
    """The managedFields of each version that `kinf watch -o json --show-managed-fields` printed."""

    def __init__(self, lines):
        self._metadata = {}
        for line in lines:
            event = json.loads(line)
            if "key" in event and event["type"] != "DELETED":
                self._metadata[event["resource"].partition(".")[0], event["key"], event["object"]["metadata"]["resourceVersion"]] = {
                    "metadata": event["object"]["metadata"]}

    def wrong(self, rows):
        """Compares the managers of a recording, `rows` of (resource, key, version, type, manager, arrival,
        session) in their order. Returns how many could be compared, and texts about those that differ."""
        compared, wrong, last = 0, [], {}
        for resource, key, version, kind, manager, arrived, session in rows:
            place = resource, key
            before_version, before_session = last.pop(place, (None, None))
            if kind == "DELETED":
                wanted = {""}
            else:
                last[place] = version, session
                after = self._metadata.get((*place, version))
                before = self._metadata.get((*place, before_version))
                if after is None or (kind == "MODIFIED" and before is None):
                    continue
                wanted = {newest_of(after) if kind == "ADDED" else manager_of(before, after, arrived)}
                if kind == "MODIFIED" and session != before_session:  # a recording keeps no managedFields
                    wanted.add(manager_of(None, after, arrived))
            compared += 1
            if manager not in wanted:
                wrong.append(f"{resource} {key} {kind} {before_version} -> {version}: {manager!r}, not {wanted}")
        return compared, wrong
