# SPDX-License-Identifier: Apache-2.0
# Fails if the man page or the completion has other flags than the help of the program.
#   cmake -DKINF=PROGRAM -DROOT=SOURCES -P documented_flags.cmake
cmake_minimum_required(VERSION 3.25)
set(flag "--[a-z][a-z-]+|--v")

# Sets `result` to the distinct flags in `text`.
function(flags_in text result)
  string(REGEX REPLACE "[][]" " " text "${text}") # an open bracket joins list items
  string(REGEX MATCHALL "(^|[^a-z-])(${flag})" found "${text}")
  list(TRANSFORM found REPLACE "^[^-]*[^a-z-]" "")
  list(REMOVE_DUPLICATES found)
  list(SORT found)
  set(${result} "${found}" PARENT_SCOPE)
endfunction()

# Compares two sets of flags and appends the differences to `wrong`.
function(compare what has wants)
  foreach(one IN LISTS wants)
    if(NOT one IN_LIST has)
      string(APPEND wrong "  ${what} lacks ${one}\n")
    endif()
  endforeach()
  foreach(one IN LISTS has)
    if(NOT one IN_LIST wants)
      string(APPEND wrong "  ${what} has ${one}, which the program lacks\n")
    endif()
  endforeach()
  set(wrong "${wrong}" PARENT_SCOPE)
endfunction()

set(wrong "")
set(every "")
set(commands watch get index wait run record history demo sandbox check api-resources)
foreach(command IN LISTS commands)
  execute_process(COMMAND "${KINF}" ${command} --help OUTPUT_VARIABLE help COMMAND_ERROR_IS_FATAL ANY)
  string(REPLACE ";" "," help "${help}")
  flags_in("${help}" of_${command})
  list(LENGTH of_${command} count)
  if(count LESS 8)
    message(FATAL_ERROR "kinf ${command} --help lists only ${count} flags")
  endif()
  list(APPEND every ${of_${command}})
endforeach()
list(REMOVE_DUPLICATES every)

file(READ "${ROOT}/man/kinf.1" man)
string(REPLACE ";" "," man "${man}")
string(REPLACE "\\-" "-" man "${man}")
string(REGEX REPLACE "\\\\f[A-Z]" " " man "${man}")
flags_in("${man}" has)
compare("man/kinf.1" "${has}" "${every}")

foreach(command IN LISTS commands)
  execute_process(COMMAND "${KINF}" __complete ${command} -- OUTPUT_VARIABLE has
    COMMAND_ERROR_IS_FATAL ANY)
  string(REPLACE ";" "," has "${has}")
  string(REGEX REPLACE "\t[^\n]*" "" has "${has}")
  flags_in("${has}" has)
  compare("the completion of kinf ${command}" "${has}" "${of_${command}}")
endforeach()

if(wrong)
  message(FATAL_ERROR "differences from kinf COMMAND --help:\n${wrong}")
endif()
