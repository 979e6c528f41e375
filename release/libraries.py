# SPDX-License-Identifier: Apache-2.0
"""Builds the libraries that kinf links: small ones file by file, and OpenSSL, curl and ncurses with
their own build systems. One ninja file runs it all."""
import os
import shutil

import fetch
import toolchain
from settings import HERE, SOURCES, TARGETS, cache, recipe, run, say, version_of

FLAGS = "-O2 -g0 -DNDEBUG -ffunction-sections -fdata-sections -fstack-protector-strong"
# No exception passes through C, so it needs no tables to unwind the stack.
C_FLAGS = f"{FLAGS} -fno-asynchronous-unwind-tables -fno-unwind-tables"
# The assertions of libc++, as in cmake/hardening.cmake.
CXX_FLAGS = (f"{FLAGS} -U_LIBCPP_HARDENING_MODE -D_LIBCPP_HARDENING_MODE=_LIBCPP_HARDENING_MODE_FAST "
             "-U_LIBCPP_ASSERTION_SEMANTIC_DEFAULT "
             "-D_LIBCPP_ASSERTION_SEMANTIC_DEFAULT=_LIBCPP_ASSERTION_SEMANTIC_HARDENING_DEPENDENT")
# For large libraries in which kinf spends no time, or whose inner loops are in assembly.
SMALL = "-Os"
JQ = ("builtin bytecode compile execute jq_test jv jv_alloc jv_aux jv_dtoa jv_file jv_parse "
      "jv_print jv_unicode linker locfile util jv_dtoa_tsd parser lexer").split()
ONIGURUMA_UNUSED = {"mktable.c", "regposix.c", "regposerr.c", "cp1251.c", "koi8.c",
                    "unicode_egcb_data.c", "unicode_wb_data.c", "unicode_property_data.c",
                    "unicode_property_data_posix.c", "unicode_fold_data.c"}
SQLITE = ("-DSQLITE_THREADSAFE=1 -DSQLITE_OMIT_LOAD_EXTENSION -DSQLITE_DQS=0 -DHAVE_USLEEP=1 "
          "-DSQLITE_DEFAULT_MEMSTATUS=0 -DSQLITE_OMIT_DEPRECATED -DSQLITE_USE_URI "
          "-DHAVE_LOCALTIME_R")
HTTPLIB = "-DCPPHTTPLIB_USE_POLL -DCPPHTTPLIB_OPENSSL_SUPPORT -DCPPHTTPLIB_ZLIB_SUPPORT"
# What find_package gives: its name, the pinned name, target, archives, what these need.
PACKAGES = [
    ("CURL", "curl", "CURL::libcurl", "curl nghttp2", "OpenSSL::SSL ZLIB::ZLIB"),
    ("simdjson", "simdjson", "simdjson::simdjson", "simdjson", ""),
    ("fmt", "fmt", "fmt::fmt", "fmt", ""),
    ("spdlog", "spdlog", "spdlog::spdlog_header_only", "", "fmt::fmt"),
    ("nlohmann_json", "nlohmann-json", "nlohmann_json::nlohmann_json", "", ""),
    ("CLI11", "cli11", "CLI11::CLI11", "", ""),
    ("Boost", "boost", "Boost::headers", "", ""),
    ("doctest", "doctest", "doctest::doctest", "", ""),
]
DEFINITIONS = {"spdlog": "SPDLOG_FMT_EXTERNAL"}
# What pkg-config gives: its name, the pinned name, archive, flags.
PKG_CONFIG = [
    ("yaml-0.1", "libyaml", "yaml", ""),
    ("cpp-httplib", "cpp-httplib", "cpp-httplib", HTTPLIB),
    ("sqlite3", "sqlite", "sqlite3", ""),
    ("libzstd", "zstd", "zstd", ""),
]
PACKAGE = """{needed}if(NOT TARGET {target})
  add_library({target} INTERFACE IMPORTED)
  set_target_properties({target} PROPERTIES
    INTERFACE_INCLUDE_DIRECTORIES {prefix}/include
    INTERFACE_COMPILE_DEFINITIONS "{definitions}"
    INTERFACE_LINK_LIBRARIES "{links}")
endif()
set({name}_FOUND TRUE)
set({name}_VERSION {version})
"""
RULES = """ninja_required_version = 1.10
rule cc
  command = $bin/kinf-cc {c_flags} $more -MD -MF $out.d -c $in -o $out
  depfile = $out.d
  deps = gcc
rule cxx
  command = $bin/kinf-c++ {cxx_flags} -w -std=c++20 $more -MD -MF $out.d -c $in -o $out
  depfile = $out.d
  deps = gcc
rule ar
  command = rm -f $out && $bin/kinf-ar rcsD $out $in
rule step
  command = ($run) > $out.log 2>&1 || {{ tail -n 40 $out.log; false; }} && touch $out
"""


