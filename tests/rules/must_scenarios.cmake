# SPDX-License-Identifier: Apache-2.0
# Fails unless every scenario in the file LIST has a test case in one of PROGRAMS (separated by
# commas). A test case covers the scenarios at the start of its name: "B4, B5: …".
cmake_minimum_required(VERSION 3.25)

file(STRINGS ${LIST} lines REGEX "^[^#]")
string(JOIN " " ids ${lines})
string(REGEX MATCHALL "[A-Z][0-9]+" ids "${ids}")
list(LENGTH ids wanted)

set(found)
string(REPLACE "," ";" PROGRAMS "${PROGRAMS}")
foreach(program IN LISTS PROGRAMS)
  execute_process(COMMAND ${program} --list-test-cases OUTPUT_VARIABLE cases
    RESULT_VARIABLE failed)
  if(failed)
    message(FATAL_ERROR "${program} --list-test-cases: ${failed}")
  endif()
  # Lines that begin with scenario numbers and a colon.
  string(REGEX MATCHALL "\n[A-Z][0-9]+(, [A-Z][0-9]+)*:" heads "${cases}")
  string(REGEX MATCHALL "[A-Z][0-9]+" numbers "${heads}")
  list(APPEND found ${numbers})
endforeach()

set(lacking)
foreach(id IN LISTS ids)
  if(NOT id IN_LIST found)
    list(APPEND lacking ${id})
  endif()
endforeach()
list(LENGTH lacking missing)
if(missing GREATER 0)
  string(JOIN " " lacking ${lacking})
  message(FATAL_ERROR "scenarios without a test: ${lacking}")
endif()
if(DEFINED COUNT AND NOT wanted EQUAL COUNT)
  message(FATAL_ERROR "${LIST} has ${wanted} scenarios instead of ${COUNT}")
endif()
message(STATUS "${wanted} scenarios, each with a test")
