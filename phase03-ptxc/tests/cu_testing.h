/* Help for tests of the CUDA API: every test's calls are made in a process of its own, because the
 * configuration is read once and a report is written at the end of the process.
 *
 * In the child, REQUIRE and its kin end the process with exit 1 and a line on stderr.
 */
#ifndef CU_TESTING_H
#define CU_TESTING_H

#include <stdio.h>
#include <stdlib.h>

#include "cu_decl.h"
#include "lab/buf.h"
#include "lab/test.h"

/* What the last child wrote. */
extern struct lab_buf cut_out, cut_err;

/* Run body() in a child with these environment variables set ("NAME=value", ended by NULL; may be
 * NULL); the variables that steer the software GPU are unset before. Returns its exit status, 128 +
 * n for a signal. */
int cut_run(void (*body)(void), const char *const *environment);
/* The child must end with exit 0; what it said is shown when it does not. */
void cut_passes(void (*body)(void), const char *const *environment);
/* Run a shell command in the same way. */
int cut_shell(const char *const *environment, const char *fmt, ...)
    __attribute__((format(printf, 2, 3)));
/* The child's stderr, or stdout, holds the text. */
void cut_says(const struct lab_buf *where, const char *text);
int cut_teardown(void **state);

#define REQUIRE(condition)                                                                         \
    do {                                                                                           \
        if (!(condition)) {                                                                        \
            fprintf(stderr, "%s:%d: not so: %s\n", __FILE__, __LINE__, #condition);                \
            exit(1);                                                                               \
        }                                                                                          \
    } while (0)

/* The call returns this code. */
#define RETURNS(want, call)                                                                        \
    do {                                                                                           \
        int got_ = (int)(call), want_ = (int)(want);                                               \
        if (got_ != want_) {                                                                       \
            fprintf(stderr, "%s:%d: %s returned %d (%s), not %d (%s)\n", __FILE__, __LINE__,       \
                    #call, got_, cut_name(got_), want_, cut_name(want_));                          \
            exit(1);                                                                               \
        }                                                                                          \
    } while (0)
#define OK(call) RETURNS(0, call)

const char *cut_name(int code); /* of a CUresult or a cudaError_t: the numbers are shared */

/* --- a driver API program --- */

/* cuInit and a context. */
CUcontext cut_context(void);
/* The kernels of cu_testing.c's PTX:
 *
 *   add(a, b, c, n)           c[i] = a[i] + b[i] for i < n, 32-bit words
 *   fill(out, value, n)       out[i] = value
 *   count(out)                out[0] += 1 by every thread, atomically
 *   reverse(out, n)           out[i] = n − 1 − i through dynamic shared memory, one block
 *   copy_table(out)           out[i] = table[i], a .global array of 4 words {3, 1, 4, 1}
 *   scale(out, n)             out[i] = out[i] * factor, a .const word, 10 at first
 *   store(address, value)     one word anywhere
 *   bounded(out)              .maxntid 64
 *   print(n)                  printf("block %d\n", blockIdx.x)
 *   claim(value)              assert(value != 0), from file claim.cu line 7
 *   stop()                    trap
 *   forever()                 an endless loop
 */
extern const char cut_ptx[];
CUmodule cut_module(void);
CUfunction cut_function(CUmodule m, const char *name);
/* A launch with n pointers to arguments. */
CUresult cut_launch(CUfunction f, unsigned grid, unsigned block, void **args);
/* A device buffer of n words, all `value`. */
CUdeviceptr cut_words(size_t n, unsigned value);
/* Word number k of device memory. */
unsigned cut_word(CUdeviceptr at, size_t k);

/* --- a fat binary --- */
/* A fat binary around PTX text, as nvcc writes it without compression, and nvcc's wrapper of it. */
struct cut_fatbin {
    uint32_t magic, version;
    const void *data, *unused;
    struct lab_buf bytes;
};
void cut_fatbin_init(struct cut_fatbin *f, const char *ptx, unsigned arch);
void cut_fatbin_fini(struct cut_fatbin *f);

#endif
