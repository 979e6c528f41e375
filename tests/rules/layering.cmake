# SPDX-License-Identifier: Apache-2.0
# Fails on an #include that the table of rooms in src/README.md does not allow, and on a room that
# is not in the table.   cmake -DTABLE=README -DROOMS=src/kinf -P layering.cmake
# A room is a folder such as `api`, or a folder inside one, such as `sandbox/http`. If the table
# lists one folder of a room, it must list all of them. `all` does not include folders inside
# rooms: only the room around them may name them.
cmake_minimum_required(VERSION 3.25)

file(READ "${TABLE}" text)
string(REPLACE ";" "," text "${text}")
string(REGEX MATCHALL "\n\\| `[a-z/]+` \\|[^\n]*" rows "${text}")
set(known "")
set(with_sub_rooms "")
foreach(row IN LISTS rows)
  string(REGEX MATCH "`([a-z/]+)`.*\\|([^|]*)\\|$" _ "${row}")
  set(room ${CMAKE_MATCH_1})
  string(REGEX MATCHALL "[a-z/]+" may_${room} "${CMAKE_MATCH_2}")
  list(APPEND known ${room})
  if(room MATCHES "^([a-z]+)/")
    list(APPEND with_sub_rooms ${CMAKE_MATCH_1})
  endif()
endforeach()
if(NOT known)
  message(FATAL_ERROR "no table of rooms in ${TABLE}")
endif()

# The room of a file, given by its path below ROOMS.
function(find_room path result)
  string(REGEX MATCH "^[^/]+" room "${path}")
  if(room IN_LIST with_sub_rooms)
    string(REGEX REPLACE "/[^/]*$" "" room "${path}")
  endif()
  set(${result} "${room}" PARENT_SCOPE)
endfunction()

set(wrong "")
set(arrows 0)
file(GLOB_RECURSE files RELATIVE "${ROOMS}" "${ROOMS}/*/*.h" "${ROOMS}/*/*.cc")
foreach(file IN LISTS files)
  find_room("${file}" from)
  if(NOT from IN_LIST known)
    string(APPEND wrong "  ${file}: the table does not list the room ${from}\n")
    continue()
  endif()
  file(STRINGS "${ROOMS}/${file}" lines REGEX "^[ \t]*#[ \t]*include[ \t]*[\"<]kinf/[a-z_]+/")
  foreach(line IN LISTS lines)
    string(REGEX REPLACE ".*[\"<]kinf/([^\">]+)[\">].*" "\\1" path "${line}")
    find_room("${path}" to)
    math(EXPR arrows "${arrows} + 1")
    if(NOT to STREQUAL from AND NOT to STREQUAL base AND NOT to IN_LIST may_${from}
       AND NOT ("all" IN_LIST may_${from} AND NOT to MATCHES "/"))
      string(APPEND wrong "  ${file}: ${from} must not include ${to}\n")
    endif()
  endforeach()
endforeach()

if(arrows EQUAL 0)
  message(FATAL_ERROR "no includes under ${ROOMS}")
elseif(wrong)
  message(FATAL_ERROR "not allowed by the table of rooms in ${TABLE}:\n${wrong}")
endif()
message(STATUS "${arrows} includes, all allowed")
