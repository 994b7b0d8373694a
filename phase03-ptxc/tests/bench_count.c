/* Nanoseconds vg_count_access takes for the usual patterns. Not a test: it judges nothing.
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

int main(void)
{
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
