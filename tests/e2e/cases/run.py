# SPDX-License-Identifier: Apache-2.0
"""kinf run on a real server."""
import concurrent.futures
import json
import os
import signal
import time

from objects import configmap
from trial import case, expect, expect_equal

# Logs each start and end with its time, and fails as often as a file says.
NOTER = """#!/usr/bin/env python3
import json, os, pathlib, sys, time
event = json.load(sys.stdin)
start = time.monotonic()
key, version = os.environ["KINF_KEY"], os.environ["KINF_RESOURCE_VERSION"]
pathlib.Path(sys.argv[1], "started").touch()
time.sleep(float(os.environ.get("NAP", "0")))
failures = pathlib.Path(sys.argv[1], "fail-" + os.environ["KINF_NAME"])
fails = failures.exists() and int(failures.read_text()) > int(os.environ["KINF_RETRY"])
line = json.dumps({"key": key, "version": version, "type": os.environ["KINF_TYPE"],
                   "retry": int(os.environ["KINF_RETRY"]), "start": start, "end": time.monotonic(),
                   "value": event["object"].get("data", {}).get("value"),
                   "old": event.get("old", {}).get("data", {}).get("value"), "failed": fails})
log = os.open(sys.argv[1] + "/log", os.O_WRONLY | os.O_APPEND | os.O_CREAT)
os.write(log, (line + "\\n").encode())
sys.exit(fails)
"""


def noter(t):
    path = f"{t.folder}/noter"
    with open(path, "w", encoding="utf-8") as file:
        file.write(NOTER)
    os.chmod(path, 0o755)
    return [path, t.folder]


def notes(t):
    try:
        with open(f"{t.folder}/log", encoding="utf-8") as lines:
            return [json.loads(line) for line in lines]
    except FileNotFoundError:
        return []


def expect_apart(runs):
    """Checks that no two runs of a key overlap."""
    for key in {run["key"] for run in runs}:
        mine = sorted((run for run in runs if run["key"] == key), key=lambda run: run["start"])
        for one, next_one in zip(mine, mine[1:]):
            expect(one["end"] <= next_one["start"], f"two runs of {key} at once: {one} {next_one}")


def await_notes(t, holds, what, seconds=120):
    deadline = time.monotonic() + seconds
    while time.monotonic() < deadline:
        runs = notes(t)
        if holds(runs):
            return runs
        time.sleep(0.2)
    raise AssertionError(f"{what}: {len(notes(t))} runs: {notes(t)[-5:]}")


# A faster one for thousands of runs: starts no other program. Each log line is a single write.
QUICK_NOTER = """#!/bin/sh
read -r event
echo "begin $KINF_KEY $KINF_RESOURCE_VERSION $event" >> "$1/log"
echo "end $KINF_KEY" >> "$1/log"
"""


def quick_runs(t):
    """Returns (key, version, event) of each run so far, by start. Checks that no key's runs overlap."""
    runs, running = [], set()
    with open(f"{t.folder}/log", encoding="utf-8") as lines:
        for line in lines:
            if not line.endswith("\n"):
                break  # incomplete: being written
            word, key, *rest = line.split(None, 3)
            if word == "end":
                running.discard(key)
                continue
            expect(key not in running, f"two runs of {key} at once")
            running.add(key)
            runs.append((key, rest[0], json.loads(rest[1])))
    return runs


@case("1,000 objects change three times each; a command sees the last state of each", seconds=400)
def many(t):
    names = [f"cm-{number:04}" for number in range(1000)]
    with open(f"{t.folder}/quick-noter", "w", encoding="utf-8") as file:
        file.write(QUICK_NOTER)
    os.chmod(f"{t.folder}/quick-noter", 0o755)
    open(f"{t.folder}/log", "w", encoding="utf-8").close()

    def each(action):
        with concurrent.futures.ThreadPoolExecutor(8) as pool:
            list(pool.map(action, names))

    program = t.kinf("run", "cm", "-n", t.namespace, "-l", "many=yes", "--concurrency", "4", "--",
                     f"{t.folder}/quick-noter", t.folder)
    each(lambda name: t.server.create("configmaps", t.namespace,
                                      configmap(name, {"many": "yes"}, value="0")))
    for change in ("1", "2", "3"):
        each(lambda name, value=change: t.server.patch("configmaps", t.namespace, name,
                                                       {"data": {"value": value}}))
    last = {f"{t.namespace}/{thing['metadata']['name']}": thing["metadata"]["resourceVersion"]
            for thing in t.server.list("configmaps", t.namespace)["items"]
            if thing["metadata"].get("labels")}
    expect_equal(len(last), len(names), "objects")
    deadline = time.monotonic() + 250
    while {key: version for key, version, _ in quick_runs(t)} != last:
        expect(time.monotonic() < deadline, "not every command saw the last state")
        time.sleep(0.5)
    seen = {}
    for key, _, event in quick_runs(t):
        expect_equal(event["type"], "MODIFIED" if key in seen else "ADDED", f"type for {key}")
        expect_equal(event.get("old", {}).get("data", {}).get("value"), seen.get(key), f"old of {key}")
        seen[key] = event["object"]["data"]["value"]
    expect_equal(set(seen.values()), {"3"}, "last values")
    program.signal(signal.SIGTERM)
    expect_equal(program.wait(30), 143, "exit status")


