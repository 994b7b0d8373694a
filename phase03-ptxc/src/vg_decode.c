/* From a PTX function to an array of handlers with operands.
 *
 * Problem: interpreting the tree would look up names, types and modifiers at every step. So each
 * instruction is decoded once: the families (integer, float, conversion, tensor, memory, warp,
 * control) are asked in turn, the one that knows the opcode picks a handler that needs no further
 * decision, and everything else about it becomes numbers in struct vg_insn.
 *
 * Model: instruction k of the body is entry k, so a pc means the same to parser, counters and
 * reports. A straight run is a stretch that the machine executes without looking up: it ends with
 * an instruction that may change the pc, block or stop, and before a place where lanes may meet. A
 * guard on anything but a branch is a wrapper handler, so unguarded instructions pay nothing.
 *
 * Simplified: no optimisation of any kind; ptxas reorders, fuses and allocates.
 */
#include <stdlib.h>
#include <string.h>

#include "lab/buf.h"
#include "vg_decode.h"
#include "vg_live.h"
#include "vg_machine.h"
#include "vg_sreg.h"

int vg_decode_error(struct vg_decoder *d, const struct ptx_insn *in, struct lab_err *err,
                    const char *fmt, ...)
{
    struct lab_buf spelled, text;
    lab_buf_init(&spelled);
    lab_buf_init(&text);
    ptx_insn_print(in, &spelled);
    va_list ap;
    va_start(ap, fmt);
    lab_buf_vprintf(&text, fmt, ap);
    va_end(ap);
    lab_err_input(err, "%s:%u:%u: %s: %s", d->m->name, in->pos.line, in->pos.col,
                  lab_buf_str(&spelled), lab_buf_str(&text));
    lab_buf_fini(&spelled);
    lab_buf_fini(&text);
    return -1;
}

void vg_decode_mark(struct vg_decoder *d, uint16_t classes)
{
    d->code->classes[d->pc] |= classes;
}

void vg_decode_leader(struct vg_decoder *d, uint32_t pc)
{
    if (pc != PTX_NO_INSN) {
        d->code->classes[pc] |= VG_CLASS_LEADER;
    }
}

static int by_var(const void *a, const void *b)
{
    const struct vg_home *x = a, *y = b;
    return (uintptr_t)x->var < (uintptr_t)y->var ? -1 : (uintptr_t)x->var > (uintptr_t)y->var;
}

uint32_t vg_code_home(const struct vg_code *c, const struct ptx_var *var)
{
    struct vg_home key = {var, 0};
    const struct vg_home *p =
        c->nhomes == 0 ? NULL : bsearch(&key, c->homes, c->nhomes, sizeof(key), by_var);
    return p != NULL ? p->offset : VG_NO_SLOT;
}

static bool lies_in_frame(const struct ptx_var *v)
{
    return v->space == PTX_SPACE_LOCAL || v->space == PTX_SPACE_PARAM;
}

/* Local memory of a frame is kept in 4-byte rows over the lanes, so no two variables share one. */
static int place_list(struct vg_decoder *d, const struct ptx_var *list, struct lab_err *err)
{
    struct vg_code *c = d->code;
    for (const struct ptx_var *v = list; v != NULL; v = v->next) {
        if (!lies_in_frame(v)) {
            continue;
        }
        uint64_t align = v->align < 4 ? 4 : v->align;
        uint64_t at = (c->local_bytes + align - 1) / align * align;
        if (v->size > VG_LOCAL_LIMIT || at + v->size > VG_LOCAL_LIMIT) {
            return lab_err_input(err,
                                 "%s:%u:%u: '%s': a thread has at most %u bytes of local memory",
                                 d->m->name, v->pos.line, v->pos.col, v->name, VG_LOCAL_LIMIT);
        }
        c->homes = lab_resize(c->homes, c->nhomes + 1u, sizeof(*c->homes));
        c->homes[c->nhomes++] = (struct vg_home){v, (uint32_t)at};
        c->local_bytes = (uint32_t)(at + ((v->size + 3) & ~3ull));
    }
    return 0;
}

