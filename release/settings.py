# SPDX-License-Identifier: Apache-2.0
"""What all steps of a release share: the targets, the folders and the pinned list."""
import hashlib
import json
import os
import pathlib
import re
import subprocess

HERE = pathlib.Path(__file__).resolve().parent
ROOT = HERE.parent
SOURCES = json.loads((HERE / "sources.json").read_text(encoding="utf-8"))
# The architectures, by the name that `uname -m` prints, and what others call them.
TARGETS = {
    "x86_64": {"zig": "x86_64-linux-musl", "openssl": "linux-x86_64", "debian": "amd64",
               "go": "amd64"},
    "aarch64": {"zig": "aarch64-linux-musl", "openssl": "linux-aarch64", "debian": "arm64",
                "go": "arm64"},
}


class Problem(Exception):
    """A step failed. The text says what to do."""


def say(text):
    print(f"release: {text}", flush=True)


def version():
    """The version of kinf, from CMakeLists.txt."""
    text = (ROOT / "CMakeLists.txt").read_text(encoding="utf-8")
    return re.search(r"project\(kinf VERSION ([\d.]+)", text)[1]


def commit_time():
    """The time of all files in the archives: the last commit, or SOURCE_DATE_EPOCH."""
    if "SOURCE_DATE_EPOCH" in os.environ:
        return int(os.environ["SOURCE_DATE_EPOCH"])
    shown = subprocess.run(["git", "-C", ROOT, "log", "-1", "--format=%ct"], capture_output=True,
                           text=True, check=False)
    if shown.returncode != 0:
        raise Problem("this is no git checkout: set SOURCE_DATE_EPOCH to the time of the release")
    return int(shown.stdout)


def cache():
    """The folder of downloads, toolchain and libraries. Safe to delete."""
    base = os.environ.get("KINF_RELEASE_CACHE") or os.path.expanduser("~/.cache/kinf-release")
    return pathlib.Path(base).resolve()


def refuse_spaces():
    """Refuses folders with a space: the builds of the libraries would fail after minutes."""
    for path in cache(), ROOT:
        if re.search(r"\s", str(path)):
            raise Problem(f"'{path}' has a space, and OpenSSL cannot be built there: use another "
                          "folder (KINF_RELEASE_CACHE sets that of the cache)")


def recipe():
    """A name for the pinned sources and how they are built: the libraries are built again when it
    changes."""
    digest = hashlib.sha256()
    for name in ["sources.json", "toolchain.py", "libraries.py", "openssl.options", "jq.h",
                 "curl.options", "ncurses.options"]:
        digest.update((HERE / name).read_bytes())
    return digest.hexdigest()[:16]


def source(name):
    return next(entry for entry in SOURCES if entry["name"] == name)


def version_of(name):
    return source(name)["version"]


def run(command, log=None, **more):
    """Runs `command`. With `log`, its output goes there, and its end into the error."""
    if log is None:
        subprocess.run(command, check=True, **more)
        return
    with open(log, "ab") as out:
        done = subprocess.run(command, check=False, stdin=subprocess.DEVNULL, stdout=out,
                              stderr=subprocess.STDOUT, **more)
    if done.returncode != 0:
        end = pathlib.Path(log).read_text(encoding="utf-8", errors="replace")[-3000:]
        raise Problem(f"{' '.join(map(str, command))[:200]} failed; {log} ends with:\n{end}")
