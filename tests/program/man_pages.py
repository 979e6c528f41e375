#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Checks the man pages: each command has one, with all sections; the stages of kinf demo and the
fields of events in JSON are there; mandoc and groff find nothing wrong with the markup. Each example
of --help is one of the pages, which man_examples.py runs.

usage: man_pages.py FOLDER KINF
"""
import json
import pathlib
import re
import shutil
import subprocess
import sys

from man_examples import examples

SECTIONS = ["NAME", "SYNOPSIS", "DESCRIPTION", "OPTIONS", "EXAMPLES", "EXIT STATUS", "ENVIRONMENT",
            "FILES", "SEE ALSO"]
TOOLS = {"mandoc": ["mandoc", "-T", "lint", "-W", "warning"],
         "groff": ["groff", "-t", "-man", "-Tutf8", "-ww", "-z"]}
RUN_ELSEWHERE = {"kinf demo --live"}  # by tests/program/demo_live.py, which presses its keys
COMMAND = re.compile(r"^  ([a-z-]+)  +[A-Z]", re.M)


def help_text(kinf, *command):
    return subprocess.run([kinf, *command, "--help"], capture_output=True, text=True,
                          check=True).stdout


def commands_of(kinf):
    text = help_text(kinf)
    commands = COMMAND.findall(text[text.index("\nCommands:\n"):])
    assert len(commands) > 10, commands
    return [name for name in commands if name not in ("version", "help")]


def untested_examples(pages, kinf):
    """Compares the examples of --help with those of the pages."""
    tested = {one.command for page in pages for one in examples(page)} | RUN_ELSEWHERE
    wrong = []
    for command in [[], *([name] for name in commands_of(kinf))]:
        block = help_text(kinf, *command).partition("\nExamples:\n")[2].partition("\n\n")[0]
        shown = [re.sub("  +#.*", "", line.strip()) for line in block.splitlines()]
        name = " ".join(["kinf", *command, "--help"])
        wrong += [f"{name}: no page has: {one}" for one in shown if one not in tested]
        wrong += [] if shown else [f"{name}: has no example"]
    return wrong


def missing_pages(folder, kinf):
    """Compares the commands of the program with the pages."""
    pages = {f"kinf-{name}.1" for name in commands_of(kinf)}
    found = {page.name for page in folder.glob("kinf-*.1")}
    return [f"{name}: has no page, or no command" for name in sorted(pages ^ found)]


def wrong_stages(page, kinf):
    """Compares the stages of kinf demo with its page."""
    text = page.read_text(encoding="utf-8").replace("\\-", "-") if page.exists() else ""
    section = text.partition("\n.SH STAGES\n")[2].partition("\n.SH ")[0]
    told = re.findall(r"^\.B (.*)\n(.*)\.$", section, re.M)
    lines = subprocess.run([kinf, "demo"], stdin=subprocess.DEVNULL, capture_output=True, text=True,
                           check=True).stdout.splitlines()
    stages = [(name, what[0].upper() + what[1:]) for name, what in (re.split(" +", line, maxsplit=1)
                                                                    for line in lines)]
    return [] if told == stages else [f"{page.name}: STAGES are not what kinf demo lists"]


def missing_sections(page):
    if page.suffix != ".1":
        return []
    found = [line[4:] for line in page.read_text(encoding="utf-8").splitlines()
             if line.startswith(".SH ")]
    ordered = [name for name in found if name in SECTIONS]
    return [] if ordered == SECTIONS else [f"{page.name}: has the sections {ordered}"]


def complaints(page):
    """Returns what the tools that are installed say about the markup."""
    lines = []
    for tool, words in TOOLS.items():
        if shutil.which(tool):
            done = subprocess.run([*words, str(page)], stdout=subprocess.PIPE, text=True,
                                  stderr=subprocess.STDOUT, check=False)
            lines += done.stdout.splitlines()
            if done.returncode and not done.stdout:
                lines.append(f"{tool} {page.name}: exit {done.returncode}")
    return lines


def fields_in_order(shown, kinf):
    """Compares the order of the fields with an event of kinf."""
    words = "watch deploy -o json --show-old --diff --sandbox=rollout --max-events 2".split()
    done = subprocess.run([kinf, *words], stdin=subprocess.DEVNULL, capture_output=True, text=True,
                          check=True)
    printed = list(json.loads(done.stdout.splitlines()[-1]))
    is_right = len(printed) > 6 and [name for name in shown if name in printed] == printed
    return [] if is_right else [f"an event of kinf has the fields {printed}"]


def wrong_fields(page, kinf):
    """Compares the table of JSON fields with the examples below it."""
    text = page.read_text(encoding="utf-8")
    section = text[text.index(".SH EVENTS AS JSON"):]
    named = re.findall(r"^(\w+)\tT\{$", section, re.M)
    block = re.search(r"^\.EX\n(.*?)^\.EE$", section, re.M | re.S)[1]
    lines = block.replace("\\-", "-").replace(",...", "").splitlines()
    shown = [name for line in lines for name in json.loads("{" + line + "}")]
    assert named, "no field found"
    return [f"{page.name}: {name} has no description, or no example"
            for name in sorted(set(named) ^ set(shown))] + fields_in_order(shown, kinf)


def main(folder, kinf):
    folder = pathlib.Path(folder)
    pages = sorted(folder.glob("kinf*.[17]"))
    wrong = missing_pages(folder, kinf) + wrong_stages(folder / "kinf-demo.1", kinf)
    wrong += wrong_fields(folder / "kinf-watch.1", kinf)
    wrong += untested_examples(pages, kinf)
    for page in pages:
        wrong += missing_sections(page) + complaints(page)
    for tool in TOOLS:
        if not shutil.which(tool):
            print(f"{tool} is not installed: the markup was not checked with it")
    print("\n".join(wrong + [f"{len(pages)} pages, {len(wrong)} complaints"]))
    return 1 if wrong else 0


if __name__ == "__main__":
    if len(sys.argv) < 3:
        sys.exit(__doc__)
    sys.exit(main(sys.argv[1], sys.argv[2]))
