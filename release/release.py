#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Makes the files of a release.   release.py [--arch ARCH | --url ADDRESS]
                                release.py --check [--all]
                                release.py --check-sources
                                release.py --check-reproducible [--arch ARCH | --url ADDRESS]
                                release.py --record-startup

Builds static programs from the pinned sources of sources.json and packs them into
build/release-files. --url also writes a Krew manifest, a Homebrew formula and INSTALL.md for files at
ADDRESS.
--check builds for x86_64 only and checks the result. --check-reproducible makes the files twice and
compares them. --check-sources checks the downloads and the manifests. The last line of each check is
`N passed, N failed`. --record-startup writes the list of functions that the linker puts beside each
other.
"""
import argparse
import shutil
import subprocess
import sys

sys.dont_write_bytecode = True

import check  # noqa: E402
import check_debian  # noqa: E402
import check_sources  # noqa: E402
import deb  # noqa: E402
import pack  # noqa: E402
import program  # noqa: E402
import publish  # noqa: E402
import reproduce  # noqa: E402
import sbom  # noqa: E402
import startup  # noqa: E402
from settings import Problem, ROOT, TARGETS, refuse_spaces, say  # noqa: E402


def build_folder(arch):
    return ROOT / "build" / f"static-{arch}"


def make(arch, out):
    """Builds and packs one architecture. Returns the program."""
    built = program.build(arch, build_folder(arch))
    staged = pack.stage(built, built / "staged")
    say(f"packing for {arch}")
    pack.tarball(staged, arch, out)
    deb.build(staged, arch, out)
    shutil.copy(staged / "bin/kinf", out / f"kinf-linux-{TARGETS[arch]['debian']}")
    return staged / "bin/kinf"


def parse(arguments):
    parser = argparse.ArgumentParser(prog="./dev release", allow_abbrev=False)
    parser.add_argument("--arch", choices=list(TARGETS), help="only this architecture")
    parser.add_argument("--url", metavar="ADDRESS", help="where the files will be: also write the "
                        "manifests for Krew and Homebrew and INSTALL.md, which name it")
    parser.add_argument("--check", action="store_true", help="build for x86_64 and check it")
    parser.add_argument("--all", action="store_true", help="with --check: also run the tests, "
                        "install on a bare Debian, build for aarch64 and run that by qemu, and "
                        "watch a real API server (needs Go)")
    parser.add_argument("--check-sources", action="store_true",
                        help="check what needs no build: the downloads and the manifests")
    parser.add_argument("--check-reproducible", action="store_true",
                        help="make the files again in another folder, and compare the bytes")
    parser.add_argument("--record-startup", action="store_true",
                        help="record which functions short runs call (needs valgrind)")
    options = parser.parse_args(arguments)
    if message := contradiction(options):
        parser.error(message)
    return options


def contradiction(options):
    """Says which flags do not go together, or returns None."""
    modes = [f"--{name.replace('_', '-')}" for name in ("check", "check_sources",
             "check_reproducible", "record_startup") if getattr(options, name)]
    if len(modes) > 1:
        return f"{modes[0]} and {modes[1]} do not go together"
    if options.all and modes != ["--check"]:
        return "--all needs --check"
    for flag, value in ("--arch", options.arch), ("--url", options.url):
        if value is not None and modes and modes != ["--check-reproducible"]:
            return f"{modes[0]} takes no {flag}"
    if options.arch and options.url is not None:
        return "--url needs both architectures: leave out --arch"
    return None


def release(options, out):
    """Makes all files."""
    for arch in [options.arch] if options.arch else TARGETS:
        make(arch, out)
    sbom.write(out)
    publish.container(out)
    if options.url is not None:
        publish.manifests(out, options.url)
    pack.notes_and_sums(out)
    say(f"the files are in {out}")
    return 0


def run_checks(out, everything):
    """Builds for x86_64, or for all, and checks what was made."""
    made = make("x86_64", out)
    sbom.write(out)
    pack.notes_and_sums(out)
    check.check_program(made)
    check.check_files(out, "x86_64")
    if everything:
        check_debian.check_package(out)
        check_debian.check_readme(out)
        check.check_tests(program.build("x86_64", build_folder("x86_64"), check.TEST_PROGRAMS))
        check.check_apiserver(made)
        make("aarch64", out)
        check.check_emulated(program.build("aarch64", build_folder("aarch64"),
                                           ["kinf", "kinf_tests"]))


def make_twice(options, out):
    release(options, out)
    same = [("--arch", options.arch), ("--url", options.url)]
    reproduce.check_reproducible(out, [word for pair in same if pair[1] for word in pair])


def counted(function, *arguments):
    """Runs checks, and prints their number. A problem outside of a check counts as one that failed."""
    try:
        function(*arguments)
    except (Problem, subprocess.CalledProcessError) as error:
        check.failed("the files are made", error)
    return check.finish()


def main(arguments):
    options = parse(arguments)
    if options.url is not None:
        publish.refuse_wrong(options.url)
    if options.check_sources:
        return check_sources.run_checks()
    refuse_spaces()
    if options.record_startup:
        startup.record(program.build("x86_64", build_folder("x86_64")))
        return 0
    out = ROOT / "build" / ("release-check" if options.check else "release-files")
    shutil.rmtree(out, ignore_errors=True)
    out.mkdir(parents=True)
    if options.check:
        return counted(run_checks, out, options.all)
    return counted(make_twice, options, out) if options.check_reproducible else release(options, out)


if __name__ == "__main__":
    try:
        sys.exit(main(sys.argv[1:]))
    except (Problem, subprocess.CalledProcessError) as error:
        print(f"release: {error}", file=sys.stderr)
        sys.exit(1)
