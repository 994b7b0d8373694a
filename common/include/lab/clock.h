/* Time for measuring: monotonic, nanoseconds. Nothing in the labs sets a clock. */
#ifndef LAB_CLOCK_H
#define LAB_CLOCK_H

#include <stdint.h>

/* CLOCK_MONOTONIC in nanoseconds. */
uint64_t lab_now_ns(void);

/* The cost of one lab_now_ns call in nanoseconds, the minimum of many: what a timed region must
 * dwarf. */
double lab_clock_cost_ns(void);

/* Keep the compiler from removing the computation of v, or from moving memory accesses across it.
 */
#define LAB_KEEP(v)   __asm__ volatile("" : : "g"(v) : "memory")
#define LAB_BARRIER() __asm__ volatile("" : : : "memory")

#endif
