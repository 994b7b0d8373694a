/* A kernel's arguments, written as words: how `vgpu launch` and the demonstration name them.
 *
 *   TYPE:VALUE              a number: i32:-5, u64:7, f32:2.5
 *   [NAME:]TYPE[N]          device memory of N elements that nobody has written
 *   [NAME:]TYPE[N]=INIT     the same, filled before the launch: iota (0, 1, 2, …), zero, one, rand,
 *                           a number, or @FILE (numbers with blanks, commas or line ends between)
 *   ptr:NAME[+BYTES]        a pointer into the buffer of that name
 *   hex:BYTES               a parameter passed by value, byte by byte: hex:0000803f
 *
 * TYPE is u8 i8 u16 i16 u32 i32 u64 i64 f16 f32 f64 (s8 … s64 are i8 … i64). A buffer without a
 * name is called arg0, arg1, … by its position. rand: floats in [0, 1), integers 0 … 99, the same
 * for the same seed and position.
 *
 * Thread-safety: one thread at a time.
 */
#ifndef VG_CMD_ARGS_H
#define VG_CMD_ARGS_H

#include "vg_cmd_element.h"
#include "vgpu.h"

enum { VG_ARG_NAME = 64, VG_ARG_HEX_MAX = 256 };
#define VG_ARG_BYTES (1ull << 30) /* of one buffer, at most */

enum vg_arg_kind { VG_ARG_NUMBER, VG_ARG_BUFFER, VG_ARG_POINTER, VG_ARG_HEX };

struct vg_arg {
    enum vg_arg_kind kind;
    enum ptx_type type;
    char name[VG_ARG_NAME]; /* of the buffer, or of the one pointed into; "" when not given */
    bool named;             /* the user gave the buffer's name */
    uint64_t n;             /* elements of a buffer */
    const char *init;       /* after '=', borrowed from the text; NULL: unwritten */
    uint64_t offset;        /* of a pointer, bytes */
    uint8_t value[VG_ARG_HEX_MAX]; /* of a number or hex, as the parameter block holds it */
    uint32_t value_bytes;
    uint8_t *initial; /* owned: the buffer's bytes before the launch; NULL when unwritten */
    uint64_t addr;    /* the buffer on the device; 0: none yet */
};

struct vg_args {
    struct vgpu *g;
    struct vg_arg *at; /* owned */
    uint32_t n;
    uint8_t *params; /* owned: the parameter block */
};

struct vg_arg_words {
    const char *const *at; /* ends with NULL */
    uint64_t seed;
};

/* One word into *out; nothing is allocated. −1 with what was expected. */
int vg_arg_parse(const char *text, struct vg_arg *out, struct lab_err *err);

/* Parse all words, compare them with the kernel's parameters, allocate and fill the buffers, and
 * lay out the parameter block. On failure nothing stays allocated and *a is empty. */
int vg_args_make(struct vg_args *a, struct vgpu *g, const struct vgpu_kernel *kernel,
                 const struct vg_arg_words *words, struct lab_err *err);
/* Free the buffers, on the device too. A zeroed *a is fine. */
void vg_args_free(struct vg_args *a);

/* The buffer of that name, or NULL. */
const struct vg_arg *vg_args_find(const struct vg_args *a, const char *name);
/* A copy of the buffer's bytes as they are now; free() it. */
uint8_t *vg_args_fetch(const struct vg_args *a, const struct vg_arg *buffer);

#endif
