/* The declarations of all tables. Only data: `explain` prints the meanings and notes below. */
#include "simt_tables.h"

#define DEFINE(var, name_, title_, cols_, note_)                                                   \
    const struct lab_table_def var = {.id = (name_),                                               \
                                      .title = (title_),                                           \
                                      .cols = (cols_),                                             \
                                      .ncols = LAB_NCOLS(cols_),                                   \
                                      .note = (note_)}

#define KERNEL                                                                                     \
    {                                                                                              \
        .name = "kernel", .kind = LAB_STR, .meaning = "file in kernels/, without .simt"            \
    }
#define ISSUES                                                                                     \
    {                                                                                              \
        .name = "issues", .kind = LAB_INT,                                                         \
        .meaning = "instructions issued; each counts once, whatever its mask"                      \
    }
#define UTIL                                                                                       \
    {                                                                                              \
        .name = "util%", .kind = LAB_REAL, .prec = 1,                                              \
        .meaning = "100 * (sum of active lanes over all issues) / (32 * issues)"                   \
    }

static const struct lab_col divergence[] = {
    KERNEL,
    ISSUES,
    UTIL,
    {.name = "slowdown",
     .kind = LAB_REAL,
     .prec = 2,
     .suffix = "x",
     .meaning = "issues / issues of uniform"},
};
DEFINE(
    simt_table_divergence, "divergence", NULL, divergence,
    "Lanes that agree at a branch cost nothing extra. Lanes that disagree make the warp issue both "
    "sides, each with part of its lanes masked off, and RECONV once for each side. "
    "max_divergent: 2 + 32 * (3 + 2 + 1 + 1) = 226.");

static const struct lab_col region[] = {
    KERNEL,
    {.name = "body_issues",
     .kind = LAB_INT,
     .meaning = "issues inside branch regions, without the branches and RECONVs themselves"},
    {.name = "vs_uniform",
     .kind = LAB_REAL,
     .prec = 2,
     .suffix = "x",
     .meaning = "body issues / body issues of warp_uniform"},
};
DEFINE(
    simt_table_region, "region", "the divergent region alone", region,
    "The pure price of divergence: a warp pays for the sum of the sides its lanes take. Two sides: "
    "exactly 2.00 times. 32 different cases: exactly 32.00 times.");

static const struct lab_col nested[] = {
    KERNEL,
    {.name = "paths", .kind = LAB_INT, .meaning = "different ways through the program"},
    {.name = "depth", .kind = LAB_INT, .meaning = "most entries on the mask stack"},
    ISSUES,
    UTIL,
};
DEFINE(simt_table_nested, "nested", "nested divergence", nested,
       "Each level doubles the paths, halves the lanes on each and adds one entry to the stack. At "
       "most "
       "31 entries are possible: each holds at least one lane back.");

static const struct lab_col selp[] = {
    KERNEL,
    {.name = "branches", .kind = LAB_INT, .meaning = "branch instructions in the program"},
    ISSUES,
    UTIL,
};
DEFINE(simt_table_selp, "predication", "predication: compute both sides, select one", selp,
       "SELP replaces the branch: every lane computes both results and keeps one. All issues are "
       "full, "
       "and there are fewer as long as both sides together are shorter than what the branch costs. "
       "With long sides, or sides few lanes need, the branch wins.");

static const struct lab_col vote[] = {
    KERNEL,
    ISSUES,
    UTIL,
    {.name = "saved%",
     .kind = LAB_REAL,
     .prec = 1,
     .meaning = "issues saved against vote_none, in percent"},
};
DEFINE(simt_table_vote, "vote", "vote: leave a search as soon as one lane has found something",
       vote,
       "The instructions that ask (two votes a round) are paid back by the rounds that are not "
       "run. All "
       "lanes get the same answer, so the branch on it never diverges.");

static const struct lab_col latency[] = {
    {.name = "warps", .kind = LAB_INT, .meaning = "warps of the block, all launched together"},
    {.name = "rr_busy%",
     .kind = LAB_REAL,
     .prec = 1,
     .meaning = "round robin: cycles with an issue, in percent, until the first warp ends"},
    {.name = "gto_busy%",
     .kind = LAB_REAL,
     .prec = 1,
     .meaning = "the same for greedy-then-oldest"},
    {.name = "little%",
     .kind = LAB_REAL,
     .prec = 1,
     .meaning = "the prediction: 100 * min(1, warps * I / T)"},
    {.name = "needed",
     .kind = LAB_INT,
     .meaning = "warps from which the prediction is 100: T / I, rounded up"},
    {.name = "rr_cycles",
     .kind = LAB_INT,
     .meaning = "round robin: cycles until the last warp ends"},
    {.name = "gto_cycles", .kind = LAB_INT, .meaning = "the same for greedy-then-oldest"},
};
DEFINE(simt_table_latency, "latency", "hiding the latency of LD behind other warps", latency,
       "One issue a cycle; LD makes its warp wait 40 cycles. Alone, a warp needs T = I + 39 * L "
       "cycles "
       "for I issues with L loads (counted in the run). Little's law (J. D. C. Little, 1961, "
       "doi:10.1287/opre.9.3.383): in flight = rate * time in the system. One issue a cycle for T "
       "cycles "
       "in flight needs T / I warps. No schedule can be above the prediction. Round robin stays "
       "below it in the middle: it keeps the warps in step, so all reach LD at nearly the same "
       "time and "
       "then all wait (n warps with 8 issues a round take 7n + 40 cycles for it). "
       "Greedy-then-oldest spreads them out and meets the prediction; but the youngest warps get "
       "only what the others leave, and finish late and alone: compare the cycles.");

