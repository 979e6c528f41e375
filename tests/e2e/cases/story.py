# SPDX-License-Identifier: Apache-2.0
"""The life of one pod, in every output: the same events as the server's own watch, in its order."""
import json
import re

from apiserver import TABLE
from objects import bare, cells, parsed, pod, trimmed, version_of
from trial import case, expect, expect_equal

WORDS = {"ADDED": "Added", "MODIFIED": "Updated", "DELETED": "Deleted"}


def story(t, *flags, accept="application/json", first="first"):
    """Plays the story beside `kinf watch pods FLAGS` and the server's watch; both from pod `first`
    on, which is there before, to pod `the-end`, which comes after. (kinf, the server's events)"""
    t.server.create("pods", t.namespace, pod(first))
    listed = t.server.list("pods", t.namespace)
    kinf = t.kinf("watch", "pods", "-n", t.namespace, *flags)
    kinf.out.wait_for(first)
    raw = t.watch("pods", t.namespace, version_of(listed), accept=accept)
    t.loadgen("story", "-ns", t.namespace, "-step", "60ms")
    t.server.create("pods", t.namespace, pod("the-end"))
    kinf.out.wait_for("the-end")
    events = raw.wait_until(lambda seen: "the-end" in json.dumps(seen[-1:]), "the last pod")
    expect(len(events) >= 8, lambda: f"the server itself told only {len(events)} events")
    kinf.interrupt()
    expect_equal(kinf.wait(), 130, "status after Ctrl-C")
    return kinf, events


@case("the pod story as JSON is the server's own watch, object by object")
def story_json(t):
    kinf, wanted = story(t, "-o", "json")
    got = parsed(kinf.out.all())
    expect_equal([bare(event) for event in got[1:]], [bare(event) for event in wanted], "events")
    expect_equal((got[0]["type"], got[0]["source"]), ("ADDED", "list"), "the pod that was there")
    for event in got:
        thing = event["object"]
        expect_equal((thing["apiVersion"], thing["kind"]), ("v1", "Pod"), "apiVersion and kind")
        expect_equal(event["resource"], "pods", "resource")
        expect_equal(event["key"], f"{t.namespace}/{thing['metadata']['name']}", "key")
        expect(re.fullmatch(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z", event["time"]), f"time {event['time']}")
        expect("finalStateUnknown" not in event, "a deletion that was seen is not unknown")
    expect_equal({event["source"] for event in got[1:]}, {"watch"}, "source")


@case("bare JSON objects are the server's objects")
def story_bare_json(t):
    kinf, wanted = story(t, "-o", "json", "--output-watch-events=false")
    got = parsed(kinf.out.all())
    expect_equal(got[1:], [trimmed(event["object"]) for event in wanted], "objects")


def table(t, wide):
    kinf, wanted = story(t, "-o", "wide" if wide else "table", accept=TABLE)
    columns = wanted[0]["object"]["columnDefinitions"]
    shown = [i for i, column in enumerate(columns) if wide or column["priority"] == 0]
    age = next(i for i, column in enumerate(columns) if column["name"] == "Age")
    header, there, *rows = kinf.out.all()
    expect_equal(cells(header), ["EVENT"] + [columns[i]["name"].upper() for i in shown], "header")
    expect_equal(cells(there)[:2], ["Added", "first"], "the pod that was there")
    expect_equal(len(rows), len(wanted), "number of rows")
    for row, event in zip(rows, wanted):
        values = event["object"]["rows"][0]["cells"]
        got = cells(row)
        expect(re.fullmatch(r"\d+s", got.pop(1 + shown.index(age))), f"AGE in {row!r}")
        expect_equal(got, [WORDS[event["type"]]] + [str(values[i]) for i in shown if i != age], row)


@case("the pod story as a table shows the server's own cells")
def story_table(t):
    table(t, wide=False)


@case("the pod story as a wide table shows the server's own cells")
def story_wide(t):
    table(t, wide=True)


def documents(lines):
    """YAML documents, each closed by a line of ---."""
    text = "\n".join(lines) + "\n"
    found = text.split("\n---\n")
    expect_equal(found.pop(), "", "what stands after the last ---")
    return found


def through_kubectl(t, objects):
    """YAML objects as kubectl reads them: one JSON document after the other."""
    with open(f"{t.folder}/objects.yaml", "w", encoding="utf-8") as file:
        file.write("\n---\n".join(objects))
    text = t.kubectl("create", "--dry-run=client", "--validate=false", "-o", "json", "-f", file.name)
    decoder, at, found = json.JSONDecoder(), 0, []
    while at < len(text.rstrip()):
        thing, at = decoder.raw_decode(text, at)
        found += thing["items"] if thing["kind"] == "List" else [thing]
        at += len(text[at:]) - len(text[at:].lstrip())
    return found


@case("the pod story as YAML events reads back as the server's own watch")
def story_yaml(t):
    kinf, wanted = story(t, "-o", "yaml")
    types, objects = [], []
    for document in documents(kinf.out.all()):
        block = re.search(r"^object:\n((?:  .*\n?|\n)+)", document, re.M)
        expect(block, f"no object in {document}")
        types += re.findall(r"^type: (\w+)$", document, re.M)
        objects.append(re.sub(r"^  ", "", block[1], flags=re.M))
    got = list(zip(types, through_kubectl(t, objects)))
    expect_equal(got[1:], [bare(event) for event in wanted], "events")


@case("bare YAML documents read back as the server's objects")
def story_bare_yaml(t):
    kinf, wanted = story(t, "-o", "yaml", "--output-watch-events=false")
    got = through_kubectl(t, documents(kinf.out.all()))
    expect_equal(got[1:], [trimmed(event["object"]) for event in wanted], "objects")


@case("the pod story as names has one line per event of the server")
def story_name(t):
    kinf, wanted = story(t, "-o", "name")
    names = [f"pod/{event['object']['metadata']['name']}" for event in wanted]
    expect_equal(kinf.out.all()[1:], names, "names")


@case("--watch-only leaves out what was there, --max-events ends the watch")
def only_new(t):
    t.server.create("pods", t.namespace, pod("old"))
    kinf = t.kinf("watch", "pods", "-n", t.namespace, "-o", "name", "--watch-only", "--max-events=2")
    # Nothing tells from outside when such a watch is on: pods are made until it has ended.
    made = []
    while kinf.running() and len(made) < 200:
        made.append(f"new-{len(made)}")
        t.server.create("pods", t.namespace, pod(made[-1]))
    status, out, _ = kinf.finish()
    expect_equal(status, 0, "status")
    expect_equal(len(out.splitlines()), 2, "lines")
    expect("pod/old" not in out, out)
