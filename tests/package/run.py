# SPDX-License-Identifier: Apache-2.0
"""Installs a built kinf into a folder of its own and uses it as somebody else would: by
find_package and by pkg-config. Compiles every installed header, and runs the program of this
folder against the embedded API server.

  run.py BUILD SOURCES KINF CXX [CXXFLAGS]
"""
import os
import pathlib
import re
import subprocess
import sys
import tempfile

HERE = pathlib.Path(__file__).parent
LIBRARY_ROOMS = ["base", "api", "client", "cache", "informer", "workqueue"]
# Their types are kinf's own affair: whoever links kinf need not have their headers.
HIDDEN = ["curl/", "simdjson.h", "yaml.h", "spdlog/", "httplib.h", "nlohmann/json.hpp"]


def run(*command, **options):
    done = subprocess.run([str(part) for part in command], text=True, stdout=subprocess.PIPE,
                          stderr=subprocess.STDOUT, timeout=300, **options)
    if done.returncode != 0:
        sys.exit(f"{' '.join(map(str, command))}: exit {done.returncode}\n{done.stdout}")
    return done.stdout


def must(condition, complaint):
    if not condition:
        sys.exit(complaint)


def check_headers(prefix, sources):
    """Every header is installed that another one or a user needs; returns their names."""
    include = prefix / "include"
    installed = sorted(str(file.relative_to(include)) for file in include.rglob("*.h"))
    rooms = {name.split("/")[1] for name in installed}
    must(rooms == set(LIBRARY_ROOMS), f"headers are installed of {sorted(rooms)}")
    for name in installed:
        text = (include / name).read_text()
        must(text == (sources / "src" / name).read_text(), f"{name} is not the one in src")
        for included in re.findall(r'#include [<"]([^>"]+)[>"]', text):
            if included.startswith("kinf/"):
                must(included in installed, f"{name} includes {included}, which is not installed")
            must(not any(included.startswith(hidden) for hidden in HIDDEN),
                 f"{name} includes {included}")
    return installed


def check_program(program, kinf):
    """The story of nettool as the informer of `program` tells it."""
    lines = run(kinf, "sandbox", "-q", "--scenario", "nettool", "--speed", "50", "--",
                program).splitlines()
    for line in ["ADDED default/nettool", "MODIFIED default/nettool", "DELETED default/nettool"]:
        must(line in lines, f"{program} does not say `{line}`:\n" + "\n".join(lines))
    must(re.fullmatch(r"\d+ pods are left", lines[-1]), f"{program} ends with {lines[-1]}")


def by_find_package(prefix, folder, headers, kinf, cxx, flags):
    every = folder / "every_header.cc"
    every.write_text("".join(f"#include <{name}>\n" for name in headers))
    configure = ["cmake", "-S", HERE, f"-DCMAKE_PREFIX_PATH={prefix}", f"-DCMAKE_CXX_COMPILER={cxx}",
                 f"-DCMAKE_CXX_FLAGS={flags}"]
    run(*configure, "-B", folder / "build", f"-DALL_HEADERS={every}")
    run("cmake", "--build", folder / "build")
    check_program(folder / "build" / "pods", kinf)
    later = subprocess.run([str(part) for part in [*configure, "-B", folder / "later",
                                                   "-DWANTED=99"]],
                           text=True, capture_output=True, timeout=300)
    must(later.returncode != 0 and "99" in later.stderr, "kinf passes for a version that it is not")


def by_pkg_config(prefix, folder, kinf, cxx, flags):
    where = next(prefix.rglob("kinf.pc")).parent
    environment = dict(os.environ, PKG_CONFIG_PATH=str(where))
    words = run("pkg-config", "--cflags", "--libs", "kinf", env=environment).split()
    program = folder / "pods"
    run(cxx, "-std=c++23", *flags.split(), HERE / "main.cc", "-o", program, *words)
    check_program(program, kinf)


def main():
    build, sources, kinf, cxx = (pathlib.Path(word).resolve() for word in sys.argv[1:5])
    flags = sys.argv[5] if len(sys.argv) > 5 else ""
    lines = len((HERE / "main.cc").read_text().splitlines())
    must(lines < 40, f"main.cc has {lines} lines; it is to show how few are enough")
    with tempfile.TemporaryDirectory(prefix="kinf-package.") as name:
        folder = pathlib.Path(name)
        prefix = folder / "prefix"
        run("cmake", "--install", build, "--prefix", prefix)
        headers = check_headers(prefix, sources)
        by_find_package(prefix, folder, headers, kinf, cxx, flags)
        by_pkg_config(prefix, folder, kinf, cxx, flags)
    print(f"{len(headers)} headers, find_package and pkg-config work")


if __name__ == "__main__":
    main()
