/* The access with the most sectors, as a picture. Invariant: on one host thread the blocks run in
 * order, so the same launch gives the same picture. */
#include "vg_cmd_sectors.h"

#include <stdio.h>

#include "vg_profile.h"
#include "vg_sectors.h"
#include "vg_source.h"

void vg_sectors_watch(void *arg, const struct vg_access *a)
{
    struct vg_sectors_watch *w = arg;
    if (a->space != PTX_SPACE_GLOBAL ||
        (w->line != 0 && a->func->insns[a->pc].pos.line != w->line)) {
        return;
    }
    uint32_t n = vg_sectors(a);
    if (n > w->sectors) {
        w->caught = true;
        w->sectors = n;
        w->access = *a;
    }
}

int vg_sectors_draw(const struct vg_sectors_watch *w, struct lab_buf *svg, struct lab_err *err)
{
    char title[160];
    if (!w->caught) {
        return lab_err_input(err, w->line == 0
                                      ? "--svg-kind sectors: the kernel accesses no global memory"
                                      : "--svg-line: no access of global memory on that line");
    }
    const struct vg_access *a = &w->access;
    size_t len = 0;
    const char *text = vg_ptx_line(a->func, a->pc, &len);
    (void)snprintf(title, sizeof(title), "%s, line %u: %.*s", a->func->name,
                   a->func->insns[a->pc].pos.line, (int)(len < 60 ? len : 60), text);
    for (char *s = title; *s != '\0'; s++) {
        *s = *s == '\t' ? ' ' : *s;
    }
    vg_access_svg(a, title, svg);
    return 0;
}
