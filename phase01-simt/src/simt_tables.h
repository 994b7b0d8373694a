/* Every table the program prints, declared once: columns, meanings, models. */
#ifndef SIMT_TABLES_H
#define SIMT_TABLES_H

#include "lab/table.h"

/* Of the demonstration. */
extern const struct lab_table_def simt_table_divergence;
extern const struct lab_table_def simt_table_region;
extern const struct lab_table_def simt_table_nested;
extern const struct lab_table_def simt_table_selp;
extern const struct lab_table_def simt_table_vote;
extern const struct lab_table_def simt_table_latency;
extern const struct lab_table_def simt_table_policy;

/* Of the verbs. */
extern const struct lab_table_def simt_table_run;
extern const struct lab_table_def simt_table_warps;
extern const struct lab_table_def simt_table_regs;
extern const struct lab_table_def simt_table_mem;
extern const struct lab_table_def simt_table_asm;
extern const struct lab_table_def simt_table_isa;
extern const struct lab_table_def simt_table_bench;

/* All of them, NULL at the end. */
extern const struct lab_table_def *const simt_tables[];

#endif
