/* The problem: how many bytes a second does memory deliver, to one CPU and to all, and what does a
 * store really cost?
 *
 * The model: two arrays much larger than the private caches, streamed from end to end; each thread
 * owns one slice of both and touches it first, so the pages lie on its own node. One round runs
 * every stream once; the rounds interleave the streams, so that a slow second of the machine hits
 * all of them alike.
 *
 * Invariants: GB/s count 1e9 bytes; a stream is timed from the first thread's start to the last
 * one's end; what was read or stored is checked outside the timed region. Simplified: on a machine
 * whose last level is larger than the arrays part of the traffic stays in it.
 */
#include "membench_bw.h"

#include <string.h>

#include "lab/clock.h"
#include "membench_kern.h"
#include "membench_team.h"

const char *membench_stream_name(enum membench_stream s)
{
    static const char *const names[] = {"read", "write", "nt_write", "copy", "nt_copy"};
    return names[s];
}

int membench_stream_useful(enum membench_stream s)
{
    return s == MEMBENCH_COPY || s == MEMBENCH_NT_COPY ? 2 : 1;
}

int membench_stream_moved(enum membench_stream s)
{
    static const int ordinary[] = {1, 2, 2, 3, 3};
    static const int with_nt[] = {1, 2, 1, 3, 2};
    return membench_nt_available() ? with_nt[s] : ordinary[s];
}

/* What word i of the source holds: not constant, so that a walk over the wrong words is seen. */
static inline uint64_t word_at(size_t i)
{
    return (uint64_t)i * 0x9e3779b97f4a7c15u;
}

struct job {
    uint64_t *src, *dst;
    size_t words; /* per thread */
    enum membench_stream stream;
    uint64_t value; /* what the writing streams store */
    uint64_t sum[MEMBENCH_CPUS_MAX];
};

static void fill(void *ctx, int who, int n)
{
    struct job *j = ctx;
    (void)n;
    size_t from = (size_t)who * j->words;
    for (size_t i = from; i < from + j->words; i++) {
        j->src[i] = word_at(i);
        j->dst[i] = 0;
    }
}

static void stream(void *ctx, int who, int n)
{
    struct job *j = ctx;
    (void)n;
    uint64_t *src = j->src + (size_t)who * j->words, *dst = j->dst + (size_t)who * j->words;
    switch (j->stream) {
    case MEMBENCH_READ: j->sum[who] = membench_kern_read(src, j->words); break;
    case MEMBENCH_WRITE: membench_kern_write(dst, j->value, j->words); break;
    case MEMBENCH_NT_WRITE: membench_nt_write(dst, j->value, j->words); break;
    case MEMBENCH_COPY: membench_kern_copy(dst, src, j->words); break;
    case MEMBENCH_NT_COPY: membench_nt_copy(dst, src, j->words); break;
    case MEMBENCH_STREAMS: break;
    }
}

/* Is every word as the stream should have left it? Each thread looks at its own slice; sum[who]
 * becomes the number of wrong words. */
static void verify(void *ctx, int who, int n)
{
    struct job *j = ctx;
    (void)n;
    size_t from = (size_t)who * j->words;
    uint64_t wrong = 0, sum = 0;
    for (size_t i = from; i < from + j->words; i++) {
        bool written = j->stream == MEMBENCH_WRITE || j->stream == MEMBENCH_NT_WRITE;
        wrong += j->stream != MEMBENCH_READ && j->dst[i] != (written ? j->value : word_at(i));
        sum += word_at(i);
    }
    j->sum[who] = j->stream == MEMBENCH_READ ? (j->sum[who] != sum) : wrong;
}

static int check(struct membench_team *team, struct job *j, struct lab_err *err)
{
    membench_team_run(team, verify, j);
    uint64_t wrong = 0;
    for (int t = 0; t < membench_team_size(team); t++) {
        wrong += j->sum[t];
    }
    return wrong == 0 ? 0
                      : lab_err_check(err, "the stream %s left wrong data",
                                      membench_stream_name(j->stream));
}

/* Round 0 warms up and is the one that is verified, for all streams; the others are counted. */
static int rounds(const struct membench_bw_config *cfg, struct membench_team *team, struct job *j,
                  struct membench_bw *out, struct lab_err *err)
{
    double array = (double)j->words * (double)sizeof(uint64_t) * cfg->threads;
    for (int r = 0; r <= cfg->reps; r++) {
        for (int s = 0; s < MEMBENCH_STREAMS; s++) {
            j->stream = (enum membench_stream)s;
            j->value = word_at((size_t)r * MEMBENCH_STREAMS + (size_t)s + 1);
            uint64_t ns = membench_team_run(team, stream, j);
            if (r > 0) {
                out->gbs[s][r - 1] = array * membench_stream_useful(j->stream) / (double)(ns + 1);
            }
            if ((r == 0 || r == cfg->reps) && check(team, j, err) < 0) {
                return -1;
            }
        }
    }
    return 0;
}

int membench_bw(const struct membench_bw_config *cfg, struct membench_bw *out, struct lab_err *err)
{
    LAB_ASSERT(cfg->threads >= 1 && cfg->threads <= MEMBENCH_CPUS_MAX);
    LAB_ASSERT(cfg->reps >= 1 && cfg->reps <= MEMBENCH_REPS_MAX);
    struct membench_map map;
    size_t words = cfg->bytes / sizeof(uint64_t) / (size_t)cfg->threads;
    words = words / MEMBENCH_KERN_MULTIPLE * MEMBENCH_KERN_MULTIPLE;
    LAB_ASSERT(words > 0);
    size_t array = words * (size_t)cfg->threads * sizeof(uint64_t);
    if (membench_map_init(&map, 2 * array, cfg->pages, cfg->node, err) < 0) {
        return -1;
    }
    int rc = -1;
    struct job job = {.words = words};
    job.src = (uint64_t *)(void *)map.base;
    job.dst = (uint64_t *)(void *)(map.base + array);
    struct membench_team *team = membench_team_new(cfg->threads, cfg->cpus, err);
    if (team != NULL) {
        membench_team_run(team, fill, &job);
        rc = rounds(cfg, team, &job, out, err);
    }
    membench_team_free(team);
    membench_map_fini(&map);
    return rc;
}

int membench_bw_read(const struct membench_bw_config *cfg, double *gbs, struct lab_err *err)
{
    struct membench_map map;
    if (membench_map_init(&map, cfg->bytes, cfg->pages, cfg->node, err) < 0) {
        return -1;
    }
    size_t words = cfg->bytes / sizeof(uint64_t) / MEMBENCH_KERN_MULTIPLE * MEMBENCH_KERN_MULTIPLE;
    uint64_t *src = (uint64_t *)(void *)map.base, want = 0;
    for (size_t i = 0; i < words; i++) {
        src[i] = word_at(i);
        want += src[i];
    }
    int rc = 0;
    for (int r = 0; r < cfg->reps && rc == 0; r++) {
        uint64_t from = lab_now_ns();
        uint64_t sum = membench_kern_read(src, words);
        gbs[r] = (double)words * sizeof(uint64_t) / (double)(lab_now_ns() - from + 1);
        rc = sum == want ? 0 : lab_err_check(err, "reading %zu words gave a wrong sum", words);
    }
    membench_map_fini(&map);
    return rc;
}
