/* cp.async: 4, 8 or 16 bytes from global to shared memory, seen when they have been waited for.
 *
 * Problem: a kernel that forgets to wait works here if the copy is made at once, and fails on a
 * GPU.
 *
 * Model: the instruction reads its source and keeps the bytes; commit_group closes a lane's group
 * of copies; wait_group N writes the bytes of all of its groups but the N youngest to shared
 * memory, wait_all of all. Until then a lane sees what shared memory held before. With a source
 * size below the copy's size the rest is zero, and with 0 the source is not looked at (PTX ISA 9.0,
 * 9.7.9.25.3).
 *
 * Simplified: copies that nobody waits for never arrive; on a GPU they do at some time. A warp that
 * has more than PENDING copies under way gets the oldest early.
 */
#include "vg_async.h"

#include <stdlib.h>
#include <string.h>

#include "lab/buf.h"
#include "vg_lanes.h"
#include "vg_launch.h"
#include "vg_mem.h"
#include "vg_memcheck.h"

#define PENDING 4096

/* One cp.async of a warp. */
struct copy {
    uint32_t mask; /* lanes that have not got it yet */
    uint32_t bytes;
    uint32_t to[VG_LANES];    /* offset in shared memory */
    uint32_t group[VG_LANES]; /* of the lane's groups, counted from 0 */
    uint8_t data[VG_LANES][16];
};

struct queue {
    struct copy *copies;
    size_t n, cap;
    uint32_t closed[VG_LANES]; /* groups committed */
};

struct vg_async {
    struct queue warps[VG_MAX_WARPS];
};

void vg_async_free(struct vg_async *a)
{
    for (unsigned k = 0; a != NULL && k < VG_MAX_WARPS; k++) {
        free(a->warps[k].copies);
    }
    free(a);
}

void vg_async_reset(struct vg_async *a)
{
    for (unsigned k = 0; a != NULL && k < VG_MAX_WARPS; k++) {
        a->warps[k].n = 0;
        memset(a->warps[k].closed, 0, sizeof(a->warps[k].closed));
    }
}

static struct queue *queue_of(struct vg_warp *w)
{
    struct vg_block *b = w->block;
    if (b->async == NULL) {
        b->async = lab_alloc(1, sizeof(*b->async));
    }
    return &b->async->warps[w->id];
}

static void arrive(struct vg_warp *w, struct copy *c, uint32_t lanes)
{
    lanes &= c->mask;
    c->mask &= ~lanes;
    VG_FOR_MASK(l, lanes)
    {
        memcpy(w->block->shared + c->to[l], c->data[l], c->bytes);
    }
}

static void drop_done(struct queue *q)
{
    size_t kept = 0;
    for (size_t k = 0; k < q->n; k++) {
        if (q->copies[k].mask != 0) {
            if (kept != k) {
                q->copies[kept] = q->copies[k];
            }
            kept++;
        }
    }
    q->n = kept;
}

static struct copy *copy_new(struct vg_warp *w, struct queue *q)
{
    if (q->n == PENDING) {
        for (size_t k = 0; k < PENDING / 2; k++) {
            arrive(w, &q->copies[k], VG_FULL);
        }
        drop_done(q);
    }
    if (q->n == q->cap) {
        q->cap = q->cap != 0 ? q->cap * 2 : 8;
        q->copies = lab_resize(q->copies, q->cap, sizeof(*q->copies));
    }
    return &q->copies[q->n++];
}

/* The two accesses of a copy, as if each were an instruction. Words of extra: */
enum { SRC_A, SRC_IMM_LO, SRC_IMM_HI, SRC_MODS, SRC_SIZE, SRC_IGNORE, EXTRA_WORDS };

static struct vg_insn source_of(const struct vg_warp *w, const struct vg_insn *i)
{
    const uint32_t *x = vg_extra(w, i);
    struct vg_insn s = *i;
    s.a = x[SRC_A];
    s.imm = (int64_t)((uint64_t)x[SRC_IMM_LO] | (uint64_t)x[SRC_IMM_HI] << 32);
    s.mods = x[SRC_MODS];
    return s;
}

