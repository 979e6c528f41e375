# SPDX-License-Identifier: Apache-2.0
# Fails where sources use words that make a reader stop: in comments, messages and names of tests.
#   cmake -DROOT=SOURCES -DFOLDERS=src/kinf/base,tests/unit/base -P plain_words.cmake
# To extend the rule: add a word here, or a folder in CMakeLists.txt once it is clean.
cmake_minimum_required(VERSION 3.25)
set(words whence thence whoever whosoever whomever somebody nobody befall befalls befallen lest fate
  fates surroundings aught naught "save that" "be it" "by chance" "for ever so")

list(JOIN words "|" any)
string(REPLACE "," ";" FOLDERS "${FOLDERS}")
set(wrong "")
foreach(folder IN LISTS FOLDERS)
  file(GLOB_RECURSE files RELATIVE "${ROOT}" "${ROOT}/${folder}/*.h" "${ROOT}/${folder}/*.cc")
  if(NOT files)
    message(FATAL_ERROR "no sources under ${ROOT}/${folder}")
  endif()
  foreach(file IN LISTS files)
    file(READ "${ROOT}/${file}" text)
    string(REGEX REPLACE "[][;]" " " text "${text}") # they would split or join list items
    string(REGEX REPLACE "\n *(//+)? *" " " text "${text}") # a phrase may go on in the next line
    string(TOLOWER "${text}" text)
    string(REGEX MATCHALL "[^a-z_](${any})[^a-z_]" found " ${text} ")
    foreach(one IN LISTS found)
      string(REGEX MATCH "${any}" one "${one}")
      string(APPEND wrong "  ${file}: ${one}\n")
    endforeach()
  endforeach()
endforeach()
if(wrong)
  message(FATAL_ERROR "say it in plainer words:\n${wrong}")
endif()
