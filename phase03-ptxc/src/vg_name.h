/* Kernel names as people wrote them: nvcc puts C++ names into PTX in the mangled form. */
#ifndef VG_NAME_H
#define VG_NAME_H

#include "lab/buf.h"

/* Append the name without its parameter types: _Z6matmulPKfPfi → matmul, _ZN3lab4scanE… →
 * lab::scan, _Z6reduceILi256EfEvPf → reduce<256, float>. What is not understood of template
 * arguments becomes
 * "...", and a name that is not mangled (extern "C") or not understood stands as it is.
 * Source: Itanium C++ ABI, "Mangling". */
void vg_name_print(const char *name, struct lab_buf *out);

#endif
