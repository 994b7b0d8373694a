/* Memory and registers in and out: --mem FILE and --dump. */
#ifndef SIMT_DUMP_H
#define SIMT_DUMP_H

#include <stdbool.h>

#include "lab/cli.h"
#include "simt_block.h"

/* Load words from a text file into memory from word 0: numbers as the assembler reads them,
 * separated by blanks, commas or line ends; comments as in a program. Errors (input kind, with
 * file:line:col): what is no number, and more words than memory has. */
int simt_mem_load(struct simt_block *b, const char *path, struct lab_err *err);

/* What --dump asks for. */
struct simt_dump {
    bool regs, mem, range;
    uint32_t first, last; /* words, with range */
};

/* Read "regs", "mem" or "mem:A-B" (0 ≤ A ≤ B < mem_words); NULL text asks for nothing. */
int simt_dump_parse(const char *text, uint32_t mem_words, struct simt_dump *out,
                    struct lab_err *err);

/* Add the table asked for to the run. */
void simt_dump_tables(const struct simt_dump *d, const struct simt_block *b, struct lab_run *run);

#endif
