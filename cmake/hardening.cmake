# Makes mistakes in memory end the program instead of being used: checks of array bounds and stack
# frames, read-only relocations, and a program at a random address. Not for debug builds, which have
# the assertions of the C++ library without it, and not for sanitizers, which check more.

include(CheckCXXCompilerFlag)
include(CheckPIESupported)
check_pie_supported(LANGUAGES CXX)

set(hardened $<CONFIG:Release,RelWithDebInfo,MinSizeRel>)
target_compile_definitions(kinf_options INTERFACE
  $<${hardened}:_GLIBCXX_ASSERTIONS>
  $<${hardened}:_LIBCPP_HARDENING_MODE=_LIBCPP_HARDENING_MODE_FAST>)
target_compile_options(kinf_options INTERFACE
  $<${hardened}:-U_FORTIFY_SOURCE$<SEMICOLON>-D_FORTIFY_SOURCE=3>)
foreach(flag IN ITEMS -fstack-protector-strong -fstack-clash-protection -fcf-protection)
  string(MAKE_C_IDENTIFIER "has${flag}" has_flag)
  check_cxx_compiler_flag(${flag} ${has_flag})
  target_compile_options(kinf_options INTERFACE $<$<AND:${hardened},$<BOOL:${${has_flag}}>>:${flag}>)
endforeach()
target_link_options(kinf_options INTERFACE $<$<PLATFORM_ID:Linux>:-Wl,-z,relro,-z,now>)
