/* Accesses on a line (vg_ldst_fast.c) whose registers are not the elements: vectors of words, and
 * bytes, which live in 16-bit registers. */
#include "vg_line.h"

/* Vectors of VEC words: word e of lane k lies at k · step + 4 e. */
#define LOAD_WORDS(name, VEC, REACH, AGAIN, WIDE)                                                  \
    VG_HANDLER(name)                                                                               \
    {                                                                                              \
        PLACES(REACH, 4 * (VEC), AGAIN, WIDE);                                                     \
        if (to == 0) {                                                                             \
            vg_op_load(w, i);                                                                      \
            return;                                                                                \
        }                                                                                          \
        const uint32_t *slots = vg_extra(w, i);                                                    \
        for (unsigned e = 0; e < (VEC); e++) {                                                     \
            uint32_t *d = VG_REG(w, slots[e], uint32_t);                                           \
            for (unsigned k = 0; k < HALF && slots[e] != VG_NO_SLOT; k++) {                        \
                d[k] = AT(const uint32_t, q0, n->step[0], k)[e];                                   \
                d[HALF + k] = AT(const uint32_t, q1, n->step[1], k)[e];                            \
            }                                                                                      \
        }                                                                                          \
    }

#define STORE_WORDS(name, VEC, REACH, AGAIN, WIDE)                                                 \
    VG_HANDLER(name)                                                                               \
    {                                                                                              \
        PLACES(REACH, 4 * (VEC), AGAIN, WIDE);                                                     \
        if (to == 0) {                                                                             \
            vg_op_store(w, i);                                                                     \
            return;                                                                                \
        }                                                                                          \
        const uint32_t *slots = vg_extra(w, i);                                                    \
        for (unsigned e = 0; e < (VEC); e++) {                                                     \
            const uint32_t *s = VG_REG(w, slots[e], uint32_t);                                     \
            for (unsigned k = 0; k < HALF; k++) {                                                  \
                AT(uint32_t, q0, n->step[0], k)[e] = s[k];                                         \
            }                                                                                      \
            for (unsigned k = 0; k < HALF; k++) {                                                  \
                AT(uint32_t, q1, n->step[1], k)[e] = s[HALF + k];                                  \
            }                                                                                      \
        }                                                                                          \
    }

/* Bytes in memory, TR in registers; TM says how they are extended. */
#define LOAD_BYTES(name, TM, TR, REACH, AGAIN, WIDE)                                               \
    VG_HANDLER(name)                                                                               \
    {                                                                                              \
        PLACES(REACH, 1, AGAIN, WIDE);                                                             \
        TR *d = VG_REG(w, i->d, TR);                                                               \
        if (to == 0) {                                                                             \
            vg_op_load(w, i);                                                                      \
            return;                                                                                \
        }                                                                                          \
        for (unsigned k = 0; k < HALF; k++) {                                                      \
            d[k] = (TR)*AT(const TM, q0, n->step[0], k);                                           \
            d[HALF + k] = (TR)*AT(const TM, q1, n->step[1], k);                                    \
        }                                                                                          \
    }

#define STORE_BYTES(name, TR, REACH, AGAIN, WIDE)                                                  \
    VG_HANDLER(name)                                                                               \
    {                                                                                              \
        PLACES(REACH, 1, AGAIN, WIDE);                                                             \
        const TR *s = VG_REG(w, i->d, TR);                                                         \
        if (to == 0) {                                                                             \
            vg_op_store(w, i);                                                                     \
            return;                                                                                \
        }                                                                                          \
        for (unsigned k = 0; k < HALF; k++) {                                                      \
            *AT(uint8_t, q0, n->step[0], k) = (uint8_t)s[k];                                       \
        }                                                                                          \
        for (unsigned k = 0; k < HALF; k++) {                                                      \
            *AT(uint8_t, q1, n->step[1], k) = (uint8_t)s[HALF + k];                                \
        }                                                                                          \
    }