static int place_locals(struct vg_decoder *d, struct lab_err *err)
{
    struct vg_code *c = d->code;
    if (place_list(d, d->f->locals, err) < 0) {
        return -1;
    }
    if (d->f->kind == PTX_FUNC &&
        (place_list(d, d->f->params, err) < 0 || place_list(d, d->f->returns, err) < 0)) {
        return -1;
    }
    c->local_bytes = (c->local_bytes + 15u) & ~15u;
    if (c->nhomes > 1) {
        qsort(c->homes, c->nhomes, sizeof(*c->homes), by_var);
    }
    return 0;
}

struct vg_value vg_value_of(struct vg_decoder *d, const struct ptx_var *var)
{
    if (var->space == PTX_SPACE_REG) {
        return (struct vg_value){true, vg_slot_var(d, var), ptx_type_size(var->type)};
    }
    return (struct vg_value){false, vg_code_home(d->code, var), (uint32_t)var->size};
}

static struct vg_value *values_of(struct vg_decoder *d, const struct ptx_var *list, uint32_t n)
{
    struct vg_value *v = lab_alloc(n + 1u, sizeof(*v));
    for (uint32_t k = 0; k < n; k++, list = list->next) {
        v[k] = vg_value_of(d, list);
    }
    return v;
}

typedef int (*family)(struct vg_decoder *d, const struct ptx_insn *in, struct vg_insn *out,
                      struct lab_err *err);

/* Control is asked first: it takes the movs that read a clock. */
static const family families[] = {
    vg_decode_control, vg_decode_mem,  vg_decode_int,    vg_decode_float,
    vg_decode_cvt,     vg_decode_warp, vg_decode_tensor,
};

/* Branches look at their guard themselves: it is their condition. */
static void decode_guard(struct vg_decoder *d, struct vg_insn *out)
{
    if (d->in->guard == NULL) {
        return;
    }
    out->guard = vg_slot_var(d, d->in->guard);
    if (d->in->guard_negated) {
        out->mods |= VG_GUARD_NEG;
    }
    vg_decode_mark(d, VG_CLASS_GUARDED);
    if (d->in->op != PTX_W_bra) {
        out->inner = out->fn;
        out->fn = vg_run_guarded;
    }
}

static int decode_one(struct vg_decoder *d, struct vg_insn *out, struct lab_err *err)
{
    *out = (struct vg_insn){
        .d = VG_NO_SLOT,
        .a = VG_NO_SLOT,
        .b = VG_NO_SLOT,
        .c = VG_NO_SLOT,
        .e = VG_NO_SLOT,
        .guard = VG_NO_SLOT,
    };
    for (size_t k = 0; k < sizeof(families) / sizeof(families[0]); k++) {
        int got = families[k](d, d->in, out, err);
        if (got < 0) {
            return -1;
        }
        if (got > 0) {
            decode_guard(d, out);
            return 0;
        }
    }
    return vg_decode_error(d, d->in, err, "this instruction is not supported");
}

static void find_runs(struct vg_code *c)
{
    for (uint32_t pc = c->ninsns; pc-- > 0;) {
        bool ends = (c->classes[pc] & VG_CLASS_ENDS) != 0 || pc + 1 == c->ninsns ||
                    (c->classes[pc + 1] & VG_CLASS_LEADER) != 0;
        c->run[pc] = ends ? 1 : c->run[pc + 1] + 1;
    }
}

/* The registers that vg_frame_clear must reset. */
static void find_unset(struct vg_decoder *d, const struct vg_live *live)
{
    struct vg_code *c = d->code;
    c->live_regs = live->regs;
    c->unset = lab_alloc(2 * (size_t)d->f->nregs + 1, sizeof(*c->unset));
    for (const struct ptx_var *v = d->f->regs; v != NULL; v = v->next) {
        uint32_t slot = c->reg_slot[v->reg_index];
        if (slot != VG_NO_SLOT && vg_live_unset(live, v->reg_index)) {
            c->unset[c->nunset++] = slot;
            c->unset[c->nunset++] = vg_slot_bytes(v->type);
        }
    }
}

