# SPDX-License-Identifier: Apache-2.0
"""Fails when tests/README.md does not name each kind of test, each test of ctest and each folder of
tests/, or states a number of cases that is larger than what is there, or smaller by a twentieth.

  test_kinds.py README TESTS BUILD [--update]   --update writes the numbers

A new kind of test gets a row in the table of the README, and a line in COUNTS.
"""
import importlib
import json
import pathlib
import re
import sys

sys.dont_write_bytecode = True
ROW = re.compile(r"^\| (?P<kind>[^|]+?) \| (?P<number>[\d,]+) (?P<rest>.*)$", re.M)
TEST_CASE = r"^\s*TEST_CASE\w*\("


def texts(folder, pattern):
    return [path.read_text(encoding="utf-8") for path in sorted(folder.glob(pattern))]


def files(folder, pattern):
    return len(list(folder.glob(pattern)))


def matches(folder, pattern, expression):
    return sum(len(re.findall(expression, text, re.M)) for text in texts(folder, pattern))


def stated_in(path, expression):
    """Returns the number that stands in a file."""
    return int(re.search(expression, path.read_text(encoding="utf-8"), re.M)[1])


def module(folder, name):
    """Imports a script of tests."""
    sys.path.insert(0, str(folder))
    return importlib.import_module(name)


def vectors(tests):
    return sum(len(json.loads(text)["cases"]) for text in texts(tests, "vectors/*.json"))


def planned(name):
    return lambda tests: len(list(module(tests / "program/attack", name).plan()))


def failing_calls(tests):
    torture = module(tests / "program/attack", "torture")
    return len(torture.COMMANDS) + len(torture.WRITERS)


def typed_words(tests):
    completion = module(tests / "program", "completion")
    return len(completion.CASES) * len(completion.STARTS)


def man_examples(tests):
    examples = module(tests / "program", "man_examples").examples
    return sum(len(examples(page)) for page in (tests.parent / "man").glob("kinf*.[17]"))


def document_commands(tests):
    documents = module(tests / "program", "documents")
    return sum(len(documents.commands(fence)) for name in ("README.md", "doc/informers.md", "doc/articles.md")
               for fence in documents.FENCE.finditer((tests.parent / name).read_text("utf-8")))


def widths(tests):
    text = (tests / "program/terminal_widths.py").read_text("utf-8")
    return len(re.findall(r'": \d+', text)) * len(re.findall(r'\["watch"', text)) + 1


def matrix_cells(tests):
    faults, columns = re.findall(r"constexpr std::array<[\w ]+\*?, (\d+)> k(?:Faults|Columns)",
                                 (tests / "storm/matrix.cc").read_text("utf-8"))
    return int(faults) * int(columns)


# The kinds of the README and how many cases each has.
COUNTS = {
    "unit": lambda tests: matches(tests, "unit/**/*.cc", TEST_CASE),
    "conformance": vectors,
    "wire": lambda tests: matches(tests, "wire/*.cc", TEST_CASE),
    "golden": lambda tests: files(tests, "cli/*.case"),
    "document": document_commands,
    "man page": man_examples,
    "picture": lambda tests: files(tests.parent, "doc/*.svg"),
    "screen": lambda tests: matches(tests, "program/demo_live.py", r"^def check_"),
    "width": widths,
    "completion": typed_words,
    "where": lambda tests: stated_in(tests / "program/where.py", r"^EXPRESSIONS = (\d+)"),
    "attack": lambda tests: stated_in(tests / "program/attack/attack.py", r"^FINDINGS = (\d+)"),
    "failing output": planned("outputs"),
    "hang": planned("deadlines"),
    "hostile recordings": planned("recordings"),
    "hostile text": planned("printed"),
    "failing call": failing_calls,
    "killed recording": lambda tests: matches(tests, "program/CMakeLists.txt", "^add_script.verify_"),
    "simulation": lambda tests: (stated_in(tests / "sim/CMakeLists.txt", r"^set\(seeds (\d+)\)")
                                 + files(tests, "sim/schedules/*")),
    "simulation model": lambda tests: matches(tests, "sim/*.cc", TEST_CASE),
    "planted bug": lambda tests: files(tests, "sim/mutants/*.patch"),
    "storm": matrix_cells,
    "race": lambda tests: matches(tests, "storm/CMakeLists.txt", r"^add_test\(NAME store_race"),
    "package": lambda tests: matches(
        tests, "program/CMakeLists.txt", r"^ *add_script\((?:package|library|hardening )"),
    "release": lambda tests: matches(tests, "program/release_*.py", r"^    def test_"),
    "e2e": lambda tests: matches(tests, "e2e/cases/*.py", "^@case"),
    "controller": lambda tests: files(tests, "e2e/controllers/recorded/*.json"),
    "fuzz": lambda tests: files(tests, "fuzz/fuzz_*.cc"),
    "rule": lambda tests: len(set(re.findall(
        r"add_test\(NAME (\w+?)(?:_can_fail)? ", (tests / "rules/CMakeLists.txt").read_text("utf-8")))),
}


def names_of_ctest(folder):
    """Yields the tests of a build, without the twins that only show that a test can fail."""
    text = (folder / "CTestTestfile.cmake").read_text(encoding="utf-8")
    for name in re.findall(r"^add_test\((?:\[=*\[)?([\w-]+)", text, re.M):
        yield name.removesuffix("_can_fail")
    for part in re.findall(r'^subdirs\("(.*)"\)', text, re.M):
        yield from names_of_ctest(folder / part)


def complaints(readme, tests, build):
    stated = {row["kind"]: int(row["number"].replace(",", "")) for row in ROW.finditer(readme)}
    for kind in sorted(stated.keys() ^ COUNTS.keys()):
        yield f"{kind} has no row in the page, or no line in COUNTS"
    for kind in stated.keys() & COUNTS.keys():
        found = COUNTS[kind](tests)
        if not stated[kind] <= found <= stated[kind] * 1.05:
            yield f"{kind}: the page says {stated[kind]:,}, there are {found:,}"
    folders = [path.name for path in tests.iterdir() if path.is_dir() and path.name[0] not in "._"]
    words = set(re.findall(r"\w+", " ".join(re.findall(r"`[^`]+`", readme))))
    for name in sorted({*folders, *names_of_ctest(build)} - words):
        yield f"the page does not name `{name}`"


def main(readme, tests, build, *flags):
    path, tests = pathlib.Path(readme), pathlib.Path(tests).resolve()
    text = path.read_text(encoding="utf-8")
    if flags == ("--update",):
        text = ROW.sub(lambda row: f"| {row['kind']} | {COUNTS[row['kind']](tests):,} {row['rest']}", text)
        path.write_text(text, encoding="utf-8")
    wrong = sorted(complaints(text, tests, pathlib.Path(build)))
    print("\n".join([*wrong, f"{len(COUNTS)} kinds, {len(wrong)} complaints"]))
    return 1 if wrong else 0


if __name__ == "__main__":
    if len(sys.argv) < 4:
        sys.exit(__doc__)
    sys.exit(main(*sys.argv[1:]))
