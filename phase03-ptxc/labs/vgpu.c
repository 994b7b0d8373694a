/* vgpu: a GPU in software. Options and verbs; the work is in src/vg_cmd*.c and src/vg_demo*.c. */
#include <stddef.h>
#include <stdio.h>

#include "vg_cmd.h"

#define OPT(field) offsetof(struct vg_opts, field)

static const struct vg_opts defaults = {
    .run = VGPU_RUN_DEFAULTS,
    .device = VG_DEVICE_DEFAULT,
    .budget = VG_BUDGET_DEFAULT,
    .grid = "1",
    .block = "32",
    .kernels = LAB_PHASE_DIR "/kernels",
    .bugs = LAB_PHASE_DIR "/tests/bugs",
};

#define DEVICE_OPT                                                                                 \
    {                                                                                              \
        "device", LAB_OPT_CHOICE, OPT(device), VG_DEVICES, 0, 0, "The chip whose limits apply."    \
    }
#define THREADS_OPT                                                                                \
    {                                                                                              \
        "threads", LAB_OPT_INT, OPT(threads), "N", 0, VG_THREADS_MAX,                              \
            "Host threads for the blocks; 0: all CPUs. Never changes a result."                    \
    }
#define PICTURE_OPT                                                                                \
    {                                                                                              \
        "svg-kind", LAB_OPT_CHOICE, OPT(picture), VG_PICTURES, 0, 0,                               \
            "What --svg draws: counters over PTX lines, or the sectors of one access."             \
    }

static const struct lab_opt demo_opts[] = {DEVICE_OPT, THREADS_OPT, PICTURE_OPT, {0}};

static const struct lab_opt launch_opts[] = {
    {"grid", LAB_OPT_STR, OPT(grid), "X[,Y[,Z]]", 0, 0, "Blocks."},
    {"block", LAB_OPT_STR, OPT(block), "X[,Y[,Z]]", 0, 0, "Threads of a block."},
    {"smem", LAB_OPT_SIZE, OPT(smem), "BYTES", 0, 1 << 20, "Dynamic shared memory a block."},
    {"arg", LAB_OPT_STR, OPT(arg), "ARG", 0, 0,
     "Once for each parameter, in order: f32:2.5, u32:7, f32[1024]=iota (or zero, one, rand, a "
     "number, @FILE), out:f32[1024], ptr:out+4, hex:0000803f."},
    {"print", LAB_OPT_STR, OPT(print), "NAME[:A-B]", 0, 0,
     "Elements of a buffer to print, as often as wanted; without it the first 8 of those with a "
     "name."},
    {"check", LAB_OPT_STR, OPT(check), "LIST", 0, 0,
     "mem, race, sync, init with commas between, or all."},
    {"report", LAB_OPT_CHOICE, OPT(report), VG_REPORTS, 0, 0, "How to print; off: no counters."},
    {"lines", LAB_OPT_INT, OPT(lines), "N", 0, 1000000,
     "Also the N busiest PTX and source lines; all of them in their order when N is enough."},
    {"by", LAB_OPT_CHOICE, OPT(order), VG_ORDERS, 0, 0,
     "What makes a line busy: warp instructions, sectors in excess, or bank conflicts."},
    {"policy", LAB_OPT_CHOICE, OPT(policy), VG_POLICIES, 0, 0,
     "Independent threads as since sm_70, or the reconvergence stack."},
    {"budget", LAB_OPT_INT, OPT(budget), "N", 0, 1000000000000000,
     "Warp instructions after which the kernel counts as hung; 0: none."},
    {"cooperative", LAB_OPT_FLAG, OPT(cooperative), NULL, 0, 0, "All blocks resident at once."},
    {"svg-line", LAB_OPT_INT, OPT(picture_line), "N", 0, 10000000,
     "With --svg-kind sectors: the PTX line of the access (else the one with most sectors)."},
    DEVICE_OPT,
    THREADS_OPT,
    PICTURE_OPT,
    {0},
};

static const struct lab_opt ptx_opts[] = {DEVICE_OPT, {0}};

static const struct lab_verb verbs[] = {
    {.name = "launch",
     .operands = "FILE KERNEL",
     .min_operands = 2,
     .max_operands = 2,
     .help = "Run one kernel of a PTX file.",
     .opts = launch_opts,
     .takes = LAB_TAKES_EXPECT | LAB_TAKES_SEED | LAB_TAKES_SVG,
     .run = vg_cmd_launch},
    {.name = "run",
     .operands = "PROGRAM [ARG...]",
     .min_operands = 1,
     .max_operands = -1,
     .help = "Run a CUDA program on the software GPU; put -- before it.",
     .opts = vgpu_run_options,
     .run = vgpu_cmd_run},
    {.name = "ptx",
     .operands = "FILE",
     .min_operands = 1,
     .max_operands = 1,
     .help = "List the kernels of a PTX file.",
     .opts = ptx_opts,
     .takes = LAB_TAKES_TABLES,
     .run = vg_cmd_ptx},
    {.name = "devices",
     .help = "List the chips that can be described.",
     .takes = LAB_TAKES_TABLES,
     .run = vg_cmd_devices},
    {.name = "bench",
     .help = "Warp instructions a second, beside PoCL, which compiles the kernel for this CPU.",
     .takes = LAB_TAKES_FORMAT,
     .run = vg_cmd_bench},
    {0},
};

static const struct lab_program prog = {
    .name = "vgpu",
    .summary = "What does a GPU do with this kernel? nvcc's PTX, run and counted on the CPU.",
    .demo = {.help = "The committed kernels with their counters, and what the checks find.",
             .opts = demo_opts,
             .takes = LAB_TAKES_TABLES | LAB_TAKES_SEED | LAB_TAKES_SVG,
             .run = vg_cmd_demo},
    .verbs = verbs,
    .tables = vg_cmd_tables,
    .opts_default = &defaults,
    .opts_size = sizeof(defaults),
    .epilog =
        "examples:\n"
        "  vgpu launch kernels/vec_add.ptx vec_add --grid 4 --block 256 --arg f32[1000]=iota\n"
        "      --arg f32[1000]=one --arg out:f32[1000] --arg i32:1000 --print out:0-9\n"
        "  nvcc -cudart shared prog.cu && vgpu run --check all -- ./a.out\n"
        "  vgpu ptx kernels/matmul.ptx\n",
};

int main(int argc, char **argv)
{
    static const char *const repeated[] = {"arg", "print", NULL};
    struct vg_cmd_line line;
    struct lab_err err = {0};
    int code = LAB_EXIT_USAGE;
    if (vg_cmd_join(argc, argv, repeated, &line, &err) < 0) {
        (void)fprintf(stderr, "%s: %s\n", prog.name, err.msg);
    } else {
        code = lab_main(&prog, line.argc, line.argv);
    }
    vg_cmd_join_free(&line);
    return code;
}
