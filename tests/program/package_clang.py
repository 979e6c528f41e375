# SPDX-License-Identifier: Apache-2.0
"""Compiles the programs in examples/ and the code of doc/library.md with clang, without warnings,
against an installed kinf. Exits with 77 if there is no clang.

  package_clang.py BUILD SOURCES
"""
import pathlib
import shutil
import sys
import tempfile

import package


def main():
    build, sources = (pathlib.Path(word).resolve() for word in sys.argv[1:3])
    compiler = shutil.which("clang++-19") or shutil.which("clang++")
    if not compiler:
        print("skipped: neither clang++-19 nor clang++ is installed")
        sys.exit(77)
    with tempfile.TemporaryDirectory(prefix="kinf-clang.") as name:
        folder = pathlib.Path(name)
        prefix = folder / "prefix"
        package.run("cmake", "--install", build, "--prefix", prefix)
        package.check_warnings(prefix, sources, compiler)
        package.check_document(prefix, folder, sources, compiler)
    print(f"the examples compile with {compiler}")


if __name__ == "__main__":
    main()
