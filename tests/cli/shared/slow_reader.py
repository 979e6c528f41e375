# SPDX-License-Identifier: Apache-2.0
"""Watches through a pipe that nobody reads while objects change thousands of times; then reads all
of it. Says whether every change came through, and whether memory stayed bounded meanwhile.

  kinf sandbox -- python3 slow_reader.py [FLAG OF WATCH...]
"""
import http.client
import json
import os
import re
import subprocess
import sys

OBJECTS, CHANGES, LIMIT_KB = 5, 3000, 60_000
PATH = "/api/v1/namespaces/default/configmaps"


def server():
    with open(os.environ["KUBECONFIG"], encoding="utf-8") as file:
        return re.search(r"server: http://(\S+)", file.read()).group(1)


def send(connection, method, path, body, content_type="application/json"):
    connection.request(method, path, json.dumps(body), {"Content-Type": content_type})
    answer = connection.getresponse()
    answer.read()
    assert answer.status < 300, answer.status


def peak_kb(pid):
    with open(f"/proc/{pid}/status", encoding="ascii") as status:
        return next(int(line.split()[1]) for line in status if line.startswith("VmHWM"))


def main():
    connection = http.client.HTTPConnection(server())
    for number in range(OBJECTS):
        send(connection, "POST", PATH, {"metadata": {"name": f"c-{number}"}, "data": {"pad": "x" * 2000}})
    with subprocess.Popen(["kinf", "watch", "configmaps", "-o", "json", *sys.argv[1:]],
                          stdout=subprocess.PIPE) as watch:
        first = [json.loads(watch.stdout.readline()) for _ in range(OBJECTS)]
        for number in range(CHANGES):
            send(connection, "PATCH", f"{PATH}/c-{number % OBJECTS}", {"data": {"n": str(number)}},
                 "application/merge-patch+json")
        peak = peak_kb(watch.pid)
        send(connection, "POST", PATH, {"metadata": {"name": "last"}})
        # The end of the story is behind all changes, however many there are.
        events = []
        while not events or events[-1]["key"] != "default/last":
            events.append(json.loads(watch.stdout.readline()))
        watch.terminate()
        rest = watch.stdout.read().splitlines()
    assert not rest, rest
    events.pop()
    sanitized = any(name in os.environ for name in ("ASAN_OPTIONS", "TSAN_OPTIONS"))
    print(f"memory: {'bounded' if sanitized or peak < LIMIT_KB else f'{peak} kB'}")
    versions = {event["key"]: 0 for event in first}
    for event in first + events:
        version = int(event["object"]["metadata"]["resourceVersion"])
        assert version > versions[event["key"]], event
        versions[event["key"]] = version
    told = len(events) + sum(event.get("folded", 0) for event in first + events)
    print(f"changes told: {'all' if told == CHANGES else told}")
    print(f"lines: {'one for each' if len(events) == CHANGES else 'fewer'}")
    last = {event["key"]: event["object"]["data"]["n"] for event in events}
    newest = set(last.values())
    print(f"newest: {'right' if newest == {str(CHANGES - 1 - n) for n in range(OBJECTS)} else newest}")


if __name__ == "__main__":
    main()
