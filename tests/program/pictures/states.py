# SPDX-License-Identifier: Apache-2.0
"""Reads what `kinf demo --keys` prints: the state of an informer after each key."""
import json
import re
import subprocess


def trace(program, keys):
    """Returns the states at the start and after each key."""
    done = subprocess.run([program, "demo", "--keys", keys], stdin=subprocess.DEVNULL,
                          capture_output=True, text=True, timeout=60, check=True)
    return [json.loads(line) for line in done.stdout.splitlines()]


def entries(state):
    """Returns the deltas in the queue by key."""
    return {entry["key"]: entry["deltas"] for entry in state["queue"]}


def versions(state):
    """Returns the versions in the store by name."""
    return {pod["name"]: pod["version"] for pod in state["store"]}


def calls(before, state, handler="handler1"):
    """Returns the call of the handler in this step, in a list that is empty without one. Two equal
    calls in a row do not occur: each has another version."""
    last = state[handler]["last"]
    return [last] if last != before[handler]["last"] else []


def told(state, pattern):
    """Returns what `pattern` matches in the sentences about this step."""
    found = (re.fullmatch(pattern, sentence) for sentence in state["news"])
    return [match.group(1) for match in found if match]


def steps(states):
    """Returns pairs of a state and the next one."""
    return list(zip(states, states[1:]))
