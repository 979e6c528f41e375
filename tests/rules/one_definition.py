#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""one_definition.py FOLDER: fails if two files define the same name.

Most rooms share one namespace, and the linker silently takes the first of two inline functions or
classes with the same name. So a type or a function that two files define outside an unnamed
namespace is an error.
"""
import collections
import pathlib
import re
import sys

TYPE = re.compile(r"^(?:template <[^;]*> )?(?:class|struct|union|enum(?: class)?) (\w+)(?!\w|::)[^;(]*{")
FUNCTION = re.compile(
    r"^(?:template <[^;]*> )?(?!using|return|namespace|class|struct|enum|union|extern)"
    r"[\w:<>,*&\[\] ]+?[ *&](\w+)\(([^{]*)\) (?:const )?(?:noexcept )?{")
PARAMETER_NAME = re.compile(r"(?<=[\w>&*]) ?\b\w+$")


def statements(text):
    """Yields (namespace, statement) for each statement that begins in column 0 outside unnamed
    namespaces. Each statement is joined to one line."""
    hidden = False
    pending = ""
    space = ""
    for line in text.splitlines():
        if line.startswith("namespace ") and line != "namespace {":
            space = line.split()[1]
        if line == "namespace {":
            hidden = True
        elif hidden and line == "}  // namespace":
            hidden = False
        elif hidden or line.startswith(("//", "#", "}", "namespace")):
            pending = ""
        elif pending or (line and not line[0].isspace()):
            pending = f"{pending} {line.strip()}" if pending else line
            if pending.endswith(("{", ";", "}")) or " {" in pending:
                yield space, pending
                pending = ""


def parameter_types(text):
    return ", ".join(PARAMETER_NAME.sub("", part.split(" = ")[0].strip())
                     for part in text.split(","))


def names(path):
    for space, statement in statements(path.read_text(encoding="utf-8")):
        found = TYPE.match(statement)
        if found:
            yield f"{space}::{found[1]}"
            continue
        found = FUNCTION.match(statement)
        if found:
            yield f"{space}::{found[1]}({parameter_types(found[2])})"


def main(folder):
    where = collections.defaultdict(set)
    for path in sorted(pathlib.Path(folder).rglob("*")):
        if path.suffix in (".h", ".cc"):
            for name in names(path):
                where[name].add(str(path.relative_to(folder)))
    doubled = {name: files for name, files in where.items() if len(files) > 1}
    for name, files in sorted(doubled.items()):
        print(f"{name} is defined in {' and in '.join(sorted(files))}")
    print(f"{len(where)} names, {len(doubled)} of them defined twice")
    return 1 if doubled or not where else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1]))
