/* Writing random programs.
 *
 * Registers: r0 the thread's number, r1..r7 data, r8..r11 loop counters by depth, r12 conditions,
 * r13 addresses, r14 divisors.
 */
#include "simt_gen.h"

#include <stdbool.h>
#include <stdint.h>

enum { DEPTH_MAX = 4 };

struct gen {
    struct lab_rng *rng;
    struct lab_buf *out;
    unsigned labels; /* handed out so far */
    int left;        /* statements that may still be written */
};

static unsigned below(struct gen *g, unsigned n)
{
    return (unsigned)lab_rng_below(g->rng, n);
}

static unsigned data_reg(struct gen *g)
{
    return below(g, 8);
}

static unsigned dest_reg(struct gen *g)
{
    return 1 + below(g, 7);
}

static int number(struct gen *g)
{
    static const int edge[] = {0, 1, -1, 31, 32, 2147483647, -2147483647 - 1, 65536};
    return below(g, 4) == 0 ? edge[below(g, 8)] : (int)below(g, 200) - 100;
}

static void put_arithmetic(struct gen *g)
{
    static const char *const ops[] = {"ADD", "SUB", "MUL", "AND", "OR", "XOR",
                                      "SHL", "SHR", "SEQ", "SLT", "MOD"};
    unsigned op = below(g, 11);
    unsigned d = dest_reg(g);
    unsigned a = data_reg(g);
    unsigned b = data_reg(g);
    if (op == 10) {
        /* A divisor that cannot be 0. */
        lab_buf_printf(g->out, "OR r14, r%u, 1\nMOD r%u, r%u, r14\n", b, d, a);
    } else if (below(g, 2) == 0) {
        lab_buf_printf(g->out, "%s r%u, r%u, %d\n", ops[op], d, a, number(g));
    } else {
        lab_buf_printf(g->out, "%s r%u, r%u, r%u\n", ops[op], d, a, b);
    }
}

/* A word of the thread's own: 8 in a row, or one in each of 8 rows that all threads share. */
static void put_memory(struct gen *g)
{
    unsigned word = below(g, GEN_PRIVATE_WORDS);
    unsigned offset = word;
    if (below(g, 2) == 0) {
        lab_buf_printf(g->out, "TID r13\nMUL r13, r13, %d\n", GEN_PRIVATE_WORDS);
    } else {
        lab_buf_puts(g->out, "TID r13\n");
        offset = (GEN_PRIVATE_WORDS + word) * GEN_THREADS;
    }
    if (below(g, 2) == 0) {
        lab_buf_printf(g->out, "ST [r13+%u], r%u\n", offset, data_reg(g));
    } else {
        lab_buf_printf(g->out, "LD r%u, [r13+%u]\n", dest_reg(g), offset);
    }
}

static void put_plain(struct gen *g)
{
    unsigned what = below(g, 6);
    unsigned d = dest_reg(g);
    if (what == 0) {
        put_memory(g);
    } else if (what == 1) {
        lab_buf_printf(g->out, "MOVI r%u, %d\n", d, number(g));
    } else if (what == 2) {
        unsigned a = data_reg(g);
        unsigned b = data_reg(g);
        lab_buf_printf(g->out, "SELP r%u, r%u, r%u, r%u\n", d, a, b, data_reg(g));
    } else {
        put_arithmetic(g);
    }
}

static const char *branch(struct gen *g)
{
    return below(g, 2) == 0 ? "BRZ" : "BRNZ";
}

/* A condition that splits the lanes in some way, in r12. */
static void put_condition(struct gen *g)
{
    unsigned what = below(g, 4);
    unsigned a = data_reg(g);
    if (what == 0) {
        lab_buf_printf(g->out, "AND r12, r0, %u\n", 1 + below(g, 15));
    } else if (what == 1) {
        lab_buf_printf(g->out, "SLT r12, r0, %u\n", below(g, 40));
    } else if (what == 2) {
        lab_buf_printf(g->out, "AND r12, r%u, %u\n", a, 1 + below(g, 7));
    } else {
        lab_buf_printf(g->out, "SLT r12, r%u, r%u\n", a, data_reg(g));
    }
}

static void put_block(struct gen *g, unsigned depth);

static void put_if(struct gen *g, unsigned depth)
{
    unsigned label = g->labels++;
    bool has_else = below(g, 2) == 0;
    put_condition(g);
    lab_buf_printf(g->out, "%s r12, else%u\n", branch(g), label);
    put_block(g, depth + 1);
    if (has_else) {
        lab_buf_printf(g->out, "JMP end%u\nelse%u:\n", label, label);
        put_block(g, depth + 1);
        lab_buf_printf(g->out, "end%u: RECONV\n", label);
    } else {
        lab_buf_printf(g->out, "else%u: RECONV\n", label);
    }
}

