# SPDX-License-Identifier: Apache-2.0
"""The life of one pod in every output format: the same events as a plain watch, in the same order."""
import json
import re

from apiserver import TABLE
from objects import bare, cells, parsed, pod, trimmed, version_of
from trial import case, expect, expect_equal

WORDS = {"ADDED": "Added", "MODIFIED": "Updated", "DELETED": "Deleted"}


def lifecycle(t, *flags, accept="application/json", first="first"):
    """Plays the life of a pod while `kinf watch pods FLAGS` and a plain watch run. Pod `first` exists
    before; pod `the-end` is created afterwards. Returns (kinf, events of the plain watch)."""
    t.server.create("pods", t.namespace, pod(first))
    listed = t.server.list("pods", t.namespace)
    kinf = t.kinf("watch", "pods", "-n", t.namespace, *flags)
    kinf.out.wait_for(first)
    raw = t.watch("pods", t.namespace, version_of(listed), accept=accept)
    t.loadgen("lifecycle", "-ns", t.namespace, "-step", "60ms")
    t.server.create("pods", t.namespace, pod("the-end"))
    kinf.out.wait_for("the-end")
    events = raw.wait_until(lambda seen: "the-end" in json.dumps(seen[-1:]), "the last pod")
    expect(len(events) >= 8, lambda: f"the server sent only {len(events)} events")
    kinf.interrupt()
    expect_equal(kinf.wait(), 130, "status after Ctrl-C")
    return kinf, events


@case("JSON events are those of a plain watch, object by object")
def lifecycle_json(t):
    kinf, wanted = lifecycle(t, "-o", "json")
    got = parsed(kinf.out.all())
    expect_equal([bare(event) for event in got[1:]], [bare(event) for event in wanted], "events")
    expect_equal((got[0]["type"], got[0]["source"]), ("ADDED", "list"), "the initial pod")
    for event in got:
        thing = event["object"]
        expect_equal((thing["apiVersion"], thing["kind"]), ("v1", "Pod"), "apiVersion and kind")
        expect_equal(event["resource"], "pods", "resource")
        expect_equal(event["key"], f"{t.namespace}/{thing['metadata']['name']}", "key")
        expect(re.fullmatch(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z", event["time"]), f"time {event['time']}")
        expect("finalStateUnknown" not in event, "finalStateUnknown on a deletion that the watch saw")
    expect_equal({event["source"] for event in got[1:]}, {"watch"}, "source")


@case("JSON objects without events are the server's objects")
def lifecycle_bare_json(t):
    kinf, wanted = lifecycle(t, "-o", "json", "--output-watch-events=false")
    got = parsed(kinf.out.all())
    expect_equal(got[1:], [trimmed(event["object"]) for event in wanted], "objects")


def table(t, wide):
    kinf, wanted = lifecycle(t, "-o", "wide" if wide else "table", accept=TABLE)
    columns = wanted[0]["object"]["columnDefinitions"]
    shown = [i for i, column in enumerate(columns) if wide or column["priority"] == 0]
    age = next(i for i, column in enumerate(columns) if column["name"] == "Age")
    header, there, *rows = kinf.out.all()
    expect_equal(cells(header), ["EVENT"] + [columns[i]["name"].upper() for i in shown], "header")
    expect_equal(cells(there)[:2], ["Added", "first"], "the initial pod")
    expect_equal(len(rows), len(wanted), "number of rows")
    for row, event in zip(rows, wanted):
        values = event["object"]["rows"][0]["cells"]
        got = cells(row)
        expect(re.fullmatch(r"\d+s", got.pop(1 + shown.index(age))), f"AGE in {row!r}")
        expect_equal(got, [WORDS[event["type"]]] + [str(values[i]) for i in shown if i != age], row)


@case("a table shows the server's cells")
def lifecycle_table(t):
    table(t, wide=False)


@case("a wide table shows the server's cells")
def lifecycle_wide(t):
    table(t, wide=True)


def documents(lines):
    """Splits YAML documents, each of which ends with a line of ---."""
    text = "\n".join(lines) + "\n"
    found = text.split("\n---\n")
    expect_equal(found.pop(), "", "text after the last ---")
    return found


def through_kubectl(t, objects):
    """Converts YAML objects to JSON with kubectl."""
    with open(f"{t.folder}/objects.yaml", "w", encoding="utf-8") as file:
        file.write("\n---\n".join(objects))
    text = t.kubectl("create", "--dry-run=client", "--validate=false", "-o", "json", "-f", file.name)
    decoder, at, found = json.JSONDecoder(), 0, []
    while at < len(text.rstrip()):
        thing, at = decoder.raw_decode(text, at)
        found += thing["items"] if thing["kind"] == "List" else [thing]
        at += len(text[at:]) - len(text[at:].lstrip())
    return found


@case("YAML events parse to the events of a plain watch")
def lifecycle_yaml(t):
    kinf, wanted = lifecycle(t, "-o", "yaml")
    types, objects = [], []
    for document in documents(kinf.out.all()):
        block = re.search(r"^object:\n((?:  .*\n?|\n)+)", document, re.M)
        expect(block, f"no object in {document}")
        types += re.findall(r"^type: (\w+)$", document, re.M)
        objects.append(re.sub(r"^  ", "", block[1], flags=re.M))
    got = list(zip(types, through_kubectl(t, objects)))
    expect_equal(got[1:], [bare(event) for event in wanted], "events")


@case("YAML objects without events parse to the server's objects")
def lifecycle_bare_yaml(t):
    kinf, wanted = lifecycle(t, "-o", "yaml", "--output-watch-events=false")
    got = through_kubectl(t, documents(kinf.out.all()))
    expect_equal(got[1:], [trimmed(event["object"]) for event in wanted], "objects")


@case("-o name prints one line per event of the server")
def lifecycle_name(t):
    kinf, wanted = lifecycle(t, "-o", "name")
    names = [f"pod/{event['object']['metadata']['name']}" for event in wanted]
    expect_equal(kinf.out.all()[1:], names, "names")


@case("--watch-only skips the current objects; --max-events ends the watch")
def only_new(t):
    t.server.create("pods", t.namespace, pod("old"))
    kinf = t.kinf("watch", "pods", "-n", t.namespace, "-o", "name", "--watch-only", "--max-events=2")
    # The start of such a watch is not visible from outside, so pods are created until it ends.
    made = []
    while kinf.running() and len(made) < 200:
        made.append(f"new-{len(made)}")
        t.server.create("pods", t.namespace, pod(made[-1]))
    status, out, _ = kinf.finish()
    expect_equal(status, 0, "status")
    expect_equal(len(out.splitlines()), 2, "lines")
    expect("pod/old" not in out, out)
