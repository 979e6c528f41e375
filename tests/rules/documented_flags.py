# SPDX-License-Identifier: Apache-2.0
"""Fails if a man page lists other flags than its command has, or if a flag is described on no page.

  documented_flags.py PROGRAM SOURCES [--update]

The flags are those of the table of flags, which completion prints. With --update, adds a missing
flag to the page: a paragraph with the text of --help, or a line in the list of its kind if it is
described in kinf-options(7). Removes the flags of such lists that the command lacks.
"""
import os
import re
import subprocess
import sys

FLAG = r"(?<![a-z-])(--[a-z][a-z-]+|--v)"


def run(program, *arguments):
    environment = dict(os.environ, KINF_COMPLETION_TIMEOUT="60s")
    return subprocess.run([program, *arguments], env=environment, check=True, capture_output=True,
                          text=True).stdout


def commands_of(program):
    """The commands that have flags besides --help."""
    for line in run(program, "__complete", "").splitlines():
        name = line.split("\t")[0]
        flags = [one for one in run(program, "__complete", name, "--").splitlines() if "\t" in one]
        if len(flags) > 1:
            yield name, [one.split("\t")[0] for one in flags]


def plain(text):
    """The text of a man page without the markup of flags."""
    return re.sub(r"\\f[A-Z]", " ", text).replace("\\-", "-")


def flags_in(text):
    return set(re.findall(FLAG, text))


def described_in(text):
    """The flags that have a paragraph."""
    return flags_in("\n".join(re.findall(r"\n\.TP\n([^\n]*)", text)))


def options_of(page):
    match = re.search(r"\n\.SH OPTIONS\n(.*?)(?=\n\.SH |\Z)", page, re.S)
    return "\n" + match[1] if match else ""


def marked(text):
    return text.replace("-", "\\-")


def paragraph(program, command, flag):
    """A paragraph of a man page with what --help says about a flag."""
    entry = re.search(rf"\n +(?:(-.), )?{flag}(?:\[?[ =]([^ ]+))?  +(.*(?:\n {{20,}}.*)*)",
                      run(program, command, "--help"))
    letter, value, text = entry.groups() if entry else (None, None, "")
    name = f'\\-{letter} ", " {marked(flag)}' if letter else marked(flag)
    form = f".BR {name}" if letter else f".B {name}"
    if value:
        form = f'.BI {name}{"[=" if value.endswith("]") else ""}" {marked(value.rstrip("]"))}"'
    text = " ".join(text.split())
    return f"\n.TP\n{form}\n{text[:1].upper()}{marked(text[1:])}."


def update(program, path, command, missing, extra, described):
    with open(path, encoding="utf-8") as file:
        page = file.read()
    start = page.index("\n.SH OPTIONS")
    for flag in sorted(extra):
        page = re.sub(rf"\n\.BR?[^\n]*{re.escape(marked(flag))} ?,?(?=\n)", "", page)
    for flag in sorted(missing - described):
        at = page.find("\n.PP\nDescribed in", start)
        page = page[:at] + paragraph(program, command, flag) + page[at:]
    for flag in sorted(missing & described):
        at = page.index("\n.TP\nLogging", start)
        last = re.sub(r"\n\.BR?([^\n]*)\Z", r"\n.BR\1 ,", page[:at])
        page = last + f"\n.B {marked(flag)}" + page[at:]
    with open(path, "w", encoding="utf-8") as file:
        file.write(page)


def main():
    program, root = sys.argv[1:3]
    wrong = []

    def read(name):
        path = os.path.join(root, "man", name)
        if not os.path.exists(path):
            wrong.append(f"there is no man/{name}")
            return ""
        with open(path, encoding="utf-8") as file:
            return plain(file.read())

    def report(what, flags, verdict):
        wrong.extend(f"{what} {verdict.format(flag)}" for flag in sorted(flags))

    commands = dict(commands_of(program))
    if len(commands) < 8 or min(len(flags) for flags in commands.values()) < 5:
        sys.exit(f"the program lists too few flags: {commands}")
    every = {flag for flags in commands.values() for flag in flags}
    shared = described_in(read("kinf-options.7"))
    of_watch = described_in(read("kinf-watch.1"))
    for command, flags in commands.items():
        name = f"kinf-{command}.1"
        options = options_of(read(name))
        has = flags_in(options)
        if "--update" in sys.argv and options:
            update(program, os.path.join(root, "man", name), command, set(flags) - has,
                   has - set(flags), shared)
            options = options_of(read(name))
            has = flags_in(options)
        report(f"OPTIONS of man/{name}", set(flags) - has, "lacks {}")
        report(f"OPTIONS of man/{name}", has - set(flags), "has {}, which the command lacks")
        described = described_in(options) | shared
        if "Described in\n.BR kinf-watch" in options:
            described |= of_watch
        report(f"no page that {name} names describes", has - described, "{}")
    # A page may mention flags of other commands, but none that no command has.
    for name in [f"kinf-{command}.1" for command in commands] + ["kinf.1", "kinf-completion.1",
                                                                  "kinf-options.7"]:
        report(f"man/{name}", flags_in(read(name)) - every, "has {}, which the program lacks")
    if wrong:
        sys.exit("the man pages differ from the table of flags:\n  " + "\n  ".join(wrong))
    print(f"{len(every)} flags of {len(commands)} commands")


main()
