/* `vgpu run` alone, for its tests. */
#include "cu_run.h"

static int nothing(struct lab_run *run, struct lab_err *err)
{
    (void)run;
    return lab_err_input(err, "expected the verb run");
}

static const struct vgpu_run_opts defaults = VGPU_RUN_DEFAULTS;

static const struct lab_verb verbs[] = {
    {"run", "PROGRAM [ARG...]", 1, -1, "run a CUDA program on the software GPU", vgpu_run_options,
     0, vgpu_cmd_run},
    {.name = NULL},
};

static const struct lab_program prog = {
    .name = "vgpu",
    .summary = "a CUDA program on the software GPU",
    .demo = {.help = "nothing", .run = nothing},
    .verbs = verbs,
    .opts_default = &defaults,
    .opts_size = sizeof(defaults),
};

int main(int argc, char **argv)
{
    return lab_main(&prog, argc, argv);
}
