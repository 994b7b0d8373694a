/* What the simulator's tests share: programs from text or from kernels/, blocks ready to run. */
#ifndef SIMT_HELPER_H
#define SIMT_HELPER_H

#include <stdio.h>
#include <string.h>

#include "lab/test.h"
#include "simt_asm.h"
#include "simt_block.h"

#ifndef LAB_PHASE_DIR
#define LAB_PHASE_DIR "." /* the build names the phase's folder */
#endif

/* A program and a block that runs it. */
struct fixture {
    struct simt_program *prog;
    struct simt_block *b;
    struct lab_err err;
};

static inline void fixture_close(struct fixture *f)
{
    simt_block_free(f->b);
    simt_program_free(f->prog);
    *f = (struct fixture){0};
}

/* Assemble text that must be right. */
static inline struct fixture fixture_text(const char *text, const struct simt_config *cfg)
{
    struct fixture f = {0};
    if (simt_assemble("t.simt", text, strlen(text), &f.prog, &f.err) < 0) {
        fail_msg("%s", f.err.msg);
    }
    f.b = simt_block_new(f.prog, cfg);
    return f;
}

/* Assemble kernels/NAME.simt. */
static inline struct fixture fixture_kernel(const char *name, const struct simt_config *cfg)
{
    struct fixture f = {0};
    char path[4096];
    (void)snprintf(path, sizeof(path), "%s/kernels/%s.simt", LAB_PHASE_DIR, name);
    if (simt_assemble_file(path, &f.prog, &f.err) < 0) {
        fail_msg("%s", f.err.msg);
    }
    f.b = simt_block_new(f.prog, cfg);
    return f;
}

/* Run to the end, which must be a good one. */
static inline struct simt_counters fixture_run(struct fixture *f)
{
    if (simt_block_run(f->b, &f->err) < 0) {
        fail_msg("%s", f->err.msg);
    }
    return simt_block_count(f->b);
}

/* Run a program that must fail with a message that holds `want`. */
static inline void fixture_fails(const char *text, const struct simt_config *cfg, const char *want)
{
    struct fixture f = fixture_text(text, cfg);
    assert_int_equal(simt_block_run(f.b, &f.err), -1);
    assert_int_equal(lab_err_exit(&f.err), LAB_EXIT_USAGE);
    if (strstr(f.err.msg, want) == NULL) {
        fail_msg("'%s' does not say '%s'", f.err.msg, want);
    }
    fixture_close(&f);
}

static inline struct simt_config config_policy(enum simt_policy policy)
{
    struct simt_config cfg = simt_config_default;
    cfg.policy = policy;
    cfg.budget = 100000;
    return cfg;
}

/* Record of a run: the pcs issued and their masks, as far as there is room. */
struct record {
    uint32_t pc[512];
    uint32_t active[512];
    size_t n;
};

static inline void record_event(void *arg, const struct simt_event *event)
{
    struct record *r = arg;
    if (r->n < 512) {
        r->pc[r->n] = event->pc;
        r->active[r->n] = event->active;
    }
    r->n++;
}

#endif
