# SPDX-License-Identifier: Apache-2.0
"""Kills `kinf watch --state` again and again while objects change, and checks that no change is lost.

  state_kills.py KILLS
"""
import json
import random
import signal
import subprocess
import sys
import time

STATE = "s.kinf"
CHANGES = 1500  # nearly all that the scenario makes, once a watch has started it


def watch(name, *flags):
    with open(name, "wb") as out:
        return subprocess.Popen(["kinf", "watch", "pods", "-A", "--state", STATE, "-o", "json",
                                 "--show-old", *flags], stdout=out)


def events(name):
    with open(name, "rb") as file:
        lines = file.read().split(b"\n")
    return [json.loads(line) for line in lines[:-1]]  # the last line may be cut


def identity(thing):
    return thing["metadata"]["uid"], thing["metadata"]["resourceVersion"]


def read(event, seen):
    """Adds an event to what the reader of all outputs knows. After a kill it may come twice."""
    if event["type"] == "DELETED":
        seen.pop(event["key"], None)
    else:
        seen[event["key"]] = identity(event["object"])


def main():
    kills = int(sys.argv[1])
    seen = {}
    chance = random.Random(7)
    for number in range(kills):
        running = watch(f"out{number}")
        while number == 0 and len(events("out0")) < 100:  # the scenario has begun
            time.sleep(0.05)
        time.sleep(0.05 + chance.random() * 0.25)
        running.send_signal(signal.SIGKILL)
        running.wait()
        for event in events(f"out{number}"):
            read(event, seen)
    listed = None
    while True:  # until the changes have ended
        text = subprocess.run(["kinf", "get", "pods", "-A", "-o", "json"], capture_output=True,
                              check=True).stdout
        now = {(item["metadata"]["namespace"] + "/" + item["metadata"]["name"]): identity(item)
               for item in json.loads(text)["items"]}
        newest = max(int(version) for _, version in now.values())
        if now == listed and newest > CHANGES:
            break
        listed = now
        time.sleep(0.7)
    running = watch("last", "--timeout", "3s")
    running.wait()
    for event in events("last"):
        read(event, seen)
    print("the events lead to the state of the server:", seen == listed)
    again = watch("none", "--timeout", "3s")
    again.wait()
    print("events when nothing changed:", len(events("none")))
    if seen != listed:
        print(sorted(set(seen.items()) ^ set(listed.items())), file=sys.stderr)


main()
