/* Findings in words.
 *
 * A finding is a paragraph: what is wrong, which thread did it, the two lines of code (PTX and
 * .cu), the other access of a hazard with its lines, how often, and what mostly cures it.
 */
#include <inttypes.h>
#include <string.h>

#include "vg_name.h"
#include "vg_report.h"
#include "vg_source.h"

#define CODE_MAX 72 /* bytes of a code line */

static const char *const advice[VG_REASON_COUNT] = {
    [VG_OUT_OF_BOUNDS] = "Check the index against the size: a tail guard such as `if (i < n)` is "
                         "missing or wrong.",
    [VG_MISALIGNED] = "A vector access needs an address that is a multiple of its size.",
    [VG_FREED_MEMORY] = "The allocation was freed before the kernel used it.",
    [VG_HOST_POINTER] = "The pointer is one of the host: copy the data to device memory, or use "
                        "pinned or managed memory.",
    [VG_WRONG_SPACE] = "The address belongs to another state space than the instruction says.",
    [VG_READ_AFTER_WRITE] = "Nothing orders the read after the write: a __syncthreads(), or "
                            "__syncwarp() within one warp, is missing between the two.",
    [VG_WRITE_AFTER_READ] = "Nothing makes the write wait for the read: a __syncthreads(), or "
                            "__syncwarp() within one warp, is missing between the two.",
    [VG_WRITE_AFTER_WRITE] = "Both write the same bytes and nothing says which comes last.",
    [VG_DIVERGENT_BARRIER] = "All threads of the block must come to the same barrier: move it out "
                             "of the branch.",
    [VG_MISSING_MEMBERS] = "Every lane in the mask must execute the instruction: compute the mask "
                           "before lanes leave, with __ballot_sync or __activemask.",
    [VG_NOT_A_MEMBER] = "A lane that executes the instruction must be in its mask.",
    [VG_UNWRITTEN_SHARED] = "Shared memory holds garbage when a block starts: write it first.",
    [VG_UNWRITTEN_GLOBAL] = "Device memory holds garbage after cudaMalloc: copy to it, set it, or "
                            "write it first.",
};

static void put_dim(struct lab_buf *out, const char *what, const struct vgpu_dim *d)
{
    lab_buf_printf(out, "%s (%u,%u,%u)", what, d->x, d->y, d->z);
}

/* "      TEXT" padded, then "file:line". */
static void put_line(struct lab_buf *out, const char *text, size_t len, const char *file,
                     uint32_t line)
{
    lab_buf_puts(out, "      ");
    size_t start = out->len;
    vg_line_print(text, len, CODE_MAX, out);
    size_t width = lab_utf8_width(out->data + start);
    lab_buf_fill(out, ' ', width < 46 ? 48 - width : 2);
    lab_buf_printf(out, "%s:%u\n", file, line);
}

static void put_code(struct lab_buf *out, struct vg_source *source, const struct ptx_func *f,
                     uint32_t pc)
{
    const struct ptx_module *m = f->module;
    if (m == NULL || pc >= f->ninsns) {
        return;
    }
    const struct ptx_insn *insn = &f->insns[pc];
    size_t len;
    const char *text = vg_ptx_line(f, pc, &len);
    put_line(out, text, len, vg_source_name(m->name), insn->pos.line);
    const char *path = vg_source_path(m, insn->loc_file);
    if (path != NULL && insn->loc_line != 0) {
        text = vg_source_line(source, f, pc, &len);
        put_line(out, text == NULL ? "" : text, text == NULL ? 0 : len, vg_source_name(path),
                 insn->loc_line);
    }
}

static const char *verb_of(const struct vg_finding *f)
{
    if (f->kind == VG_ATOMIC) {
        return "updates atomically";
    }
    return f->kind == VG_LOAD ? "reads" : "writes";
}

static void put_thread(struct lab_buf *out, const struct vg_finding *f)
{
    put_dim(out, "  thread", &f->thread);
    put_dim(out, " of block", &f->block);
    if (f->lane != VG_NO_LANE) {
        lab_buf_printf(out, ", lane %u of warp %u", f->lane, f->warp);
    } else {
        lab_buf_printf(out, ", warp %u", f->warp);
    }
    if (f->bytes != 0) {
        lab_buf_printf(out, ", %s %u byte%s at ", verb_of(f), f->bytes, f->bytes == 1 ? "" : "s");
        lab_buf_printf(out, f->space == PTX_SPACE_SHARED ? "shared offset %" PRIu64 : "0x%" PRIx64,
                       f->address);
    }
    lab_buf_puts(out, ":\n");
}

static void put_other(struct lab_buf *out, struct vg_source *source, const struct vg_finding *f)
{
    if (f->other_func == NULL) {
        return;
    }
    put_dim(out, "  after thread", &f->other_thread);
    lab_buf_puts(out, f->reason == VG_WRITE_AFTER_READ ? " read there:\n" : " wrote there:\n");
    put_code(out, source, f->other_func, f->other_pc);
}

static void put_finding(struct lab_buf *out, struct vg_source *source, const struct vg_finding *f)
{
    lab_buf_printf(out, "%s: %s in kernel ", vg_check_name(vg_check_of(f->reason)), f->what);
    vg_name_print(f->kernel == NULL ? f->func->name : f->kernel->name, out);
    if (f->kernel != NULL && f->func != f->kernel) {
        lab_buf_puts(out, ", function ");
        vg_name_print(f->func->name, out);
    }
    lab_buf_putc(out, '\n');
    put_thread(out, f);
    put_code(out, source, f->func, f->pc);
    put_other(out, source, f);
    lab_buf_puts(out, "  ");
    struct lab_buf text;
    lab_buf_init(&text);
    lab_buf_printf(&text, "Found %" PRIu64 " time%s. %s", f->count, f->count == 1 ? "" : "s",
                   advice[f->reason]);
    lab_buf_wrap(out, lab_buf_str(&text), 2, 2);
    lab_buf_fini(&text);
    lab_buf_putc(out, '\n');
}

void vg_report_print(struct vg_report *r, struct lab_buf *out)
{
    size_t n;
    const struct vg_finding *list = vg_report_list(r, &n);
    struct vg_source *source = vg_source_new();
    for (size_t i = 0; i < n; i++) {
        put_finding(out, source, &list[i]);
    }
    vg_source_free(source);
    if (vg_report_more(r) != 0) {
        lab_buf_printf(out, "%" PRIu64 " more that are not shown\n", vg_report_more(r));
    }
    if (n == 0) {
        lab_buf_puts(out, "no findings\n");
    } else {
        lab_buf_printf(out, "%zu finding%s\n", n, n == 1 ? "" : "s");
    }
}
