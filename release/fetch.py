# SPDX-License-Identifier: Apache-2.0
"""Fetches the sources of sources.json with the machine's own pip, cargo and apt, checks their
sha256 and unpacks them."""
import hashlib
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile
import zipfile

from settings import Problem, cache, run, say


# What fetches each kind of source.
TOOLS = {"pip": ("wheel", "sdist"), "cargo": ("crate",),
         "apt-get": ("debian-source", "debian-package")}
# What pip, cargo and apt-get print when a registry does not answer.
NO_ANSWER = re.compile(r"connection broken|(could not|unable to|failed to) connect|timed out|"
                       r"could not resolve|temporary failure|network is unreachable|"
                       r"connection reset|spurious network error|\b50[234] ", re.I)
# A registry that answers with something else is not unreachable, even if it first was.
WRONG_ANSWER = re.compile(r"checksum|sha256|hash sum|\b404\b", re.I)


class Unreachable(Problem):
    """The network or a registry does not answer."""


def sha256(path):
    with open(path, "rb") as file:
        return hashlib.sha256(file.read()).hexdigest()


def call(name, command, **more):
    """Runs the download `command` for `name`. If it fails, says what to do. Unreachable if the
    network is the cause."""
    tool = command[2] if command[0] == "python3" else command[0]
    way_out = (f"check how {tool} is configured and what the network allows, or put the files that "
               f"sources.json lists into {cache() / 'sources'}")
    try:
        done = subprocess.run(command, stderr=subprocess.PIPE, text=True, errors="replace",
                              check=False, env={**os.environ, "LC_ALL": "C"}, **more)
    except FileNotFoundError:
        raise Problem(f"{tool} fetches {name}, but is not installed") from None
    sys.stderr.write(done.stderr)
    if done.returncode != 0:
        is_answered = WRONG_ANSWER.search(done.stderr) or not NO_ANSWER.search(done.stderr)
        kind = Problem if is_answered else Unreachable
        raise kind(f"{tool} cannot fetch {name} (exit code {done.returncode}, its message is "
                   f"above): {way_out}")


def from_pip(folder, entry):
    kind = ["--only-binary", ":all:", "--platform", "manylinux_2_12_x86_64"] \
        if entry["how"] == "wheel" else ["--no-binary", entry["package"]]
    call(entry["name"],
         ["python3", "-m", "pip", "download", "--quiet", "--no-deps", *kind, "--dest", folder,
          f"{entry['package']}=={entry['pin']}"])


def from_cargo(folder, entries):
    """All crates at once. cargo also fetches the crates that these need; they stay unused."""
    project = folder / "crates"
    (project / "src").mkdir(parents=True)
    (project / "src/lib.rs").touch()
    needs = "".join(f'{e["package"]} = "={e["pin"].split("+")[0]}"\n' for e in entries)
    package = '[package]\nname = "sources"\nversion = "0.0.0"\nedition = "2018"\n'
    (project / "Cargo.toml").write_text(f"{package}[dependencies]\n{needs}", encoding="utf-8")
    call(", ".join(entry["name"] for entry in entries),
         ["cargo", "fetch", "--quiet", "--target", "x86_64-unknown-linux-gnu"], cwd=project)
    home = pathlib.Path(os.environ.get("CARGO_HOME") or os.path.expanduser("~/.cargo"))
    for entry in entries:
        for name in entry["files"]:
            for found in home.glob(f"registry/cache/*/{name}"):
                shutil.copy(found, folder)