/* Bytes that each lane really reads; returns the lanes that read any. */
static uint32_t source_bytes(const struct vg_warp *w, const struct vg_insn *i, uint32_t lanes,
                             uint32_t *n)
{
    const uint32_t *x = vg_extra(w, i);
    const uint32_t all = vg_mem_bytes(i);
    const uint32_t ignored = x[SRC_IGNORE] != VG_NO_SLOT ? VG_PRED(w, x[SRC_IGNORE]) : 0;
    uint32_t read = 0;
    VG_FOR_MASK(l, lanes)
    {
        uint32_t want = x[SRC_SIZE] != VG_NO_SLOT ? VG_U32(w, x[SRC_SIZE])[l] : all;
        n[l] = VG_BIT(ignored, l) != 0 ? 0 : want < all ? want : all;
        read |= n[l] != 0 ? 1u << l : 0;
    }
    return read;
}

static bool read_source(struct vg_warp *w, const struct vg_insn *i, uint8_t data[VG_LANES][16])
{
    uint32_t n[VG_LANES], exec = w->exec;
    uint32_t m = source_bytes(w, i, exec, n);
    struct vg_insn src = source_of(w, i);
    struct vg_at at;
    memset(data, 0, sizeof(uint8_t[VG_LANES][16]));
    if (m == 0) {
        return true;
    }
    w->exec = m;
    bool fine = vg_mem_resolve(w, i, &src, &at);
    w->exec = exec;
    VG_FOR_MASK(l, m)
    {
        if (fine) {
            memcpy(data[l], at.ptr[l], n[l]);
        }
    }
    return fine;
}

static void op_copy(struct vg_warp *w, const struct vg_insn *i)
{
    uint8_t data[VG_LANES][16];
    struct vg_at to;
    if (!read_source(w, i, data) || !vg_mem_resolve(w, i, i, &to)) {
        return;
    }
    struct queue *q = queue_of(w);
    struct copy *c = copy_new(w, q);
    c->mask = w->exec;
    c->bytes = vg_mem_bytes(i);
    for (unsigned l = 0; l < VG_LANES; l++) {
        c->to[l] = (uint32_t)(to.ptr[l] - w->block->shared);
        c->group[l] = q->closed[l];
    }
    memcpy(c->data, data, sizeof(data));
}

static void op_commit(struct vg_warp *w, const struct vg_insn *i)
{
    (void)i;
    struct queue *q = queue_of(w);
    uint32_t m = w->exec;
    VG_FOR_MASK(l, m)
    {
        q->closed[l]++;
    }
}

/* imm: groups that may stay under way; −1: wait for all copies, committed or not. */
static void op_wait(struct vg_warp *w, const struct vg_insn *i)
{
    struct queue *q = queue_of(w);
    for (size_t k = 0; k < q->n; k++) {
        struct copy *c = &q->copies[k];
        uint32_t due = 0, m = w->exec & c->mask;
        VG_FOR_MASK(l, m)
        {
            bool now = i->imm < 0 || (int64_t)c->group[l] + i->imm < (int64_t)q->closed[l];
            due |= now ? 1u << l : 0;
        }
        arrive(w, c, due);
    }
    drop_done(q);
}

bool vg_hook_async(struct vg_warp *w, const struct vg_insn *i, uint32_t lanes)
{
    uint32_t n[VG_LANES];
    struct vg_insn src = source_of(w, i);
    struct vg_access a = {.kind = VG_ASYNC_COPY,
                          .bytes = vg_mem_bytes(i),
                          .func = w->code->func,
                          .pc = vg_pc(w, i),
                          .warp = w->id,
                          .block = w->block->index};
    a.space = PTX_SPACE_GLOBAL;
    a.mask = source_bytes(w, i, lanes, n);
    vg_mem_addresses(w, &src, a.addr);
    if (!vg_hook_access(w, i, &a)) {
        return false;
    }
    a.space = PTX_SPACE_SHARED;
    a.mask = lanes;
    vg_mem_addresses(w, i, a.addr);
    return vg_hook_access(w, i, &a);
}

