#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Plants the bugs of mutants/*.patch in a copy of the sources, one after the other, and reports how
many seeds the simulation needs to find each. `--check` only checks that each patch applies.

usage: mutants.py ROOT WORK [--seeds N] [--jobs N] [NAME...] | mutants.py --check ROOT
"""
import argparse
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile

LONGEST_RUN = 900  # seconds; 10,000 seeds take one minute
CLEAN_SEEDS = 100  # pass without a planted bug


def copy_tree(root, to):
    """Copies the files that git knows or would add. Writes only what differs, so that a build of the
    last run builds that again, and no more."""
    listed = subprocess.run(["git", "-C", root, "ls-files", "-co", "--exclude-standard", "-z"],
                            check=True, capture_output=True, text=True).stdout
    names = {name for name in listed.split("\0") if pathlib.Path(root, name).is_file()}
    for old in [path for path in to.rglob("*") if path.is_file()]:
        if str(old.relative_to(to)) not in names:
            old.unlink()
    for name in names:
        source, target = pathlib.Path(root, name), to / name
        if not target.is_file() or target.read_bytes() != source.read_bytes():
            target.parent.mkdir(parents=True, exist_ok=True)
            shutil.copy(source, target)


def apply(patch, tree, *flags):
    return subprocess.run(["patch", "-d", tree, "-p1", "-s", "-f", "--fuzz=0", *flags, "-i", patch],
                          capture_output=True, text=True)


def check(root, patches):
    """Applies each patch to copies of the files that it names."""
    failed = 0
    for patch in patches:
        with tempfile.TemporaryDirectory() as folder:
            for name in re.findall(r"^\+\+\+ b/(\S+)", patch.read_text(), re.M):
                copy = pathlib.Path(folder, name)
                copy.parent.mkdir(parents=True, exist_ok=True)
                copy.write_bytes(pathlib.Path(root, name).read_bytes())
            result = apply(patch.resolve(), folder)
        if result.returncode:
            failed += 1
            print(f"{patch.name} does not apply:\n{result.stdout}{result.stderr}")
    print(f"{len(patches) - failed} of {len(patches)} patches apply")
    return 1 if failed else 0


def build(tree, folder, jobs):
    if not (folder / "build.ninja").exists():
        launcher = ["-DCMAKE_CXX_COMPILER_LAUNCHER=ccache"] if shutil.which("ccache") else []
        subprocess.run(["cmake", "-S", tree, "-B", folder, "-G", "Ninja", *launcher,
                        "-DCMAKE_BUILD_TYPE=Release", "-DCMAKE_UNITY_BUILD=ON"], check=True,
                       stdout=subprocess.DEVNULL)
    built = subprocess.run(["ninja", "-C", folder, "-j", str(jobs), "kinf_sim"],
                           capture_output=True, text=True)
    return "" if built.returncode == 0 else built.stdout[-3000:]


def find(program, seeds, jobs):
    """Returns the first seed that fails, and what it says; (None, "") if none fails."""
    try:
        run = subprocess.run([program, "--seeds", str(seeds), "--jobs", str(jobs),
                              "--until-failure", "--no-shrink"], capture_output=True, text=True,
                             timeout=LONGEST_RUN)
    except subprocess.TimeoutExpired:
        return 0, "the simulation hangs"
    found = sorted((int(seed), text) for seed, text in
                   re.findall(r"^seed (\d+): (.*)$", run.stdout, re.M))
    if found:
        return found[0]
    return (None, "") if run.returncode == 0 else (0, f"the simulation ended with {run.returncode}")


def hunt(patches, tree, folder, seeds, jobs):
    program = folder / "tests/sim/kinf_sim"
    broken = build(tree, folder, jobs)
    seed, text = (None, "") if broken else find(program, CLEAN_SEEDS, jobs)
    if broken or seed is not None:
        sys.exit(f"without a planted bug: {broken or text}")
    missed = 0
    for patch in patches:
        applied = apply(patch.resolve(), tree)
        if applied.returncode:
            sys.exit(f"{patch.name} does not apply:\n{applied.stdout}")
        broken = build(tree, folder, jobs)
        seed, text = (None, "") if broken else find(program, seeds, jobs)
        apply(patch.resolve(), tree, "-R")
        missed += seed is None
        result = "does not build" if broken else "not found" if seed is None else f"seed {seed}"
        print(f"{patch.stem:<34} {result:<14} {broken or text}", flush=True)
    print(f"{len(patches) - missed} of {len(patches)} planted bugs found")
    return 1 if missed else 0


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--check", action="store_true")
    parser.add_argument("--seeds", type=int, default=10000)
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("root")
    parser.add_argument("work", nargs="?", default="build/mutants")
    parser.add_argument("names", nargs="*")
    args = parser.parse_args()
    folder = pathlib.Path(__file__).parent / "mutants"
    patches = [p for p in sorted(folder.glob("*.patch")) if not args.names or p.stem in args.names]
    if args.check:
        return check(args.root, patches)
    work = pathlib.Path(args.work).resolve()
    copy_tree(args.root, work / "tree")
    return hunt(patches, work / "tree", work / "build", args.seeds, args.jobs)


if __name__ == "__main__":
    sys.exit(main())
