# Run COMMAND (a list) and demand its exit code WANT_EXIT and, when given, WANT_TEXT in its output.
# ctest's WILL_FAIL and PASS_REGULAR_EXPRESSION check only one of the two; a crash is never right.
execute_process(COMMAND ${COMMAND} RESULT_VARIABLE code OUTPUT_VARIABLE out ERROR_VARIABLE out
    TIMEOUT 50)
if(NOT code STREQUAL WANT_EXIT)
    message(FATAL_ERROR "exit code ${code}, expected ${WANT_EXIT}\n${out}")
endif()
if(DEFINED WANT_TEXT)
    string(FIND "${out}" "${WANT_TEXT}" at)
    if(at LESS 0)
        message(FATAL_ERROR "the output does not contain '${WANT_TEXT}'\n${out}")
    endif()
endif()