class Apt:
    """apt with a state of its own, which also knows the source packages of the machine's lists."""

    def __init__(self, folder):
        self.folder = folder
        parts = folder / "apt/parts"
        parts.mkdir(parents=True)
        (folder / "apt/lists/partial").mkdir(parents=True)
        for listed in pathlib.Path("/etc/apt").glob("sources.list*/debian.sources"):
            text = listed.read_text(encoding="utf-8")
            (parts / listed.name).write_text(text.replace("Types: deb\n", "Types: deb deb-src\n"))
        main = pathlib.Path("/etc/apt/sources.list")
        if main.exists():
            text = main.read_text(encoding="utf-8")
            more = [line.replace("deb", "deb-src", 1) for line in text.splitlines()
                    if line.startswith("deb ")]
            (parts / "main.list").write_text(text + "\n" + "\n".join(more) + "\n")

    def run(self, name, *arguments):
        state = self.folder / "apt"
        settings = ["Dir::Etc::sourcelist=/dev/null", f"Dir::Etc::sourceparts={state}/parts",
                    f"Dir::State::lists={state}/lists", "APT::Sandbox::User=root",
                    "Acquire::Retries=3"]
        words = [word for setting in settings for word in ("-o", setting)]
        call(name, ["apt-get", "-qq", *words, *arguments], cwd=self.folder)

    def fetch(self, entries):
        self.run("the lists of Debian's packages", "update", "-eany")
        for entry in entries:
            pinned = f"{entry['package']}={entry['pin']}"
            if entry["how"] == "debian-package":
                self.run(entry["name"], "download", pinned)
                continue
            for kind in {"--diff-only" if ".debian." in name else "--tar-only"
                         for name in entry["files"]}:
                self.run(entry["name"], "source", "--download-only", kind, pinned)


def download(missing):
    """Fetches the files of `missing` into a new folder, and keeps those with the pinned sha256."""
    kept = cache() / "sources"
    kept.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(dir=kept) as name:
        folder = pathlib.Path(name)
        say("fetching " + ", ".join(entry["name"] for entry in missing))
        for entry in missing:
            if entry["how"] in TOOLS["pip"]:
                from_pip(folder, entry)
        crates = [entry for entry in missing if entry["how"] == "crate"]
        if crates:
            from_cargo(folder, crates)
        debian = [entry for entry in missing if entry["how"].startswith("debian")]
        if debian:
            Apt(folder).fetch(debian)
        for entry in missing:
            for file, wanted in entry["files"].items():
                if not (folder / file).exists():
                    raise Problem(f"{entry['name']}: {file} was not fetched")
                if sha256(folder / file) != wanted:
                    raise Problem(f"{entry['name']}: {file} has another sha256 than sources.json")
                (folder / file).replace(kept / file)


def present(entry):
    kept = cache() / "sources"
    return all((kept / file).exists() and sha256(kept / file) == wanted
               for file, wanted in entry["files"].items())


def fetch(entries):
    """Fetches what the cache does not have of `entries`."""
    missing = [entry for entry in entries if not present(entry)]
    if missing:
        download(missing)


def open_tar(path, into):
    """Unpacks a tar into `into`, without its top folder. (A .debian.tar has none to leave out.)"""
    strip = 0 if ".debian." in path.name else 1
    run(["tar", "-xf", path, "-C", into, f"--strip-components={strip}", "--no-same-owner"])


def open_file(path, into):
    into.mkdir(parents=True, exist_ok=True)
    if path.suffix == ".whl":
        with zipfile.ZipFile(path) as wheel:
            wheel.extractall(into)
    elif path.suffix == ".deb":
        run(["dpkg-deb", "-x", path, into])
    else:
        open_tar(path, into)


def patch(folder):
    """Applies the patches of a Debian source package."""
    series = folder / "debian/patches/series"
    if not series.exists():
        return
    for name in series.read_text(encoding="utf-8").split():
        with open(series.parent / name, "rb") as text:
            subprocess.run(["patch", "-s", "-p1", "-d", folder], stdin=text, check=True)


def unpack(entry, into):
    """Unpacks the files of `entry` into the folder `into`, once."""
    if (into / ".unpacked").exists():
        return
    shutil.rmtree(into, ignore_errors=True)
    for file in entry["files"]:
        open_file(cache() / "sources" / file, into)
    for inner in into.glob("deps/*.tar.gz"):  # the sdist of jq has jq's own release
        open_tar(inner, into)
    patch(into)
    (into / ".unpacked").touch()