/* Registers of .func parameters and results are alive where the body does not say so. */
static void place_registers(struct vg_decoder *d)
{
    struct vg_live live;
    vg_live(d->f, &d->cfg, &live);
    for (const struct ptx_var *v = d->f->params; v != NULL; v = v->next) {
        if (v->space == PTX_SPACE_REG) {
            live.spans[v->reg_index].first = 0;
        }
    }
    for (const struct ptx_var *v = d->f->returns; v != NULL; v = v->next) {
        if (v->space == PTX_SPACE_REG) {
            live.spans[v->reg_index] = (struct vg_span){0, UINT32_MAX};
        }
    }
    vg_slots_assign(d, live.spans);
    find_unset(d, &live);
    vg_live_fini(&live);
}

static void find_block_fills(struct vg_code *c)
{
    c->block_fills = lab_alloc(c->nfills + 1u, sizeof(*c->block_fills));
    for (uint32_t k = 0; k < c->nfills; k++) {
        const struct vg_fill *f = &c->fills[k];
        if (f->kind == VG_FILL_SREG && vg_sreg_of_block((enum ptx_sreg)(uint32_t)f->bits)) {
            c->block_fills[c->nblock_fills++] = k;
        }
    }
}

static int decode_body(struct vg_decoder *d, struct lab_err *err)
{
    struct vg_code *c = d->code;
    for (d->pc = 0; d->pc < d->f->ninsns; d->pc++) {
        d->in = &d->f->insns[d->pc];
        if (decode_one(d, &c->insns[d->pc], err) < 0) {
            return -1;
        }
    }
    c->frame_bytes = (c->frame_bytes + 63u) & ~63u;
    find_runs(c);
    find_block_fills(c);
    vg_lines_share(d);
    return 0;
}

static struct vg_code *code_new(const struct ptx_func *f)
{
    struct vg_code *c = lab_alloc(1, sizeof(*c));
    c->func = f;
    c->ninsns = f->ninsns;
    c->insns = aligned_alloc(64, c->ninsns * sizeof(*c->insns));
    LAB_ASSERT(c->insns != NULL);
    c->run = lab_alloc(c->ninsns, sizeof(*c->run));
    c->classes = lab_alloc(c->ninsns, sizeof(*c->classes));
    c->reg_slot = lab_alloc(f->nregs + 1u, sizeof(*c->reg_slot));
    memset(c->reg_slot, 0xFF, f->nregs * sizeof(*c->reg_slot));
    return c;
}

int vg_code_build(const struct ptx_module *m, const struct ptx_func *f,
                  const struct vg_symbols *symbols, struct vg_code **out, struct lab_err *err)
{
    struct vg_decoder d = {.m = m, .f = f, .symbols = symbols, .err = err};
    if (ptx_cfg_build(f, &d.cfg, err) < 0) {
        return -1;
    }
    d.code = code_new(f);
    place_registers(&d);
    int got = place_locals(&d, err);
    if (got == 0 && f->kind == PTX_FUNC) {
        d.code->params = values_of(&d, f->params, f->nparams);
        d.code->returns = values_of(&d, f->returns, f->nreturns);
    }
    got = got == 0 ? decode_body(&d, err) : got;
    ptx_cfg_fini(&d.cfg);
    free(d.const_table);
    if (got < 0) {
        vg_code_free(d.code);
        return -1;
    }
    *out = d.code;
    return 0;
}

void vg_code_free(struct vg_code *c)
{
    if (c == NULL) {
        return;
    }
    free(c->insns);
    free(c->run);
    free(c->side);
    free(c->fills);
    free(c->reg_slot);
    free(c->unset);
    free(c->block_fills);
    free(c->homes);
    free(c->params);
    free(c->returns);
    for (uint32_t k = 0; k < c->ncalls; k++) {
        free(c->calls[k].args);
        free(c->calls[k].returns);
    }
    free(c->calls);
    free(c->classes);
    free(c);
}
