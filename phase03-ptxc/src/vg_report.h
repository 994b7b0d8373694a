/* Inside the report: what its printing half asks of it. */
#ifndef VG_REPORT_H
#define VG_REPORT_H

#include "vg_check.h"

/* Different findings that were not kept. */
uint64_t vg_report_more(const struct vg_report *r);

#endif
