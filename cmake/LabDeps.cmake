# Libraries from the system's packages, found once, by name. What is missing is said with the
# command that brings it; an optional one turns off its part loudly.

find_package(PkgConfig REQUIRED)
find_package(Threads REQUIRED)

# lab_need(VARIABLE pkg-config-name debian-package): stop when a required library is absent.
function(lab_need var module package)
    pkg_check_modules(${var} IMPORTED_TARGET GLOBAL ${module})
    if(NOT ${var}_FOUND)
        message(FATAL_ERROR "${module} is missing: run ./lab setup (Debian package ${package})")
    endif()
endfunction()

# lab_phase_needs(VARIABLE pkg-config-name debian-package), in a phase's CMakeLists.txt: without the
# library the phase is left out, by name, and the other phases build.
macro(lab_phase_needs var module package)
    pkg_check_modules(${var} IMPORTED_TARGET GLOBAL ${module})
    if(NOT ${var}_FOUND)
        get_filename_component(lab_phase "${CMAKE_CURRENT_SOURCE_DIR}" NAME)
        message(WARNING "${lab_phase} is left out: ${module} is missing (Debian package ${package}; "
            "./lab setup installs it)")
        return()
    endif()
endmacro()

lab_need(CMOCKA cmocka libcmocka-dev)
