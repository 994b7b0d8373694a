/* Nanoseconds the counters and checks take for the usual patterns. Not a test: it judges nothing.
 *
 * Each pattern is counted over and over; the addresses move by 128 bytes in between, written anew
 * as the executor writes them. The fill alone is timed as well and not subtracted.
 */
#include <stdio.h>

#include "access_of.h"
#include "lab/clock.h"
#include "lab/clones.h"
#include "lab/rng.h"
#include "vg_count.h"
#include "vg_shadow.h"

#define ROUNDS 2000000u

/* With the widest vectors there are, as the executor does: a wide load of what narrow stores have
 * just written would wait for them. */
LAB_CLONES __attribute__((noinline)) static void fill(struct vg_access *a, uint64_t move)
{
    for (int lane = 0; lane < VG_LANES; lane++) {
        a->addr[lane] += move;
    }
}

static double ns_per_access(struct vg_access *a, bool count)
{
    struct vg_counts c = {0};
    double best = 1e9;
    for (int repeat = 0; repeat < 5; repeat++) {
        uint64_t start = lab_now_ns();
        for (uint32_t i = 0; i < ROUNDS; i++) {
            fill(a, i % 2 == 0 ? 128 : (uint64_t)-128);
            if (count) {
                vg_count_access(&c, a);
            }
        }
        double ns = (double)(lab_now_ns() - start) / ROUNDS;
        best = ns < best ? ns : best;
    }
    LAB_KEEP(&c);
    return best;
}

static void show(const char *name, struct vg_access a)
{
    a.space = PTX_SPACE_GLOBAL;
    double global = ns_per_access(&a, true);
    a.space = PTX_SPACE_SHARED;
    printf("%-28s %8.1f %8.1f %8.1f\n", name, ns_per_access(&a, false), global,
           ns_per_access(&a, true));
}

static struct vg_access rows_of(uint32_t lanes, uint32_t pitch)
{
    struct vg_access a = global_of(0, 0, 4);
    for (uint32_t lane = 0; lane < VG_LANES; lane++) {
        a.addr[lane] = 4096 + lane / lanes * pitch + 4 * (lane % lanes);
    }
    return a;
}

static struct vg_access columns_of(uint32_t pitch)
{
    struct vg_access a = global_of(0, 0, 4);
    for (uint32_t lane = 0; lane < VG_LANES; lane++) {
        a.addr[lane] = 4096 + lane % 16 * pitch + 4 * (lane / 16);
    }
    return a;
}

static struct vg_access swizzled(void)
{
    struct vg_access a = global_of(0, 0, 16);
    for (uint32_t lane = 0; lane < VG_LANES; lane++) {
        a.addr[lane] = 4096 + 128 * lane + 16 * (3 ^ lane % 8);
    }
    return a;
}

static struct vg_access random_of(uint64_t span)
{
    struct lab_rng rng;
    lab_rng_seed(&rng, 42);
    struct vg_access a = global_of(0, 0, 4);
    for (uint32_t lane = 0; lane < VG_LANES; lane++) {
        a.addr[lane] = 4096 + 4 * lab_rng_below(&rng, span / 4);
    }
    return a;
}

/* The shared accesses of a 32 × 32 tiled matmul with 32 warps under the race and init checks. */
static void show_shadow(unsigned checks, const char *name)
{
    enum { SIDE = 32, TILES = 10, TILE = 4 * SIDE * SIDE };
    static struct ptx_func func = {.name = "matmul"};
    struct vg_report *report = vg_report_new();
    struct vg_shadow *s = vg_shadow_new(2 * TILE, SIDE * SIDE, checks);
    struct vg_check_ctx ctx = {.report = report, .dim = {SIDE, SIDE, 1}};
    uint64_t start = lab_now_ns(), n = 0;
    double best = 1e9;
    for (int tile = 0; tile < TILES; tile++, n = 0, start = lab_now_ns()) {
        for (uint32_t w = 0; w < SIDE; w++) {
            for (uint32_t part = 0; part < 2; part++, n++) {
                struct vg_access a = shared_of(part * TILE + 4 * SIDE * w, 4, 4);
                a.kind = VG_STORE;
                a.func = &func;
                a.warp = w;
                vg_shadow_access(s, &ctx, &a, NULL);
            }
        }
        vg_shadow_barrier(s, 0);
        for (uint32_t w = 0; w < SIDE; w++) {
            for (uint32_t k = 0; k < SIDE; k++, n += 2) {
                struct vg_access row = shared_of(4 * (SIDE * w + k), 0, 4);
                struct vg_access column = shared_of(TILE + 4 * SIDE * k, 4, 4);
                row.func = column.func = &func;
                row.warp = column.warp = w;
                vg_shadow_access(s, &ctx, &row, NULL);
                vg_shadow_access(s, &ctx, &column, NULL);
            }
        }
        vg_shadow_barrier(s, 0);
        double ns = (double)(lab_now_ns() - start) / (double)n;
        best = ns < best ? ns : best;
    }
    printf("%-28s %8.1f ns per shared access of a tiled matmul\n", name, best);
    vg_shadow_free(s);
    vg_report_free(report);
}

int main(void)
{
    show_shadow(VGPU_CHECK_RACE, "race check");
    show_shadow(VGPU_CHECK_INIT, "init check");
    printf("%-28s %8s %8s %8s\n", "ns per access", "fill", "global", "shared");
    show("contiguous", global_of(4096, 4, 4));
    show("broadcast", global_of(4096, 0, 4));
    show("stride 32 words", global_of(4096, 128, 4));
    show("stride 33 words", global_of(4096, 132, 4));
    show("float4", global_of(4096, 16, 16));
    show("float4, 64 bytes apart", global_of(4096, 64, 16));
    show("two rows of 16", rows_of(16, 1024));
    show("two rows of 16, pitch 17", rows_of(16, 68));
    show("four rows of 8", rows_of(8, 1024));
    show("the same row twice", rows_of(16, 0));
    show("two columns of 16, pitch 17", columns_of(68));
    show("float4, swizzled", swizzled());
    struct vg_access tail = global_of(4096, 4, 4);
    tail.mask = 0x1FFF;
    show("tail of 13 lanes", tail);
    tail.mask = 0x55555555;
    show("every other lane", tail);
    show("random in 4 KB", random_of(4096));
    show("random in 1 MB", random_of(1 << 20));
    show("random in 1 GB", random_of(1 << 30));
    return 0;
}
