# SPDX-License-Identifier: Apache-2.0
"""Compiles all sources of kinf for macOS on aarch64 and x86_64, with Zig's clang, libc++ and the
headers of macOS that it includes. Nothing is linked or run: it finds calls and headers that only
Linux has. The headers of the libraries are those of this machine. Prints `N passed, N failed`.

  check_macos.py [--target NAME] [BUILD]

BUILD (build/check-macos) receives the headers and the objects.
"""
import argparse
import concurrent.futures
import json
import os
import pathlib
import shlex
import shutil
import subprocess
import sys

import fetch
import toolchain
from settings import ROOT, cache, source

TARGETS = ["aarch64-macos", "x86_64-macos"]
# The headers of the libraries, as they are named in #include lines.
LIBRARY_HEADERS = ["CLI", "boost", "brotli", "curl", "fmt", "jq.h", "jv.h", "nlohmann",
                   "openssl", "simdjson.h", "spdlog", "sqlite3.h", "toml++", "yaml.h", "zconf.h",
                   "zdict.h", "zlib.h", "zstd.h", "ncursesw/*"]
# After <cmath>, Zig's <float.h> for macOS lacks this number.
DEFINITIONS = ["-DFLT_RADIX=__FLT_RADIX__"]
# No -Wshadow: files that are compiled together may use the same names.
WARNINGS = ["-Wall", "-Wextra", "-Wpedantic", "-Wconversion", "-Werror"]


def say(text):
    print(f"check-macos: {text}", flush=True)


def run(*command, **options):
    subprocess.run([str(word) for word in command], check=True, stdout=sys.stderr, **options)


def compiler():
    """Fetches the compiler of ./dev release, and returns the words that run it."""
    fetch.fetch([source("zig")])
    return [str(toolchain.zig()), "c++"]


def library_headers(build):
    """Copies the headers of the libraries into one folder without those of the C library."""
    folder = build / "headers"
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir()
    multiarch = subprocess.run(["gcc", "-print-multiarch"], capture_output=True, text=True,
                               check=False).stdout.strip()
    include = pathlib.Path("/usr/include")
    for name in LIBRARY_HEADERS:
        found = [path for base in (include, include / multiarch) for path in base.glob(name)]
        if not found:
            say(f"no header {name}: install what ./dev test needs")
        for path in found:
            if name == "boost":  # a link, because it has 14,000 files
                (folder / name).symlink_to(path)
            elif path.is_dir():
                shutil.copytree(path, folder / path.name, dirs_exist_ok=True)
            else:
                shutil.copy(path, folder)
    return folder


def sources(build):
    """Configures kinf in one unit per folder, and returns its units with their -D and -I."""
    configured = build / "configured"
    run("cmake", "-S", ROOT, "-B", configured, "-DKINF_TESTS=OFF", "-DCMAKE_UNITY_BUILD=ON",
        "-DCMAKE_BUILD_TYPE=Debug")
    run("cmake", "--build", configured, "--target", "kinf_places")
    units = []
    for entry in json.loads((configured / "compile_commands.json").read_text(encoding="utf-8")):
        if "verify_interface_header_sets" in entry["file"]:
            continue
        words = shlex.split(entry["command"])
        flags = [word for word in words if word.startswith("-D") and "GLIBCXX" not in word]
        flags += [word for word in words if word.startswith(f"-I{ROOT}")]
        units.append((pathlib.Path(entry["file"]), flags))
    return units


def compile_unit(zig, target, unit, flags, headers, build):
    """Returns the messages of the compiler, or None if the unit compiles."""
    objects = build / "objects"
    objects.mkdir(exist_ok=True)
    output = objects / f"{target}-{unit.parent.parent.name}-{unit.stem}.o"
    kept = str(cache() / "zig-objects")
    environment = dict(os.environ, ZIG_GLOBAL_CACHE_DIR=kept, ZIG_LOCAL_CACHE_DIR=kept)
    done = subprocess.run(
        [*zig, "-target", target, "-std=c++23", "-O0", "-g0", *DEFINITIONS, *WARNINGS, *flags, "-isystem",
         str(headers), "-c", str(unit), "-o", str(output)],
        capture_output=True, text=True, check=False, env=environment)
    return None if done.returncode == 0 else done.stderr


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--target", action="append", choices=TARGETS)
    parser.add_argument("build", nargs="?", default=ROOT / "build" / "check-macos",
                        type=pathlib.Path)
    arguments = parser.parse_args()
    build = arguments.build.resolve()
    build.mkdir(parents=True, exist_ok=True)
    zig = compiler()
    headers = library_headers(build)
    units = sources(build)
    passed = failed = 0
    for target in arguments.target or TARGETS:
        with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
            results = pool.map(
                lambda unit, target=target: (unit[0], compile_unit(zig, target, *unit, headers,
                                                                   build)), units)
            for unit, problem in results:
                if problem is None:
                    passed += 1
                else:
                    failed += 1
                    say(f"{target}: {unit.name} does not compile\n{problem}")
    print(f"{passed} passed, {failed} failed")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
