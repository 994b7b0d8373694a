/* Elements of a kernel's buffers: numbers of PTX's types as bytes, as doubles and as text.
 * Thread-safety: no shared state. */
#ifndef VG_CMD_ELEMENT_H
#define VG_CMD_ELEMENT_H

#include "lab/buf.h"
#include "ptx.h"

/* The type an argument names (u8 i8 s8 … f64), or PTX_NONE. */
enum ptx_type vg_element_type(const char *name, size_t len);
bool vg_element_is_float(enum ptx_type type);

/* A number as text into the element's bytes, least significant first. −1: no number, or one that
 * the type cannot hold. Integers may be 0x…; floats take what strtod takes, inf and nan too. */
int vg_element_parse(enum ptx_type type, const char *text, size_t len, uint8_t *out);

/* Element i of bytes as a double: exact but for 64-bit integers beyond 2^53. */
double vg_element(enum ptx_type type, const uint8_t *bytes, uint64_t i);
/* Store a whole number below 2^31, or for floats any number. */
void vg_element_set(enum ptx_type type, uint8_t *bytes, uint64_t i, double v);
/* Append element i: integers in decimal, f32 with 9 digits, f64 with 17, f16 with 5, enough to read
 * the same number back. */
void vg_element_print(enum ptx_type type, const uint8_t *bytes, uint64_t i, struct lab_buf *out);

#endif
