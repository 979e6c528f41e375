# SPDX-License-Identifier: Apache-2.0
"""kubectl and kinf side by side while an API server restarts: two recorded terminals, and above
them the state of the server."""
import pathlib
import subprocess

import screen
from cast import Cast
from svg import MARGIN
from terminal import ROW, Clock, Terminals, width_of

RECORDINGS = pathlib.Path(__file__).parent / "recordings"
KINDS = {"running": "green", "killed": "red", "starting": "yellow", "running again": "green"}
EVENTS = ("Added", "Updated", "Deleted")
TOP = 40  # for the state of the server


def events(cast, code):
    return [(time, text) for time, kind, text in cast.events if kind == code]


def draw(_program):
    casts = {name: Cast.read(RECORDINGS / f"restart-{name}.cast") for name in ("kubectl", "kinf")}
    found = {name: screen.rows(cast) for name, cast in casts.items()}
    states = events(casts["kinf"], "m")
    ended, status = events(casts["kubectl"], "x")[0]
    shown = [row.time for each in found.values() for row in each]
    clock = Clock(shown + [time for time, _ in states] + [ended])
    width = sum(width_of(cast) for cast in casts.values()) + 3 * MARGIN
    picture = Terminals(width, "kubectl get pods -w and kinf watch pods while the API server "
                               "restarts: kubectl ends, kinf goes on", clock)
    draw_states(picture, width // 2, states)
    x = MARGIN
    height = max(map(len, found.values()))
    for name, cast in casts.items():
        start, y = picture.terminal(x, TOP + MARGIN, height, name, cast)
        picture.output(start, y, found[name])
        if name == "kubectl":
            picture.label(start, y + len(found[name]) * ROW, f"(ended; exit status {status})",
                          "mono faint", ended)
        x += width_of(cast) + MARGIN
    return str(picture)


def draw_states(picture, middle, states):
    for i, (begin, text) in enumerate(states):
        end = states[i + 1][0] if i + 1 < len(states) else None
        picture.label(middle, MARGIN + 20, f"\u25cf API server: {text}", f"strong {KINDS[text]}",
                      begin, end, "middle")


def differences(program):
    """Compares what kinf printed with a run of today, on a sandbox in which the same happens to the
    pods. Only lines about the connection are left out."""
    cast = Cast.read(RECORDINGS / "restart-kinf.cast")
    story = RECORDINGS / "restart.yaml"
    events = sum(line.startswith(EVENTS) for line in (row.text() for row in screen.rows(cast)))
    done = subprocess.run([program, *cast.command.split()[1:], f"--sandbox={story}", "-q",
                           "--max-events", str(events)], stdin=subprocess.DEVNULL,
                          capture_output=True, text=True, timeout=120, check=True)
    return screen.differences(cast, done.stdout)
