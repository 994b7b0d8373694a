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

lab_need(CMOCKA cmocka libcmocka-dev)
lab_need(ZSTD libzstd libzstd-dev)