@case("failed commands are retried with increasing delays, one at a time per object", seconds=180)
def retries(t):
    folder = noter(t)
    for number, failures in enumerate((0, 3, 5)):
        with open(f"{t.folder}/fail-cm-{number}", "w", encoding="ascii") as file:
            file.write(str(failures))
    program = t.kinf("run", "cm", "-n", t.namespace, "-l", "try=yes", "--backoff", "200ms..5s",
                     "--concurrency", "4", "--", *folder)
    for number in range(3):
        t.server.create("configmaps", t.namespace, configmap(f"cm-{number}", {"try": "yes"}, value="0"))
    runs = await_notes(t, lambda seen: len([r for r in seen if not r["failed"]]) == 3, "successes")
    time.sleep(1)
    expect_equal(len(notes(t)), len(runs), "runs after the last success")
    expect_apart(runs)
    for number, failures in enumerate((0, 3, 5)):
        mine = [run for run in runs if run["key"].endswith(f"cm-{number}")]
        expect_equal([run["retry"] for run in mine], list(range(failures + 1)), f"retries of cm-{number}")
        pauses = [b["start"] - a["end"] for a, b in zip(mine, mine[1:])]
        for retry, pause in enumerate(pauses):
            expect(pause >= 0.2 * 2 ** retry * 0.9, f"delay {retry} of cm-{number} was {pause:.3f} s")
    expect("exit status 1, retry 1 in 200ms" in "\n".join(program.err.all()), "no message about the retry")
    program.interrupt()
    expect_equal(program.wait(30), 130, "exit status")


@case("changes during a run cause one more run", seconds=60)
def during(t):
    t.server.create("configmaps", t.namespace, configmap("cm", {"slow": "yes"}, value="0"))
    folder = noter(t)
    t.kinf("run", "cm", "-n", t.namespace, "-l", "slow=yes", "--concurrency", "4", "--",
           "env", "NAP=4", *folder)
    deadline = time.monotonic() + 20
    while not os.path.exists(f"{t.folder}/started"):
        expect(time.monotonic() < deadline, "no command was started")
        time.sleep(0.02)
    for value in ("1", "2", "3"):
        t.server.patch("configmaps", t.namespace, "cm", {"data": {"value": value}})
    await_notes(t, lambda seen: len(seen) >= 2, "two runs", 30)
    time.sleep(5)  # long enough for a third run
    runs = notes(t)
    expect_equal([run["value"] for run in runs], ["0", "3"], "what the commands saw")
    expect_apart(runs)


@case("killing kinf kills the process groups of its commands", seconds=60)
def orphans(t):
    for number in range(3):
        t.server.create("configmaps", t.namespace, configmap(f"cm-{number}", {"sleep": "yes"}))
    marker = "86399.25"
    program = t.kinf("run", "cm", "-n", t.namespace, "-l", "sleep=yes", "--concurrency", "3", "--",
                     "sh", "-c", f"sleep {marker} & sleep {marker}")

    def sleepers():
        found = []
        for pid in filter(str.isdigit, os.listdir("/proc")):
            try:
                with open(f"/proc/{pid}/cmdline", encoding="utf-8") as file:
                    words = file.read().split("\0")
            except OSError:
                continue
            if words[:2] == ["sleep", marker]:
                found.append(pid)
        return found

    def wait_for(count):
        deadline = time.monotonic() + 20
        while len(sleepers()) != count:
            expect(time.monotonic() < deadline, f"{len(sleepers())} of {count} sleepers")
            time.sleep(0.05)

    wait_for(6)
    os.kill(program.pid, signal.SIGKILL)
    wait_for(0)
