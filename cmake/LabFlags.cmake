# Compiler flags that every target of the tree gets (design: gnu11, contraction off, warnings as
# errors in the presets). A target that needs something else says so on itself.

set(CMAKE_C_STANDARD 11)
set(CMAKE_C_STANDARD_REQUIRED ON)
set(CMAKE_C_EXTENSIONS ON)
if(NOT CMAKE_BUILD_TYPE)
    set(CMAKE_BUILD_TYPE RelWithDebInfo CACHE STRING "" FORCE)
endif()
# Assertions of the standard library stay on as well: -DNDEBUG is never passed.
set(CMAKE_C_FLAGS_RELWITHDEBINFO "-O2 -g")
set(CMAKE_RUNTIME_OUTPUT_DIRECTORY "${PROJECT_BINARY_DIR}/bin")

add_compile_definitions(_GNU_SOURCE LAB_VERSION="${PROJECT_VERSION}"
    LAB_BUILD_TYPE="${CMAKE_BUILD_TYPE}")
add_compile_options(-ffp-contract=off -fno-omit-frame-pointer
    -Wall -Wextra -Wshadow -Wconversion -Wvla -Wstrict-prototypes -Wformat=2)
if(LAB_WERROR)
    add_compile_options(-Werror)
endif()
if(LAB_SANITIZE)
    add_compile_options(-fsanitize=${LAB_SANITIZE} -fno-sanitize-recover=all)
    add_link_options(-fsanitize=${LAB_SANITIZE})
    add_compile_definitions(LAB_SANITIZED=1)
    if(LAB_SANITIZE MATCHES "address" AND CMAKE_C_COMPILER_ID MATCHES "Clang")
        # The libraries carry libFuzzer's coverage too: a fuzzer that sees only the target is blind.
        add_compile_options(-fsanitize=fuzzer-no-link)
    endif()
endif()
if(LAB_COVERAGE)
    add_compile_options(--coverage)
    add_link_options(--coverage)
endif()
