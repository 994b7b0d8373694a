/* The program's tables and verbs. */
#ifndef MEMBENCH_TABLES_H
#define MEMBENCH_TABLES_H

#include "lab/cli.h"
#include "lab/table.h"

extern const struct lab_table_def membench_table_latency;
extern const struct lab_table_def membench_table_tlb;
extern const struct lab_table_def membench_table_plateaus;
extern const struct lab_table_def membench_table_stride;
extern const struct lab_table_def membench_table_line;
extern const struct lab_table_def membench_table_bandwidth;
extern const struct lab_table_def membench_table_numa;
extern const struct lab_table_def membench_table_peak;
extern const struct lab_table_def membench_table_roof;
extern const struct lab_table_def membench_table_roofline;
extern const struct lab_table_def membench_table_model;
extern const struct lab_table_def membench_table_intensity;
extern const struct lab_table_def membench_table_spec;
extern const struct lab_table_def membench_table_sources;
extern const struct lab_table_def membench_table_bench;

/* All of them, for `explain`; NULL-terminated. */
extern const struct lab_table_def *const membench_tables[];

int membench_demo(struct lab_run *run, struct lab_err *err);
int membench_verb_latency(struct lab_run *run, struct lab_err *err);
int membench_verb_stride(struct lab_run *run, struct lab_err *err);
int membench_verb_bandwidth(struct lab_run *run, struct lab_err *err);
int membench_verb_roofline(struct lab_run *run, struct lab_err *err);
int membench_verb_model(struct lab_run *run, struct lab_err *err);
int membench_verb_spec(struct lab_run *run, struct lab_err *err);
int membench_verb_bench(struct lab_run *run, struct lab_err *err);

#endif
