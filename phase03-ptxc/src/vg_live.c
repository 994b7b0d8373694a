/* Live registers by the textbook backward data-flow analysis (Aho, Lam, Sethi and Ullman,
 * "Compilers", 9.2.5): in = use ∪ (out − def), out = union of the successors' in, until nothing
 * changes. A write under a guard may not happen, so it kills nothing.
 *
 * The estimate of registers is the largest sum of live widths at any instruction. ptxas reorders,
 * keeps some registers for itself and rounds up to 8, so its figure is another one.
 */
#include "vg_live.h"

#include <stdlib.h>
#include <string.h>

#include "lab/buf.h"
#include "vg_operands.h"

#define MAX_BITS (1ull << 28) /* of one set of bit vectors */

struct sets {
    const struct ptx_func *f;
    const struct ptx_cfg *cfg;
    size_t words;             /* of one block's set */
    uint64_t *in, *use, *def; /* by block */
    uint32_t *width;          /* of each register in 32-bit registers */
};

struct visit {
    uint64_t *use, *def; /* use NULL: of no interest */
};

static void note(void *ctx, const struct ptx_operand *op, enum vg_role role)
{
    const struct visit *v = ctx;
    if (op->var == NULL || op->var->space != PTX_SPACE_REG) {
        return;
    }
    uint32_t r = op->var->reg_index;
    uint64_t bit = 1ull << (r % 64);
    if (role == VG_WRITES) {
        v->def[r / 64] |= bit;
    } else if (v->use != NULL) {
        v->use[r / 64] |= bit;
    }
}

/* Registers that one instruction reads and surely writes. */
static void of_insn(const struct ptx_insn *in, size_t words, uint64_t *use, uint64_t *def)
{
    memset(use, 0, words * sizeof(*use));
    memset(def, 0, words * sizeof(*def));
    struct visit v = {use, def};
    vg_operands(in, &v, note);
    if (in->guard != NULL) {
        memset(def, 0, words * sizeof(*def));
        use[in->guard->reg_index / 64] |= 1ull << (in->guard->reg_index % 64);
    }
}

/* Registers that an instruction may write. */
static void all_written(const struct ptx_insn *in, size_t words, uint64_t *def)
{
    memset(def, 0, words * sizeof(*def));
    struct visit v = {NULL, def};
    vg_operands(in, &v, note);
}

/* live = use ∪ (live − def) */
static void step(uint64_t *live, const uint64_t *use, const uint64_t *def, size_t words)
{
    for (size_t k = 0; k < words; k++) {
        live[k] = use[k] | (live[k] & ~def[k]);
    }
}

static void summarise_block(struct sets *s, uint32_t b, uint64_t *use, uint64_t *def)
{
    uint64_t *buse = s->use + b * s->words, *bdef = s->def + b * s->words;
    for (uint32_t pc = s->cfg->blocks[b].end; pc-- > s->cfg->blocks[b].first;) {
        of_insn(&s->f->insns[pc], s->words, use, def);
        step(buse, use, def, s->words);
        for (size_t k = 0; k < s->words; k++) {
            bdef[k] |= def[k];
        }
    }
}

static void live_out(const struct sets *s, uint32_t b, uint64_t *out)
{
    memset(out, 0, s->words * sizeof(*out));
    for (uint32_t e = 0; e < s->cfg->blocks[b].nsucc; e++) {
        const uint64_t *in = s->in + s->cfg->blocks[b].succ[e] * s->words;
        for (size_t k = 0; k < s->words; k++) {
            out[k] |= in[k];
        }
    }
}

static void solve(struct sets *s, uint64_t *live)
{
    bool changed = true;
    while (changed) {
        changed = false;
        for (uint32_t b = s->cfg->nblocks; b-- > 0;) {
            uint64_t *in = s->in + b * s->words;
            live_out(s, b, live);
            step(live, s->use + b * s->words, s->def + b * s->words, s->words);
            if (memcmp(in, live, s->words * sizeof(*live)) != 0) {
                memcpy(in, live, s->words * sizeof(*live));
                changed = true;
            }
        }
    }
}

static uint32_t weight(const struct sets *s, const uint64_t *live)
{
    uint32_t n = 0;
    for (size_t k = 0; k < s->words; k++) {
        for (uint64_t m = live[k]; m != 0; m &= m - 1) {
            n += s->width[k * 64 + (size_t)__builtin_ctzll(m)];
        }
    }
    return n;
}

