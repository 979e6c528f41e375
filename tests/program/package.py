# SPDX-License-Identifier: Apache-2.0
"""Installs a built kinf into its own folder and uses it as another project would: with
find_package and with pkg-config. Compiles every installed header and the programs in examples/,
and runs these against the embedded API server.

  package.py BUILD SOURCES KINF CXX [CXXFLAGS]
"""
import concurrent.futures
import os
import pathlib
import re
import subprocess
import sys
import tempfile

LIBRARY_ROOMS = ["base", "api", "client", "cache", "informer", "query", "testing", "workqueue"]
# A user of kinf does not need the headers of these.
HIDDEN = ["curl/", "simdjson.h", "yaml.h", "spdlog/", "httplib.h", "boost/", "nlohmann/json.hpp"]


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
    """The installed headers are those that kinf/kinf.h and kinf/testing.h include, and a shared library
    exports what they declare; returns their names."""
    include = prefix / "include"
    installed = sorted(str(file.relative_to(include)) for file in include.rglob("*.h"))
    rooms = {name.split("/")[1] for name in installed if name.count("/") == 2}
    must(rooms == set(LIBRARY_ROOMS), f"headers are installed of {sorted(rooms)}")
    reachable = pulled_in(include, "kinf/kinf.h") | pulled_in(include, "kinf/testing.h")
    must(set(installed) == reachable,
         f"not reachable from kinf/kinf.h: {sorted(set(installed) - reachable)}")
    for name in installed:
        must("\nnamespace kinf {" not in (include / name).read_text(),
             f"{name}: its namespace needs [[gnu::visibility(\"default\")]]")
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


# The lines that each example prints in the scenario nettool, among others.
EXAMPLES = {
    "informer": ["added default/nettool", "updated default/nettool", "deleted; 4 pods are left"],
    "factory": ["4 pods, 1 nodes", "shared: yes"],
    "index": ["node-1:", "  default/wiremock-84d49c989c-zg4ls"],
    "custom_resource": ["lamps.example.com: v1"],
    "custom_source": ["lamp-0 is off", "lamp-2 is on"],
    "testing": ["passed: a failed pod is counted",
                "passed: what was deleted in an outage is noticed after it"],
    "resync": ["every second: node-1", "every two seconds: node-1"],
    "work_queue": ["default/wiremock-84d49c989c-zg4ls: attempt 1",
                   "default/wiremock-84d49c989c-zg4ls: attempt 3"],
}
STRICT = ["-std=c++23", "-Wall", "-Wextra", "-Wconversion", "-Werror"]
LAMPS = """{"apiVersion":"apiextensions.k8s.io/v1","kind":"CustomResourceDefinition",
 "metadata":{"name":"lamps.example.com"},
 "spec":{"group":"example.com","scope":"Namespaced","names":{"plural":"lamps","kind":"Lamp"},
  "versions":[{"name":"v1","served":true,"storage":true,
               "schema":{"openAPIV3Schema":{"type":"object"}}}]}}"""


def check_example(program, kinf, folder):
    """The example prints what it should, and an error if there is no cluster."""
    (folder / "lamps.json").write_text(LAMPS)
    moves = program.name == "informer"
    scenario = ["--scenario", "nettool", "--speed", "50"] if moves else ["--scenario", "nettool"]
    if not moves:
        scenario += ["--load", folder / "lamps.json", "--speed", "0.01"]
    lines = run(kinf, "sandbox", "-q", *scenario, "--", program).splitlines()
    for line in EXAMPLES[program.name]:
        must(line in lines, f"{program} does not print `{line}`:\n" + "\n".join(lines))
    if program.name in ("custom_source", "testing"):  # these need no cluster
        return
    environment = {"PATH": os.environ["PATH"], "HOME": str(folder / "nobody")}
    alone = subprocess.run([str(program)], env=environment, text=True, capture_output=True,
                           timeout=60)
    must(alone.returncode == 1 and alone.stderr.startswith("error: "),
         f"without a cluster {program} exits with {alone.returncode}: {alone.stderr}")


def check_warnings(prefix, sources, cxx):
    """The examples compile without warnings."""
    for source in sorted((sources / "examples").glob("*.cc")):
        run(cxx, *STRICT, "-fsyntax-only", f"-I{prefix / 'include'}", source)


