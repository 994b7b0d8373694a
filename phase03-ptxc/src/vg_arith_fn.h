/* How the one-lane functions of the arithmetic headers are declared: always inlined, since only a
 * loop without calls becomes vector instructions, and into clones for newer processors as well. */
#ifndef VG_ARITH_FN_H
#define VG_ARITH_FN_H

#define VG_FN static inline __attribute__((always_inline))

#endif
