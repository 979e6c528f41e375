# SPDX-License-Identifier: Apache-2.0
"""The parts of an informer, each with what went through it in one run."""
from svg import MARGIN, Svg
from states import calls, entries, steps, told, trace, versions

KEYS = ".aud."
WIDTH, PANEL, GAP = 880, 252, 46


def received(states):
    """Returns the objects of the list and the events of the watch."""
    lines = []
    for before, state in steps(states):
        listed = [key.split("/")[1] for key, deltas in entries(state).items()
                  if deltas[0].startswith("Replaced") and key not in entries(before)]
        if listed and not entries(before):
            lines.append("list:  " + " ".join(listed))
        for events in told(state, r"The watch brings (.*)\."):
            lines += [f"watch: {event}" for event in events.split(", ")]
    return lines


def popped(states):
    """Returns the entries in the order in which they left the queue."""
    return [f"{key.split('/')[1]}: {', '.join(deltas)}" for before, state in steps(states)
            for key, deltas in entries(before).items() if key not in entries(state)]


def stored(states):
    """Returns the history of each object in the store, then the index."""
    history = {}
    for before, state in steps(states):
        old, new = versions(before), versions(state)
        for name in {**old, **new}:
            if old.get(name) != new.get(name):
                history.setdefault(name, []).append(f"v{new[name]}" if name in new else "removed")
    lines = [f"{name}: {', '.join(events)}" for name, events in history.items()]
    return lines + [f"index {value}: {' '.join(names)}"
                    for value, names in states[-1]["index"].items()]


def called(states, handler):
    return [call for before, state in steps(states) for call in calls(before, state, handler)]


def draw(program):
    states = trace(program, KEYS)
    picture = Svg(WIDTH, "An informer: the API server, the reflector, the queue, the store, and two "
                         "handlers, with the objects that went through them")
    left, middle, right = (MARGIN + i * (PANEL + GAP) for i in range(3))
    queue = popped(states)
    top = picture.panel(right, MARGIN, PANEL, "Queue (DeltaFIFO)", "popped, in this order:", queue)
    picture.panel(left, MARGIN, PANEL, "API server", "requests:", states[-1]["server"]["requests"])
    picture.panel(middle, MARGIN, PANEL, "Reflector", "receives and queues:", received(states))
    for x, label in (left, "HTTP"), (middle, "deltas"):
        picture.text(x + PANEL + GAP // 2, MARGIN + 40, label, GAP, "faint", "sans", "middle")
        picture.arrow(x + PANEL + 6, MARGIN + 50, x + PANEL + GAP - 6, MARGIN + 50)
    below = MARGIN + top + GAP
    picture.arrow(right + PANEL // 2, below - GAP + 6, right + PANEL // 2, below - 6)
    picture.text(right + PANEL // 2 - 12, below - GAP // 2 + 4, "controller: pop", PANEL, "faint",
                 "sans", "end")
    picture.panel(right, below, PANEL, "Store and index", "its states, per object:",
                  stored(states))
    for x, number in (middle, 1), (left, 2):
        picture.panel(x, below, PANEL, f"Handler {number}", "called:",
                      called(states, f"handler{number}"))
    picture.arrow(right - 6, below + 50, middle + PANEL + 6, below + 50)
    bend(picture, right, middle, left + PANEL // 2, below)
    return str(picture)


def bend(picture, start, middle, end, below):
    """Draws the way to the second handler, above the first one."""
    y = below - GAP // 2
    picture.line(start - GAP // 2, below + 50, start - GAP // 2, y, "blue-line")
    picture.line(start - GAP // 2, y, end, y, "blue-line")
    picture.arrow(end, y, end, below - 6)
    picture.text(middle + PANEL // 2, y - 6, "each handler has its own buffer", PANEL, "faint",
                 "sans", "middle")
