# SPDX-License-Identifier: Apache-2.0
# Fails if code sleeps or uses the wall clock, the environment, standard output or rand() directly
# instead of taking them as parameters. base/clock, client/client_environment and cli may use them;
# comments are ignored. (The sleep_until of base/clock is allowed everywhere: it takes the clock as a
# parameter.)
#   cmake -DROOMS=src/kinf -P text_rules.cmake
cmake_minimum_required(VERSION 3.25)
set(allowed "^(base/clock\\.|client/client_environment\\.|cli/)")

set(wrong "")
file(GLOB_RECURSE files RELATIVE "${ROOMS}" "${ROOMS}/*.h" "${ROOMS}/*.cc")
if(NOT files)
  message(FATAL_ERROR "no sources under ${ROOMS}")
endif()
foreach(file IN LISTS files)
  if(file MATCHES "${allowed}")
    continue()
  endif()
  file(STRINGS "${ROOMS}/${file}" lines REGEX "sleep|system_clock|getenv|cout|rand")
  foreach(line IN LISTS lines)
    string(REGEX REPLACE "//.*" "" code "${line}")
    if(code MATCHES "sleep_for|::sleep_until|usleep|system_clock::now|getenv|std::cout"
       OR code MATCHES "(^|[^A-Za-z0-9_])s?rand *\\(")
      string(STRIP "${code}" code)
      string(APPEND wrong "  ${file}: ${code}\n")
    endif()
  endforeach()
endforeach()
if(wrong)
  message(FATAL_ERROR "must be passed in as parameters:\n${wrong}")
endif()
