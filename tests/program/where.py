# SPDX-License-Identifier: Apache-2.0
"""Checks `--where` against jq: 200 expressions over the same stream of changes.

  where.py PROGRAM FIXTURES

A scenario changes objects that are made of recorded pods. `kinf watch` without --where prints the
stream; jq says for which of its objects each expression is true; from that follow the events that
`kinf watch --where` must print, with objects that enter and leave. `kinf get` must print the same
objects as the state that jq selects. Exits with 1 at the first difference.
"""
import concurrent.futures
import copy
import itertools
import json
import pathlib
import random
import subprocess
import sys
import tempfile

EXPRESSIONS = 200
PROGRAM = pathlib.Path(sys.argv[1]).resolve()
FIXTURES = pathlib.Path(sys.argv[2])


def objects():
    """Recorded pods. As ConfigMaps, so that only the scenario changes them."""
    found = []
    for pod in json.loads((FIXTURES / "list/pods.json").read_text())["items"]:
        meta = pod["metadata"]
        found.append({"apiVersion": "v1", "kind": "ConfigMap", "spec": pod["spec"],
                      "status": pod["status"],
                      "metadata": {"name": meta["name"], "namespace": "default",
                                   "labels": meta["labels"],
                                   "annotations": meta["annotations"]}})
    return found


def scenario(chance):
    """About 60 changes, some of them of several fields, some of none that matters."""
    pods = objects()
    steps = []

    def step(action, pod, **members):
        change = {"apiVersion": "v1", "kind": "ConfigMap",
                  "metadata": {"name": pod["metadata"]["name"], "namespace": "default",
                               **members.pop("metadata", {})}, **members}
        steps.append({"at": round(0.05 + 0.003 * len(steps), 4), action: change})

    for number in range(60):
        pod = chance.choice(pods)
        kind = chance.randrange(7)
        if kind == 0:
            step("patch", pod, status={"phase": chance.choice(["Pending", "Running", "Failed"])})
        elif kind == 1:
            step("patch", pod, metadata={"labels": {"tier": chance.choice(["t0", "t1", "t2"])}})
        elif kind == 2:
            step("patch", pod, spec={"nodeName": chance.choice(["node-1", "node-2", None])})
        elif kind == 3:
            step("patch", pod, status={"restarts": number, "podIP": f"10.0.0.{number}"})
        elif kind == 4:
            step("patch", pod, data={"n": str(number), "on": chance.choice(["true", "false"])})
        elif kind == 5:
            step("patch", pod, metadata={"annotations": {"seen": str(number)}})
        else:
            step("delete", pod)
            again = copy.deepcopy(pod)
            again["status"]["phase"] = chance.choice(["Pending", "Running"])
            steps.append({"at": round(0.05 + 0.003 * len(steps), 4), "apply": again})
    for pod in pods[:2]:
        step("delete", pod)
    return {"objects": pods, "steps": steps}


PATHS = [".status.phase", ".spec.nodeName", ".metadata.labels.tier", ".metadata.labels.app",
         ".status.restarts", ".data.n", ".data.on", ".metadata.annotations.seen", ".status.podIP",
         ".spec.containers[0].image", ".spec.restartPolicy", ".metadata.name", ".missing.field"]
VALUES = ['"Pending"', '"Running"', '"Failed"', '"node-1"', '"t1"', '"robusta"', '"true"', '"30"',
          "null", "20", '"10.0.0.7"']


def expressions(chance):
    fixed = [
        "true", "false", "empty", ".", "null, 1", ".status", ".metadata.labels | has(\"tier\")",
        ".status.phase == \"Running\" and .spec.nodeName == \"node-1\"",
        ".status.phase as $p | [\"Pending\", \"Failed\"] | index($p)",
        "[.spec.containers[].image] | any(test(\"nginx|web\"))",
        "any(.status.conditions[]?; .type == \"Ready\" and .status == \"True\")",
        ".status.conditions[]? | .type == \"Ready\"",
        "def busy: .status.restarts > 10; busy",
        "$old == null", "$old != null", ".status.phase != $old.status.phase",
        "$old | .status.phase == \"Running\"", ".data.n != $old.data.n and $old != null",
        "(.status.restarts // 0) - ($old.status.restarts // 0) > 5", ".metadata == $old.metadata",
        ".status.phase.inner", ".metadata.labels[0]", "error(\"no\")", ".data.n | tonumber > 20",
        "true, error(\"late\")", "error(\"early\"), true", ".spec.containers | length > 1",
        "to_entries | length > 5", "[paths] | length > 100", ".metadata.name | endswith(\"1\")",
        "if .data.on == \"true\" then 1 else null end", ".data.on == \"true\" # the rest is a note",
        "try .status.phase.inner catch true", ".metadata.name | ltrimstr(\"web-\") | tonumber % 2 == 0",
        "reduce .spec.containers[] as $c (0; . + 1) | . >= 1", "first(.spec.containers[]) | .name",
        "[limit(3; range(100))] == [0, 1, 2]", "@base64 | length > 10",
        ".metadata.creationTimestamp | fromdateiso8601 > 0", "\"\\(.kind)\" == \"ConfigMap\"",
    ]
    yield from fixed
    forms = [lambda p, v, q, w: f"{p} == {v}", lambda p, v, q, w: f"{p} != {v}",
             lambda p, v, q, w: f"{p} == {v} or {q} == {w}",
             lambda p, v, q, w: f"({p} == {v}) and ({q} != {w})",
             lambda p, v, q, w: f"{p} > {v}", lambda p, v, q, w: f"{p}",
             lambda p, v, q, w: f"{p} | not", lambda p, v, q, w: f"{p} != $old{p}",
             lambda p, v, q, w: f"{p} == $old{q}", lambda p, v, q, w: f"[{p}, {q}] | index({v})",
             lambda p, v, q, w: f"{p} | test(\"[13]\")", lambda p, v, q, w: f"{p} | tonumber > 10",
             lambda p, v, q, w: f"{p}, {q} | . == {v}", lambda p, v, q, w: f"({p} // {v}) == {v}"]
    for form in itertools.islice(itertools.cycle(forms), EXPRESSIONS - len(fixed)):
        yield form(chance.choice(PATHS), chance.choice(VALUES), chance.choice(PATHS),
                   chance.choice(VALUES))