static const struct lab_col policy[] = {
    KERNEL,
    {.name = "policy",
     .kind = LAB_STR,
     .meaning = "stack: one pc per warp and a mask stack; its: one pc per lane"},
    {.name = "outcome", .kind = LAB_STR, .meaning = "done, or where it hung when the budget ended"},
    ISSUES,
    UTIL,
};
DEFINE(simt_table_policy, "policy", "independent thread scheduling", policy,
       "Under the stack, the lanes that spin run until they come to RECONV, and the lane that "
       "holds the "
       "lock waits there for them: a hang, which the budget of issues names. With a pc per lane "
       "every group gets its turn. There RECONV costs one issue for all lanes that stand at it "
       "together, so even_odd needs one issue less.");

static const struct lab_col run[] = {
    {.name = "program", .kind = LAB_STR, .meaning = "the file, without its folder"},
    {.name = "warps", .kind = LAB_INT, .meaning = "warps run"},
    ISSUES,
    UTIL,
    {.name = "cycles", .kind = LAB_INT, .meaning = "cycles until the last warp ended"},
    {.name = "busy%", .kind = LAB_REAL, .prec = 1, .meaning = "100 * issues / cycles"},
    {.name = "depth", .kind = LAB_INT, .meaning = "most entries on the mask stack"},
};
DEFINE(simt_table_run, "run", NULL, run, NULL);

static const struct lab_col warps[] = {
    {.name = "warp", .kind = LAB_INT, .meaning = "number of the warp"},
    ISSUES,
    UTIL,
    {.name = "loads", .kind = LAB_INT, .meaning = "issues of LD"},
    {.name = "depth", .kind = LAB_INT, .meaning = "most entries on the mask stack"},
};
DEFINE(simt_table_warps, "warps", "each warp", warps, NULL);

#define REG(n)                                                                                     \
    {                                                                                              \
        .name = #n, .kind = LAB_INT, .meaning = "register " #n " at the end"                       \
    }
static const struct lab_col regs[] = {
    {.name = "thread", .kind = LAB_INT, .meaning = "warp * 32 + lane"},
    REG(r0),
    REG(r1),
    REG(r2),
    REG(r3),
    REG(r4),
    REG(r5),
    REG(r6),
    REG(r7),
    REG(r8),
    REG(r9),
    REG(r10),
    REG(r11),
    REG(r12),
    REG(r13),
    REG(r14),
    REG(r15),
};
DEFINE(simt_table_regs, "registers", "registers", regs, NULL);

#define WORD(n)                                                                                    \
    {                                                                                              \
        .name = "+" #n, .kind = LAB_INT, .meaning = "the word " #n " further on"                   \
    }
static const struct lab_col mem[] = {
    {.name = "word", .kind = LAB_INT, .meaning = "address of the first word of the line"},
    WORD(0),
    WORD(1),
    WORD(2),
    WORD(3),
    WORD(4),
    WORD(5),
    WORD(6),
    WORD(7),
};
DEFINE(simt_table_mem, "memory", "memory", mem,
       "--dump mem leaves out lines of zeros; --dump mem:A-B prints words A to B.");

static const struct lab_col listing[] = {
    {.name = "pc", .kind = LAB_INT, .meaning = "number of the instruction"},
    {.name = "line", .kind = LAB_INT, .meaning = "line of the source"},
    {.name = "label", .kind = LAB_STR, .meaning = "label that stands here"},
    {.name = "instruction", .kind = LAB_STR, .meaning = "the instruction as the program has it"},
    {.name = "pair", .kind = LAB_INT, .meaning = "pc of the RECONV or branch that belongs to it"},
};
DEFINE(simt_table_asm, "listing", NULL, listing, NULL);

static const struct lab_col isa[] = {
    {.name = "instruction", .kind = LAB_STR, .meaning = "mnemonic"},
    {.name = "operands",
     .kind = LAB_STR,
     .meaning = "registers r0..r15; imm: a number; [ra+imm]: the word at that address"},
    {.name = "meaning", .kind = LAB_STR, .meaning = "what each active lane does"},
};
DEFINE(simt_table_isa, "isa", NULL, isa, NULL);

static const struct lab_col bench[] = {
    {.name = "engine", .kind = LAB_STR, .meaning = "what runs uniform.simt, over and over"},
    {.name = "M_issues/s",
     .kind = LAB_REAL,
     .prec = 1,
     .rule = "machine",
     .meaning = "million warp issues per second on one core, the best of the repetitions"},
    {.name = "median",
     .kind = LAB_REAL,
     .prec = 1,
     .rule = "machine",
     .meaning = "the same, median of the repetitions"},
    {.name = "spread%",
     .kind = LAB_REAL,
     .prec = 1,
     .rule = "machine",
     .meaning = "(75th - 25th percentile) / median of the repetitions"},
    {.name = "vs_peer",
     .kind = LAB_REAL,
     .prec = 1,
     .suffix = "x",
     .rule = "machine",
     .meaning = "best / best of the peer, which runs the 32 lanes one after the other"},
};
DEFINE(simt_table_bench, "bench", NULL, bench,
       "The peer executes the same decoded program for one lane after the other, with plain "
       "scalar code, and counts 32 lane instructions as one issue. The two take turns.");

const struct lab_table_def *const simt_tables[] = {
    &simt_table_divergence, &simt_table_region, &simt_table_nested,
    &simt_table_selp,       &simt_table_vote,   &simt_table_latency,
    &simt_table_policy,     &simt_table_run,    &simt_table_warps,
    &simt_table_regs,       &simt_table_mem,    &simt_table_asm,
    &simt_table_isa,        &simt_table_bench,  NULL,
};
