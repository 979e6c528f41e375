# SPDX-License-Identifier: Apache-2.0
"""The requests of an informer in their order: a list, a watch, 410 Gone and a list."""
import textwrap

from svg import LINE, MARGIN, Svg
from states import calls, steps, told, trace

KEYS = ".a.dg."
WIDTH, ROW = 860, 30
NOTES = 190  # width of the column of what the user does
SERVER, REFLECTOR, HANDLER = 240, 540, 830


def notes(state):
    """Returns what the user did, in short."""
    if state["key"] in (" ", ""):
        return ""
    return state["news"][-1].split(". ")[0].split(", and")[0].rstrip(".")


def messages(state):
    """Returns the messages between server and reflector: direction, text and kind."""
    found = [("to", text, "blue") for text in told(state, r"The reflector sends (.*)\.")]
    for pattern, kind in ((r"The server answers: (.*)\.", "green"),
                          (r"The server (accepts the watch)\.", "green"),
                          (r"The watch brings (.*)\.", "green"), (r"The watch fails: (.*)\.", "red")):
        found += [("from", text, kind) for text in told(state, pattern)]
    if found and state["server"]["requests"][-1].endswith(": 410 Gone"):
        found[-1] = ("from", f"410 Gone: {found[-1][1]}", "red")
    return found


def outcomes(before, state):
    """Returns the sentences about the store, and the calls of the first handler."""
    compared = told(state, r"(The new list is compared with the store: .*)\.")
    synced = told(state, r"The whole first list is in the store: (.*)\.")
    return [("note", text) for text in synced + compared] + [
        ("call", call) for call in calls(before, state)]


class Exchange:
    """Draws rows from the top to the bottom."""

    def __init__(self):
        self.picture = Svg(WIDTH, "The requests of an informer: a list, a watch, 410 Gone, and a list")
        self.y = MARGIN + LINE

    def note(self, x, words, columns, room):
        for line in textwrap.wrap(words, columns):
            self.picture.text(x, self.y + LINE, line, room, "faint", "sans")
            self.y += LINE
        self.y += 4

    def message(self, start, end, words, kind):
        self.y += ROW
        self.picture.text((start + end) // 2, self.y - 6, words, abs(end - start) - 12, kind, "sans",
                          "middle")
        left, right = min(start, end) + 2, max(start, end) - 2
        ends = (left, right) if start < end else (right, left)
        self.picture.arrow(ends[0], self.y, ends[1], self.y, kind)

    def step(self, before, state):
        if notes(state):
            self.note(MARGIN, f"{state['key']}: {notes(state)}", 26, NOTES)
        for direction, words, kind in messages(state):
            ends = (REFLECTOR, SERVER) if direction == "to" else (SERVER, REFLECTOR)
            self.message(*ends, words, kind)
        for what, words in outcomes(before, state):
            if what == "note":
                self.note(REFLECTOR + 12, words, 38, HANDLER - REFLECTOR)
            else:
                self.message(REFLECTOR, HANDLER, words, "green")

    def finish(self):
        top, bottom = MARGIN + LINE + 10, self.y + LINE
        lines = [(SERVER, "API server"), (REFLECTOR, "informer"), (HANDLER, "handler")]
        life = Svg(WIDTH, "")
        for x, title in lines:
            life.line(x, top, x, bottom, "life", dashed=True)
            anchor = "end" if x == HANDLER else "middle"
            life.text(x + (14 if x == HANDLER else 0), MARGIN + LINE, title, 120, "text",
                      "sans strong", anchor)
        life.text(MARGIN, MARGIN + LINE, "keys", NOTES, "text", "sans strong")
        self.picture.parts = life.parts + self.picture.parts
        self.picture.reach(bottom)
        return str(self.picture)


def draw(program):
    exchange = Exchange()
    for before, state in steps(trace(program, KEYS)):
        exchange.step(before, state)
    return exchange.finish()
