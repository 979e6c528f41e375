# SPDX-License-Identifier: Apache-2.0
"""Makes the files of a release again, from a copy of the sources in another folder, with a compiler
and libraries of its own, and compares the bytes."""
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile

from check import check
from settings import ROOT, cache, commit_time, run, say


def copy_sources(folder):
    """Copies what git knows or would add. The copy is no git checkout."""
    listed = subprocess.run(["git", "-C", ROOT, "ls-files", "-z", "--cached", "--others",
                             "--exclude-standard"], capture_output=True, text=True, check=True)
    for name in listed.stdout.split("\0"):
        if name and (ROOT / name).exists():
            target = folder / name
            target.parent.mkdir(parents=True, exist_ok=True)
            shutil.copy2(ROOT / name, target, follow_symlinks=False)


def made_elsewhere(flags, name):
    """Makes the files below the folder `name`, and returns the folder that they are in."""
    copy = pathlib.Path(name, "elsewhere", "kinf")
    copy_sources(copy)
    kept = pathlib.Path(name, "kept")
    kept.mkdir()
    (kept / "sources").symlink_to(cache() / "sources")
    say(f"making the files again in {copy}")
    run([sys.executable, "-B", copy / "release/release.py", *flags],
        env={**os.environ, "KINF_RELEASE_CACHE": str(kept),
             "SOURCE_DATE_EPOCH": str(commit_time())})
    return copy / "build/release-files"


def check_reproducible(out, flags):
    """Compares the files in `out` with those that release.py makes with `flags` elsewhere."""
    with tempfile.TemporaryDirectory(prefix="kinf-release.") as name:
        again = made_elsewhere(flags, name)
        for path in sorted(out.iterdir()):
            @check(f"{path.name} has the same bytes")
            def _(path=path):
                assert path.read_bytes() == (again / path.name).read_bytes(), \
                    "its bytes differ from those of the first run"
