/* vgpu bench: warp instructions a second on the tiled matmul, beside PoCL.
 *
 * Model: one matrix product of 512 x 512 by matmul_tiled16, whose warp instructions the counters
 * tell. All engines take turns, so that a change of clock frequency or a busy neighbour meets all
 * of them; the median of the repetitions stands for each. PoCL runs the same kernel, written in
 * OpenCL C, on one thread, once for each of its ways of making work groups. Invariant: every
 * engine's product was compared with plain C.
 */
#include <math.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "lab/clock.h"
#include "lab/host.h"
#include "lab/rng.h"
#include "lab/stats.h"
#include "vg_bench_pocl.h"
#include "vg_cmd.h"
#include "vg_cmd_tables.h"
#include "vg_count.h"

enum { N = 512, TILE = 16, REPETITIONS = 11, ENGINES_MAX = 12 };

struct matrices {
    float *a, *b, *want;
};

struct engine {
    const char *name;
    unsigned threads;
    bool counters;
    const char *method; /* of PoCL */
    bool is_pocl;
    struct vg_pocl pocl;
    struct vgpu *g;
    struct vgpu_module *module;
    struct vgpu_launch launch;
    uint64_t addr[3];
    struct vgpu_counters counts;
    double ms[REPETITIONS];
};

struct parameters {
    uint64_t a, b, c;
    int32_t n;
};

static void matrices_init(struct matrices *m)
{
    const size_t n = (size_t)N * N;
    struct lab_rng rng;
    lab_rng_seed(&rng, 42);
    m->a = lab_alloc(n, sizeof(float));
    m->b = lab_alloc(n, sizeof(float));
    m->want = lab_alloc(n, sizeof(float));
    for (size_t i = 0; i < n; i++) {
        m->a[i] = (float)lab_rng_f64(&rng);
        m->b[i] = (float)lab_rng_f64(&rng);
    }
    for (size_t row = 0; row < N; row++) {
        for (size_t k = 0; k < N; k++) {
            for (size_t col = 0; col < N; col++) {
                m->want[row * N + col] += m->a[row * N + k] * m->b[k * N + col];
            }
        }
    }
}

static void matrices_fini(struct matrices *m)
{
    free(m->a);
    free(m->b);
    free(m->want);
}

static int open_vgpu(struct engine *e, const char *folder, const struct matrices *m,
                     struct lab_err *err)
{
    const size_t bytes = sizeof(float) * N * N;
    struct vgpu_config config = {
        .desc = vgpu_desc_find("a100"), .counters = e->counters, .threads = e->threads};
    char path[4096];
    (void)snprintf(path, sizeof(path), "%s/matmul.ptx", folder);
    if (vgpu_open(&config, &e->g, err) < 0 || vg_cmd_load(e->g, path, &e->module, err) < 0 ||
        vg_cmd_kernel(e->module, "matmul_tiled16", &e->launch.kernel, err) < 0) {
        return -1;
    }
    for (int i = 0; i < 3; i++) {
        if (vgpu_alloc(e->g, VGPU_MEM_DEVICE, bytes, &e->addr[i]) != VGPU_OK) {
            return lab_err_system(err, "no memory for the matrices");
        }
    }
    (void)vgpu_write(e->g, e->addr[0], m->a, bytes);
    (void)vgpu_write(e->g, e->addr[1], m->b, bytes);
    e->launch.grid = (struct vgpu_dim){N / TILE, N / TILE, 1};
    e->launch.block = (struct vgpu_dim){TILE, TILE, 1};
    vgpu_counters_init(&e->counts, vgpu_module_ptx(e->module));
    return 0;
}

static int launch_vgpu(struct engine *e, double *ms, struct lab_err *err)
{
    struct parameters p = {e->addr[0], e->addr[1], e->addr[2], N};
    struct vgpu_fault fault;
    e->launch.params = &p;
    uint64_t start = lab_now_ns();
    if (vgpu_run(e->g, &e->launch, e->counters ? &e->counts : NULL, &fault) != VGPU_OK) {
        return lab_err_check(err, "matmul_tiled16: %s", fault.text);
    }
    *ms = (double)(lab_now_ns() - start) / 1e6;
    return 0;
}

static void close_engine(struct engine *e)
{
    if (e->is_pocl) {
        vg_pocl_stop(&e->pocl);
        return;
    }
    vgpu_counters_fini(&e->counts);
    if (e->module != NULL) {
        vgpu_module_unload(e->module);
    }
    if (e->g != NULL) {
        vgpu_close(e->g);
    }
}

static void check_product(struct lab_run *run, struct engine *e, const struct matrices *m)
{
    const size_t n = (size_t)N * N;
    float *got = lab_alloc(n, sizeof(*got));
    size_t wrong = 0;
    (void)vgpu_read(e->g, got, e->addr[2], n * sizeof(*got));
    for (size_t i = 0; i < n; i++) {
        wrong += !lab_close(got[i], m->want[i], 1e-3, 1e-3);
    }
    lab_run_check(run, wrong == 0, "%s, %u threads: the product is right", e->name, e->threads);
    free(got);
}

