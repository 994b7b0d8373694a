/* Every table of the program, declared once: the columns feed the output, `explain` and the
 * goldens. A column with the rule "machine" depends on the computer, so a golden records only its
 * shape. */
#include "membench_tables.h"

#define MACHINE "machine"

static const struct lab_col latency_cols[] = {
    {"size", LAB_STR, 0, NULL, NULL, "memory the ring covers, one node per 64-byte line"},
    {"base_ns", LAB_REAL, 2, NULL, MACHINE,
     "time per dependent load on base pages, minimum of the repetitions"},
    {"huge_ns", LAB_REAL, 2, NULL, MACHINE, "the same on 2 MiB pages"},
    {"tlb_ns", LAB_REAL, 2, NULL, MACHINE,
     "base_ns - huge_ns: what address translation costs; within the spread it is noise"},
    {"spread", LAB_REAL, 1, "%", MACHINE,
     "(p75 - p25) / median of the base repetitions, the larger of base and huge"},
    {"huge", LAB_REAL, 0, "%", MACHINE,
     "share of the memory that really was on huge pages, from /proc/self/smaps"},
};
const struct lab_table_def membench_table_latency = {
    .id = "latency",
    .title = "Latency: ns per dependent load over rings of rising size",
    .cols = latency_cols,
    .ncols = LAB_NCOLS(latency_cols),
    .note =
        "A random single cycle, so that no load can start before the one before it has ended and "
        "no prefetcher can guess. Where the curve is flat the ring lives in one level. With "
        "--order sequential each node points to the next line, and the prefetchers flatten it.",
};

static const struct lab_col tlb_cols[] = {
    {"pages", LAB_INT, 0, NULL, NULL, "nodes, each on a page of its own"},
    {"reach", LAB_STR, 0, NULL, NULL, "memory these pages cover"},
    {"base_ns", LAB_REAL, 2, NULL, MACHINE, "time per load on base pages"},
    {"huge_ns", LAB_REAL, 2, NULL, MACHINE, "the same nodes at the same places on 2 MiB pages"},
    {"walk_ns", LAB_REAL, 2, NULL, MACHINE, "base_ns - huge_ns: the TLB misses alone"},
    {"spread", LAB_REAL, 1, "%", MACHINE, "(p75 - p25) / median, the larger of base and huge"},
};
const struct lab_table_def membench_table_tlb = {
    .id = "tlb",
    .title = "TLB: one line on each page",
    .cols = tlb_cols,
    .ncols = LAB_NCOLS(tlb_cols),
    .note =
        "Nodes 4160 bytes apart: one per 4 KiB page, on changing lines, so the data stay in the "
        "caches long after the pages have left the TLB.",
};

static const struct lab_col plateau_cols[] = {
    {"level", LAB_STR, 0, NULL, NULL, "cache level, or memory"},
    {"published", LAB_STR, 0, NULL, MACHINE, "size from sysfs; detection is not told"},
    {"latency_ns", LAB_STR, 0, NULL, MACHINE, "height of the plateau: median over its sizes"},
    {"interval_ns", LAB_STR, 0, NULL, MACHINE, "95 % bootstrap interval of the height"},
    {"holds", LAB_STR, 0, NULL, MACHINE, "last size on the plateau .. first size beyond it"},
    {"interval", LAB_STR, 0, NULL, MACHINE, "95 % bootstrap interval of that edge"},
    {"share", LAB_STR, 0, NULL, MACHINE,
     "holds / published: of a last level that is shared, what this machine got"},
    {"refs", LAB_STR, 0, NULL, MACHINE, "--perf: cache-references per load on this plateau"},
    {"misses", LAB_STR, 0, NULL, MACHINE, "--perf: cache-misses per load on this plateau"},
    {"verdict", LAB_STR, 0, NULL, MACHINE, "plateau against published size"},
};
const struct lab_table_def membench_table_plateaus = {
    .id = "plateaus",
    .title = "Plateaus found in the curve, beside the published caches",
    .cols = plateau_cols,
    .ncols = LAB_NCOLS(plateau_cols),
    .note = "Optimal partitioning of ln(ns) over ln(size) into flat and sloping segments, on the "
            "huge-page curve where huge pages were obtained, else on the base curve.",
};

