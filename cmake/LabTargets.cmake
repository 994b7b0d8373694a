# The few commands a phase's CMakeLists.txt is written in. `./lab` reads the lab_program(...) calls
# as text, so keep one keyword with its value on each line and the closing bracket on its own.
#
#   lab_library(simt_lib SOURCES src/a.c src/b.c LIBS lab_common [EXERCISES e01_mask …])
#   lab_program(simt
#       SUMMARY "what a branch costs a warp"
#       SOURCES labs/simt.c
#       LIBS simt_lib
#       [PACKAGES debian-package …]     what ./lab setup installs beyond the base
#       [BENCH [debian-package …]]      has a verb `bench`, run by ./lab bench; its peers' packages
#   )
#   lab_test(simt_asm SOURCES tests/test_asm.c LIBS simt_lib [LABELS threads …] [TIMEOUT s]
#       [LONG_TRIALS n])    also as long.simt_asm with LAB_TRIALS=n, for ./lab test --long
#   lab_expect(simt PROGRAM simt [ARGS …] GOLDEN expected/simt.txt)
#   lab_exercise(e01_mask LIBRARY simt_lib TEST tests/test_e01_mask.c [LABELS …])
#   lab_exercise_file(e04_selp.simt CHECK simt check-selp)
#   lab_fuzz(fuzz_asm SOURCES tests/fuzz_asm.c LIBS simt_lib CORPUS tests/corpus/asm)

include_guard()

set(LAB_RUN "${PROJECT_SOURCE_DIR}/cmake/LabRunTest.cmake")
set(LAB_TEST_ENV "ASAN_OPTIONS=handle_segv=2:detect_stack_use_after_return=1"
    "UBSAN_OPTIONS=print_stacktrace=1")

# The pieces of an exercise: its file under solutions/, the learner's under exercises/, and whether
# the learner's still is the stub the project ships (its SHA-256 stands in exercises/STUBS.sha256).
function(_lab_exercise_state file out_changed)
    file(SHA256 "${CMAKE_CURRENT_SOURCE_DIR}/exercises/${file}" now)
    if(NOT EXISTS "${CMAKE_CURRENT_SOURCE_DIR}/exercises/STUBS.sha256")
        message(FATAL_ERROR "${CMAKE_CURRENT_SOURCE_DIR}/exercises/STUBS.sha256 is missing: "
            "cd there and run  sha256sum e*.* > STUBS.sha256")
    endif()
    file(STRINGS "${CMAKE_CURRENT_SOURCE_DIR}/exercises/STUBS.sha256" lines)
    set(changed TRUE)
    foreach(line IN LISTS lines)
        if(line STREQUAL "${now}  ${file}")
            set(changed FALSE)
        endif()
    endforeach()
    set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS
        "${CMAKE_CURRENT_SOURCE_DIR}/exercises/${file}"
        "${CMAKE_CURRENT_SOURCE_DIR}/exercises/STUBS.sha256")
    set(${out_changed} ${changed} PARENT_SCOPE)
endfunction()

# lab_exercise_path(OUT e04_selp.simt): the file a program or test should use for an exercise that
# is not C: the solution, or under the preset `learn` the learner's once it differs from the stub.
function(lab_exercise_path out file)
    set(folder solutions)
    _lab_exercise_state("${file}" changed)
    if(LAB_LEARN AND changed)
        set(folder exercises)
    endif()
    set(${out} "${CMAKE_CURRENT_SOURCE_DIR}/${folder}/${file}" PARENT_SCOPE)
endfunction()

function(lab_library name)
    cmake_parse_arguments(A "" "" "SOURCES;LIBS;EXERCISES" ${ARGN})
    foreach(exercise IN LISTS A_EXERCISES)
        lab_exercise_path(path "${exercise}.c")
        list(APPEND A_SOURCES "${path}")
        # A warning in a learner's file is said, and never stops the build.
        set_property(SOURCE "${CMAKE_CURRENT_SOURCE_DIR}/exercises/${exercise}.c"
            APPEND PROPERTY COMPILE_OPTIONS -Wno-error)
    endforeach()
    add_library(${name} STATIC ${A_SOURCES})
    target_include_directories(${name} PUBLIC src)
    if(IS_DIRECTORY "${CMAKE_CURRENT_SOURCE_DIR}/include")
        target_include_directories(${name} PUBLIC include)
    endif()
    target_link_libraries(${name} PUBLIC ${A_LIBS})
endfunction()

function(lab_program name)
    cmake_parse_arguments(A "" "SUMMARY" "SOURCES;LIBS;PACKAGES;BENCH" ${ARGN})
    set_property(GLOBAL APPEND PROPERTY LAB_PROGRAMS ${name})
    add_executable(${name} ${A_SOURCES})
    target_link_libraries(${name} PRIVATE ${A_LIBS})
    target_compile_definitions(${name} PRIVATE
        LAB_PHASE_DIR="${CMAKE_CURRENT_SOURCE_DIR}")
    set_target_properties(${name} PROPERTIES RUNTIME_OUTPUT_DIRECTORY "${PROJECT_BINARY_DIR}/bin")