/* The registers of a set are alive at pc. */
static void extend(const struct sets *s, const uint64_t *set, uint32_t pc, struct vg_span *spans)
{
    for (size_t k = 0; k < s->words; k++) {
        for (uint64_t m = set[k]; m != 0; m &= m - 1) {
            struct vg_span *p = &spans[k * 64 + (size_t)__builtin_ctzll(m)];
            p->first = pc < p->first ? pc : p->first;
            p->last = pc > p->last ? pc : p->last;
        }
    }
}

/* A value that crosses the end of a block is alive to its edge; inside, from its first to its last
 * mention. */
static void find_spans(const struct sets *s, uint64_t *tmp, struct vg_span *spans)
{
    uint64_t *use = tmp, *def = tmp + s->words, *written = tmp + 2 * s->words;
    for (uint32_t b = 0; b < s->cfg->nblocks; b++) {
        const struct ptx_block *block = &s->cfg->blocks[b];
        extend(s, s->in + b * s->words, block->first, spans);
        live_out(s, b, use);
        extend(s, use, block->end - 1, spans);
        for (uint32_t pc = block->first; pc < block->end; pc++) {
            of_insn(&s->f->insns[pc], s->words, use, def);
            extend(s, use, pc, spans);
            all_written(&s->f->insns[pc], s->words, written);
            extend(s, written, pc, spans);
        }
    }
}

static uint32_t pressure(const struct sets *s, uint64_t *live, uint64_t *use, uint64_t *def)
{
    uint32_t most = 0;
    for (uint32_t b = 0; b < s->cfg->nblocks; b++) {
        live_out(s, b, live);
        for (uint32_t pc = s->cfg->blocks[b].end; pc-- > s->cfg->blocks[b].first;) {
            of_insn(&s->f->insns[pc], s->words, use, def);
            step(live, use, def, s->words);
            uint32_t now = weight(s, live);
            most = now > most ? now : most;
        }
    }
    return most;
}

static void widths(struct sets *s)
{
    for (const struct ptx_var *v = s->f->regs; v != NULL; v = v->next) {
        if (v->type != PTX_PRED) {
            s->width[v->reg_index] = (ptx_type_size(v->type) + 3) / 4;
        }
    }
}

static void give_up(const struct sets *s, struct vg_live *out)
{
    memset(out->unset, 0xFF, s->words * sizeof(*out->unset));
    out->regs = 255;
    for (size_t r = 0; r < s->words * 64; r++) {
        out->spans[r] = (struct vg_span){0, UINT32_MAX};
    }
}

static void analyse(struct sets *s, struct vg_live *out)
{
    const size_t n = s->cfg->nblocks * s->words + 1;
    uint64_t *tmp = lab_alloc(3 * s->words, sizeof(*tmp));
    s->in = lab_alloc(n, sizeof(*s->in));
    s->use = lab_alloc(n, sizeof(*s->use));
    s->def = lab_alloc(n, sizeof(*s->def));
    s->width = lab_alloc(s->words * 64, sizeof(*s->width));
    widths(s);
    for (uint32_t b = 0; b < s->cfg->nblocks; b++) {
        summarise_block(s, b, tmp, tmp + s->words);
    }
    solve(s, tmp);
    out->regs = pressure(s, tmp, tmp + s->words, tmp + 2 * s->words);
    find_spans(s, tmp, out->spans);
    if (s->cfg->nblocks > 0) {
        memcpy(out->unset, s->in, s->words * sizeof(*out->unset));
    }
    free(tmp);
    free(s->width);
    free(s->def);
    free(s->use);
    free(s->in);
}

void vg_live(const struct ptx_func *f, const struct ptx_cfg *cfg, struct vg_live *out)
{
    struct sets s = {.f = f, .cfg = cfg, .words = f->nregs / 64 + 1};
    out->unset = lab_alloc(s.words, sizeof(*out->unset));
    out->spans = lab_alloc(s.words * 64, sizeof(*out->spans));
    for (size_t r = 0; r < s.words * 64; r++) {
        out->spans[r] = (struct vg_span){UINT32_MAX, 0};
    }
    if ((uint64_t)s.words * 64 * cfg->nblocks > MAX_BITS ||
        (uint64_t)s.words * f->ninsns > MAX_BITS / 8) {
        give_up(&s, out);
    } else {
        analyse(&s, out);
    }
}

void vg_live_fini(struct vg_live *l)
{
    free(l->unset);
    free(l->spans);
}
