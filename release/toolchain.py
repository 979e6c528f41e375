# SPDX-License-Identifier: Apache-2.0
"""Makes the compilers for a target: zig with its own musl and libc++."""
import fetch
from settings import TARGETS, cache, source

# The wrappers map the folder of the sources away, so that no binary contains its path. They are
# called without a path, which would else be in OpenSSL's description of its compiler. All links
# have the same -static -pie -s: zig builds libc and libc++ once for each such set of flags.
WRAPPER = """#!/bin/sh
export ZIG_GLOBAL_CACHE_DIR={kept} ZIG_LOCAL_CACHE_DIR={kept}
exec {zig} {tool} "$@"
"""
# Links with flags that zig's driver refuses: it prints how it calls the linker. Packed, relocations take
# 30 KB of the program instead of 800. Equal functions whose address nobody takes become one. $1 lists
# the functions to put beside each other (startup.py).
LINKER = """#!/bin/sh
symbols=$1; shift
said=$(ZIG_VERBOSE_LINK=1 "$@" 2>&1) || {{ printf '%s\\n' "$said" >&2; exit 1; }}
call=$(printf '%s\\n' "$said" | sed -n '/^ld.lld /p')
[ -z "${{KINF_KEEP_SYMBOLS:-}}" ] || call=$(printf '%s\\n' "$call" | sed 's/ -s / /')
exec {zig} $call --pack-dyn-relocs=relr --icf=safe --symbol-ordering-file="$symbols" -w
"""
CMAKE = """set(CMAKE_SYSTEM_NAME Linux)
set(CMAKE_SYSTEM_PROCESSOR {arch})
set(CMAKE_C_COMPILER {bin}/kinf-cc)
set(CMAKE_CXX_COMPILER {bin}/kinf-c++)
foreach(prefix CMAKE CMAKE_C_COMPILER CMAKE_CXX_COMPILER)
  set(${{prefix}}_AR {bin}/kinf-ar)
  set(${{prefix}}_RANLIB {bin}/kinf-ranlib)
endforeach()
set(CMAKE_PREFIX_PATH {prefix})
set(CMAKE_FIND_ROOT_PATH {prefix})
set(CMAKE_FIND_ROOT_PATH_MODE_PROGRAM NEVER)
set(CMAKE_FIND_ROOT_PATH_MODE_LIBRARY ONLY)
set(CMAKE_FIND_ROOT_PATH_MODE_INCLUDE ONLY)
set(CMAKE_FIND_ROOT_PATH_MODE_PACKAGE ONLY)
list(PREPEND CMAKE_MODULE_PATH {prefix}/cmake)
set(ENV{{PKG_CONFIG_LIBDIR}} {prefix}/lib/pkgconfig)
set(ENV{{PKG_CONFIG_PATH}} "")
"""


def write(path, text, executable=False):
    """Writes a file unless it has this content: ninja would build everything again."""
    path.parent.mkdir(parents=True, exist_ok=True)
    if not path.exists() or path.read_text(encoding="utf-8") != text:
        path.write_text(text, encoding="utf-8")
    if executable:
        path.chmod(0o755)


def zig():
    """Unpacks the compiler, once, and returns its program."""
    folder = cache() / ("zig-" + source("zig")["version"])
    fetch.unpack(source("zig"), folder)
    program = folder / "ziglang/zig"
    program.chmod(0o755)
    return program


def make(arch, folder):
    """Makes bin/ and toolchain.cmake in `folder` for the libraries in its prefix/."""
    program = zig()
    kept = cache() / "zig-objects"
    target = (f"-target {TARGETS[arch]['zig']} -static -fPIE -pie -s -g0 "
              f"-ffile-prefix-map={folder.parent}=/build")
    for name, tool in [("cc", f"cc {target}"), ("c++", f"c++ {target}"), ("ar", "ar"),
                       ("ranlib", "ranlib")]:
        text = WRAPPER.format(kept=kept, zig=program, tool=tool)
        write(folder / "bin" / f"kinf-{name}", text, executable=True)
    write(folder / "bin/kinf-link", LINKER.format(zig=program), executable=True)
    text = CMAKE.format(arch=arch, bin=folder / "bin", prefix=folder / "prefix")
    write(folder / "toolchain.cmake", text)
