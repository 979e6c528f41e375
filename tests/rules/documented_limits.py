# SPDX-License-Identifier: Apache-2.0
"""Fails if the section LIMITS of a man page and the header of limits differ: each constant, with the
comment above it, stands in the page as "64 MiB for one object"; and the page has no other number.
Also fails if another file of the sources defines a constant named kMax…, kMost… or kLongest…: what
limits input belongs into the header, and other constants have names that say what they are.

  documented_limits.py HEADER PAGE SOURCES
"""
import pathlib
import re
import sys

CONSTANT = re.compile(r"((?: *///[^\n]*\n)+)inline constexpr ([\w:]+) (k\w+)(?: = |\{)([^;}]+)\}?;")
ELSEWHERE = re.compile(r"\bconst(?:expr)?\b[^=;({\n]*\b(k(?:Max|Most|Longest)(?:[A-Z]\w*)?) *[={(]")
FACTORS = {"kMiB": 1 << 20, "kKiB": 1 << 10}
TIMES = {"std::chrono::seconds": (" s", " s"), "std::chrono::minutes": (" minute", " minutes"),
         "std::chrono::hours": (" hour", " hours")}


def value_of(text):
    """Returns the value of `64 * kMiB` or `200'000`."""
    result = 1
    for factor in text.split("*"):
        factor = factor.strip().replace("'", "")
        result *= FACTORS[factor] if factor in FACTORS else int(factor)
    return result


def written(kind, name, value):
    """Returns the value with its unit, as a page shows it."""
    if kind in TIMES:
        return f"{value:,}{TIMES[kind][value != 1]}"
    if not name.endswith("Bytes"):
        return f"{value:,}"
    for unit, size in (("GiB", 1 << 30), ("MiB", 1 << 20), ("KiB", 1 << 10)):
        if value % size == 0:
            return f"{value // size} {unit}"
    return f"{value:,} bytes"


def limits(header):
    """Yields each limit as a sentence of the page: its value and its comment."""
    for comment, kind, name, value in CONSTANT.findall(header):
        about = " ".join(line.strip().removeprefix("///").strip() for line in comment.splitlines())
        yield f"{written(kind, name, value_of(value))} {about}"


def plain(page):
    """Returns the section LIMITS without the commands of its markup."""
    found = re.search(r"^\.SH LIMITS\n(.*?)^\.SH ", page, re.M | re.S)
    text = re.sub(r"^\.(TP|PP|B|BR|I|IR)\b ?", "", found[1] if found else "", flags=re.M)
    for markup, meaning in (("\\-", "-"), ("\\fB", ""), ("\\fP", ""), ("\\(aq", "'"),
                            ("\\(oq", "‘"), ("\\(cq", "’"),
                            ("\\[u2026]", "…"), ("\\|", "")):
        text = text.replace(markup, meaning)
    return " ".join(text.split())


def elsewhere(sources, header):
    """Yields each constant of the other files that is named like a limit."""
    for path in sorted(sources.rglob("*.*")):
        if path.suffix in (".h", ".cc", ".inc") and path != header:
            for name in ELSEWHERE.findall(path.read_text(encoding="utf-8")):
                yield (f"{path.relative_to(sources)} defines {name}: "
                       f"move it to {header.name}, or rename it")


def main():
    header, page = (pathlib.Path(name).read_text(encoding="utf-8") for name in sys.argv[1:3])
    known = list(limits(header))
    text = plain(page)
    wrong = [f"the page lacks: {one}" for one in known if one not in text]
    wrong += [] if known else ["the header has no limits"]
    for one in sorted(known, key=len, reverse=True):
        text = text.replace(one, "")
    wrong += [f"the header lacks the number {one}" for one in re.findall(r"\d[\d,]*", text)]
    if len(header.split("inline constexpr")) - 1 != len(known) + len(FACTORS):
        wrong.append("a constant of the header cannot be read, or has no comment")
    wrong += elsewhere(pathlib.Path(sys.argv[3]), pathlib.Path(sys.argv[1]))
    print("\n".join([*wrong, f"{len(known)} limits"]))
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
