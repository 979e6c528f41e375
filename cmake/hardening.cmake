# Makes mistakes in memory end the program instead of being used: checks of array bounds and stack
# frames, read-only relocations, and a program at a random address. Not for debug builds, which have
# the assertions of the C++ library without it, and not for sanitizers, which check more.

include(CheckCXXCompilerFlag)
include(CheckPIESupported)
check_pie_supported(LANGUAGES CXX)

set(hardened $<CONFIG:Release,RelWithDebInfo,MinSizeRel>)
# A compiler may come with definitions of its own, which -U takes back. libc++ has two: what to check,
# and what to do then (end the program with a trap instruction).
function(kinf_define name value)
  target_compile_options(kinf_options INTERFACE
    $<${hardened}:-U${name}$<SEMICOLON>-D${name}=${value}>)
endfunction()
kinf_define(_FORTIFY_SOURCE 3)
kinf_define(_GLIBCXX_ASSERTIONS 1)
kinf_define(_LIBCPP_HARDENING_MODE _LIBCPP_HARDENING_MODE_FAST)
kinf_define(_LIBCPP_ASSERTION_SEMANTIC_DEFAULT _LIBCPP_ASSERTION_SEMANTIC_HARDENING_DEPENDENT)
foreach(flag IN ITEMS -fstack-protector-strong -fstack-clash-protection -fcf-protection)
  string(MAKE_C_IDENTIFIER "has${flag}" has_flag)
  check_cxx_compiler_flag(${flag} ${has_flag})
  target_compile_options(kinf_options INTERFACE $<$<AND:${hardened},$<BOOL:${${has_flag}}>>:${flag}>)
endforeach()
target_link_options(kinf_options INTERFACE $<$<PLATFORM_ID:Linux>:-Wl,-z,relro,-z,now>)
