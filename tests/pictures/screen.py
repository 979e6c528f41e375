# SPDX-License-Identifier: Apache-2.0
"""Reads the rows of a terminal from a recording of it, with their times and colours."""
import re

COLOURS = {"31": "red", "32": "green", "33": "yellow"}
PIECE = re.compile(r"\x1b\[(?P<codes>[0-9;]*)m|(?P<end>\r*\n)|(?P<text>[^\x1b\r\n]+)|(?P<other>.)",
                   re.S)


class Row:
    """A row of the screen: when it appeared, and its cells as (column, colour, text)."""

    def __init__(self, time):
        self.time, self.cells, self.width = time, [], 0

    def add(self, colour, text):
        """Adds text. Two spaces separate cells, so that columns stay straight in any font."""
        for word in re.finditer(r"\S+(?: \S+)*", text):
            self.cells.append((self.width + word.start(), colour, word[0]))
        self.width += len(text)

    def text(self):
        row = ""
        for column, _, text in self.cells:
            row = row.ljust(column) + text
        return row


def rows(cast):
    """Returns the rows that the command printed. Fails for what is no row of text, such as a moved
    cursor."""
    found, row, colour = [], None, "text"
    for now, code, data in cast.events:
        if code != "o":
            continue
        for piece in PIECE.finditer(data):
            assert not piece["other"], f"unexpected in a recording: {piece['other']!r}"
            if piece["codes"] is not None:
                colour = COLOURS.get(piece["codes"], "text")
            elif piece["end"]:
                row = None
            else:
                rest = piece["text"]
                while rest:
                    if row is None or row.width == cast.columns:
                        row = Row(now)
                        found.append(row)
                    room = cast.columns - row.width
                    row.add(colour, rest[:room])
                    rest = rest[room:]
    return found