DROPPED = """#include <kinf/base/or_exit.h>
#include <kinf/informer/shared_informer.h>
void f(kinf::SharedInformer& informer, kinf::EventHandler& handler) {
  %s;
}
"""


def errors_of(prefix, source, cxx, standard):
    """What the compiler says about a source that it must refuse."""
    done = subprocess.run([str(cxx), f"-std={standard}", "-fsyntax-only", "-Werror=unused-result",
                           f"-I{prefix / 'include'}", str(source)],
                          text=True, capture_output=True, timeout=300)
    must(done.returncode != 0, f"{source} compiles with {standard}:\n{source.read_text()}")
    return done.stderr


def check_refusals(prefix, folder, cxx):
    """The compiler warns when a registration is dropped at once, which removes its handler, and says
    what an older standard lacks."""
    source = folder / "dropped.cc"
    for dropped in ("informer.add_event_handler(handler).value()",
                    "kinf::or_exit(informer.add_event_handler(handler))"):
        source.write_text(DROPPED % dropped)
        must("nodiscard" in errors_of(prefix, source, cxx, "c++23"), f"no warning for {dropped}")
    source.write_text("#include <kinf/kinf.h>\n")
    must("kinf needs C++23" in errors_of(prefix, source, cxx, "c++20"), "C++20 has no clear error")


# A separate project that uses an installed kinf. ALL_HEADERS is a file that includes every header.
USER_PROJECT = """cmake_minimum_required(VERSION 3.25)
project(kinf_user LANGUAGES CXX)

set(WANTED 0.1 CACHE STRING "The required version of kinf")
find_package(kinf ${WANTED} REQUIRED)

add_executable(every_header ${ALL_HEADERS})
target_link_libraries(every_header PRIVATE kinf::kinf)
"""


def by_find_package(prefix, folder, sources, headers, kinf, cxx, flags):
    every = folder / "every_header.cc"
    every.write_text("".join(f"#include <{name}>\n" for name in headers) + "int main() {}\n")
    user = folder / "user"
    user.mkdir()
    (user / "CMakeLists.txt").write_text(USER_PROJECT)
    common = [f"-DCMAKE_PREFIX_PATH={prefix}", f"-DCMAKE_CXX_COMPILER={cxx}",
              f"-DCMAKE_CXX_FLAGS={flags}"]
    configure = ["cmake", "-S", user, *common]
    run(*configure, "-B", folder / "every", f"-DALL_HEADERS={every}")
    run("cmake", "--build", folder / "every")
    run("cmake", "-S", sources / "examples", *common, "-B", folder / "examples")
    run("cmake", "--build", folder / "examples", "--parallel")
    with concurrent.futures.ThreadPoolExecutor() as pool:
        for name in EXAMPLES:
            own = folder / f"run-{name}"
            own.mkdir()
        list(pool.map(lambda name: check_example(folder / "examples" / name, kinf,
                                                 folder / f"run-{name}"), EXAMPLES))
    later = subprocess.run([str(part) for part in [*configure, "-B", folder / "later",
                                                   f"-DALL_HEADERS={every}", "-DWANTED=99"]],
                           text=True, capture_output=True, timeout=300)
    must(later.returncode != 0 and "99" in later.stderr,
         "find_package accepts a version that kinf is not")
    check_missing_dependency(prefix, folder, cxx)


def check_document(prefix, folder, sources, cxx):
    """The C++ blocks of the pages about the library compile, one after the other in one function. The
    pages and the examples are installed."""
    for page, least in [("library.md", 5), ("testing.md", 3)]:
        text = (sources / "doc" / page).read_text()
        blocks = re.findall(r"^```cpp\n(.*?)^```$", text, re.M | re.S)
        must(len(blocks) > least, f"doc/{page} has few blocks of C++")
        source = folder / f"{page}.cc"
        source.write_text("#include <kinf/kinf.h>\n#include <kinf/testing.h>\n#include <csignal>\n"
                          "#include <cstdio>\n#include <thread>\n"
                          f"int main() {{\n{''.join(blocks)}}}\n")
        run(cxx, *STRICT, "-Wno-unused-variable", "-fsyntax-only", f"-I{prefix / 'include'}", source)
        must((prefix / "share/doc/kinf" / page).read_text() == text, f"{page} is not installed")
    for example in (sources / "examples").iterdir():
        must((prefix / "share/doc/kinf/examples" / example.name).exists(),
             f"{example.name} is not installed")


