# SPDX-License-Identifier: Apache-2.0
"""ScreenModel: the text that a terminal of TERM=linux shows. Knows the sequences that ncurses uses
there, and fails on others. Each character takes one cell."""
import codecs
import re

SEQUENCE = re.compile(r"\x1b(?:\[([?]?)([0-9;]*)([@-~])|\]R|[=>M78]|[()][A-Z0-9]|[%][@G])")
BEGUN = re.compile(r"\x1b(?:\[[?]?[0-9;]*|[()%\]])?$")


class ScreenModel:
    def __init__(self, columns, lines):
        self.decoder = codecs.getincrementaldecoder("utf-8")()
        self.waiting = ""  # the start of a sequence
        self.x = self.y = 0
        self.cells = []
        self.resize(columns, lines)

    def resize(self, columns, lines):
        old = self.rows()
        self.columns, self.lines = columns, lines
        self.cells = [list(row[:columns].ljust(columns)) for row in old[:lines]]
        self.cells += [[" "] * columns for _ in range(lines - len(self.cells))]
        self.top, self.bottom = 0, lines - 1
        self.x, self.y = min(self.x, columns - 1), min(self.y, lines - 1)

    def rows(self):
        return ["".join(row) for row in self.cells]

    def feed(self, data):
        text = self.waiting + self.decoder.decode(data)
        self.waiting = ""
        at = 0
        while at < len(text):
            if text[at] != "\x1b":
                self.put(text[at])
                at += 1
            elif found := SEQUENCE.match(text, at):
                self.obey(found)
                at = found.end()
            else:
                assert BEGUN.match(text[at:]), f"unknown sequence {text[at:at + 12]!r}"
                self.waiting = text[at:]
                return

    def put(self, letter):
        if letter == "\r":
            self.x = 0
        elif letter == "\n":
            self.down()
        elif letter == "\b":
            self.x = max(self.x - 1, 0)
        elif letter >= " ":
            if self.x == self.columns:  # the cursor waits behind the last column
                self.x = 0
                self.down()
            self.cells[self.y][self.x] = letter
            self.x += 1
        else:
            assert letter in "\x07\x0e\x0f\t", f"unknown control character {letter!r}"
            assert letter != "\t", "tabs are not modelled"

    def down(self):
        if self.y == self.bottom:
            del self.cells[self.top]
            self.cells.insert(self.bottom, [" "] * self.columns)
        else:
            self.y = min(self.y + 1, self.lines - 1)

    def up(self):
        if self.y == self.top:
            del self.cells[self.bottom]
            self.cells.insert(self.top, [" "] * self.columns)
        else:
            self.y = max(self.y - 1, 0)

    def obey(self, found):
        private, numbers, kind = found.groups()
        if kind is None:
            if found[0] == "\x1bM":
                self.up()
            return
        if private or kind in "mlhc":  # modes and colours
            return
        values = [int(number) if number else 0 for number in numbers.split(";")]
        first = max(values[0], 1)
        row = self.cells[self.y]
        if kind in "Hf":
            self.y = min(first, self.lines) - 1
            self.x = min(max(values[1] if len(values) > 1 else 1, 1), self.columns) - 1
        elif kind == "d":
            self.y = min(first, self.lines) - 1
        elif kind == "G":
            self.x = min(first, self.columns) - 1
        elif kind in "ABCD":
            self.move(kind, first)
        elif kind == "r":
            self.top, self.bottom = first - 1, (values[1] if len(values) > 1 else self.lines) - 1
            self.x = self.y = 0
        elif kind == "X":
            row[self.x:self.x + first] = " " * len(row[self.x:self.x + first])
        elif kind == "P":
            self.cells[self.y] = (row[:self.x] + row[self.x + first:] + [" "] * first)[:self.columns]
        elif kind == "@":
            self.cells[self.y] = (row[:self.x] + [" "] * first + row[self.x:])[:self.columns]
        elif kind in "JK":
            self.erase(kind, values[0])
        elif kind in "LM":
            self.shift(kind, first)
        else:
            raise AssertionError(f"unknown sequence {found[0]!r}")

    def move(self, kind, count):
        if kind in "AB":
            step = count if kind == "B" else -count
            self.y = min(max(self.y + step, 0), self.lines - 1)
        else:
            step = count if kind == "C" else -count
            self.x = min(max(self.x + step, 0), self.columns - 1)

    def erase(self, kind, how):
        row = self.cells[self.y]
        start, end = [(self.x, self.columns), (0, self.x + 1), (0, self.columns)][how]
        row[start:end] = " " * len(row[start:end])
        if kind == "J":
            rows = [range(self.y + 1, self.lines), range(self.y), range(self.lines)][how]
            for y in rows:
                self.cells[y] = [" "] * self.columns

    def shift(self, kind, count):
        """Inserts or deletes lines inside the scrolling region."""
        for _ in range(count):
            removed, added = (self.bottom, self.y) if kind == "L" else (self.y, self.bottom)
            del self.cells[removed]
            self.cells.insert(added, [" "] * self.columns)
