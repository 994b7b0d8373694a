/* What each kernel's launches counted, for the report when the process ends. Private to
 * libcuda.so.1. */
#ifndef CU_REPORT_H
#define CU_REPORT_H

#include "cu_op.h"
#include "vg_count.h"

/* Where the counters of the function's launches go; NULL when nothing is counted. */
struct vgpu_counters *cu_profile_counters(CUfunction f);
/* A launch of the function ended well. */
void cu_profile_launch(CUfunction f, const struct cu_launch *l);
/* Is something of the module needed when the process ends? Then it must not be unloaded. */
bool cu_profile_keeps(const struct CUmod_st *m);
/* Write the report and the checks' findings where the configuration says, and forget them. */
void cu_report_write(void);

/* Where and why the kernel stopped, or why it was not launched: some lines on stderr. */
void cu_fault_say(CUfunction f, const struct vgpu_fault *fault);
void cu_refusal_say(CUfunction f, const struct vgpu_fault *fault);

#endif