endfunction()

# Tests of one module: exit 0 passed, 77 skipped, anything else failed.
function(lab_test name)
    cmake_parse_arguments(A "" "TIMEOUT;LONG_TRIALS" "SOURCES;LIBS;LABELS;ARGS" ${ARGN})
    add_executable(test_${name} ${A_SOURCES})
    target_link_libraries(test_${name} PRIVATE ${A_LIBS} lab_testing)
    target_compile_definitions(test_${name} PRIVATE
        LAB_PHASE_DIR="${CMAKE_CURRENT_SOURCE_DIR}")
    set_target_properties(test_${name} PROPERTIES
        RUNTIME_OUTPUT_DIRECTORY "${PROJECT_BINARY_DIR}/tests")
    add_test(NAME unit.${name} COMMAND test_${name} ${A_ARGS})
    _lab_test_properties(unit.${name} "unit;${A_LABELS}" "${A_TIMEOUT}")
    if(A_LONG_TRIALS)
        add_test(NAME long.${name} COMMAND test_${name} ${A_ARGS})
        _lab_test_properties(long.${name} "unit;long;${A_LABELS}" 3600)
        set_property(TEST long.${name} APPEND PROPERTY ENVIRONMENT "LAB_TRIALS=${A_LONG_TRIALS}")
    endif()
endfunction()

function(_lab_test_properties name labels timeout)
    if(NOT timeout)
        set(timeout 120)
    endif()
    set_tests_properties(${name} PROPERTIES LABELS "${labels}" SKIP_RETURN_CODE 77
        TIMEOUT ${timeout} ENVIRONMENT "${LAB_TEST_ENV}")
endfunction()

# A program's output against its golden.
function(lab_expect name)
    cmake_parse_arguments(A "" "PROGRAM;GOLDEN;TIMEOUT" "ARGS;LABELS" ${ARGN})
    add_test(NAME expect.${name}
        COMMAND ${A_PROGRAM} ${A_ARGS} --expect "${CMAKE_CURRENT_SOURCE_DIR}/${A_GOLDEN}")
    _lab_test_properties(expect.${name} "expect;${A_LABELS}" "${A_TIMEOUT}")
endfunction()

# An exercise in C. Four kinds of test come of it:
#   exercise.NAME.solution   the solution passes
#   exercise.NAME.stub       the stub as shipped is refused: exit 4 (left out once it was edited)
#   exercise.NAME.yours      the learner's file, once it differs from the stub
#   exercise.NAME.wrong_X    tests/wrong/NAME_X.c is rejected by the test its header names
function(lab_exercise name)
    cmake_parse_arguments(A "" "LIBRARY;TEST" "LABELS" ${ARGN})
    set(labels "exercise;${A_LABELS}")
    _lab_exercise_binary(${name}.solution solutions/${name}.c)
    add_test(NAME exercise.${name}.solution COMMAND exercise_${name}.solution)
    _lab_test_properties(exercise.${name}.solution "${labels}" 60)

    _lab_exercise_state("${name}.c" changed)
    _lab_exercise_binary(${name}.yours exercises/${name}.c)
    if(changed)
        add_test(NAME exercise.${name}.yours COMMAND exercise_${name}.yours)
        _lab_test_properties(exercise.${name}.yours "${labels};yours" 60)
    else()
        add_test(NAME exercise.${name}.stub COMMAND ${CMAKE_COMMAND} -DWANT_EXIT=4
            "-DCOMMAND=$<TARGET_FILE:exercise_${name}.yours>" -P "${LAB_RUN}")
        _lab_test_properties(exercise.${name}.stub "${labels}" 60)
    endif()

    file(GLOB wrongs CONFIGURE_DEPENDS "${CMAKE_CURRENT_SOURCE_DIR}/tests/wrong/${name}_*.c")
    _lab_wrong_count(${name} "${wrongs}")
    foreach(wrong IN LISTS wrongs)
        get_filename_component(stem "${wrong}" NAME_WE)
        string(REPLACE "${name}_" "" variant "${stem}")
        _lab_rejected_by("${wrong}" rejected_by)
        _lab_exercise_binary(${name}.wrong_${variant} "${wrong}")
        add_test(NAME exercise.${name}.wrong_${variant} COMMAND ${CMAKE_COMMAND} -DWANT_EXIT=1
            "-DWANT_TEXT=[  FAILED  ] ${rejected_by}"
            "-DCOMMAND=$<TARGET_FILE:exercise_${name}.wrong_${variant}>" -P "${LAB_RUN}")
        _lab_test_properties(exercise.${name}.wrong_${variant} "${labels}" 60)
    endforeach()
endfunction()

