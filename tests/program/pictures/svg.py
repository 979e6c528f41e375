# SPDX-License-Identifier: Apache-2.0
"""Svg: a picture of boxes, arrows and text, for light and dark backgrounds. Sizes are in pixels."""
from xml.sax.saxutils import escape

MARGIN = 16
LINE = 18  # height of a line of text
SIZE = 12  # of the font
CHARACTER = {"mono": 0.61 * SIZE, "sans": 0.58 * SIZE}  # width; wide enough for usual fonts

# Each colour has a value for light and one for dark.
COLOURS = {
    "back": ("#ffffff", "#0d1117"),
    "panel": ("#f6f8fa", "#161b22"),
    "edge": ("#8c959f", "#6e7681"),
    "text": ("#1f2328", "#e6edf3"),
    "faint": ("#57606a", "#9da7b3"),
    "blue": ("#0550ae", "#79c0ff"),
    "blue-fill": ("#ddf4ff", "#0c2d6b"),
    "green": ("#116329", "#7ee787"),
    "green-fill": ("#dafbe1", "#0f3d1e"),
    "red": ("#a40e26", "#ffa198"),
    "red-fill": ("#ffebe9", "#5d0f12"),
}


def rules(index):
    """Returns the style rules of the colours: 0 for light, 1 for dark."""
    found = [f".back {{ fill: {COLOURS['back'][index]} }}",
             f".panel {{ fill: {COLOURS['panel'][index]}; stroke: {COLOURS['edge'][index]} }}",
             f".life {{ stroke: {COLOURS['edge'][index]} }}"]
    for name in "text", "faint", "blue", "green", "red":
        found.append(f".{name} {{ fill: {COLOURS[name][index]} }}")
    for name in "blue", "green", "red":
        stroke = COLOURS[name][index]
        found.append(f".{name}-line {{ stroke: {stroke}; fill: none }}")
        found.append(f".{name}-box {{ stroke: {stroke}; fill: {COLOURS[name + '-fill'][index]} }}")
    return found


def style():
    sans = "system-ui, -apple-system, 'Segoe UI', 'DejaVu Sans', sans-serif"
    mono = "ui-monospace, SFMono-Regular, Menlo, Consolas, 'DejaVu Sans Mono', monospace"
    lines = [f"text {{ font: {SIZE}px {sans} }}", f".mono {{ font-family: {mono} }}",
             ".strong { font-weight: 600 }", *rules(0)]
    dark = "\n    ".join(rules(1))
    return "\n  ".join(lines) + f"\n  @media (prefers-color-scheme: dark) {{\n    {dark}\n  }}"


class Svg:
    def __init__(self, width, title):
        self.width, self.title = width, title
        self.height = 0
        self.parts = []

    def rules(self):
        """Returns more style rules, for a kind of picture that needs them."""
        return []

    def reach(self, y):
        """Makes the picture at least as high as `y`."""
        self.height = max(self.height, y + MARGIN)

    def text(self, x, y, words, room, kind="text", font="mono", anchor="start"):
        """Writes a line with its baseline at `y`. Fails if it can be wider than `room`."""
        need = len(words) * CHARACTER[font.split()[0]]
        assert need <= room, f"{words!r} needs {need:.0f} pixels of {room}"
        self.parts.append(f'<text class="{kind} {font}" x="{x}" y="{y}" text-anchor="{anchor}"'
                          f' xml:space="preserve">{escape(words)}</text>')
        self.reach(y)

    def box(self, x, y, width, height, kind="panel"):
        self.parts.append(f'<rect class="{kind}" x="{x}" y="{y}" width="{width}" '
                          f'height="{height}" rx="5"/>')
        self.reach(y + height)

    def panel(self, x, y, width, title, purpose, lines):
        """Draws a box with a title, what it is for, and lines of text. Returns its height."""
        height = (len(lines) + 2) * LINE + 14
        room = width - 16
        self.box(x, y, width, height)
        self.text(x + 8, y + LINE, title, room, font="sans strong")
        self.text(x + 8, y + 2 * LINE, purpose, room, "faint", "sans")
        for i, line in enumerate(lines):
            self.text(x + 8, y + (i + 3) * LINE, line, room)
        return height

    def chip(self, x, y, words, kind):
        """Draws a word in a small box, the baseline at `y`. Returns its width."""
        width = round(len(words) * CHARACTER["mono"]) + 14
        self.box(x, y - 14, width, 20, f"{kind}-box")
        self.text(x + width // 2, y, words, width, kind, anchor="middle")
        return width

    def line(self, x1, y1, x2, y2, kind, dashed=False):
        dashes = ' stroke-dasharray="3 4"' if dashed else ""
        self.parts.append(f'<path class="{kind}" d="M{x1} {y1}L{x2} {y2}"{dashes}/>')

    def arrow(self, x1, y1, x2, y2, kind="blue"):
        """Draws a straight arrow, across or down."""
        self.line(x1, y1, x2, y2, f"{kind}-line")
        back = -7 if x2 > x1 else 7
        ends = ((x2 + back, y2 - 4), (x2 + back, y2 + 4)) if y1 == y2 else (
            (x2 - 4, y2 - 7), (x2 + 4, y2 - 7))
        points = " ".join(f"{x},{y}" for x, y in [(x2, y2), *ends])
        self.parts.append(f'<polygon class="{kind}" points="{points}"/>')

    def __str__(self):
        head = (f'<svg xmlns="http://www.w3.org/2000/svg" width="{self.width}" '
                f'height="{self.height}" viewBox="0 0 {self.width} {self.height}" role="img">')
        back = f'<rect class="back" width="{self.width}" height="{self.height}"/>'
        styles = "\n  ".join([style(), *self.rules()])
        return "\n".join([head, f"<title>{escape(self.title)}</title>",
                          f"<style>\n  {styles}\n</style>", back, *self.parts, "</svg>", ""])
