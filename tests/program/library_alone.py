# SPDX-License-Identifier: Apache-2.0
"""Builds the library alone and shared, without the packages that only the program needs, and runs
an example on it.

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


def run(*command, **options):
    done = subprocess.run([str(part) for part in command], text=True, stdout=subprocess.PIPE,
                          stderr=subprocess.STDOUT, timeout=900, **options)
    if done.returncode != 0:
        sys.exit(f"{' '.join(map(str, command))}: exit {done.returncode}\n{done.stdout[-4000:]}")
    return done.stdout


def main():
    sources, kinf, cxx = (pathlib.Path(word).resolve() for word in sys.argv[1:4])
    with tempfile.TemporaryDirectory(prefix="kinf-library.") as name:
        folder = pathlib.Path(name)
        prefix = folder / "prefix"
        run("cmake", "-S", sources, "-B", folder / "build", "-DKINF_PROGRAM=OFF",
            "-DBUILD_SHARED_LIBS=ON", "-DCMAKE_BUILD_TYPE=Debug", "-DCMAKE_CXX_FLAGS_DEBUG=-O0",
            "-DCMAKE_UNITY_BUILD=ON", f"-DCMAKE_CXX_COMPILER={cxx}",
            *[f"-DCMAKE_DISABLE_FIND_PACKAGE_{package}=ON" for package in PROGRAM_ONLY])
        run("cmake", "--build", folder / "build", "--parallel")
        run("cmake", "--install", folder / "build", "--prefix", prefix)
        library = next(prefix.rglob("libkinf.so.*.*.*"))
        dynamic = run("readelf", "-d", library)
        if not re.search(r"SONAME.*\[libkinf\.so\.\d+\.\d+\]", dynamic):
            sys.exit(f"{library} has no versioned SONAME:\n{dynamic}")
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