static int measure(struct engine *e, size_t n, struct lab_err *err)
{
    double unused;
    for (size_t k = 0; k < n; k++) { /* a launch to warm up; PoCL's was its comparison */
        if (!e[k].is_pocl && launch_vgpu(&e[k], &unused, err) < 0) {
            return -1;
        }
    }
    for (int i = 0; i < REPETITIONS; i++) {
        for (size_t k = 0; k < n; k++) {
            int rc = e[k].is_pocl ? vg_pocl_time(&e[k].pocl, &e[k].ms[i], err)
                                  : launch_vgpu(&e[k], &e[k].ms[i], err);
            if (rc < 0) {
                return -1;
            }
        }
    }
    return 0;
}

/* Warp instructions of one product, from the engine that counts. */
static uint64_t instructions(const struct engine *e, size_t n)
{
    for (size_t k = 0; k < n; k++) {
        if (e[k].counters) {
            return vg_count_sum(&e[k].counts, NULL).inst_executed / e[k].counts.launches;
        }
    }
    return 0;
}

static void report(struct lab_run *run, struct engine *e, size_t n)
{
    struct lab_table *t = lab_run_table(run, &vg_table_bench);
    double work = (double)instructions(e, n), first = 0;
    for (size_t k = 0; k < n; k++) {
        struct lab_summary s = lab_summarise(e[k].ms, REPETITIONS);
        first = k == 0 ? s.median : first;
        lab_table_str(t, e[k].name);
        lab_table_int(t, e[k].threads);
        lab_table_real(t, s.median);
        lab_table_real(t, s.min);
        lab_table_real(t, 100 * s.spread);
        lab_table_real(t, work / s.median / 1e3);
        lab_table_real(t, s.median / first);
    }
    lab_run_note(run, "%.0f warp instructions a product, medians of %d", work, REPETITIONS);
}

/* PoCL's children, as many as start; before any thread of ours. */
static size_t start_pocl(struct lab_run *run, struct engine *e, const struct matrices *m)
{
    static const struct {
        const char *name, *method;
    } ways[] = {{"PoCL, its own method", NULL},
                {"PoCL, loopvec", "loopvec"},
                {"PoCL, workitemrepl", "workitemrepl"},
                {"PoCL, loops", "loops"},
                {"PoCL, cbs", "cbs"}};
    size_t n = 0;
    for (size_t i = 0; i < sizeof(ways) / sizeof(ways[0]); i++) {
        struct vg_pocl_work work = {N, m->a, m->b, m->want, ways[i].method};
        struct lab_err err = {0};
        e[n] = (struct engine){
            .name = ways[i].name, .threads = 1, .is_pocl = true, .method = ways[i].method};
        if (vg_pocl_start(&e[n].pocl, &work, &err) == 0) {
            n++;
            continue;
        }
        vg_pocl_stop(&e[n].pocl);
        lab_run_note(run, "%s: left out: %s", ways[i].name, err.msg);
        if (err.kind == LAB_ERR_CHECK) {
            lab_run_check(run, false, "%s: %s", ways[i].name, err.msg);
        }
    }
    return n;
}

static void say_host(const struct lab_run *run)
{
    struct lab_buf host;
    lab_buf_init(&host);
    lab_host_line(&host);
    lab_run_note(run, "%s", lab_buf_str(&host));
    if (!lab_host_optimised()) {
        lab_run_note(run, "this build is not optimised or has a sanitizer: the rates mean nothing");
    }
    lab_buf_fini(&host);
}

int vg_cmd_bench(struct lab_run *run, struct lab_err *err)
{
    const struct vg_opts *o = run->opts;
    struct engine e[ENGINES_MAX] = {
        {.name = "vgpu, counters off", .threads = 1},
        {.name = "vgpu, counters on", .threads = 1, .counters = true},
        {.name = "vgpu, counters off", .threads = 2},
        {.name = "vgpu, counters on", .threads = 2, .counters = true},
    };
    const size_t own = 4;
    struct matrices m;
    (void)signal(SIGPIPE, SIG_IGN);
    say_host(run);
    matrices_init(&m);
    size_t n = own + start_pocl(run, e + own, &m);
    int rc = 0;
    for (size_t k = 0; rc == 0 && k < own; k++) {
        rc = open_vgpu(&e[k], o->kernels, &m, err);
    }
    rc = rc == 0 ? measure(e, n, err) : rc;
    if (rc == 0) {
        report(run, e, n);
        for (size_t k = 0; k < own; k++) {
            check_product(run, &e[k], &m);
        }
    }
    for (size_t k = 0; k < n; k++) {
        close_engine(&e[k]);
    }
    matrices_fini(&m);
    return rc;
}