static const struct lab_col stride_cols[] = {
    {"stride", LAB_INT, 0, NULL, NULL, "elements of 4 bytes between two accesses"},
    {"bytes", LAB_INT, 0, NULL, NULL, "the same in bytes"},
    {"chain_ns", LAB_REAL, 2, NULL, MACHINE,
     "per access of a dependent walk in random order inside the second level"},
    {"spread", LAB_REAL, 1, "%", MACHINE, "(p75 - p25) / median of chain_ns"},
    {"stream_ns", LAB_REAL, 2, NULL, MACHINE,
     "per access of an ascending walk over large memory, prefetchers at work"},
};
const struct lab_table_def membench_table_stride = {
    .id = "stride",
    .title = "Stride: ns per access when every s-th element is used",
    .cols = stride_cols,
    .ncols = LAB_NCOLS(stride_cols),
    .note =
        "chain_ns rises until a stride reaches the line, because fewer elements share one, and "
        "is flat from there. stream_ns may go on rising to 128 bytes and beyond: the adjacent-line "
        "prefetcher fetches pairs of lines, and fewer pages are open at a time.",
};

static const struct lab_col line_cols[] = {
    {"line", LAB_INT, 0, NULL, MACHINE, "bytes: the line size that explains chain_ns best"},
    {"lo", LAB_INT, 0, NULL, MACHINE, "95 % bootstrap interval"},
    {"hi", LAB_INT, 0, NULL, MACHINE, "95 % bootstrap interval"},
    {"hit_ns", LAB_REAL, 2, NULL, MACHINE, "the fit: an access that needs no new line"},
    {"line_ns", LAB_REAL, 2, NULL, MACHINE, "the fit: what a new line costs on top"},
    {"fit_error", LAB_REAL, 1, "%", MACHINE, "root mean square of the relative residuals"},
    {"published", LAB_STR, 0, NULL, MACHINE, "coherency_line_size of sysfs"},
};
const struct lab_table_def membench_table_line = {
    .id = "line",
    .title = "Line size inferred from the stride sweep",
    .cols = line_cols,
    .ncols = LAB_NCOLS(line_cols),
    .note = "Least squares of hit + line * min(s, L) / L over L = 4 .. 512 bytes.",
};

static const struct lab_col bandwidth_cols[] = {
    {"stream", LAB_STR, 0, NULL, NULL, "nt: non-temporal stores, around the caches"},
    {"threads", LAB_STR, 0, NULL, NULL, "one, or one on each CPU"},
    {"useful_GB/s", LAB_REAL, 2, NULL, MACHINE,
     "bytes the program reads and writes, 1e9 a second, best repetition"},
    {"moved/useful", LAB_REAL, 1, NULL, MACHINE,
     "bytes over the memory bus per useful byte: an ordinary store reads its line first"},
    {"moved_GB/s", LAB_REAL, 2, NULL, MACHINE, "the product: what the bus carries"},
    {"spread", LAB_REAL, 1, "%", MACHINE, "(p75 - p25) / median"},
    {"stores", LAB_STR, 0, NULL, MACHINE, "how the stream stores"},
};
const struct lab_table_def membench_table_bandwidth = {
    .id = "bandwidth",
    .title = "Bandwidth, with write-allocate accounted",
    .cols = bandwidth_cols,
    .ncols = LAB_NCOLS(bandwidth_cols),
    .note = "Two arrays, streamed end to end; each thread owns and first touches one slice. "
            "Results are "
            "validated. The factor 2 of an ordinary write is an upper bound on cores that drop the "
            "read of a fully written line.",
};

static const struct lab_col numa_cols[] = {
    {"node", LAB_INT, 0, NULL, MACHINE, "the memory's node"},
    {"latency_ns", LAB_REAL, 2, NULL, MACHINE, "per dependent load in a ring of 64 MiB there"},
    {"read_GB/s", LAB_REAL, 2, NULL, MACHINE, "one thread reading 64 MiB there"},
    {"spread", LAB_REAL, 1, "%", MACHINE, "the larger of the two"},
};
const struct lab_table_def membench_table_numa = {
    .id = "numa",
    .title = "Memory of each NUMA node, from the pinned CPU",
    .cols = numa_cols,
    .ncols = LAB_NCOLS(numa_cols),
    .note = "Memory bound with mbind. On a machine of one node there is nothing to compare.",
};

static const struct lab_col peak_cols[] = {
    {"instructions", LAB_STR, 0, NULL, NULL, "fused multiply-add, or separate multiply and add"},
    {"threads", LAB_STR, 0, NULL, NULL, "one, or one on each CPU"},
    {"GFLOP/s", LAB_REAL, 1, NULL, MACHINE, "single precision, 1e9 a second, best repetition"},
    {"spread", LAB_REAL, 1, "%", MACHINE, "(p75 - p25) / median"},
    {"estimate", LAB_REAL, 1, NULL, MACHINE,
     "cores * clock * SIMD lanes * 2: one fused pipe per core"},
    {"pipes", LAB_REAL, 2, NULL, MACHINE, "GFLOP/s / estimate"},
};
const struct lab_table_def membench_table_peak = {
    .id = "peak",
    .title = "Peak arithmetic, measured and estimated",
    .cols = peak_cols,
    .ncols = LAB_NCOLS(peak_cols),
    .note =
        "Twelve independent chains of x*m + a on registers. Two fused pipes per core show as 2.0 "
        "for fma and 1.0 for mul+add, which needs two instructions for the same work.",
};

