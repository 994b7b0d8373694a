/* Happened-before by the book: a vector clock for every thread and a list of all accesses of every
 * byte. Slow, and obviously right; the shadow is held against it.
 *
 * When thread t makes an access, its own entry vc[t][t] is the access's time. A synchronisation of
 * a set of threads makes each of them know what all of them know, and starts a new time for each.
 */
#ifndef RACE_ORACLE_H
#define RACE_ORACLE_H

#include <stdbool.h>
#include <string.h>

#include "lab/err.h"
#include "vg_access.h"

enum { ORACLE_THREADS = 128, ORACLE_BYTES = 32, ORACLE_LOG = 1 << 15, ORACLE_BARRIERS = 4 };

enum { ORACLE_RAW = 1, ORACLE_WAR = 2, ORACLE_WAW = 4 };

struct oracle_access {
    uint32_t thread, time, instruction, pc;
    enum vg_access_kind kind;
    uint8_t byte, value;
};

struct oracle {
    uint32_t vc[ORACLE_THREADS][ORACLE_THREADS];
    uint32_t arrived[ORACLE_BARRIERS][ORACLE_THREADS];
    struct oracle_access log[ORACLE_LOG];
    uint32_t n, instructions;
};

static inline void oracle_reset(struct oracle *o)
{
    memset(o->vc, 0, sizeof(o->vc));
    memset(o->arrived, 0, sizeof(o->arrived));
    for (uint32_t t = 0; t < ORACLE_THREADS; t++) {
        o->vc[t][t] = 1;
    }
    o->n = 0;
}

static inline void oracle_join(uint32_t *into, const uint32_t *from)
{
    for (uint32_t t = 0; t < ORACLE_THREADS; t++) {
        into[t] = from[t] > into[t] ? from[t] : into[t];
    }
}

/* The threads with in[t] meet, with what the arrivals of barrier `id` know (id < 0: none). */
static inline void oracle_meet(struct oracle *o, const bool *in, int id)
{
    uint32_t all[ORACLE_THREADS] = {0};
    if (id >= 0) {
        oracle_join(all, o->arrived[id]);
        memset(o->arrived[id], 0, sizeof(o->arrived[id]));
    }
    for (uint32_t t = 0; t < ORACLE_THREADS; t++) {
        if (in[t]) {
            oracle_join(all, o->vc[t]);
        }
    }
    for (uint32_t t = 0; t < ORACLE_THREADS; t++) {
        if (in[t]) {
            oracle_join(o->vc[t], all);
            o->vc[t][t]++;
        }
    }
}

static inline void oracle_arrive(struct oracle *o, const bool *in, int id)
{
    for (uint32_t t = 0; t < ORACLE_THREADS; t++) {
        if (in[t]) {
            oracle_join(o->arrived[id], o->vc[t]);
            o->vc[t][t]++;
        }
    }
}

/* The hazards of `now` with one earlier access: ORACLE_… or 0. */
static inline int oracle_hazard(const struct oracle *o, const struct oracle_access *then,
                                const struct oracle_access *now)
{
    if (then->byte != now->byte) {
        return 0;
    }
    bool ordered = then->thread == now->thread || then->time <= o->vc[now->thread][then->thread];
    bool both_read = then->kind == VG_LOAD && now->kind == VG_LOAD;
    bool both_atomic = then->kind == VG_ATOMIC && now->kind == VG_ATOMIC;
    bool one = then->instruction == now->instruction && then->value == now->value;
    if (ordered || both_read || both_atomic || one) {
        return 0;
    }
    return now->kind == VG_LOAD ? ORACLE_RAW : then->kind == VG_LOAD ? ORACLE_WAR : ORACLE_WAW;
}

/* Note the bytes of a warp access at the end of the log. */
static inline void oracle_log(struct oracle *o, const struct vg_access *a, const uint8_t *values)
{
    o->instructions++;
    for (uint32_t lane = 0; lane < VG_LANES; lane++) {
        for (uint32_t i = 0; (a->mask >> lane & 1) != 0 && i < a->bytes; i++) {
            uint32_t thread = VG_LANES * a->warp + lane;
            LAB_ASSERT(o->n < ORACLE_LOG);
            o->log[o->n++] = (struct oracle_access){.thread = thread,
                                                    .time = o->vc[thread][thread],
                                                    .instruction = o->instructions,
                                                    .pc = a->pc,
                                                    .kind = a->kind,
                                                    .byte = (uint8_t)(a->addr[lane] + i),
                                                    .value = values[lane * a->bytes + i]};
        }
    }
}

/* All hazards of a warp access with those before it and within it; then it is remembered, unless
 * `forget`. */
static inline int oracle_access(struct oracle *o, const struct vg_access *a, const uint8_t *values,
                                bool forget)
{
    int hazards = 0;
    uint32_t start = o->n;
    oracle_log(o, a, values);
    for (uint32_t now = start; now < o->n; now++) {
        for (uint32_t then = 0; then < now; then++) {
            hazards |= oracle_hazard(o, &o->log[then], &o->log[now]);
        }
    }
    o->n = forget ? start : o->n;
    return hazards;
}

#endif
