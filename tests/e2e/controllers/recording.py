# SPDX-License-Identifier: Apache-2.0
"""What a real kube-controller-manager did in a scenario: a list of steps, each with the objects that changed.

Each step changes one thing: a user's command, or one pod that starts, ends or crashes. The recorded state is
the one in which the controllers come to rest. How they get there is not compared: it depends on time.
"""
import json
import pathlib
import time

from lines import Failure

FOLDER = pathlib.Path(__file__).parent / "recorded"
QUIET = 3.0  # seconds without a change, after which the controllers have done what they wanted


def changes(before, after):
    """Returns the objects of `after` that differ. Those that are gone have the value []."""
    return {key: after.get(key, []) for key in sorted(before.keys() | after.keys()) if before.get(key) != after.get(key)}


def load(name):
    return json.loads((FOLDER / f"{name}.json").read_text(encoding="utf-8"))


def save(name, steps):
    """Writes one line per object, so that a difference between two recordings is easy to read."""
    texts = []
    for step in steps:
        lines = [f"  {json.dumps(key)}: {json.dumps(value)}" for key, value in step["changes"].items()]
        texts.append(f' {{"step": {json.dumps(step["step"])}, "changes": {{\n' + ",\n".join(lines) + "}}")
    FOLDER.mkdir(exist_ok=True)
    (FOLDER / f"{name}.json").write_text("[\n" + ",\n".join(texts) + "\n]\n", encoding="utf-8")


class Recorder:
    """A follower of a Stage that notes each state after the controllers have settled."""

    def __init__(self):
        self.steps = []
        self._state = {}

    def __call__(self, title, read):
        state, since = read(), time.monotonic()
        while time.monotonic() - since < QUIET:
            time.sleep(0.2)
            newer = read()
            if newer != state:
                state, since = newer, time.monotonic()
        self.steps.append({"step": title, "changes": changes(self._state, state)})
        self._state = state


def first_difference(got, wanted):
    for key in sorted(got.keys() | wanted.keys()):
        one, other = got.get(key, []), wanted.get(key, [])
        if one != other:
            return f"  {key}\n    got    " + "\n           ".join(one) + "\n    wanted " + "\n           ".join(other)
    return "  none"


class Player:
    """A follower of a Stage that waits until each step leads to the recorded state."""

    def __init__(self, steps, seconds=20):
        self._steps = steps
        self._seconds = seconds
        self._number = 0
        self._wanted = {}

    def __call__(self, title, read):
        if self._number == len(self._steps):
            raise Failure(f"step {self._number + 1} ({title}) is not in the recording")
        step = self._steps[self._number]
        self._number += 1
        if title != step["step"]:
            raise Failure(f"step {self._number} is {title!r}, recorded is {step['step']!r}")
        self._wanted = {key: value for key, value in {**self._wanted, **step["changes"]}.items() if value}
        deadline = time.monotonic() + self._seconds
        while (state := read()) != self._wanted:
            if time.monotonic() > deadline:
                raise Failure(f"after step {self._number} ({title}):\n{first_difference(state, self._wanted)}")
            time.sleep(0.01)

    def end(self):
        if self._number < len(self._steps):
            raise Failure(f"the recording has another step: {self._steps[self._number]['step']}")
