/* The picture: lanes downwards, issues to the right, a cell coloured where the lane was active. */
#ifndef SIMT_TIMELINE_H
#define SIMT_TIMELINE_H

#include <stddef.h>

#include "lab/buf.h"
#include "simt_block.h"

enum { SIMT_TIMELINE_MAX = 512 }; /* issues drawn; later ones are only counted */

/* Zero-initialise, record, draw, free. */
struct simt_timeline {
    struct simt_event *events;
    size_t n;     /* events kept, at most SIMT_TIMELINE_MAX */
    size_t total; /* events seen */
};

void simt_timeline_record(struct simt_timeline *t, const struct simt_event *event);
void simt_timeline_fini(struct simt_timeline *t);

/* One warp's run: all events are of one warp and one program. All borrowed. */
struct simt_panel {
    const char *title;
    const struct simt_program *prog;
    const struct simt_timeline *events;
};

/* Append an SVG document with the panels below each other; each is one warp's run. */
void simt_timeline_svg(const struct simt_panel *panels, size_t n, struct lab_buf *out);

#endif