static const struct lab_col roof_cols[] = {
    {"quantity", LAB_STR, 0, NULL, NULL, "a line of the roofline, one thread"},
    {"value", LAB_REAL, 2, NULL, MACHINE, "best repetition"},
    {"unit", LAB_STR, 0, NULL, NULL, "GB/s are of moved bytes, 1e9 a second"},
};
const struct lab_table_def membench_table_roof = {
    .id = "roof",
    .title = "This machine's roof, one thread",
    .cols = roof_cols,
    .ncols = LAB_NCOLS(roof_cols),
    .note =
        "ridge = peak / read bandwidth: the intensity at which memory and arithmetic take equally "
        "long. The ridge of the estimated peak uses cores * clock * SIMD * 2 with one core.",
};

static const struct lab_col roofline_cols[] = {
    {"kernel", LAB_STR, 0, NULL, NULL, "f32, one thread, validated against a scalar reference"},
    {"AI", LAB_REAL, 4, NULL, NULL, "FLOP per byte the program reads and writes"},
    {"AI_bus", LAB_REAL, 4, NULL, NULL,
     "FLOP per byte moved: with the line that an ordinary store reads first"},
    {"roof", LAB_REAL, 2, NULL, MACHINE,
     "GFLOP/s predicted: min(mul+add peak, AI_bus * bandwidth of moved bytes)"},
    {"GFLOP/s", LAB_REAL, 2, NULL, MACHINE, "measured, best repetition"},
    {"of_roof", LAB_REAL, 0, "%", MACHINE, "measured / predicted"},
    {"spread", LAB_REAL, 1, "%", MACHINE, "(p75 - p25) / median, the larger of kernel and roof"},
    {"bound", LAB_STR, 0, NULL, MACHINE, "which side of the ridge: memory or compute"},
};
const struct lab_table_def membench_table_roofline = {
    .id = "roofline",
    .title = "Kernels on the roofline",
    .cols = roofline_cols,
    .ncols = LAB_NCOLS(roofline_cols),
    .note =
        "vector_add counts 12 bytes per FLOP (AI 1/12) and moves 16, since the store's line is "
        "read before it is written: the roof is predicted at 1/16 with the bandwidth of copying, "
        "which moves bytes in the same way. The tree is built without contraction, so mul+add is "
        "the ceiling. matmul in tiles of b = 64: AI = b/6.",
};

static const struct lab_col model_cols[] = {
    {"stream", LAB_STR, 0, NULL, NULL, "the loop whose addresses are simulated"},
    {"size", LAB_STR, 0, NULL, NULL,
     "chase: bytes, or pages; stride: elements; vector_add: elements; matmul: rows"},
    {"accesses", LAB_INT, 0, NULL, NULL, "loads and stores, one per element"},
    {"l1_hits", LAB_INT, 0, NULL, NULL, "found in the first level"},
    {"l1_misses", LAB_INT, 0, NULL, NULL, "not found there"},
    {"l1_wb", LAB_INT, 0, NULL, NULL, "dirty lines the first level wrote to the second"},
    {"l2_hits", LAB_INT, 0, NULL, NULL, "of the first level's misses, found in the second"},
    {"l2_misses", LAB_INT, 0, NULL, NULL, "fetched from memory"},
    {"l2_wb", LAB_INT, 0, NULL, NULL, "dirty lines the second level wrote to memory"},
    {"tlb_misses", LAB_INT, 0, NULL, NULL, "pages not found in the TLB"},
    {"memory_bytes", LAB_INT, 0, NULL, NULL,
     "to and from memory, the lines left dirty at the end included"},
};
const struct lab_table_def membench_table_model = {
    .id = "model",
    .title = "The same streams through a simulated cache, counted exactly",
    .cols = model_cols,
    .ncols = LAB_NCOLS(model_cols),
    .note =
        "Set-associative, LRU, write-allocate, write-back, 64-byte lines, a TLB of 4 KiB pages. "
        "Chases count one pass in steady state; the others start cold. No prefetcher: that is why "
        "the random and the sequential chase miss equally often. The TLB does see the order.",
};

