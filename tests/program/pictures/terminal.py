# SPDX-License-Identifier: Apache-2.0
"""Draws terminals in which rows appear at their times, again and again, with CSS animations only.
Without animations the last state is shown."""
from xml.sax.saxutils import escape

from svg import Svg

CELL, ROW = 7.3, 17  # width and height of a character
BAR, PADDING = 28, 12  # height of the title bar, space around the text
TYPED = 0.6  # seconds before the first output, in which the command is typed
LONGEST = 2.2  # seconds: longer pauses are shortened
REST = 6  # seconds before it begins again

# Beyond the colours of every picture. Each has a value for light and one for dark.
YELLOW = ("#8a5a00", "#e3b341")
SCREEN = {"fill": ("#ffffff", "#0d1117"), "stroke": ("#afb8c1", "#484f58")}
TITLE = {"fill": ("#eaeef2", "#161b22"), "stroke": ("#afb8c1", "#484f58")}


def rules(index):
    def box(name, values):
        return f".{name} {{ fill: {values['fill'][index]}; stroke: {values['stroke'][index]} }}"
    return [f".yellow {{ fill: {YELLOW[index]} }}", box("screen", SCREEN), box("title", TITLE)]


class Clock:
    """Maps times of recordings to times of the animation, and collects its key frames."""

    def __init__(self, times):
        self._times = [(0.0, TYPED)]  # of a recording, of the animation
        for time in sorted(set(times)):
            before, now = self._times[-1]
            self._times.append((time, now + min(time - before, LONGEST)))
        self._shown = dict(self._times)
        self.duration = round(self._times[-1][1] + REST, 1)
        self._frames = {}

    def frame(self, begin, end=None):
        """Returns the class of what is visible from one time of the recording to another."""
        begin, end = (time and round(self._shown[time], 2) for time in (begin, end))
        return self._frames.setdefault((begin, end), f"at{len(self._frames)}")

    def rules(self):
        yield f"[class*=' at'] {{ animation: {self.duration}s step-end infinite }}"
        yield "@media (prefers-reduced-motion: reduce) { * { animation: none !important } }"
        for (begin, end), name in self._frames.items():
            hidden = f"{self._share(end)}, to {{ opacity: 0 }}" if end else "to { opacity: 1 }"
            yield (f"@keyframes {name} {{ 0% {{ opacity: 0 }} {self._share(begin)} {{ opacity: 1 }} "
                   f"{hidden} }}")
            # Without animations, only what is visible at the end.
            yield f".{name} {{ animation-name: {name}{'; opacity: 0' if end else ''} }}"

    def _share(self, seconds):
        return f"{100 * seconds / self.duration:.2f}%"


def width_of(cast):
    """Returns the width of a terminal that shows this recording."""
    return round(cast.columns * CELL) + 2 * PADDING


class Terminals(Svg):
    """A picture of one or more terminals."""

    def __init__(self, width, title, clock):
        super().__init__(width, title)
        self._clock = clock

    def rules(self):
        dark = "\n    ".join(rules(1))
        return [*rules(0), *self._clock.rules(),
                f"@media (prefers-color-scheme: dark) {{\n    {dark}\n  }}"]

    def label(self, x, y, words, kind, begin=None, end=None, anchor="start"):
        shown = "" if begin is None else " " + self._clock.frame(begin, end)
        self.parts.append(f'<text class="{kind}{shown}" x="{x}" y="{y}" '
                          f'text-anchor="{anchor}">{escape(words)}</text>')
        self.reach(y)

    def terminal(self, x, y, height, title, cast):
        """Draws a terminal with a command. Returns where its first row of output is."""
        width = width_of(cast)
        height = BAR + (height + 1) * ROW + 2 * PADDING
        self.box(x, y, width, height, "screen")
        self.parts.append(f'<path class="title" d="M{x} {y + BAR}v{8 - BAR}a8 8 0 0 1 8 -8h{width - 16}'
                          f'a8 8 0 0 1 8 8v{BAR - 8}z"/>')
        for i, colour in enumerate(["red", "yellow", "green"]):
            self.parts.append(f'<circle class="{colour}" cx="{x + 18 * (i + 1)}" cy="{y + BAR // 2}" '
                              'r="5" opacity="0.7"/>')
        self.label(x + width // 2, y + BAR // 2 + 4, title, "faint", anchor="middle")
        first = y + BAR + PADDING + ROW - 4
        self.label(x + PADDING, first, "$", "mono faint")
        self.label(round(x + PADDING + 2 * CELL), first, cast.command, "mono text")
        return x + PADDING, first + ROW

    def output(self, x, y, rows):
        """Draws rows below each other. Each cell has its place: no font can shift a column."""
        for i, row in enumerate(rows):
            self._row(x, y + i * ROW, row)

    def _row(self, x, y, row):
        cells = "".join(f'<tspan class="{colour}" x="{x + column * CELL:.1f}">{escape(text)}</tspan>'
                        for column, colour, text in row.cells)
        self.parts.append(f'<text class="mono {self._clock.frame(row.time)}" y="{y}">{cells}</text>')
