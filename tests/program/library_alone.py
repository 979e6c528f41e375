# SPDX-License-Identifier: Apache-2.0
"""Builds the library alone and shared by the command of doc/library.md, without the packages that only
the program needs and with one translation unit per file, and runs an example on it.

  library_alone.py SOURCES KINF CXX
"""
import os
import pathlib
import re
import subprocess
import sys
import tempfile

# These must not be looked for.
PROGRAM_ONLY = ["Boost", "CLI11", "OpenSSL", "httplib", "doctest"]
MOST_SYMBOLS = 1000
COMMAND = "cmake -B build -DKINF_PROGRAM=OFF"


def run(*command, **options):
    done = subprocess.run([str(part) for part in command], text=True, stdout=subprocess.PIPE,
                          stderr=subprocess.STDOUT, timeout=900, **options)
    if done.returncode != 0:
        sys.exit(f"{' '.join(map(str, command))}: exit {done.returncode}\n{done.stdout[-4000:]}")
    return done.stdout


def check_symbols(library, prefix):
    """The library exports only names that its installed headers declare."""
    words = set(re.findall(r"\w+", "".join(header.read_text() for header in prefix.rglob("*.h"))))
    lines = run("nm", "-DC", "--defined-only", library).splitlines()
    symbols = [line.split(" ", 2)[2] for line in lines]
    wrong = []
    for symbol in symbols:
        found = re.search(r"(?:^|\s|\*|&)kinf::(?:log::|testing::)?~?(\w+)", symbol)
        if not found or found[1] not in words:
            wrong.append(symbol)
    if wrong or not 200 < len(symbols) < MOST_SYMBOLS:
        sys.exit(f"{library} exports {len(symbols)} symbols, and {len(wrong)} that no header "
                 "declares:\n" + "\n".join(wrong[:20]))


def main():
    sources, kinf, cxx = (pathlib.Path(word).resolve() for word in sys.argv[1:4])
    with tempfile.TemporaryDirectory(prefix="kinf-library.") as name:
        folder = pathlib.Path(name)
        prefix = folder / "prefix"
        if f"`{COMMAND}`" not in (sources / "doc" / "library.md").read_text():
            sys.exit(f"doc/library.md does not say: {COMMAND}")
        # The page shows no unity build: each file must include what it uses.
        run(*COMMAND.replace(" build", f" {folder / 'build'}").split(), "-S", sources,
            "-DBUILD_SHARED_LIBS=ON", "-DCMAKE_BUILD_TYPE=Debug", "-DCMAKE_CXX_FLAGS_DEBUG=-O0",
            f"-DCMAKE_CXX_COMPILER={cxx}",
            *[f"-DCMAKE_DISABLE_FIND_PACKAGE_{package}=ON" for package in PROGRAM_ONLY])
        run("cmake", "--build", folder / "build", "--parallel", os.cpu_count())
        run("cmake", "--install", folder / "build", "--prefix", prefix)
        library = next(prefix.rglob("libkinf.so.*.*.*"))
        dynamic = run("readelf", "-d", library)
        if not re.search(r"SONAME.*\[libkinf\.so\.\d+\.\d+\]", dynamic):
            sys.exit(f"{library} has no versioned SONAME:\n{dynamic}")
        check_symbols(library, prefix)
        if (prefix / "bin").exists():
            sys.exit("a build of the library alone installs a program")
        where = next(prefix.rglob("kinf.pc")).parent
        words = run("pkg-config", "--cflags", "--libs", "kinf",
                    env=dict(os.environ, PKG_CONFIG_PATH=str(where))).split()
        if "-lcurl" in words:
            sys.exit(f"users of the shared library need not link its dependencies: {words}")
        run(cxx, "-std=c++23", sources / "examples" / "informer.cc", "-o", folder / "informer",
            *words)
        lines = run(kinf, "sandbox", "-q", "--scenario", "nettool", "--speed", "50", "--",
                    folder / "informer",
                    env=dict(os.environ, LD_LIBRARY_PATH=str(library.parent))).splitlines()
        if "deleted; 4 pods are left" not in lines:
            sys.exit("the example does not work on the shared library:\n" + "\n".join(lines))
    print("the library builds alone, shared")


if __name__ == "__main__":
    main()