#define WORDS(space, REACH, WIDE)                                                                  \
    LOAD_WORDS(ld_##space##_v2_first, 2, REACH, false, WIDE)                                       \
    LOAD_WORDS(ld_##space##_v2_again, 2, REACH, true, WIDE)                                        \
    LOAD_WORDS(ld_##space##_v4_first, 4, REACH, false, WIDE)                                       \
    LOAD_WORDS(ld_##space##_v4_again, 4, REACH, true, WIDE)                                        \
    STORE_WORDS(st_##space##_v2_first, 2, REACH, false, WIDE)                                      \
    STORE_WORDS(st_##space##_v2_again, 2, REACH, true, WIDE)                                       \
    STORE_WORDS(st_##space##_v4_first, 4, REACH, false, WIDE)                                      \
    STORE_WORDS(st_##space##_v4_again, 4, REACH, true, WIDE)

#define BYTES(space, REACH, WIDE)                                                                  \
    LOAD_BYTES(ld_##space##_u8_first, uint8_t, uint16_t, REACH, false, WIDE)                       \
    LOAD_BYTES(ld_##space##_u8_again, uint8_t, uint16_t, REACH, true, WIDE)                        \
    LOAD_BYTES(ld_##space##_s8_first, int8_t, uint16_t, REACH, false, WIDE)                        \
    LOAD_BYTES(ld_##space##_s8_again, int8_t, uint16_t, REACH, true, WIDE)                         \
    STORE_BYTES(st_##space##_u8_first, uint16_t, REACH, false, WIDE)                               \
    STORE_BYTES(st_##space##_u8_again, uint16_t, REACH, true, WIDE)

WORDS(global, reach_global, true)
WORDS(generic, reach_generic, true)
WORDS(shared, reach_shared, false)
BYTES(global, reach_global, true)
BYTES(generic, reach_generic, true)
BYTES(shared, reach_shared, false)

#define ROW(space, wide, size, vec, load, store)                                                   \
    {                                                                                              \
        space, wide, size, vec, {ld_##load##_first, ld_##load##_again},                            \
        {                                                                                          \
            st_##store##_first, st_##store##_again                                                 \
        }                                                                                          \
    }

static const struct vg_fast_row vectors[] = {
    ROW(PTX_SPACE_GLOBAL, VG_MEM_ADDR64, 4, 2, global_v2, global_v2),
    ROW(PTX_SPACE_GLOBAL, VG_MEM_ADDR64, 4, 4, global_v4, global_v4),
    ROW(PTX_SPACE_GENERIC, VG_MEM_ADDR64, 4, 2, generic_v2, generic_v2),
    ROW(PTX_SPACE_GENERIC, VG_MEM_ADDR64, 4, 4, generic_v4, generic_v4),
    ROW(PTX_SPACE_SHARED, 0, 4, 2, shared_v2, shared_v2),
    ROW(PTX_SPACE_SHARED, 0, 4, 4, shared_v4, shared_v4),
};

static const struct vg_fast_row bytes[] = {
    ROW(PTX_SPACE_GLOBAL, VG_MEM_ADDR64, 1, 1, global_u8, global_u8),
    ROW(PTX_SPACE_GENERIC, VG_MEM_ADDR64, 1, 1, generic_u8, generic_u8),
    ROW(PTX_SPACE_SHARED, 0, 1, 1, shared_u8, shared_u8),
};

static const struct vg_fast_row signed_bytes[] = {
    ROW(PTX_SPACE_GLOBAL, VG_MEM_ADDR64, 1, 1, global_s8, global_u8),
    ROW(PTX_SPACE_GENERIC, VG_MEM_ADDR64, 1, 1, generic_s8, generic_u8),
    ROW(PTX_SPACE_SHARED, 0, 1, 1, shared_s8, shared_u8),
};

struct vg_fast vg_fast_odd(const struct vg_insn *i)
{
    if (vg_mem_size(i) == 4 && vg_mem_reg(i) == 4) {
        return vg_fast_find(i, vectors, sizeof(vectors) / sizeof(vectors[0]));
    }
    if (vg_mem_size(i) == 1 && vg_mem_reg(i) == 2 && (i->mods & VG_MEM_SIGNED) != 0) {
        return vg_fast_find(i, signed_bytes, sizeof(signed_bytes) / sizeof(signed_bytes[0]));
    }
    if (vg_mem_size(i) == 1 && vg_mem_reg(i) == 2) {
        return vg_fast_find(i, bytes, sizeof(bytes) / sizeof(bytes[0]));
    }
    return (struct vg_fast){NULL, NULL};
}
