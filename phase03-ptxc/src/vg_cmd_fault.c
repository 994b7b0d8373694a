/* A fault in words: the status, the thread, the instruction, and the source line by .loc. */
#include "vg_cmd_fault.h"

#include <string.h>

#include "vg_name.h"
#include "vg_source.h"

#define CODE_MAX 100

bool vg_fault_is_input(enum vgpu_status s)
{
    return s < VGPU_ILLEGAL_ADDRESS;
}

static void put_dim(struct lab_buf *out, const char *what, const struct vgpu_dim *d)
{
    lab_buf_printf(out, "%s (%u,%u,%u)", what, d->x, d->y, d->z);
}

static void put_code(struct lab_buf *out, const struct ptx_func *f, const struct ptx_insn *in)
{
    size_t len = 0;
    const char *text = vg_ptx_line(f, (uint32_t)(in - f->insns), &len);
    lab_buf_printf(out, ". At %s:%u: ", vg_source_name(f->module->name), in->pos.line);
    vg_line_print(text, len, CODE_MAX, out);
    const char *path = vg_source_path(f->module, in->loc_file);
    if (path == NULL || in->loc_line == 0) {
        return;
    }
    struct vg_source *source = vg_source_new();
    lab_buf_printf(out, " (%s:%u", vg_source_name(path), in->loc_line);
    text = vg_source_line(source, f, (uint32_t)(in - f->insns), &len);
    if (text != NULL) {
        lab_buf_puts(out, ": ");
        vg_line_print(text, len, CODE_MAX, out);
    }
    lab_buf_putc(out, ')');
    vg_source_free(source);
}

void vg_fault_print(const struct vgpu_fault *f, struct lab_buf *out)
{
    lab_buf_puts(out, "kernel ");
    vg_name_print(f->func->name, out);
    lab_buf_printf(out, " stopped, %s: %s", vgpu_status_name(f->status), f->text);
    put_dim(out, ". In block", &f->block);
    put_dim(out, ", thread", &f->thread);
    lab_buf_printf(out, ", warp %u, lane %u", f->warp, f->lane);
    if ((f->lanes & (f->lanes - 1)) != 0) {
        lab_buf_printf(out, " (%d lanes: mask 0x%08x)", __builtin_popcount(f->lanes), f->lanes);
    }
    if (f->pc < f->func->ninsns) {
        put_code(out, f->func, &f->func->insns[f->pc]);
    }
}
