# SPDX-License-Identifier: Apache-2.0
# Fails where code reaches past what is handed to it: sleeping, the wall clock, the environment,
# standard output, the C library's chance.   cmake -DROOMS=src/kinf -P text_rules.cmake
# base/clock is where time comes from (its sleep_until takes a clock), cli where the outside comes in;
# comments may say anything.
cmake_minimum_required(VERSION 3.25)
set(allowed "^(base/clock\\.|cli/)")

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
  message(FATAL_ERROR "must be handed in, not reached for:\n${wrong}")
endif()
