/* `vgpu run`: a program, unmodified, on the software GPU. */
#ifndef CU_RUN_H
#define CU_RUN_H

#include "cu_config.h"
#include "lab/cli.h"

/* The verb's options. The first member of the program's options struct is one of these; initialise
 * it with VGPU_RUN_DEFAULTS. */
struct vgpu_run_opts {
    const char *check, *device, *report_file; /* NULL: not given */
    int report;                               /* enum lab_format, or 3: off */
    int policy;                               /* enum vgpu_policy */
    int64_t threads, lines, budget;
};

#define VGPU_RUN_DEFAULTS                                                                          \
    {                                                                                              \
        .budget = CU_BUDGET_DEFAULT                                                                \
    }

/* Entries for the verb's struct lab_opt array. */
extern const struct lab_opt vgpu_run_options[];

/* Runs operands[0] with the other operands as its arguments, in the environment that makes it use
 * the software GPU (cu_config.h). run->exit_code gets its status, 128 + n when signal n ended it;
 * its standard output is its own. Errors: input when the program cannot be started or an option has
 * no meaning. The libraries are those in ../lib/vgpu beside the program's own folder. */
int vgpu_cmd_run(struct lab_run *run, struct lab_err *err);

#endif
