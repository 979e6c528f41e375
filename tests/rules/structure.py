# SPDX-License-Identifier: Apache-2.0
"""Measures the structure of the sources, and fails when a figure is larger than its limit.

  structure.py LIMITS SRC TESTS [--update]   --update lowers the limits to what was measured

LIMITS has one figure a line: its limit and its name. A limit may be lowered, never raised. A figure
that LIMITS does not name is only printed.
"""
import collections
import pathlib
import re
import statistics
import sys

TYPE = re.compile(r"^(?:template <[^;]*>\s*)?(?:class|struct|union|enum(?: class)?) "
                  r"(?:\[\[\w+\]\] )?(\w+)(?: final)?(?:\s*:(?!:)[^;{]*)?\s*\{", re.M)
CLASS = re.compile(r"^(?:class|struct) (\w+)[^;{]*\{\n(.*?)^\};", re.M | re.S)
MEMBER = re.compile(r"^  \S[^\n]*?\b\w+_(?: KINF_\w+\([^)]*\))?(?:\{[^\n]*\}| = [^\n;]*)?;(?:\s*//.*)?$",
                    re.M)
INCLUDE = re.compile(r'^#include "(kinf/[^"]+)"', re.M)
SMALL = 60  # lines
SESSION = ("kinf/cli/session", "kinf/cli/connection")


class Sources:
    """The files of src, with what they include."""

    def __init__(self, src):
        self.src = src
        self.text = {path.relative_to(src): path.read_text(encoding="utf-8")
                     for path in sorted(src.rglob("*")) if path.suffix in (".h", ".cc")}
        self.includes = {path: [pathlib.PurePath(name) for name in INCLUDE.findall(text)
                                if pathlib.PurePath(name) in self.text]
                         for path, text in self.text.items()}

    def under(self, folder):
        return {path: text for path, text in self.text.items() if path.is_relative_to(folder)}

    def headers_of(self, path):
        """Returns how many headers of kinf a file reads, directly or not."""
        read, unread = set(), [path]
        while unread:
            new = set(self.includes.get(unread.pop(), [])) - read
            read |= new
            unread += new
        return len(read)


def code_lines(text):
    """Counts the lines that are neither empty nor a comment."""
    return sum(1 for line in text.splitlines() if line.strip() and not line.strip().startswith("//"))


def rooms(sources):
    lines, files = collections.Counter(), collections.Counter()
    for path, text in sources.text.items():
        room = "/".join(path.parts[1:-1]) or path.parts[0]
        lines[room] += code_lines(text)
        files[room] += 1
    return lines, files


def hidden_parts_removed(text):
    return re.sub(r"^namespace \{$.*?^\}  // namespace$", "", text, flags=re.M | re.S)


def doubled_type_names(sources):
    """Returns the names of types of which two files define one that others can use."""
    where = collections.defaultdict(set)
    for path, text in sources.text.items():
        for name in TYPE.findall(hidden_parts_removed(text)):
            where[name].add(path)
    return sorted(name for name, paths in where.items() if len(paths) > 1)


def biggest_class(sources, folders):
    """Returns the number of data members of the class that has most, and its name."""
    classes = [(len(MEMBER.findall(body)), name) for folder in folders
               for text in sources.under(folder).values() for name, body in CLASS.findall(text)]
    return max(classes, default=(0, "none"))


def cycles(sources, folder):
    """Returns the rooms inside a folder that include each other, directly or not."""
    uses = collections.defaultdict(set)
    for path in sources.under(folder):
        for header in sources.includes[path]:
            if header.is_relative_to(folder) and header.parent != path.parent:
                uses[path.parent].add(header.parent)

    def reached(room):
        seen, unread = set(), [room]
        while unread:
            new = uses[unread.pop()] - seen
            seen |= new
            unread += new
        return seen

    return sorted(str(room) for room in list(uses) if room in reached(room))


def command_lists(sources):
    """Returns the files that name five or more commands as texts."""
    commands = ("watch", "get", "index", "run", "wait", "record", "history", "demo", "sandbox",
                "check", "api-resources", "completion")
    return [path for path, text in sources.text.items()
            if sum(f'"{name}"' in text for name in commands) >= 5]


def figures(sources, tests):
    lines, files = rooms(sources)
    folders = collections.Counter(path.parent for path in sources.text)
    small = sum(len(text.splitlines()) <= SMALL for text in sources.text.values())
    read = {path: sources.headers_of(path) for path in sources.text if path.suffix == ".cc"}
    in_cli = [read[path] for path in read if path.is_relative_to("kinf/cli")]
    return {
        "code lines": sum(lines.values()),
        "files": sum(files.values()),
        "percent of the files have 60 lines or fewer": round(100 * small / len(sources.text)),
        "files in the biggest folder": max(folders.values()),
        "headers read by a .cc of cli, in the median": round(statistics.median(in_cli or [0])),
        "headers read by a .cc, at most": max(read.values(), default=0),
        "headers behind kinf/kinf.h": sources.headers_of(pathlib.PurePath("kinf/kinf.h")),
        "data members of the biggest class of a session":
            biggest_class(sources, SESSION)[0],
        "type names that stand for two types": len(doubled_type_names(sources)),
        "rooms of cli that include each other": len(cycles(sources, "kinf/cli")),
        "places that list commands": len(command_lists(sources)),
        "files in tests": sum(path.is_file() and "__pycache__" not in path.parts
                              for path in tests.rglob("*")),
    }


def details(sources):
    """Yields what one needs to know to lower a figure."""
    lines, files = rooms(sources)
    for room, count in lines.most_common():
        yield f"{count:6,} code lines in {files[room]:3} files of {room}"
    yield f"types with one name: {', '.join(doubled_type_names(sources)) or 'none'}"
    yield f"rooms that include each other: {', '.join(cycles(sources, 'kinf/cli')) or 'none'}"
    yield f"lists of commands: {', '.join(map(str, command_lists(sources))) or 'none'}"
    yield "biggest class of a session: {1}, {0} members".format(*biggest_class(sources, SESSION))


def main(limits_file, src, tests, *flags):
    path = pathlib.Path(limits_file)
    stated = dict(line.split(" ", 1)[::-1] for line in path.read_text("utf-8").splitlines())
    sources = Sources(pathlib.Path(src))
    found = figures(sources, pathlib.Path(tests))
    if flags == ("--update",):
        stated = {name: min(found[name], int(limit)) for name, limit in stated.items()}
        path.write_text("".join(f"{value} {name}\n" for name, value in stated.items()), "utf-8")
    print("\n".join(details(sources)))
    wrong = [f"{name}: nothing measures it" for name in sorted(stated.keys() - found.keys())]
    for name, value in found.items():
        print(f"{value:6,} {name}" + (f" (limit {int(stated[name]):,})" if name in stated else ""))
        if value > int(stated.get(name, value)):
            wrong.append(f"{name}: {value:,}, the limit is {int(stated[name]):,}")
    print("\n".join([*wrong, f"{len(stated)} limits, {len(wrong)} of them broken"]))
    return 1 if wrong or not stated else 0


if __name__ == "__main__":
    if len(sys.argv) < 4:
        sys.exit(__doc__)
    sys.exit(main(*sys.argv[1:]))