def kinf(command, *arguments):
    done = subprocess.run([PROGRAM, *command, "configmaps", *arguments], stdout=subprocess.PIPE,
                          stderr=subprocess.PIPE, text=True, timeout=100, check=False)
    if done.returncode != 0:
        sys.exit(f"kinf {command} {arguments}: exit {done.returncode}: {done.stderr}")
    return done.stdout


def core(thing):
    """What is the same in every run."""
    thing = copy.deepcopy(thing)
    if thing:
        for passing in ("uid", "creationTimestamp"):
            thing["metadata"].pop(passing, None)
    return thing


def booleans(inputs, texts):
    """For each pair of object and old object, whether each expression is true, as jq says."""
    program = ", ".join(f"(.old as $old | .object | [try first({text}\n | select(.) | true) "
                        "catch empty] | length > 0)" for text in texts)
    done = subprocess.run(["jq", "-c", f"[{program}]"], input=inputs, stdout=subprocess.PIPE,
                          text=True, check=True)
    of_each_input = [json.loads(line) for line in done.stdout.splitlines()]
    return list(zip(*of_each_input, strict=True))


def expected(stream, holds):
    """The events of a watch whose expression is true for `holds`, one for each change in `stream`;
    a deletion has none."""
    selected = set()
    for event, is_in in zip(stream, holds, strict=True):
        key, was_in = event["key"], event["key"] in selected
        if event["type"] == "DELETED":
            selected.discard(key)
            if was_in:
                yield "DELETED", key, core(event["object"]), None
        elif is_in:
            selected.add(key)
            old = core(event.get("old")) if was_in else None
            yield "MODIFIED" if was_in else "ADDED", key, core(event["object"]), old
        elif was_in:
            selected.discard(key)
            yield "DELETED", key, core(event["object"]), core(event["old"])


def check(file, text, stream, holds):
    """Returns the differences for one expression, and the numbers of objects that entered and
    left."""
    found = [json.loads(line) for line in
             kinf(["watch"], f"--sandbox={file}", "-q", "-o", "json", "--show-old",
                  "--where", text).splitlines()]
    found = [(e["type"], e["key"], core(e["object"]), core(e.get("old"))) for e in found]
    wanted = list(expected(stream, holds))
    if found != wanted:
        return (f"--where {text!r}: found {[f[:2] for f in found]}, "
                f"expected {[w[:2] for w in wanted]}", 0, 0)
    entered = sum(1 for e in wanted if e[0] == "ADDED")
    left = sum(1 for e in wanted if e[0] == "DELETED" and e[3])
    return None, entered, left


def check_get(file, text, stream, holds):
    first = [e for e in stream if e["source"] == "list"]
    wanted = sorted(e["key"] for e, is_in in zip(first, holds) if is_in)
    found = sorted(f"default/{line.split('/')[1]}" for line in
                   kinf(["get"], f"--sandbox={file}", "-q", "-o", "name", "--where", text).split())
    return None if found == wanted else f"get --where {text!r}: {found}, expected {wanted}"


def main():
    chance = random.Random(13)
    texts = list(expressions(chance))
    assert len(texts) == EXPRESSIONS
    with tempfile.TemporaryDirectory(prefix="kinf-where.") as folder:
        file = pathlib.Path(folder) / "story.json"
        file.write_text(json.dumps(scenario(chance)))
        stream = [json.loads(line) for line in
                  kinf(["watch"], f"--sandbox={file}", "-q", "-o", "json", "--show-old").splitlines()]
        inputs = "\n".join(json.dumps({"object": e["object"], "old": e.get("old")}) for e in stream)
        answers = booleans(inputs, texts)
        problems, entered, left = [], 0, 0
        with concurrent.futures.ThreadPoolExecutor(max_workers=4) as pool:
            for problem, came, went in pool.map(
                    lambda at: check(file, texts[at], stream, answers[at]), range(len(texts))):
                problems += [problem] if problem else []
                entered, left = entered + came, left + went
            problems += [p for p in pool.map(
                lambda at: check_get(file, texts[at], stream, answers[at]),
                range(0, len(texts), 10)) if p]
    print("\n".join(problems[:5]))
    print(f"{len(texts)} expressions over {len(stream)} events: {entered} objects entered, "
          f"{left} left; {len(problems)} problems")
    if problems or entered < 100 or left < 100:
        sys.exit(1)


main()