# One program: the exercise's test with one implementation. It stands before the library on the link
# line, so the library's own copy (the only other thing in its object file) is not pulled in.
macro(_lab_exercise_binary suffix file)
    add_executable(exercise_${suffix} ${A_TEST} ${file})
    target_link_libraries(exercise_${suffix} PRIVATE ${A_LIBRARY} lab_testing)
    target_compile_definitions(exercise_${suffix} PRIVATE
        LAB_PHASE_DIR="${CMAKE_CURRENT_SOURCE_DIR}")
    set_target_properties(exercise_${suffix} PROPERTIES
        RUNTIME_OUTPUT_DIRECTORY "${PROJECT_BINARY_DIR}/exercises")
endmacro()

# An exercise that is not C: CHECK is a program with arguments that gets the file's path last, exits
# 0 when it is right, 1 when it is wrong and 4 when it still is the stub.
function(lab_exercise_file file)
    cmake_parse_arguments(A "" "" "CHECK;LABELS" ${ARGN})
    list(POP_FRONT A_CHECK program)
    get_filename_component(name "${file}" NAME_WE)
    get_filename_component(ext "${file}" EXT)
    set(labels "exercise;${A_LABELS}")
    set(here "${CMAKE_CURRENT_SOURCE_DIR}")
    add_test(NAME exercise.${name}.solution
        COMMAND ${program} ${A_CHECK} "${here}/solutions/${file}")
    _lab_test_properties(exercise.${name}.solution "${labels}" 60)
    _lab_exercise_state("${file}" changed)
    if(changed)
        add_test(NAME exercise.${name}.yours
            COMMAND ${program} ${A_CHECK} "${here}/exercises/${file}")
        _lab_test_properties(exercise.${name}.yours "${labels};yours" 60)
    else()
        add_test(NAME exercise.${name}.stub COMMAND ${CMAKE_COMMAND} -DWANT_EXIT=4
            "-DCOMMAND=$<TARGET_FILE:${program}>;${A_CHECK};${here}/exercises/${file}"
            -P "${LAB_RUN}")
        _lab_test_properties(exercise.${name}.stub "${labels}" 60)
    endif()
    file(GLOB wrongs CONFIGURE_DEPENDS "${here}/tests/wrong/${name}_*${ext}")
    _lab_wrong_count(${name} "${wrongs}")
    foreach(wrong IN LISTS wrongs)
        get_filename_component(stem "${wrong}" NAME_WE)
        string(REPLACE "${name}_" "" variant "${stem}")
        _lab_rejected_by("${wrong}" rejected_by)
        add_test(NAME exercise.${name}.wrong_${variant} COMMAND ${CMAKE_COMMAND} -DWANT_EXIT=1
            "-DWANT_TEXT=${rejected_by}"
            "-DCOMMAND=$<TARGET_FILE:${program}>;${A_CHECK};${wrong}" -P "${LAB_RUN}")
        _lab_test_properties(exercise.${name}.wrong_${variant} "${labels}" 60)
    endforeach()
endfunction()

function(_lab_wrong_count name wrongs)
    list(LENGTH wrongs count)
    if(count LESS 2)
        message(FATAL_ERROR "exercise ${name} has ${count} wrong variants in tests/wrong, needs 2")
    endif()
endfunction()

# The test that must reject a wrong variant, from the line "REJECTED BY: test_name" in the file.
function(_lab_rejected_by file out)
    file(STRINGS "${file}" line REGEX "REJECTED BY:" LIMIT_COUNT 1)
    if(NOT line MATCHES "REJECTED BY: *([A-Za-z0-9_ -]*[A-Za-z0-9_])")
        message(FATAL_ERROR "${file}: no line 'REJECTED BY: test name'")
    endif()
    set(${out} "${CMAKE_MATCH_1}" PARENT_SCOPE)
endfunction()

# A fuzz target. Under clang with AddressSanitizer it is a libFuzzer program that ctest runs for
# LAB_FUZZ_SECONDS (default 5) from the seed corpus; elsewhere it replays the corpus once.
function(lab_fuzz name)
    cmake_parse_arguments(A "" "CORPUS" "SOURCES;LIBS" ${ARGN})
    set(corpus "${CMAKE_CURRENT_SOURCE_DIR}/${A_CORPUS}")
    add_executable(${name} ${A_SOURCES})
    target_link_libraries(${name} PRIVATE ${A_LIBS})
    set_target_properties(${name} PROPERTIES
        RUNTIME_OUTPUT_DIRECTORY "${PROJECT_BINARY_DIR}/fuzz")
    if(LAB_SANITIZE MATCHES "address" AND CMAKE_C_COMPILER_ID MATCHES "Clang")
        target_link_options(${name} PRIVATE -fsanitize=fuzzer)
        target_compile_options(${name} PRIVATE -fsanitize=fuzzer)
        add_test(NAME fuzz.${name}
            COMMAND "${PROJECT_SOURCE_DIR}/tests/fuzz/run.sh" $<TARGET_FILE:${name}> "${corpus}")
    else()
        target_sources(${name} PRIVATE "${PROJECT_SOURCE_DIR}/tests/fuzz/replay.c")
        add_test(NAME fuzz.${name} COMMAND ${name} "${corpus}")
    endif()
    _lab_test_properties(fuzz.${name} "fuzz" 300)
endfunction()
