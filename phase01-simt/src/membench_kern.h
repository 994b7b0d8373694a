/* The loops that are timed: streams over memory, and the arithmetic kernels of the roofline.
 *
 * All buffers are aligned to 64 bytes; all lengths n are in elements and multiples of
 * MEMBENCH_KERN_MULTIPLE. The vector loops are compiled for several levels of x86-64 and chosen at
 * load time (LAB_CLONES). Every kernel gives the same bits at each level. Thread-safety: no shared
 * state; the caller's buffers.
 */
#ifndef MEMBENCH_KERN_H
#define MEMBENCH_KERN_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define MEMBENCH_KERN_MULTIPLE 64

/* n 64-bit words. read: the sum modulo 2^64. The others store `v`, or src, to every word of dst. */
uint64_t membench_kern_read(const uint64_t *src, size_t n);
uint64_t membench_kern_read2(const uint64_t *a, const uint64_t *b, size_t n); /* of a xor b */
void membench_kern_write(uint64_t *dst, uint64_t v, size_t n);
void membench_kern_copy(uint64_t *dst, const uint64_t *src, size_t n);

/* The same with non-temporal stores, which go around the caches: no line is read before it is
 * overwritten. Where the compiler knows no such store, membench_nt_available says false and these
 * are ordinary stores. */
bool membench_nt_available(void);
void membench_nt_write(uint64_t *dst, uint64_t v, size_t n);
void membench_nt_copy(uint64_t *dst, const uint64_t *src, size_t n);

/* n floats. c = a + b (1 FLOP each); c = a + s·b (2); the sum of a·b (2), in 64 partial sums. */
void membench_kern_vector_add(float *c, const float *a, const float *b, size_t n);
void membench_kern_triad(float *c, const float *a, const float *b, float s, size_t n);
float membench_kern_dot(const float *a, const float *b, size_t n);

/* c += a·b for row-major n × n matrices, n a multiple of MEMBENCH_TILE: tile by tile, so that each
 * product of two tiles does 2·64³ FLOP on three tiles of 16 KiB. Each element sums over k in rising
 * order, so the result equals the plain triple loop's to the bit. */
#define MEMBENCH_TILE 64
void membench_kern_matmul(float *c, const float *a, const float *b, size_t n);

/* Peak arithmetic: `rounds` rounds of 12 independent chains of x·m + a over vectors of floats.
 * Returns the floating-point operations done; *sink gets a value that depends on all of them. fma:
 * one instruction for both operations where the machine has it; else separate multiply and add. */
double membench_flops_fma(uint64_t rounds, float *sink);
double membench_flops_muladd(uint64_t rounds, float *sink);

/* Floats in the widest vector those two use on this machine: 16, 8 or 4. */
int membench_flops_lanes(void);

#endif
