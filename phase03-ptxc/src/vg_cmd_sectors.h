/* One access of a running kernel, caught for a picture. */
#ifndef VG_CMD_SECTORS_H
#define VG_CMD_SECTORS_H

#include "lab/buf.h"
#include "lab/err.h"
#include "vg_access.h"

/* Zero it and set `line`; a launch on one host thread fills it. */
struct vg_sectors_watch {
    uint32_t line; /* only accesses of this PTX line; 0: any */
    bool caught;
    uint32_t sectors; /* of the access kept */
    struct vg_access access;
};

/* For vgpu_launch.watch: keeps the access of global memory with the most sectors, the first of
 * several. */
void vg_sectors_watch(void *arg, const struct vg_access *a);
/* Its picture. −1 when no access was caught. */
int vg_sectors_draw(const struct vg_sectors_watch *w, struct lab_buf *svg, struct lab_err *err);

#endif
