# SPDX-License-Identifier: Apache-2.0
"""The deltas of one key in the queue over time, with the store and a handler beside it."""
from svg import LINE, MARGIN, Svg
from states import calls, entries, steps, trace, versions

KEYS = ".uuuu.dg."
KEY = "default/pod-1"
NAME = KEY.split("/")[1]
WIDTH, ROW = 860, 38
WHAT, QUEUE, STORE, HANDLER = MARGIN + 60, 290, 500, 590
HEADINGS = [(MARGIN, "time"), (WHAT, "what happens to the key"), (QUEUE, f"queue: {KEY}"),
            (STORE, "store"), (HANDLER, "handler 1")]


def kind_of(delta):
    if delta.startswith("Deleted"):
        return "red"
    return "green" if delta.startswith("Updated") else "blue"


def sentence(before, state):
    """Returns what the step did to the key; empty: nothing."""
    old, new = entries(before).get(KEY, []), entries(state).get(KEY, [])
    if old == new:
        return "the handler is called" if call_of(before, state) else ""
    if not new:
        return "popped, " + ("stored" if NAME in versions(state) else "removed")
    if new[-1].startswith("Replaced"):
        return "in the list: queued"
    if new[-1].startswith("Deleted?"):
        return "not in the new list: queued"
    return "changed in the watch: queued"


def call_of(before, state):
    return "".join(call for call in calls(before, state) if f" {NAME} " in call + " ")


def draw_row(picture, y, before, state, words):
    picture.text(MARGIN, y, state["time"], WHAT - MARGIN, "faint")
    picture.text(WHAT, y, words, QUEUE - WHAT, font="sans")
    x = QUEUE
    for delta in entries(state).get(KEY, []):
        x += picture.chip(x, y, delta, kind_of(delta)) + 6
    assert x <= STORE, "too many deltas for the column"
    call = call_of(before, state)
    if call:
        picture.text(HANDLER, y, call, WIDTH - HANDLER - MARGIN)


def draw_store(picture, rows):
    """Draws a bar for each time in which the store has one version of the object."""
    begun = None
    for i, (y, state) in enumerate(rows):
        version = versions(state).get(NAME)
        if version is not None and begun is None:
            begun = y
        is_last = i + 1 == len(rows) or versions(rows[i + 1][1]).get(NAME) != version
        if begun is not None and is_last:
            picture.box(STORE, begun - LINE, 44, y - begun + ROW - 8, "green-box")
            picture.text(STORE + 22, begun, f"v{version}", 44, "green", anchor="middle")
            begun = None


def draw(program):
    picture = Svg(WIDTH, f"The deltas of {KEY} in the queue over time, and the store beside it")
    for x, heading in HEADINGS:
        picture.text(x, MARGIN + LINE, heading, WIDTH, font="sans strong")
    y = MARGIN + LINE
    picture.line(MARGIN, y + 10, WIDTH - MARGIN, y + 10, "life")
    rows, drawn = [], []
    for before, state in steps(trace(program, KEYS)):
        words = sentence(before, state)
        if words:
            y += ROW
            rows.append((y, state))
            drawn.append((y, before, state, words))
    draw_store(picture, rows)
    for row in drawn:
        draw_row(picture, *row)
    picture.reach(y + 10)
    return str(picture)