class Libraries:
    """The ninja file of the libraries of one architecture."""

    def __init__(self, arch):
        self.arch = arch
        self.folder = cache() / recipe() / arch
        self.sources = cache() / recipe() / "sources"
        self.prefix = self.folder / "prefix"
        self.lines = [RULES.format(cxx_flags=CXX_FLAGS, c_flags=C_FLAGS)]

    def archive(self, name, files, flags="", after=""):
        """Compiles `files` into lib`name`.a. `after` must be built before them."""
        objects = []
        for file in sorted(files):
            relative = file.relative_to(self.sources)
            made = f"objects/{relative}.o"
            rule = "cc" if file.suffix == ".c" else "cxx"
            self.lines.append(f"build {made}: {rule} {file}{' || ' + after if after else ''}\n"
                              f"  more = {flags}")
            objects.append(made)
        self.lines.append(f"build prefix/lib/lib{name}.a: ar {' '.join(objects)}")

    def step(self, name, command, after=""):
        self.lines.append(f"build {name}.done: step {' '.join(['|', after]) if after else ''}\n"
                          f"  run = {command}")

    def headers(self, *paths):
        for path in paths:
            target = self.prefix / "include" / path.name
            if path.is_dir():
                shutil.copytree(path, target, dirs_exist_ok=True)
            else:
                target.parent.mkdir(parents=True, exist_ok=True)
                shutil.copy2(path, target)

    def small_c(self):
        """zlib, zstd and SQLite."""
        zlib = self.sources / "zlib/src/zlib"
        self.archive("z", zlib.glob("*.c"), "-DHAVE_UNISTD_H -D_LARGEFILE64_SOURCE=1")
        self.headers(zlib / "zlib.h", zlib / "zconf.h")
        zstd = self.sources / "zstd/zstd/lib"
        files = [file for part in ("common", "compress", "decompress", "dictBuilder")
                 for file in (zstd / part).glob("*.c")]
        self.archive("zstd", files, "-DZSTD_DISABLE_ASM -DXXH_NAMESPACE=ZSTD_")
        self.headers(zstd / "zstd.h", zstd / "zstd_errors.h", zstd / "zdict.h")
        sqlite = self.sources / "sqlite/sqlite3"
        self.archive("sqlite3", [sqlite / "sqlite3.c"], SQLITE)
        self.headers(sqlite / "sqlite3.h")

    def yaml(self):
        folder = self.sources / "libyaml"
        version = version_of("libyaml")
        parts = " ".join(f"-DYAML_VERSION_{part}={number}" for part, number
                         in zip(("MAJOR", "MINOR", "PATCH"), version.split(".")))
        self.archive("yaml", (folder / "src").glob("*.c"),
                     f"-I{folder}/include -DYAML_DECLARE_STATIC {parts} "
                     f"-DYAML_VERSION_STRING='\"{version}\"'")
        self.headers(folder / "include/yaml.h")

    def nghttp2(self):
        folder = self.sources / "nghttp2/nghttp2/lib"
        self.archive("nghttp2", folder.glob("*.c"),
                     f"-I{self.prefix}/include -I{folder}/includes -DNGHTTP2_STATICLIB "
                     "-DHAVE_NETINET_IN -DHAVE_TIME_H -DHAVE_ARPA_INET_H -DHAVE_CLOCK_GETTIME")
        self.headers(folder / "includes/nghttp2")
        version = version_of("nghttp2")
        number = "0x" + "".join(f"{int(part):02x}" for part in version.split("."))
        text = (folder / "includes/nghttp2/nghttp2ver.h.in").read_text(encoding="utf-8")
        text = text.replace("@PACKAGE_VERSION@", version).replace("@PACKAGE_VERSION_NUM@", number)
        toolchain.write(self.prefix / "include/nghttp2/nghttp2ver.h", text)

    def jq(self):
        """jq and the regular expressions that it uses. Without decNumber, numbers are doubles, as in
        kinf's own reader of documents and in jq 1.6."""
        onig = self.sources / "oniguruma/oniguruma/src"
        config = "".join(f"#define {name}\n" for name in (
            "HAVE_UNISTD_H 1", "HAVE_SYS_TYPES_H 1", "HAVE_SYS_TIME_H 1", "HAVE_ALLOCA_H 1",
            "HAVE_STDINT_H 1", "HAVE_INTTYPES_H 1", "SIZEOF_INT 4", "SIZEOF_SHORT 2",
            "SIZEOF_LONG 8", "SIZEOF_VOIDP 8", "SIZEOF_LONG_LONG 8"))
        toolchain.write(onig / "config.h", config)
        self.archive("onig", [file for file in onig.glob("*.c")
                              if file.name not in ONIGURUMA_UNUSED], f"-I{onig} -DHAVE_CONFIG_H")
        self.headers(onig / "oniguruma.h")
        jq = self.sources / "jq"
        toolchain.write(jq / "kinf.h", (HERE / "jq.h").read_text(encoding="utf-8"))
        definitions = (jq / "src/builtin.jq").read_bytes()
        toolchain.write(jq / "src/builtin.inc", "".join(f"{byte}," for byte in definitions) + "\n")
        files = [jq / f"src/{name}.c" for name in JQ]
        self.archive("jq", files, f"-D_GNU_SOURCE -std=gnu11 -include {jq}/kinf.h -I{jq} "
                     f"-I{jq}/src -I{jq}/vendor -I{self.prefix}/include")
        self.headers(jq / "src/jq.h", jq / "src/jv.h")

    def cpp(self):
        """simdjson, fmt, cpp-httplib, and the libraries that are only headers."""
        simdjson = self.sources / "simdjson/singleheader"
        self.archive("simdjson", [simdjson / "simdjson.cpp"])
        self.headers(simdjson / "simdjson.h")
        fmt = self.sources / "fmt"
        self.archive("fmt", [fmt / "src/format.cc", fmt / "src/os.cc"], f"-I{fmt}/include")
        self.headers(fmt / "include/fmt")
        self.httplib()
        for name, folder in [("nlohmann-json", "nlohmann"), ("spdlog", "spdlog"), ("cli11", "CLI"),
                             ("tomlplusplus", "toml++"), ("doctest", "doctest")]:
            self.headers(self.sources / name / "usr/include" / folder)
        boost = self.prefix / "include/boost"  # a link, because it has 14,000 files
        if not boost.is_symlink():
            boost.symlink_to(self.sources / "boost/usr/include/boost")

    def httplib(self):
        """cpp-httplib, for the tests."""
        http = self.sources / "cpp-httplib"
        if not (http / "split/httplib.cc").exists():
            run(["python3", "./split.py", "-o", "split"], cwd=http, log=self.folder / "split.log")
        text = (http / "split/httplib.cc").read_text(encoding="utf-8")
        toolchain.write(http / "split/kinf.cc", text.replace("static SSLInit sslinit_;", ""))
        self.archive("cpp-httplib", [http / "split/kinf.cc"],
                     f"{SMALL} {HTTPLIB} -I{self.prefix}/include", after="openssl.done")
        self.headers(http / "split/httplib.h")

    def in_folder(self, name, *commands):
        """Runs the commands of a library's own build in the new folder `name`. OpenSSL keeps the time
        of its build, which is 0 here: the same libraries serve many commits."""
        tools = (f"CC=kinf-cc AR=kinf-ar RANLIB=kinf-ranlib CFLAGS='{C_FLAGS} {SMALL}' "
                 f"PATH={self.folder}/bin:$$PATH SOURCE_DATE_EPOCH=0")
        self.step(name, " && ".join([f"rm -rf {name}", f"mkdir {name}", f"cd {name}",
                                     f"export {tools}", *commands]))

    def options(self, name):
        return (HERE / f"{name}.options").read_text(encoding="utf-8").split()

    def openssl(self):
        source = self.sources / "openssl/openssl"
        installed = self.folder / "openssl/installed"
        configure = " ".join(["perl", f"{source}/Configure", TARGETS[self.arch]["openssl"],
                              *self.options("openssl"), C_FLAGS, SMALL])
        self.in_folder("openssl", configure, "make -s -j $$(nproc) build_libs",
                       f"make -s install_dev DESTDIR={installed}",
                       f"cp -r {installed}/openssl/include/. {self.prefix}/include",
                       f"cp {installed}/openssl/lib/*.a {self.prefix}/lib")

    def curl(self):
        """The crate has no docs folder, which curl's CMakeLists.txt includes."""
        source = self.sources / "curl/curl"
        toolchain.write(source / "docs/CMakeLists.txt", "")
        options = " ".join("-D" + option for option in self.options("curl"))
        self.step("curl", f"rm -rf curl && cmake -S {source} -B curl -G Ninja {options} "
                  f"-DCMAKE_TOOLCHAIN_FILE={self.folder}/toolchain.cmake "
                  f"-DCMAKE_BUILD_TYPE=Release -DCMAKE_C_FLAGS_RELEASE= "
                  f"-DCMAKE_C_FLAGS='{C_FLAGS} {SMALL} -DNGHTTP2_STATICLIB' "
                  f"-DCMAKE_INSTALL_PREFIX={self.prefix} -DCMAKE_INSTALL_LIBDIR=lib "
                  f"-DOPENSSL_ROOT_DIR={self.prefix} && ninja -C curl install "
                  f"&& rm -rf {self.prefix}/lib/cmake",
                  after="openssl.done prefix/lib/libz.a prefix/lib/libnghttp2.a")

    def ncurses(self):
        source = self.sources / "ncurses"
        configure = " ".join([f"{source}/configure", f"--host={TARGETS[self.arch]['zig']}",
                              "--build=$$(uname -m)-linux-gnu", "--with-build-cc=cc",
                              *self.options("ncurses")])
        headers = f"{self.prefix}/include/ncursesw"
        self.in_folder("ncurses", configure, "make -s -C include", "make -s -C ncurses",
                       f"mkdir -p {headers}", f"cp include/*.h {headers}",
                       f"cp include/curses.h {headers}/ncurses.h",
                       f"cp lib/libncursesw.a {self.prefix}/lib")

    def packages(self):
        """What find_package and pkg-config of kinf's build find."""
        for name, pinned, target, archives, needs in PACKAGES:
            links = [f"{self.prefix}/lib/lib{archive}.a" for archive in archives.split()]
            needed = "".join(f"find_package({need.split('::')[0]} REQUIRED)\n"
                             for need in needs.split())
            text = PACKAGE.format(needed=needed, target=target, prefix=self.prefix, name=name,
                                  definitions=DEFINITIONS.get(name, ""),
                                  links=";".join(links + needs.split()),
                                  version=version_of(pinned))
            toolchain.write(self.prefix / f"cmake/Find{name}.cmake", text)
        for name, pinned, archive, flags in PKG_CONFIG:
            text = (f"Name: {name}\nDescription: of the release\nVersion: {version_of(pinned)}\n"
                    f"Libs: {self.prefix}/lib/lib{archive}.a\n"
                    f"Cflags: -I{self.prefix}/include {flags}\n")
            toolchain.write(self.prefix / f"lib/pkgconfig/{name}.pc", text)

    def build(self):
        for entry in SOURCES:
            if entry["role"] != "toolchain":
                fetch.unpack(entry, self.sources / entry["name"])
        toolchain.make(self.arch, self.folder)
        (self.prefix / "lib").mkdir(parents=True, exist_ok=True)
        for part in (self.openssl, self.ncurses, self.small_c, self.yaml, self.nghttp2, self.jq,
                     self.cpp, self.curl, self.packages):
            part()
        text = f"bin = {self.folder}/bin\n" + "\n".join(self.lines) + "\n"
        toolchain.write(self.folder / "build.ninja", text)
        say(f"building the libraries for {self.arch}")
        run(["ninja", "-C", self.folder, "--quiet"],
            env={**os.environ, "NINJA_STATUS": "[%f/%t] "})
        return self.folder


def build(arch):
    """Builds the libraries for `arch` and returns the folder with toolchain.cmake and prefix/."""
    fetch.fetch(SOURCES)
    return Libraries(arch).build()