def check_missing_dependency(prefix, folder, cxx):
    """find_package(kinf QUIET) without libyaml finds nothing and prints nothing."""
    project = folder / "optional"
    project.mkdir()
    (project / "CMakeLists.txt").write_text(
        "cmake_minimum_required(VERSION 3.25)\nproject(optional LANGUAGES CXX)\n"
        "find_package(kinf QUIET)\nif(NOT kinf_FOUND)\n  message(STATUS \"no kinf\")\nendif()\n")
    nothing = dict(os.environ, PKG_CONFIG_LIBDIR=str(folder), PKG_CONFIG_PATH=str(folder))
    done = subprocess.run(["cmake", "-S", str(project), "-B", str(project / "build"),
                           f"-DCMAKE_PREFIX_PATH={prefix}", f"-DCMAKE_CXX_COMPILER={cxx}"],
                          env=nothing, text=True, capture_output=True, timeout=300)
    must(done.returncode == 0 and "no kinf" in done.stdout and done.stderr == "",
         f"find_package(kinf QUIET) without libyaml: {done.stdout}{done.stderr}")


def by_pkg_config(prefix, folder, sources, kinf, cxx, flags):
    where = next(prefix.rglob("kinf.pc")).parent
    environment = dict(os.environ, PKG_CONFIG_PATH=str(where))
    words = run("pkg-config", "--cflags", "--libs", "kinf", env=environment).split()
    program = folder / "informer"
    run(cxx, "-std=c++23", *flags.split(), sources / "examples" / "informer.cc", "-o", program,
        *words)
    check_example(program, kinf, folder)


def check_shell(prefix):
    """The completions are those that `kinf completion` prints, and kubectl finds the plugin."""
    share = prefix / "share"
    for shell, file in [("bash", "bash-completion/completions/kinf"),
                        ("zsh", "zsh/site-functions/_kinf"),
                        ("fish", "fish/vendor_completions.d/kinf.fish")]:
        must(run(prefix / "bin/kinf", "completion", shell) == (share / file).read_text(),
             f"{file} is not what kinf completion {shell} prints")
    environment = {**os.environ, "PATH": f"{prefix}/bin:{os.environ['PATH']}"}
    must(run("kubectl-kinf", "version", env=environment).startswith("kinf "),
         "kubectl-kinf is not kinf")
    must(run("kubectl_complete-kinf", "watc", env=environment).startswith("watch\t"),
         "kubectl_complete-kinf does not complete")


def check_pages(prefix, sources):
    """Every man page is where man looks for it."""
    pages = {page.name for page in (sources / "man").iterdir()}
    found = {page.name for page in prefix.glob("share/man/man[17]/kinf*")}
    must(len(pages) > 10 and found == pages, f"not installed: {sorted(pages ^ found)}")


def main():
    build, sources, kinf, cxx = (pathlib.Path(word).resolve() for word in sys.argv[1:5])
    flags = sys.argv[5] if len(sys.argv) > 5 else ""
    lines = len((sources / "examples" / "informer.cc").read_text().splitlines())
    must(lines <= 25, f"informer.cc has {lines} lines; it should show how few are enough")
    with tempfile.TemporaryDirectory(prefix="kinf-package.") as name:
        folder = pathlib.Path(name)
        prefix = folder / "prefix"
        run("cmake", "--install", build, "--prefix", prefix)
        headers = check_headers(prefix, sources)
        check_version(prefix, sources)
        check_shell(prefix)
        check_pages(prefix, sources)
        check_refusals(prefix, folder, cxx)
        check_warnings(prefix, sources, cxx)
        check_document(prefix, folder, sources, cxx)
        by_find_package(prefix, folder, sources, headers, kinf, cxx, flags)
        by_pkg_config(prefix, folder, sources, kinf, cxx, flags)
    print(f"{len(headers)} headers, find_package and pkg-config work")


if __name__ == "__main__":
    main()
