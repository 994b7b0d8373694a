/* simt: what a branch costs a warp. Options and verbs; the work is in src/simt_*.c. */
#include <stddef.h>

#include "simt_cmd.h"
#include "simt_tables.h"

#define OPT(field) offsetof(struct simt_opts, field)

static const struct simt_opts defaults = {
    .warps = 1,
    .ld_latency = SIMT_DEFAULT_LD_LATENCY,
    .mem_words = SIMT_DEFAULT_MEM_WORDS,
    .budget = SIMT_DEFAULT_BUDGET,
    .policy = SIMT_STACK,
    .sched = SIMT_RR,
    .kernels = LAB_PHASE_DIR "/kernels",
    .selp = SIMT_E04,
};

static const struct lab_opt run_opts[] = {
    {"warps", LAB_OPT_INT, OPT(warps), "N", 1, SIMT_WARPS_MAX, "Warps of the block."},
    {"trace", LAB_OPT_FLAG, OPT(trace), NULL, 0, 0,
     "Print each issue: pc, instruction, active lanes (lane 0 first)."},
    {"policy", LAB_OPT_CHOICE, OPT(policy), "stack|its", 0, 0,
     "One pc per warp with a mask stack, or one pc per lane."},
    {"sched", LAB_OPT_CHOICE, OPT(sched), "rr|gto", 0, 0,
     "Which ready warp issues: round robin, or greedy then oldest."},
    {"ld-latency", LAB_OPT_INT, OPT(ld_latency), "N", 1, 100000,
     "Cycles after LD until its warp can issue again."},
    {"budget", LAB_OPT_INT, OPT(budget), "N", 1, 1000000000000,
     "Issues after which the program counts as hung."},
    {"mem", LAB_OPT_STR, OPT(mem), "FILE", 0, 0, "Load the numbers in FILE from word 0."},
    {"mem-words", LAB_OPT_INT, OPT(mem_words), "N", 1, 1 << 24, "Words of memory."},
    {"dump", LAB_OPT_STR, OPT(dump), "WHAT", 0, 0,
     "Print at the end: regs, mem (lines that are not all 0), or mem:A-B (words A to B)."},
    {0},
};

static const struct lab_verb verbs[] = {
    {.name = "run",
     .operands = "FILE",
     .min_operands = 1,
     .max_operands = 1,
     .help = "Assemble a program and run it.",
     .opts = run_opts,
     .takes = LAB_TAKES_TABLES | LAB_TAKES_SVG,
     .run = simt_cmd_run},
    {.name = "asm",
     .operands = "FILE",
     .min_operands = 1,
     .max_operands = 1,
     .help = "Check a program and print it with its pcs and branch-RECONV pairs.",
     .takes = LAB_TAKES_TABLES,
     .run = simt_cmd_asm},
    {.name = "isa",
     .help = "List the instructions.",
     .takes = LAB_TAKES_TABLES,
     .run = simt_cmd_isa},
    {.name = "bench",
     .help = "Warp issues per second on one core, beside an interpreter that goes lane by lane.",
     .takes = LAB_TAKES_FORMAT,
     .run = simt_cmd_bench},
    {.name = "check-selp",
     .operands = "FILE",
     .min_operands = 1,
     .max_operands = 1,
     .help = "Check a solution of exercise e04: even_odd without a branch.",
     .run = simt_cmd_check_selp},
    {0},
};

static const struct lab_program prog = {
    .name = "simt",
    .summary = "What does a branch cost a warp of 32 lanes that share one program counter?",
    .demo = {.help = "The divergence tables, with checks.",
             .takes = LAB_TAKES_TABLES | LAB_TAKES_SEED | LAB_TAKES_SVG,
             .run = simt_cmd_demo},
    .verbs = verbs,
    .tables = simt_tables,
    .opts_default = &defaults,
    .opts_size = sizeof(defaults),
    .epilog = "examples, typed in the project's top folder:\n"
              "  build/release/bin/simt run phase01-simt/kernels/even_odd.simt --trace\n"
              "  build/release/bin/simt run phase01-simt/kernels/spinlock.simt --policy its --dump "
              "mem:0-1\n"
              "  build/release/bin/simt run phase01-simt/kernels/max_divergent.simt --svg "
              "timeline.svg\n",
};

int main(int argc, char **argv)
{
    return lab_main(&prog, argc, argv);
}
