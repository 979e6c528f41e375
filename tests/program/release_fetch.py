# SPDX-License-Identifier: Apache-2.0
"""Tests how ./dev release fetches sources. pip, cargo and apt-get are scripts here, which print recorded
messages."""
import contextlib
import io
import os
import pathlib
import shutil
import sys
import tempfile
import unittest
from unittest import mock

sys.dont_write_bytecode = True
sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[2] / "release"))
# pylint: disable=wrong-import-position
import check  # noqa: E402
import check_sources  # noqa: E402
import fetch  # noqa: E402
from settings import Problem  # noqa: E402

ENTRIES = {
    "python3": {"how": "sdist", "package": "jq", "pin": "1.13.0"},
    "cargo": {"how": "crate", "package": "zstd-sys", "pin": "2.1.3"},
    "apt-get": {"how": "debian-source", "package": "fmtlib", "pin": "9.1.0"},
}
# What they print if the registry lacks the version.
MISSING = {
    "python3": "ERROR: Could not find a version that satisfies the requirement jq==1.13.0 (from "
               "versions: 1.11.0, 1.12.0)\nERROR: No matching distribution found for jq==1.13.0",
    "cargo": 'error: failed to select a version for the requirement `zstd-sys = "=2.1.3"`',
    "apt-get": "E: Version '9.1.0' of 'fmtlib' was not found",
}
# What they print without a network.
UNREACHABLE = {
    "python3": "WARNING: Retrying (Retry(total=0, connect=None, read=None, redirect=None, "
               "status=None)) after connection broken by 'NewConnectionError(': /simple/jq/\n"
               "ERROR: No matching distribution found for jq==1.13.0",
    "cargo": "Caused by:\n  [5] Could not resolve proxy name (Could not resolve proxy: a.invalid)",
    "apt-get": "E: Failed to fetch http://mirror.invalid/debian/dists/bookworm/InRelease  "
               "Unable to connect to 127.0.0.1:9:",
}


class FetchTest(unittest.TestCase):
    def setUp(self):
        self.folder = pathlib.Path(tempfile.mkdtemp(prefix="kinf-fetch."))
        self.addCleanup(shutil.rmtree, self.folder)
        (self.folder / "bin").mkdir()
        environment = {"KINF_RELEASE_CACHE": str(self.folder / "cache"), "HOME": str(self.folder),
                       "CARGO_HOME": str(self.folder / "cargo"),
                       "PATH": f"{self.folder}/bin:{os.environ['PATH']}"}
        patch = mock.patch.dict(os.environ, environment)
        patch.start()
        self.addCleanup(patch.stop)

    def fake(self, tool, script):
        path = self.folder / "bin" / tool
        path.write_text(f"#!/bin/sh\n{script}\n", encoding="utf-8")
        path.chmod(0o755)

    def fail_with(self, tool, message):
        self.fake(tool, f"cat >&2 <<'END'\n{message}\nEND\nexit 1")

    def problem(self, tool):
        """Fetches one source by `tool`, and returns the error."""
        entry = {"name": "a", "files": {"a.tar.gz": "0" * 64}, **ENTRIES[tool]}
        with self.assertRaises(Problem) as caught, contextlib.redirect_stderr(io.StringIO()), \
                contextlib.redirect_stdout(io.StringIO()):
            fetch.fetch([entry])
        return caught.exception

    def test_another_sha256(self):
        self.fake("python3", 'while [ "$1" != --dest ]; do shift; done; echo other >"$2/a.tar.gz"')
        problem = self.problem("python3")
        self.assertNotIsInstance(problem, fetch.Unreachable)
        self.assertIn("another sha256", str(problem))

    def test_missing_version(self):
        for tool, message in MISSING.items():
            with self.subTest(tool):
                self.fail_with(tool, message)
                self.assertNotIsInstance(self.problem(tool), fetch.Unreachable)

    def test_no_network(self):
        for tool, message in UNREACHABLE.items():
            with self.subTest(tool):
                self.fail_with(tool, message)
                self.assertIsInstance(self.problem(tool), fetch.Unreachable)

    def test_check(self):
        """The check of the sources fails for a missing version, and skips without a network."""
        entry = {"name": "a", "files": {"a.tar.gz": "0" * 64}, **ENTRIES["cargo"]}
        for messages, word in (MISSING, "FAIL"), (UNREACHABLE, "skip"):
            self.fail_with("cargo", messages["cargo"])
            with mock.patch.object(check, "FAILED", []) as failed, \
                    contextlib.redirect_stderr(io.StringIO()), \
                    contextlib.redirect_stdout(io.StringIO()) as printed:
                check_sources.check_downloads([entry])
            self.assertIn(f"{word} each source from cargo has the pinned sha256",
                          printed.getvalue())
            self.assertEqual(len(failed), 1 if word == "FAIL" else 0)


if __name__ == "__main__":
    unittest.main()
