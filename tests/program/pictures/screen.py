# SPDX-License-Identifier: Apache-2.0
"""Reads the rows of a terminal from a recording of it, with their times and colours."""
import re

AGE = re.compile(r"\b\d+s\b")
COLOURS = {"31": "red", "32": "green", "33": "yellow"}
PIECE = re.compile(r"\x1b\[(?P<codes>[0-9;]*)m|(?P<end>\r*\n)|(?P<text>[^\x1b\r\n]+)|(?P<other>.)",
                   re.S)


class Row:
    """A row of the screen: when it appeared, its cells as (column, colour, text), and whether it
    continues the line of the row above."""

    def __init__(self, time, continues):
        self.time, self.continues = time, continues
        self.cells, self.width = [], 0

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
                        row = Row(now, continues=row is not None)
                        found.append(row)
                    room = cast.columns - row.width
                    row.add(colour, rest[:room])
                    rest = rest[room:]
    return found


def differences(cast, printed):
    """Returns rows that only a recording, or only the output of another run, has. Ignores notices,
    ages in seconds, the widths of columns and the order."""
    def plain(lines):
        return sorted(AGE.sub("Ns", " ".join(line.split())) for line in lines)
    shown, is_notice = [], False
    for row in rows(cast):
        is_notice = row.text().startswith("kinf:") or (is_notice and row.continues)
        if not is_notice:
            shown.append(row.text())
    return sorted(set(plain(shown)) ^ set(plain(printed.splitlines())))
