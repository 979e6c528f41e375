# SPDX-License-Identifier: Apache-2.0
"""Installs a built kinf into its own folder and uses it as another project would: with
find_package and with pkg-config. Compiles every installed header, and runs the program of this
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
# A user of kinf does not need the headers of these.
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


def pulled_in(include, header):
    """The kinf headers that `header` includes, directly or not, with itself."""
    found, todo = set(), [header]
    while todo:
        name = todo.pop()
        if name in found:
            continue
        found.add(name)
        must((include / name).exists(), f"{name} is included, but not installed")
        for included in re.findall(r'#include [<"]([^>"]+)[>"]', (include / name).read_text()):
            must(not any(included.startswith(hidden) for hidden in HIDDEN),
                 f"{name} includes {included}")
            if included.startswith("kinf/"):
                todo.append(included)
    return found


def check_headers(prefix, sources):
    """The installed headers are those that kinf/kinf.h includes; returns their names."""
    include = prefix / "include"
    installed = sorted(str(file.relative_to(include)) for file in include.rglob("*.h"))
    rooms = {name.split("/")[1] for name in installed if name.count("/") == 2}
    must(rooms == set(LIBRARY_ROOMS), f"headers are installed of {sorted(rooms)}")
    reachable = pulled_in(include, "kinf/kinf.h")
    must(set(installed) == reachable,
         f"not reachable from kinf/kinf.h: {sorted(set(installed) - reachable)}")
    for name in installed:
        if name != "kinf/version.h":  # generated
            must((include / name).read_text() == (sources / "src" / name).read_text(),
                 f"{name} is not the one in src")
    front_door = pulled_in(include, "kinf/informer/shared_informer.h")
    must(len(front_door) <= 15, f"shared_informer.h includes {len(front_door)} headers of kinf")
    return installed


def check_version(prefix, sources):
    """kinf/version.h and kinf.pc have the version of project() in CMakeLists.txt."""
    project = re.search(r"project\(kinf VERSION ([\d.]+)", (sources / "CMakeLists.txt").read_text())
    macros = dict(re.findall(r"#define KINF_VERSION_(\w+) (.+)",
                             (prefix / "include/kinf/version.h").read_text()))
    must(macros["STRING"] == f'"{project[1]}"', f"version.h says {macros['STRING']}")
    must(".".join(macros[part] for part in ("MAJOR", "MINOR", "PATCH")) == project[1],
         f"version.h says {macros}")
    pc = next(prefix.rglob("kinf.pc")).read_text()
    must(f"Version: {project[1]}\n" in pc, f"kinf.pc does not have version {project[1]}")


def check_program(program, kinf):
    """The informer of `program` prints the scenario nettool."""
    lines = run(kinf, "sandbox", "-q", "--scenario", "nettool", "--speed", "50", "--",
                program).splitlines()
    for line in ["ADDED default/nettool", "MODIFIED default/nettool", "DELETED default/nettool"]:
        must(line in lines, f"{program} does not say `{line}`:\n" + "\n".join(lines))
    must(re.fullmatch(r"\d+ pods are left", lines[-1]), f"{program} ends with {lines[-1]}")
    environment = {"PATH": os.environ["PATH"], "HOME": "/nonexistent"}
    alone = subprocess.run([str(program)], env=environment, text=True, capture_output=True,
                           timeout=60)
    must(alone.returncode == 1 and alone.stderr.startswith("error: "),
         f"without a cluster {program} exits with {alone.returncode}: {alone.stderr}")


DROPPED = """#include <kinf/informer/shared_informer.h>
void f(kinf::SharedInformer& informer, kinf::EventHandler& handler) {
  informer.add_event_handler(handler).value();
}
"""


def check_dropped_registration(prefix, folder, cxx):
    """The compiler warns when a registration is dropped at once, which removes its handler."""
    source = folder / "dropped.cc"
    source.write_text(DROPPED)
    done = subprocess.run([str(cxx), "-std=c++23", "-fsyntax-only", "-Werror=unused-result",
                           f"-I{prefix / 'include'}", str(source)],
                          text=True, capture_output=True, timeout=300)
    must(done.returncode != 0 and "nodiscard" in done.stderr,
         f"a dropped registration is not a warning: {done.stderr}")


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
    must(later.returncode != 0 and "99" in later.stderr, "find_package accepts a version that kinf is not")


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
    must(lines < 50, f"main.cc has {lines} lines; it should show how few are enough")
    with tempfile.TemporaryDirectory(prefix="kinf-package.") as name:
        folder = pathlib.Path(name)
        prefix = folder / "prefix"
        run("cmake", "--install", build, "--prefix", prefix)
        headers = check_headers(prefix, sources)
        check_version(prefix, sources)
        check_dropped_registration(prefix, folder, cxx)
        by_find_package(prefix, folder, headers, kinf, cxx, flags)
        by_pkg_config(prefix, folder, kinf, cxx, flags)
    print(f"{len(headers)} headers, find_package and pkg-config work")


if __name__ == "__main__":
    main()
