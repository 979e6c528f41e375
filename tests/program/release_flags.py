# SPDX-License-Identifier: Apache-2.0
"""Tests what ./dev release refuses before it builds anything, and what it passes on."""
import contextlib
import io
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile
import unittest
from unittest import mock

sys.dont_write_bytecode = True
RELEASE = pathlib.Path(__file__).resolve().parents[2] / "release"
sys.path.insert(0, str(RELEASE))
# pylint: disable=wrong-import-position
import check  # noqa: E402
import program  # noqa: E402
import release  # noqa: E402
from settings import Problem  # noqa: E402

ADDRESS = "https://example.com/kinf"
CONTRADICTIONS = [
    (["--all"], "--all needs --check"),
    (["--all", "--check-sources"], "--all needs --check"),
    (["--check", "--arch", "aarch64"], "--check takes no --arch"),
    (["--check", "--url", ADDRESS], "--check takes no --url"),
    (["--check", "--check-reproducible"], "--check and --check-reproducible do not go together"),
    (["--check-sources", "--arch", "x86_64"], "--check-sources takes no --arch"),
    (["--record-startup", "--url", ADDRESS], "--record-startup takes no --url"),
    (["--arch", "aarch64", "--url", ADDRESS], "--url needs both architectures"),
    (["--check-reproducible", "--arch", "x86_64", "--url", ADDRESS],
     "--url needs both architectures"),
]
NO_ADDRESSES = ["", " ", "not an address", "example.com", "https://", "https://a b",
                'https://example.com/"', "https://example.com/#{x}"]


class FlagsTest(unittest.TestCase):
    def run_release(self, *arguments, **environment):
        return subprocess.run([sys.executable, "-B", RELEASE / "release.py", *arguments],
                              capture_output=True, text=True, timeout=60, check=False,
                              env={**os.environ, **environment})

    def test_contradictions(self):
        for arguments, message in CONTRADICTIONS:
            with self.subTest(arguments):
                with self.assertRaises(SystemExit) as caught, \
                        contextlib.redirect_stderr(io.StringIO()) as printed:
                    release.parse(arguments)
                self.assertEqual(caught.exception.code, 2)
                self.assertIn(message, printed.getvalue())

    def test_addresses(self):
        for address in NO_ADDRESSES:
            with self.subTest(address), self.assertRaises(Problem):
                release.publish.refuse_wrong(address)
        for address in ADDRESS, ADDRESS + "/", "http://127.0.0.1:8080/v0.1.0/":
            release.publish.refuse_wrong(address)

    def test_wrong_address_ends_the_run(self):
        done = self.run_release("--url", "not an address")
        self.assertEqual(done.returncode, 1)
        self.assertIn("is not an address", done.stderr)

    def test_folder_with_a_space(self):
        done = self.run_release("--record-startup", KINF_RELEASE_CACHE="/tmp/a folder")
        self.assertEqual(done.returncode, 1)
        self.assertIn("has a space", done.stderr)

    def test_second_build_has_the_same_flags(self):
        options = release.parse(["--check-reproducible", "--url", ADDRESS])
        with mock.patch.object(release, "release"), \
                mock.patch.object(release.reproduce, "check_reproducible") as again:
            release.make_twice(options, "out")
        again.assert_called_once_with("out", ["--url", ADDRESS])

    def test_problem_in_a_check_is_counted(self):
        def fail(*_):
            @check.check("one")
            def _():
                raise Problem("no tool")
            raise Problem("no compiler")

        with mock.patch.object(check, "FAILED", []), mock.patch.object(check, "PASSED", []), \
                contextlib.redirect_stdout(io.StringIO()) as printed:
            self.assertEqual(release.counted(fail), 1)
        self.assertEqual(printed.getvalue(), "FAIL one: no tool\nFAIL the files are made: "
                         "no compiler\n0 passed, 2 failed\n")

    def test_changed_flags_configure_again(self):
        folder = pathlib.Path(tempfile.mkdtemp(prefix="kinf-flags."))
        self.addCleanup(shutil.rmtree, folder)
        with mock.patch.object(program, "run") as ran:
            program.configure(folder / "made", folder / "out")
            program.configure(folder / "made", folder / "out")
            self.assertEqual(ran.call_count, 1)
            with mock.patch.object(program, "FLAGS", "-g1"):
                program.configure(folder / "made", folder / "out")
            self.assertEqual(ran.call_count, 2)


if __name__ == "__main__":
    unittest.main()