static const struct lab_col intensity_cols[] = {
    {"kernel", LAB_STR, 0, NULL, NULL, "stream of the table above"},
    {"FLOP", LAB_INT, 0, NULL, NULL, "of the algorithm"},
    {"AI_book", LAB_REAL, 4, NULL, NULL, "by the usual count; matmul: b/6, and 2/8 for naive"},
    {"l1_bytes", LAB_INT, 0, NULL, NULL,
     "(l1_misses + l1_wb) * 64: between first and second level"},
    {"AI_l1", LAB_REAL, 4, NULL, NULL, "FLOP / l1_bytes"},
    {"AI_memory", LAB_REAL, 4, NULL, NULL, "FLOP / memory_bytes"},
};
const struct lab_table_def membench_table_intensity = {
    .id = "intensity",
    .title = "Arithmetic intensity, by the book and counted",
    .cols = intensity_cols,
    .ncols = LAB_NCOLS(intensity_cols),
    .note =
        "Intensity belongs to a boundary: the same matmul has one value between first and second "
        "level and a higher one at memory, where the second level has kept the matrices.",
};

static const struct lab_col spec_cols[] = {
    {"chip", LAB_STR, 0, NULL, NULL, "variant"},
    {"bf16_TFLOP/s", LAB_REAL, 1, NULL, NULL, "dense BF16, not the 2:4 sparsity figure"},
    {"mem_GB", LAB_INT, 0, NULL, NULL, "memory"},
    {"mem_GB/s", LAB_INT, 0, NULL, NULL, "memory bandwidth"},
    {"ridge", LAB_REAL, 0, NULL, NULL, "FLOP/byte: bf16 / bandwidth"},
    {"link_GB/s", LAB_INT, 0, NULL, NULL, "to other chips, both directions together"},
    {"mem/link", LAB_REAL, 1, "x", NULL, "memory bandwidth / one direction of the link"},
    {"power_W", LAB_INT, 0, NULL, NULL, "maximum"},
    {"decode_tok/s", LAB_REAL, 0, NULL, NULL,
     "batch 1: bandwidth / weights, since each token reads every weight once"},
    {"fits", LAB_STR, 0, NULL, NULL, "do the weights fit in this memory?"},
};
const struct lab_table_def membench_table_spec = {
    .id = "spec",
    .title = "Published chips: ridge and batch-1 decode ceiling",
    .cols = spec_cols,
    .ncols = LAB_NCOLS(spec_cols),
    .note = "Dense figures throughout: vendors print twice as much for 2:4 structured sparsity. A "
            "batch "
            "of B sequences has intensity B with 2-byte weights, so a batch of `ridge` leaves the "
            "memory-bound side.",
};

static const struct lab_col sources_cols[] = {
    {"chip", LAB_STR, 0, NULL, NULL, "variant"},
    {"figure", LAB_STR, 0, NULL, NULL, "column of the table above"},
    {"value", LAB_REAL, 1, NULL, NULL, "as published"},
    {"source", LAB_STR, 0, NULL, NULL, "the vendor's document"},
};
const struct lab_table_def membench_table_sources = {
    .id = "sources",
    .title = "Where each figure comes from",
    .cols = sources_cols,
    .ncols = LAB_NCOLS(sources_cols),
    .note = NULL,
};

static const struct lab_col bench_cols[] = {
    {"program", LAB_STR, 0, NULL, NULL, "this lab, and the public peer"},
    {"kernel", LAB_STR, 0, NULL, MACHINE, "the loop"},
    {"bytes", LAB_INT, 0, NULL, NULL, "memory read per pass, base pages"},
    {"read_GB/s", LAB_REAL, 2, NULL, MACHINE, "1e9 bytes a second, median of the rounds"},
    {"spread", LAB_REAL, 1, "%", MACHINE, "(p75 - p25) / median"},
    {"ratio", LAB_REAL, 2, "x", MACHINE, "against likwid-bench"},
};
const struct lab_table_def membench_table_bench = {
    .id = "bench",
    .title = "Read bandwidth of one thread against likwid-bench",
    .cols = bench_cols,
    .ncols = LAB_NCOLS(bench_cols),
    .note = "Rounds of both programs in turn; medians. They should agree within 15 %.",
};

const struct lab_table_def *const membench_tables[] = {
    &membench_table_latency,  &membench_table_tlb,
    &membench_table_plateaus, &membench_table_stride,
    &membench_table_line,     &membench_table_bandwidth,
    &membench_table_numa,     &membench_table_peak,
    &membench_table_roof,     &membench_table_roofline,
    &membench_table_model,    &membench_table_intensity,
    &membench_table_spec,     &membench_table_sources,
    &membench_table_bench,    NULL,
};
