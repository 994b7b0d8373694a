/* One arithmetic instruction on one warp, without the machine: what the arithmetic tests run.
 *
 * The statement is PTX over fixed registers: %p0 … %p7 are .pred, %c .b8, %h .b16, %r .b32, %d
 * .b64, %f .f32, %g .f64, %q .b128, eight of each. It is parsed by the front end, decoded by the
 * families vg_decode_int, _float, _cvt and _tensor, and run by its handler. Slots, constants and
 * the side table are this file's own, so it must not be linked with the machine's decoder.
 */
#ifndef VG_ONE_H
#define VG_ONE_H

#include <stdbool.h>
#include <stdint.h>

#include "lab/err.h"
#include "vg_exec.h"

struct vg_one;

/* NULL with an error when no family takes the statement, or the front end refuses it. */
struct vg_one *vg_one_new(const char *statement, struct lab_err *err);
void vg_one_free(struct vg_one *o);

/* The register named so ("%r1") in a lane. A predicate is 0 or 1. */
void vg_one_set(struct vg_one *o, const char *name, unsigned lane, uint64_t value);
uint64_t vg_one_get(const struct vg_one *o, const char *name, unsigned lane);
void vg_one_fill(struct vg_one *o, const char *name, uint64_t value);
/* The warp, for flags and for arrays of registers (VG_U32 and kin with vg_one_slot). */
struct vg_warp *vg_one_warp(struct vg_one *o);
uint32_t vg_one_slot(const char *name);

/* Run it for the lanes of a mask. */
void vg_one_run(struct vg_one *o, uint32_t exec);

/* The whole round for one lane: statement with sources given as values, destination by name. */
uint64_t vg_one_value(const char *statement, const char *dest, unsigned nsources,
                      const char *const *names, const uint64_t *values);
/* Does the decoder refuse the statement? The message is checked to name the instruction. */
bool vg_one_refuses(const char *statement);

#endif