/* --- decoding --- */

static int decode_wait(struct vg_decoder *d, const struct ptx_insn *in, struct vg_insn *out,
                       struct lab_err *err)
{
    out->imm = -1;
    out->fn = op_wait;
    if (ptx_has(in, PTX_W_wait_group)) {
        if (in->nops != 1 || in->ops[0].kind != PTX_OP_INT || in->ops[0].i < 0) {
            return vg_decode_error(d, in, err, "expected a number of groups");
        }
        out->imm = in->ops[0].i;
    }
    return 1;
}

/* The optional fourth operand: a size, or a predicate that says to ignore the source. */
static int decode_optional(struct vg_decoder *d, const struct ptx_operand *op, uint32_t *x,
                           struct lab_err *err)
{
    bool pred = op->kind == PTX_OP_REG && op->var->type == PTX_PRED;
    uint32_t slot = vg_slot(d, op, pred ? PTX_PRED : PTX_U32, err);
    x[pred ? SRC_IGNORE : SRC_SIZE] = slot;
    return slot == VG_NO_SLOT ? -1 : 0;
}

static int decode_copy(struct vg_decoder *d, const struct ptx_insn *in, struct vg_insn *out,
                       struct lab_err *err)
{
    uint32_t x[EXTRA_WORDS];
    struct vg_insn src = {.mods = 0};
    memset(x, 0xFF, sizeof(x));
    int64_t bytes = in->nops >= 3 && in->ops[2].kind == PTX_OP_INT ? in->ops[2].i : 0;
    if (bytes != 4 && bytes != 8 && bytes != 16) {
        return vg_decode_error(d, in, err, "a copy has 4, 8 or 16 bytes");
    }
    const uint32_t size = (uint32_t)__builtin_ctz((unsigned)bytes);
    src.mods = size | (uint32_t)VG_ASYNC_COPY << 15;
    out->mods = src.mods;
    const unsigned last = in->nops - (ptx_has(in, PTX_W_L2_cache_hint) ? 1u : 0u);
    if (vg_mem_address(d, &in->ops[0], PTX_SPACE_SHARED, out, err) < 0 ||
        vg_mem_address(d, &in->ops[1], PTX_SPACE_GLOBAL, &src, err) < 0 ||
        (last > 3 && decode_optional(d, &in->ops[3], x, err) < 0)) {
        return -1;
    }
    x[SRC_A] = src.a;
    x[SRC_IMM_LO] = (uint32_t)(uint64_t)src.imm;
    x[SRC_IMM_HI] = (uint32_t)((uint64_t)src.imm >> 32);
    x[SRC_MODS] = src.mods;
    out->extra = vg_side_table(d, x, EXTRA_WORDS);
    out->fn = op_copy;
    vg_decode_mark(d, VG_CLASS_ACCESS);
    return 1;
}

int vg_decode_async(struct vg_decoder *d, const struct ptx_insn *in, struct vg_insn *out,
                    struct lab_err *err)
{
    static const enum ptx_word words[] = {
        PTX_W_async,      PTX_W_ca,       PTX_W_cg,           PTX_W_shared,  PTX_W_shared_cta,
        PTX_W_global,     PTX_W_L2_64B,   PTX_W_L2_128B,      PTX_W_L2_256B, PTX_W_L2_cache_hint,
        PTX_W_wait_group, PTX_W_wait_all, PTX_W_commit_group, PTX_W_none};
    if (vg_mem_modifiers(d, in, words, err) < 0) {
        return -1;
    }
    if (ptx_has(in, PTX_W_wait_group) || ptx_has(in, PTX_W_wait_all)) {
        return decode_wait(d, in, out, err);
    }
    if (ptx_has(in, PTX_W_commit_group)) {
        out->fn = op_commit;
        return 1;
    }
    return decode_copy(d, in, out, err);
}
