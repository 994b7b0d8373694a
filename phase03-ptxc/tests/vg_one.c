/* See vg_one.h. Register file: eight registers of each class, each class in a stretch of its own,
 * then the constants of the statement. */
#include "vg_one.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "lab/buf.h"
#include "vg_lanes.h"

#define PER_CLASS  8u
#define SLOT_BYTES 512u /* of the largest register, .b128 */
#define MAX_CONSTS 64u
#define FILE_SLOTS (8u * PER_CLASS + MAX_CONSTS)
#define MAX_SIDE   256u

static const char classes[] = "pchrdfgq";

struct vg_decoder {
    struct vg_one *one;
};

struct vg_one {
    struct ptx_module *module;
    struct vg_insn insn;
    struct vg_warp warp;
    uint32_t nconsts, nside;
    uint32_t side[MAX_SIDE];
    uint8_t *file;
};

uint32_t vg_one_slot(const char *name)
{
    const char *at = strchr(classes, name[1]);
    LAB_ASSERT(name[0] == '%' && at != NULL && name[2] >= '0' && name[2] < '8');
    return ((uint32_t)(at - classes) * PER_CLASS + (uint32_t)(name[2] - '0')) * SLOT_BYTES;
}

static unsigned class_bytes(char c)
{
    switch (c) {
    case 'c':
    case 'h': return 2;
    case 'r':
    case 'f': return 4;
    case 'p': return 0;
    default: return 8;
    }
}

static void put(uint8_t *at, unsigned bytes, unsigned lane, uint64_t v)
{
    switch (bytes) {
    case 2: ((uint16_t *)(void *)at)[lane] = (uint16_t)v; break;
    case 4: ((uint32_t *)(void *)at)[lane] = (uint32_t)v; break;
    default: ((uint64_t *)(void *)at)[lane] = v; break;
    }
}

void vg_one_set(struct vg_one *o, const char *name, unsigned lane, uint64_t value)
{
    uint8_t *at = o->file + vg_one_slot(name);
    if (name[1] == 'p') {
        uint32_t *p = (uint32_t *)(void *)at;
        *p = (*p & ~(1u << lane)) | (uint32_t)(value & 1) << lane;
        return;
    }
    put(at, class_bytes(name[1]), lane, value);
}

uint64_t vg_one_get(const struct vg_one *o, const char *name, unsigned lane)
{
    const uint8_t *at = o->file + vg_one_slot(name);
    switch (class_bytes(name[1])) {
    case 0: return *(const uint32_t *)(const void *)at >> lane & 1;
    case 2: return ((const uint16_t *)(const void *)at)[lane];
    case 4: return ((const uint32_t *)(const void *)at)[lane];
    default: return ((const uint64_t *)(const void *)at)[lane];
    }
}

void vg_one_fill(struct vg_one *o, const char *name, uint64_t value)
{
    for (unsigned l = 0; l < VG_LANES; l++) {
        vg_one_set(o, name, l, value);
    }
}

struct vg_warp *vg_one_warp(struct vg_one *o)
{
    return &o->warp;
}

/* --- the decoder's side of the contract (vg_exec.h) --- */

uint32_t vg_slot_const(struct vg_decoder *d, uint64_t bits, enum ptx_type type)
{
    struct vg_one *o = d->one;
    LAB_ASSERT(o->nconsts < MAX_CONSTS);
    uint32_t slot = (8u * PER_CLASS + o->nconsts++) * SLOT_BYTES;
    unsigned size = ptx_type_size(type);
    if (type == PTX_PRED) {
        *(uint32_t *)(void *)(o->file + slot) = bits != 0 ? UINT32_MAX : 0;
        return slot;
    }
    for (unsigned l = 0; l < VG_LANES; l++) {
        put(o->file + slot, size < 2 ? 2 : size, l, size == 1 ? bits & 0xFFu : bits);
    }
    return slot;
}

static uint32_t slot_of(struct vg_decoder *d, const struct ptx_operand *op, enum ptx_type type,
                        bool exact)
{
    unsigned want = ptx_type_size(type);
    if (op->kind == PTX_OP_INT || op->kind == PTX_OP_F32 || op->kind == PTX_OP_F64) {
        return vg_slot_const(d, (uint64_t)op->i, type);
    }
    if (op->kind != PTX_OP_REG || (op->var->type == PTX_PRED) != (type == PTX_PRED)) {
        return VG_NO_SLOT;
    }
    unsigned have = ptx_type_size(op->var->type);
    return have < want || (exact && have != want) ? VG_NO_SLOT : vg_one_slot(op->var->name);
}

uint32_t vg_slot(struct vg_decoder *d, const struct ptx_operand *op, enum ptx_type type,
                 struct lab_err *err)
{
    uint32_t slot = slot_of(d, op, type, true);
    if (slot == VG_NO_SLOT) {
        lab_err_input(err, "one: an operand cannot be read as .%s", ptx_type_name(type));
    }
    return slot;
}

uint32_t vg_slot_relaxed(struct vg_decoder *d, const struct ptx_operand *op, enum ptx_type type,
                         struct lab_err *err)
{
    uint32_t slot = slot_of(d, op, type, false);
    if (slot == VG_NO_SLOT) {
        lab_err_input(err, "one: an operand cannot be read as .%s", ptx_type_name(type));
    }
    return slot;
}

