# SPDX-License-Identifier: Apache-2.0
# Fails when two folders under SOURCES have a file of the same name, extension aside: a name should
# lead to one place. CMakeLists.txt may be everywhere.   cmake -DSOURCES=src -P file_names.cmake
cmake_minimum_required(VERSION 3.25)

set(wrong "")
file(GLOB_RECURSE files RELATIVE "${SOURCES}" "${SOURCES}/*.h" "${SOURCES}/*.cc")
if(NOT files)
  message(FATAL_ERROR "no sources under ${SOURCES}")
endif()
list(SORT files)
foreach(file IN LISTS files)
  cmake_path(GET file STEM name)
  cmake_path(GET file PARENT_PATH folder)
  if(DEFINED folder_of_${name} AND NOT folder_of_${name} STREQUAL folder)
    string(APPEND wrong "  ${name} is in ${folder_of_${name}} and in ${folder}\n")
  endif()
  set(folder_of_${name} "${folder}")
endforeach()
if(wrong)
  message(FATAL_ERROR "one name for two things:\n${wrong}")
endif()
