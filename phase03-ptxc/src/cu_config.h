/* What the environment says about the software GPU. `vgpu run` sets these variables; a program may
 * be started with them directly.
 *
 *   VGPU_DEVICE=a100           the chip (vg_device.c); default a100
 *   VGPU_CHECK=mem,race        checks: mem race sync init all, by commas; default none
 *   VGPU_REPORT=table          counters of each kernel when the program ends: table csv json off
 *   VGPU_REPORT_FILE=FILE      where the report goes; default stderr
 *   VGPU_LINES=N               in the report, the N busiest PTX and source lines of each kernel
 *   VGPU_THREADS=N             host threads that run blocks; default all
 *   VGPU_BUDGET=N              warp instructions a launch may execute, 0: no limit; default 10^11
 *   VGPU_POLICY=its            how divergent lanes are scheduled: its stack
 *   CUDA_VISIBLE_DEVICES       as in CUDA: indices or the beginning of a UUID, by commas
 *   CUDA_LAUNCH_BLOCKING=1     a launch waits and returns its fault itself
 */
#ifndef CU_CONFIG_H
#define CU_CONFIG_H

#include <stdbool.h>

#include "lab/err.h"
#include "lab/table.h"
#include "vgpu.h"

#define CU_BUDGET_DEFAULT 100000000000ull /* minutes of work: what runs longer is taken to hang */

struct cu_config {
    struct vgpu_config vgpu;
    bool report;
    enum lab_format format;
    unsigned lines;          /* of each kernel in the report; 0: none */
    const char *report_file; /* NULL: stderr; borrowed from the environment */
    bool launch_blocking;
};

/* `get` is getenv or a stand-in. Input errors name the variable. */
int cu_config_read(const char *(*get)(const char *name), struct cu_config *out,
                   struct lab_err *err);
/* The values of one variable, for options that mean the same. */
int cu_config_checks(const char *words, unsigned *checks, struct lab_err *err);

/* Does CUDA_VISIBLE_DEVICES show the one device there is? `uuid`: "GPU-…". The list ends at the
 * first entry that is no device (CUDA C++ Programming Guide, "CUDA Environment Variables"). */
bool cu_config_visible(const char *value, const char *uuid);

#endif