uint32_t vg_slot_scratch(struct vg_decoder *d, enum ptx_type type)
{
    return vg_slot_const(d, 0, type);
}

uint32_t vg_side_table(struct vg_decoder *d, const uint32_t *words, uint32_t n)
{
    struct vg_one *o = d->one;
    LAB_ASSERT(o->nside + n <= MAX_SIDE);
    memcpy(o->side + o->nside, words, n * sizeof(*words));
    o->nside += n;
    return o->nside - n;
}

const uint32_t *vg_extra(const struct vg_warp *w, const struct vg_insn *i)
{
    const struct vg_one *o = (const struct vg_one *)(const void *)w->block;
    return o->side + i->extra;
}

int vg_decode_error(struct vg_decoder *d, const struct ptx_insn *in, struct lab_err *err,
                    const char *fmt, ...)
{
    struct lab_buf text;
    (void)d;
    lab_buf_init(&text);
    va_list ap;
    va_start(ap, fmt);
    lab_buf_vprintf(&text, fmt, ap);
    va_end(ap);
    lab_err_input(err, "one:%u:%u: %s: %s", in->pos.line, in->pos.col, ptx_word_text(in->op),
                  lab_buf_str(&text));
    lab_buf_fini(&text);
    return -1;
}

/* --- building and running --- */

static int parse(struct vg_one *o, const char *statement, struct lab_err *err)
{
    struct lab_buf text;
    lab_buf_init(&text);
    lab_buf_printf(&text,
                   ".version 9.0\n.target sm_100\n.address_size 64\n.visible .entry k()\n{\n"
                   ".reg .pred %%p<8>; .reg .b8 %%c<8>; .reg .b16 %%h<8>; .reg .b32 %%r<8>;"
                   ".reg .b64 %%d<8>; .reg .f32 %%f<8>; .reg .f64 %%g<8>; .reg .b128 %%q<8>;\n"
                   "%s\nret;\n}\n",
                   statement);
    const char *s = lab_buf_str(&text);
    int got = ptx_parse("one", s, strlen(s), &o->module, err);
    lab_buf_fini(&text);
    return got;
}

static int decode(struct vg_one *o, struct lab_err *err)
{
    typedef int (*family)(struct vg_decoder *, const struct ptx_insn *, struct vg_insn *,
                          struct lab_err *);
    static const family families[] = {vg_decode_int, vg_decode_float, vg_decode_cvt,
                                      vg_decode_tensor};
    struct vg_decoder d = {o};
    const struct ptx_insn *in = &ptx_find_func(o->module, "k")->insns[0];
    o->insn = (struct vg_insn){.d = VG_NO_SLOT,
                               .a = VG_NO_SLOT,
                               .b = VG_NO_SLOT,
                               .c = VG_NO_SLOT,
                               .e = VG_NO_SLOT,
                               .guard = VG_NO_SLOT};
    for (unsigned k = 0; k < 4; k++) {
        int got = families[k](&d, in, &o->insn, err);
        if (got != 0) {
            return got < 0 ? -1 : 0;
        }
    }
    return lab_err_input(err, "one: no family takes %s", ptx_word_text(in->op));
}

struct vg_one *vg_one_new(const char *statement, struct lab_err *err)
{
    struct vg_one *o = calloc(1, sizeof(*o));
    LAB_ASSERT(o != NULL);
    o->file = aligned_alloc(64, FILE_SLOTS * SLOT_BYTES);
    LAB_ASSERT(o->file != NULL);
    memset(o->file, 0, FILE_SLOTS * SLOT_BYTES);
    o->warp = (struct vg_warp){.r = o->file, .active = VG_FULL, .alive = VG_FULL};
    o->warp.block = (struct vg_block *)(void *)o;
    if (parse(o, statement, err) < 0 || decode(o, err) < 0) {
        vg_one_free(o);
        return NULL;
    }
    return o;
}

void vg_one_free(struct vg_one *o)
{
    if (o != NULL) {
        ptx_module_free(o->module);
        free(o->file);
        free(o);
    }
}

void vg_one_run(struct vg_one *o, uint32_t exec)
{
    o->warp.exec = exec;
    o->insn.fn(&o->warp, &o->insn);
}

uint64_t vg_one_value(const char *statement, const char *dest, unsigned nsources,
                      const char *const *names, const uint64_t *values)
{
    struct lab_err err = {0};
    struct vg_one *o = vg_one_new(statement, &err);
    if (o == NULL) {
        fprintf(stderr, "%s: %s\n", statement, err.msg);
        LAB_ASSERT(o != NULL);
    }
    for (unsigned k = 0; k < nsources; k++) {
        vg_one_fill(o, names[k], values[k]);
    }
    vg_one_run(o, VG_FULL);
    uint64_t r = vg_one_get(o, dest, 0);
    vg_one_free(o);
    return r;
}

bool vg_one_refuses(const char *statement)
{
    struct lab_err err = {0};
    struct vg_one *o = vg_one_new(statement, &err);
    bool refused = o == NULL && err.kind == LAB_ERR_INPUT && strncmp(err.msg, "one", 3) == 0;
    vg_one_free(o);
    return refused;
}
