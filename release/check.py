# SPDX-License-Identifier: Apache-2.0
"""Checks the files of a release: runs the program where there is nothing else, and reads what was
packed."""
import json
import os
import pathlib
import re
import subprocess
import sys
import tarfile
import tempfile

from settings import Problem, ROOT, SOURCES, TARGETS, cache, version

LIMIT = 14_000_000  # bytes of the program
EMULATOR = "qemu-aarch64-static"
RESIDENT = 8192  # KiB of memory of a short run
SHIPPED = ["bin/kinf", "bin/kubectl-kinf", "bin/kubectl_complete-kinf", "share/man/man1/kinf.1",
           "share/man/man1/kinf-watch.1", "share/bash-completion/completions/kinf",
           "share/zsh/site-functions/_kinf", "share/fish/vendor_completions.d/kinf.fish",
           "share/doc/kinf/LICENSE", "share/doc/kinf/THIRD-PARTY-LICENSES",
           "share/doc/kinf/RELEASE-NOTES.md"]

TEST_PROGRAMS = ["kinf", "kinf_tests", "kinf_wire_tests", "kinf_store_race",
                 "kinf_store_race_turnstile", "kinf_conformance"]
TESTS = ["unit", "wire", "cli", "store_race", "store_race_turnstile", "conformance"]

PASSED = []
FAILED = []


def failed(name, error):
    FAILED.append(name)
    print(f"FAIL {name}: {error}", flush=True)


class Skipped(Exception):
    """A check cannot run here. The text says why."""


def check(name):
    """Runs a check and prints one line. A check fails with AssertionError or Problem."""
    def decorate(function):
        try:
            note = function() or ""
        except Skipped as why:
            print(f"skip {name}: {why}", flush=True)
        except (AssertionError, Problem, subprocess.SubprocessError, OSError) as error:
            failed(name, error)
        else:
            PASSED.append(name)
            print(f"ok   {name}{': ' + note if note else ''}", flush=True)
        return function
    return decorate


def in_empty_root(program, *arguments):
    """Runs `program` in a root folder with nothing but it, and returns what it printed."""
    with tempfile.TemporaryDirectory() as name:
        root = pathlib.Path(name)
        (root / "kinf").write_bytes(program.read_bytes())
        (root / "kinf").chmod(0o755)
        inside = ["unshare", "--map-root-user", "--root", root] if os.geteuid() != 0 else \
            ["chroot", root]
        done = subprocess.run([*inside, "/kinf", *arguments], capture_output=True,
                              text=True, timeout=120, check=False,
                              env={"HOME": "/", "PATH": os.environ["PATH"]})
        assert done.returncode == 0, f"exit code {done.returncode}: {done.stderr.strip()[-500:]}"
        return done.stdout


def check_program(program):
    @check("the program is static and has no symbols")
    def _():
        shown = subprocess.run(["readelf", "-lS", program], capture_output=True, text=True,
                               check=True).stdout
        assert "INTERP" not in shown and ".symtab" not in shown, "it needs a loader or has symbols"

    @check("the program is hardened")
    def _():
        done = subprocess.run([sys.executable, ROOT / "tests/program/hardening.py", "--static",
                               program],
                              stdout=subprocess.PIPE, text=True, check=False)
        assert done.returncode == 0, done.stdout

    @check("the program is small")
    def _():
        size = program.stat().st_size
        assert size <= LIMIT, f"{size} bytes"
        return f"{size / 1e6:.1f} MB"

    @check("a short run takes little memory")
    def _():
        done = subprocess.run(["/usr/bin/time", "-f", "%M", program, "get", "pods", "-A",
                               "--sandbox=nettool"], stdout=subprocess.DEVNULL,
                              stderr=subprocess.PIPE, text=True, check=True)
        resident = int(done.stderr)
        assert resident <= RESIDENT, f"{resident} KiB: run ./dev release --record-startup"
        return f"{resident} KiB"

    @check("it runs in an empty root: version")
    def _():
        assert version() in in_empty_root(program, "--version")

    @check("it runs in an empty root: get --sandbox=nettool")
    def _():
        rows = in_empty_root(program, "get", "pods", "-A", "--sandbox=nettool").splitlines()
        assert len(rows) > 1 and rows[0].startswith("NAMESPACE"), rows[:3]
        return f"{len(rows) - 1} rows"

    @check("it runs in an empty root: jq")
    def _():
        names = in_empty_root(program, "get", "pods", "-A", "--sandbox=nettool", "-o", "name",
                              "--where", '.metadata.name | test("^quickstart")')
        assert names.splitlines() == ["pod/quickstart-es-default-0"], names

    @check("common terminals are compiled in")
    def _():
        content = program.read_bytes()
        for terminal in ("xterm-256color", "tmux-256color", "screen", "linux", "vt100"):
            assert terminal.encode() in content, f"{terminal} is not"

    @check("no path of this machine is in the program")
    def _():
        content = program.read_bytes()
        for path in (cache(), ROOT):
            assert str(path).encode() not in content, f"{path} is in it"


