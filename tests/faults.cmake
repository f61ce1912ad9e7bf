# Every test that the table of faults in tests/README.md names is there, in the file that it names, and no
# fault is without one.
#   cmake -D TESTS_DIR=… -P faults.cmake

file(STRINGS ${TESTS_DIR}/README.md lines REGEX "^\\| [AB ]*[0-9]* \\| .* \\| `.*` \\| .* \\|$")
set(faults 0)
foreach(line IN LISTS lines)
    if(NOT line MATCHES "^\\| ([AB][0-9]+)? ?\\| .*\\| `([a-z0-9_/]+\\.cpp)` \\| (.*) \\|$")
        message(FATAL_ERROR "this row of the table is not `fault | guarded | file | test`:\n${line}")
    endif()
    if(NOT CMAKE_MATCH_1 STREQUAL "")
        math(EXPR faults "${faults} + 1")
    endif()
    set(name "${CMAKE_MATCH_3}")
    file(READ ${TESTS_DIR}/${CMAKE_MATCH_2} source)
    string(FIND "${source}" "TEST_CASE(\"${name}\"" found)
    if(found EQUAL -1)
        message(FATAL_ERROR "${CMAKE_MATCH_2} has no test `${name}`")
    endif()
endforeach()
# 64 reports and 10 defects that were found in the code of other programs.
if(NOT faults EQUAL 74)
    message(FATAL_ERROR "the table has ${faults} faults, not 74")
endif()
