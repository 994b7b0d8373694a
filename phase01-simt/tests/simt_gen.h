/* Random programs, as assembler text. */
#ifndef SIMT_GEN_H
#define SIMT_GEN_H

#include "lab/buf.h"
#include "lab/rng.h"

enum {
    GEN_THREADS = 64,      /* the programs are made for this many */
    GEN_PRIVATE_WORDS = 8, /* words that belong to each thread, in each of two layouts */
    GEN_WORDS = 2 * GEN_PRIVATE_WORDS * GEN_THREADS, /* of memory */
};

/* A structured program: nested if and if-else, while and do-while loops whose trip counts differ
 * from lane to lane, HALT inside arms, loads and stores to the thread's own words. Always ends. */
void gen_structured(struct lab_rng *rng, struct lab_buf *out);

/* A program with branches and jumps to anywhere, but with its branches and RECONVs paired. May not
 * end. */
void gen_wild(struct lab_rng *rng, struct lab_buf *out);

#endif