/* 0..3 rounds, by lane. */
static void put_while(struct gen *g, unsigned depth)
{
    unsigned label = g->labels++;
    unsigned count = 8 + depth;
    lab_buf_printf(g->out, "AND r%u, r%u, 3\nloop%u: BRZ r%u, done%u\nSUB r%u, r%u, 1\n", count,
                   data_reg(g), label, count, label, count, count);
    put_block(g, depth + 1);
    lab_buf_printf(g->out, "JMP loop%u\ndone%u: RECONV\n", label, label);
}

/* 1..4 rounds, by lane. */
static void put_do(struct gen *g, unsigned depth)
{
    unsigned label = g->labels++;
    unsigned count = 8 + depth;
    lab_buf_printf(g->out, "AND r%u, r%u, 3\nloop%u:\n", count, data_reg(g), label);
    put_block(g, depth + 1);
    lab_buf_printf(g->out, "SUB r%u, r%u, 1\nSLT r12, r%u, 0\nBRZ r12, loop%u\nRECONV\n", count,
                   count, count, label);
}

static void put_statement(struct gen *g, unsigned depth)
{
    unsigned what = depth < DEPTH_MAX ? below(g, 12) : 11;
    g->left--;
    switch (what) {
    case 0:
    case 1:
    case 2: put_if(g, depth); break;
    case 3: put_while(g, depth); break;
    case 4: put_do(g, depth); break;
    case 5:
        /* Some lanes end inside an arm; what follows in the arm is for the others or for nobody. */
        if (depth > 0 && below(g, 3) == 0) {
            lab_buf_puts(g->out, "HALT\n");
        }
        break;
    default: put_plain(g);
    }
}

static void put_block(struct gen *g, unsigned depth)
{
    for (unsigned n = 1 + below(g, 4); n > 0 && g->left > 0; n--) {
        put_statement(g, depth);
    }
    put_plain(g);
}

static void put_epilogue(struct gen *g)
{
    lab_buf_printf(g->out, "TID r13\nMUL r13, r13, %d\n", GEN_PRIVATE_WORDS);
    for (int i = 1; i < GEN_PRIVATE_WORDS; i++) {
        lab_buf_printf(g->out, "ST [r13+%d], r%d\n", i, i);
    }
    lab_buf_puts(g->out, "HALT\n");
}

void gen_structured(struct lab_rng *rng, struct lab_buf *out)
{
    struct gen g = {.rng = rng, .out = out, .left = 40};
    lab_buf_puts(out, "TID r0\n");
    for (int i = 1; i < 8; i++) {
        lab_buf_printf(out, "MUL r%d, r0, %d\n", i, number(&g));
    }
    for (int i = 0; i < 4; i++) {
        put_block(&g, 0);
    }
    put_epilogue(&g);
}

/* One line of a wild program; `open` counts the branches that no RECONV has closed yet. */
static void put_wild(struct gen *g, unsigned lines, unsigned *open)
{
    unsigned what = below(g, 16);
    if (what < 4) {
        /* Every branch counts the rounds, so that most programs end. */
        const char *name = branch(g);
        unsigned a = data_reg(g);
        lab_buf_printf(g->out, "ADD r8, r8, 1\nSLT r12, r8, %u\n", 2 + below(g, 12));
        lab_buf_printf(g->out, "AND r12, r12, r%u\n%s r12, l%u\n", a, name, below(g, lines));
        (*open)++;
    } else if (what < 6 && *open > 0) {
        lab_buf_puts(g->out, "RECONV\n");
        (*open)--;
    } else if (what == 6) {
        lab_buf_printf(g->out, "JMP l%u\n", below(g, lines));
    } else if (what == 7 && below(g, 2) == 0) {
        lab_buf_puts(g->out, "HALT\n");
    } else {
        put_plain(g);
    }
}

void gen_wild(struct lab_rng *rng, struct lab_buf *out)
{
    struct gen g = {.rng = rng, .out = out};
    unsigned lines = 10 + below(&g, 30);
    unsigned open = 0;
    lab_buf_puts(out, "TID r0\nMOVI r8, 0\n");
    for (unsigned i = 0; i < lines; i++) {
        lab_buf_printf(out, "l%u: ", i);
        put_wild(&g, lines, &open);
    }
    for (; open > 0; open--) {
        lab_buf_puts(out, "RECONV\n");
    }
    put_epilogue(&g);
}