def check_tar(path, wanted):
    """All entries belong to root and have one time, and the `wanted` ones are there."""
    with tarfile.open(path) as tar:
        entries = tar.getmembers()
    names = {entry.name for entry in entries}
    missing = [name for name in wanted if name not in names]
    assert not missing, f"missing: {missing}"
    assert all(entry.uid == 0 and entry.uname == "root" for entry in entries), "not all are root's"
    assert len({entry.mtime for entry in entries}) == 1, "the times differ"
    return f"{len(names)} entries"


def check_files(out, arch):
    """Reads the files of a release for one architecture."""
    top = f"kinf-{version()}-linux-{arch}"
    package = out / f"kinf_{version()}_{TARGETS[arch]['debian']}.deb"

    @check("the archive has the program, the plugin, the man page and completions")
    def _():
        return check_tar(out / f"{top}.tar.gz", [f"{top}/{name}" for name in SHIPPED])

    @check("dpkg reads the package")
    def _():
        fields = subprocess.run(["dpkg-deb", "--field", package, "Package", "Version"],
                                capture_output=True, text=True, check=True).stdout
        assert fields == f"Package: kinf\nVersion: {version()}\n", fields
        with tempfile.TemporaryDirectory() as folder:
            subprocess.run(["dpkg-deb", "--raw-extract", package, folder], check=True)
            subprocess.run(["md5sum", "--check", "--quiet", "DEBIAN/md5sums"], cwd=folder,
                           check=True)

    @check("the bill of materials names everything that is pinned")
    def _():
        document = json.loads((out / f"kinf-{version()}.cdx.json").read_text(encoding="utf-8"))
        names = {component["name"] for component in document["components"]}
        assert names >= {entry["name"] for entry in SOURCES}, names

    @check("SHA256SUMS is right")
    def _():
        subprocess.run(["sha256sum", "--check", "--quiet", "SHA256SUMS"], cwd=out, check=True)


def check_tests(built):
    """Runs the tests in the folder `built`, which has TEST_PROGRAMS."""
    @check(f"these tests pass: {', '.join(TESTS)}")
    def _():
        done = subprocess.run(["ctest", "--test-dir", built, "--output-on-failure", "-R",
                               f"^({'|'.join(TESTS)})$"], capture_output=True, text=True,
                              timeout=3600, check=False)
        assert done.returncode == 0, done.stdout[-3000:]
        assert f"out of {len(TESTS)}\n" in done.stdout, "not all of them ran"


def check_apiserver(program):
    @check("it watches a real API server by name over TLS, from an empty root")
    def _():
        subprocess.run([ROOT / "tests/e2e/server/with-apiserver.sh", "python3",
                        ROOT / "release/apiserver_check.py", program], check=True)


def check_emulated(built):
    """Runs the programs in the folder `built`, which are for another processor, by qemu."""
    @check("the program for aarch64 runs: version, get --sandbox=nettool")
    def _():
        for arguments in (["--version"], ["get", "pods", "-A", "--sandbox=nettool"]):
            done = subprocess.run([EMULATOR, built / "kinf", *arguments], capture_output=True,
                                  text=True, timeout=120, check=False)
            assert done.returncode == 0 and done.stdout, done.stderr[-500:]

    @check("the unit tests for aarch64 pass")
    def _():
        done = subprocess.run([EMULATOR, built / "tests/kinf_tests"], capture_output=True,
                              text=True, timeout=3600, check=False)
        assert done.returncode == 0, done.stdout[-3000:]
        return re.search(r"test cases: +(\d+)", done.stdout)[1]


def finish():
    print(f"{len(PASSED)} passed, {len(FAILED)} failed")
    return 1 if FAILED else 0
