# SPDX-License-Identifier: Apache-2.0
"""The clients to measure, their commands, and how to build them."""

import os
import shutil
import subprocess
from dataclasses import dataclass, field
from pathlib import Path

HERE = Path(__file__).resolve().parent
OUT = HERE.parent / "build" / "bench"
BIN = OUT / "bin"

JSON_EVENTS = ["-synced", "count", "-event", 'prefix:{"type":', "-signal-exit"]
TABLE_EVENTS = ["-synced", "count", "-skip-lines", "1", "-event", "any:", "-signal-exit"]


@dataclass
class Client:
    name: str
    program: str  # a file in BIN
    arguments: str
    options: list = field(default_factory=list)  # for the harness
    kind: str = "peer"  # peer, bound (not a real client) or kinf
    transports: tuple = ("http", "tls")
    slow: bool = False  # gets a quarter of a burst
    sizes: tuple = (1, 10_000, 50_000, 100_000)

    @property
    def command(self):
        return f"{BIN / self.program} {self.arguments}"


SMALL = (1, 10_000)
MIDDLE = (1, 10_000, 50_000)
CLIENTS = [
    Client("floor", "floor", "{HOSTPORT}", kind="bound", transports=("http",)),
    Client("floor", "floor-tls", "{URL}", kind="bound", transports=("tls",)),
    Client("rawstore", "rawstore", "{HOSTPORT}", kind="bound", transports=("http",)),
    Client("kinf json", "kinf", "watch pods -A -o json", JSON_EVENTS, kind="kinf"),
    Client("kinf json, managedFields kept", "kinf", "watch pods -A -o json --show-managed-fields",
           JSON_EVENTS, kind="kinf"),
    Client("kinf table", "kinf", "watch pods -A", TABLE_EVENTS, kind="kinf"),
    Client("kinf index", "kinf", "index pods -A --by app", ["-synced", "exit"], kind="kinf"),
    Client("kinf table, static", "kinf-static", "watch pods -A", TABLE_EVENTS, kind="kinf",
           sizes=SMALL),
    Client("client-go typed", "typed", ""),
    Client("client-go typed, JSON", "typed", "-json", sizes=MIDDLE),
    Client("client-go dynamic", "dynamic", "", sizes=SMALL),
    Client("client-go metadata", "metadata", ""),
    Client("kube-rs typed", "kubers", "typed"),
    Client("kube-rs typed, streamed", "kubers", "typed --stream", sizes=SMALL),
    Client("kube-rs watcher alone", "kubers", "typed-watch", sizes=SMALL),
    Client("kube-rs metadata", "kubers", "meta"),
    Client("kubectl table", "kubectl", f"--cache-dir={OUT}/kubectl get pods -A -w", TABLE_EVENTS,
           slow=True, sizes=SMALL),
    Client("kubectl json", "kubectl",
           f"--cache-dir={OUT}/kubectl get pods -A -w --output-watch-events -o json",
           ["-synced", 'prefix:{"type":"ADDED"', "-event", 'prefix:{"type":', "-signal-exit"],
           slow=True, sizes=SMALL),
]


def run(command, cwd=HERE):
    subprocess.run(command, cwd=cwd, check=True)


def build_go(package, program):
    run(["go", "build", "-buildvcs=false", "-trimpath", "-ldflags", "-s -w",
         "-o", str(BIN / program), package])


def build_kubers():
    target = OUT / "kubers"
    run(["cargo", "build", "--release", "--target-dir", str(target)], HERE / "clients" / "kubers")
    shutil.copy2(target / "release" / "kubers", BIN / "kubers")


def compile_raw(program, source, *arguments):
    compiler = ["g++", "-std=c++20"] if source.endswith(".cc") else ["gcc"]
    run(compiler + ["-O2", "-s", "-o", str(BIN / program), f"clients/raw/{source}", *arguments])


# program: (build function, required tool, sources, whether it takes minutes)
RECIPES = {
    "loadserver": (lambda: build_go("./loadserver", "loadserver"), "go", "loadserver", False),
    "harness": (lambda: build_go("./harness", "harness"), "go", "harness", False),
    "floor": (lambda: compile_raw("floor", "floor.c"), "gcc", "clients/raw", False),
    "floor-tls": (lambda: compile_raw("floor-tls", "floor.c", "-DWITH_TLS", "-lssl", "-lcrypto"),
                  "gcc", "clients/raw", False),
    "rawstore": (lambda: compile_raw("rawstore", "rawstore.cc", "-lsimdjson"), "g++",
                 "clients/raw", False),
    "empty": (lambda: compile_raw("empty", "empty.c", "-lcurl"), "gcc", "clients/raw", False),
    "typed": (lambda: build_go("./clients/go/typed", "typed"), "go", "clients/go", False),
    "dynamic": (lambda: build_go("./clients/go/dynamic", "dynamic"), "go", "clients/go", False),
    "metadata": (lambda: build_go("./clients/go/metadata", "metadata"), "go", "clients/go", False),
    "kubectl": (lambda: build_go("./clients/go/kubectl", "kubectl"), "go", "clients/go", True),
    "kubers": (build_kubers, "cargo", "clients/kubers", True),
}


def is_current(program, sources):
    built = BIN / program
    if not built.exists():
        return False
    changed = max(p.stat().st_mtime for p in (HERE / sources).rglob("*") if p.is_file())
    return built.stat().st_mtime >= changed


def build_all(quick, say, only=RECIPES):
    """Builds the missing and outdated programs of `only`. Returns the programs that exist."""
    BIN.mkdir(parents=True, exist_ok=True)
    there = {"kinf"}
    for program, (build, tool, sources, takes_minutes) in RECIPES.items():
        if program not in only:
            continue
        if is_current(program, sources):
            there.add(program)
        elif shutil.which(tool) is None:
            say(f"skipping {program}: {tool} is not installed")
        elif quick and takes_minutes:
            say(f"skipping {program}: not built, and --quick does not build it")
        else:
            say(f"building {program}")
            try:
                build()
                os.utime(BIN / program)
                there.add(program)
            except subprocess.CalledProcessError:
                say(f"skipping {program}: the build failed")
    return there
