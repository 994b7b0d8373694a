/* The columns of vgpu's tables, each with what it means. */
#include "vg_cmd_tables.h"

#include "vg_cmd.h"
#include "vg_profile.h"
#include "vg_source.h"

static const struct lab_col kernels_cols[] = {
    {.name = "kernel",
     .kind = LAB_STR,
     .meaning = "the kernel, and its argument where that varies"},
    {.name = "grid", .kind = LAB_STR, .meaning = "blocks, x,y"},
    {.name = "block", .kind = LAB_STR, .meaning = "threads of a block, x,y"},
    {.name = "warp_inst", .kind = LAB_INT, .meaning = "PTX instructions, each counted once a warp"},
    {.name = "thr/inst", .kind = LAB_REAL, .prec = 1, .meaning = "active lanes of 32, on average"},
    {.name = "ld_sect", .kind = LAB_INT, .meaning = "32-byte sectors that global loads touch"},
    {.name = "ld_s/req", .kind = LAB_REAL, .prec = 2, .meaning = "sectors a global load"},
    {.name = "st_s/req", .kind = LAB_REAL, .prec = 2, .meaning = "sectors a global store"},
    {.name = "ld_eff%",
     .kind = LAB_REAL,
     .prec = 2,
     .meaning = "bytes asked for / (32 · sectors); above 100 when lanes share words"},
    {.name = "sh_w/req",
     .kind = LAB_REAL,
     .prec = 2,
     .meaning = "passes over the banks a shared-memory request"},
    {.name = "confl", .kind = LAB_INT, .meaning = "passes above one a phase: bank conflicts"},
    {.name = "diverg", .kind = LAB_INT, .meaning = "branches whose lanes parted"},
};
const struct lab_table_def vg_table_kernels = {
    .id = "kernels",
    .title = "the committed kernels, counted",
    .cols = kernels_cols,
    .ncols = LAB_NCOLS(kernels_cols),
    .note = "nvcc's PTX on the software GPU. Every result was compared, element by element, with "
            "plain C. No cache is modelled and no time: a sector counts, hit or miss.",
};

static const struct lab_col published_cols[] = {
    {.name = "what", .kind = LAB_STR, .meaning = "the access"},
    {.name = "metric", .kind = LAB_STR, .meaning = "Nsight Compute's or nvprof's word for it"},
    {.name = "published", .kind = LAB_REAL, .prec = 2, .meaning = "as hardware or the rule has it"},
    {.name = "counted", .kind = LAB_REAL, .prec = 2, .meaning = "by vgpu, in this run"},
    {.name = "equal", .kind = LAB_STR, .meaning = "to the last digit published"},
    {.name = "from", .kind = LAB_STR, .meaning = "measured on hardware, or derived from the rule"},
};
const struct lab_table_def vg_table_published = {
    .id = "published",
    .title = "published and counted",
    .cols = published_cols,
    .ncols = LAB_NCOLS(published_cols),
    .note = "hardware: a figure a profiler printed on a GPU; rule: what 32 lanes, 32-byte sectors "
            "and 32 banks of 4 bytes give by arithmetic. The sources stand in the phase's README.",
};

static const struct lab_col bugs_cols[] = {
    {.name = "kernel", .kind = LAB_STR, .meaning = "a kernel with one bug"},
    {.name = "the bug", .kind = LAB_STR, .meaning = "what was left out or done wrong"},
    {.name = "check", .kind = LAB_STR, .meaning = "which --check sees it"},
    {.name = "found", .kind = LAB_STR, .meaning = "its words"},
    {.name = "thread", .kind = LAB_STR, .meaning = "of its block; of a barrier, the warp's first"},
    {.name = "where", .kind = LAB_STR, .meaning = "line of the source, by .loc"},
};
const struct lab_table_def vg_table_bugs = {
    .id = "bugs",
    .title = "seeded bugs, and what the checks say",
    .cols = bugs_cols,
    .ncols = LAB_NCOLS(bugs_cols),
    .note = "The same checks say nothing about the kernels of the first table.",
};

static const struct lab_col modes_cols[] = {
    {.name = "kernel", .kind = LAB_STR, .meaning = "the kernel"},
    {.name = "mode",
     .kind = LAB_STR,
     .meaning = "parallel: blocks spread over host threads; serial: in index order on one"},
    {.name = "why serial",
     .kind = LAB_STR,
     .meaning = "the first instruction through which blocks could see each other"},
};
const struct lab_table_def vg_table_modes = {
    .id = "modes",
    .title = "how the blocks ran",
    .cols = modes_cols,
    .ncols = LAB_NCOLS(modes_cols),
    .note = "Results and counters are the same for any number of host threads: a kernel whose "
            "blocks can talk (global atomics, volatile or ordered global accesses, grid barriers) "
            "runs serially.",
};

static const struct lab_col findings_cols[] = {
    {.name = "check", .kind = LAB_STR, .meaning = "mem, race, sync or init"},
    {.name = "found", .kind = LAB_STR, .meaning = "what is wrong"},
    {.name = "block", .kind = LAB_STR, .meaning = "the lowest block that does it"},
    {.name = "thread", .kind = LAB_STR, .meaning = "and its thread"},
    {.name = "ptx_line", .kind = LAB_INT, .meaning = "line of the PTX text"},
    {.name = "where", .kind = LAB_STR, .meaning = "line of the source, by .loc"},
    {.name = "times", .kind = LAB_INT, .meaning = "how often at this place"},
};
const struct lab_table_def vg_table_findings = {
    .id = "findings",
    .title = "findings",
    .cols = findings_cols,
    .ncols = LAB_NCOLS(findings_cols),
};

static const struct lab_col buffers_cols[] = {
    {.name = "buffer", .kind = LAB_STR, .meaning = "its name"},
    {.name = "index", .kind = LAB_INT, .meaning = "of the element"},
    {.name = "value", .kind = LAB_STR, .meaning = "after the launch"},
};
const struct lab_table_def vg_table_buffers = {
    .id = "buffers",
    .title = "buffers after the launch",
    .cols = buffers_cols,
    .ncols = LAB_NCOLS(buffers_cols),
};

static const struct lab_col devices_cols[] = {
    {.name = "device", .kind = LAB_STR, .meaning = "the word for --device"},
    {.name = "chip", .kind = LAB_STR, .meaning = "what programs see as its name"},
    {.name = "cc", .kind = LAB_STR, .meaning = "compute capability"},
    {.name = "SMs", .kind = LAB_INT, .meaning = "multiprocessors"},
    {.name = "mem_GiB", .kind = LAB_INT, .meaning = "device memory, nominal"},
    {.name = "mem_GB/s",
     .kind = LAB_INT,
     .meaning = "2 · memory clock · bus width: told to programs, never used here"},
    {.name = "L2_MiB", .kind = LAB_INT, .meaning = "second-level cache: told, not modelled"},
    {.name = "sh_KiB/SM", .kind = LAB_INT, .meaning = "shared memory of a multiprocessor"},
    {.name = "sh_KiB/blk", .kind = LAB_INT, .meaning = "shared memory a block may ask for"},
    {.name = "thr/SM", .kind = LAB_INT, .meaning = "resident threads"},
    {.name = "blk/SM", .kind = LAB_INT, .meaning = "resident blocks"},
    {.name = "source", .kind = LAB_STR, .meaning = "NVIDIA's paper with the chip's figures"},
};
const struct lab_table_def vg_table_devices = {
    .id = "devices",
    .title = "the chips that can be described",
    .cols = devices_cols,
    .ncols = LAB_NCOLS(devices_cols),
    .note = "Limits a compute capability sets are from the CUDA C++ Programming Guide 13.0, "
            "\"Compute Capabilities\".",
};

static const struct lab_col entries_cols[] = {
    {.name = "kernel", .kind = LAB_STR, .meaning = "the entry's name in the PTX"},
    {.name = "params", .kind = LAB_STR, .meaning = "types of its parameters; b8[n]: by value"},
    {.name = "insts", .kind = LAB_INT, .meaning = "PTX instructions of its body"},
    {.name = "regs",
     .kind = LAB_INT,
     .meaning = "32-bit registers alive at once, our estimate: ptxas decides on a GPU"},
    {.name = "shared", .kind = LAB_INT, .meaning = "bytes of static shared memory"},
    {.name = "local", .kind = LAB_INT, .meaning = "bytes of local memory a thread"},
    {.name = "blk/SM", .kind = LAB_INT, .meaning = "resident blocks of 256 threads, theoretical"},
    {.name = "mode", .kind = LAB_STR, .meaning = "parallel or serial, or why it cannot run"},
    {.name = "why serial", .kind = LAB_STR, .meaning = "the instruction that makes it so"},
};
const struct lab_table_def vg_table_entries = {
    .id = "entries",
    .title = "kernels",
    .cols = entries_cols,
    .ncols = LAB_NCOLS(entries_cols),
};

static const struct lab_col bench_cols[] = {
    {.name = "engine", .kind = LAB_STR, .meaning = "who multiplies the matrices"},
    {.name = "threads", .kind = LAB_INT, .meaning = "host threads"},
    {.name = "ms", .kind = LAB_REAL, .prec = 2, .rule = "machine", .meaning = "median of a launch"},
    {.name = "best_ms",
     .kind = LAB_REAL,
     .prec = 2,
     .rule = "machine",
     .meaning = "the least disturbed launch"},
    {.name = "spread%",
     .kind = LAB_REAL,
     .prec = 1,
     .rule = "machine",
     .meaning = "between the quartiles, of the median"},
    {.name = "Mwarp_inst/s",
     .kind = LAB_REAL,
     .prec = 1,
     .rule = "machine",
     .meaning = "million PTX warp instructions a second; of PoCL, the same work in its time"},
    {.name = "ratio",
     .kind = LAB_REAL,
     .prec = 2,
     .suffix = "x",
     .rule = "machine",
     .meaning = "its time over that of vgpu, counters off, one thread; above 1 it is slower"},
};
const struct lab_table_def vg_table_bench = {
    .id = "bench",
    .title = "matmul_tiled16, 512 x 512",
    .cols = bench_cols,
    .ncols = LAB_NCOLS(bench_cols),
    .note = "All take turns in one run. PoCL compiles the same kernel, written in OpenCL C, to "
            "native code; it counts and checks nothing.",
};

const struct lab_table_def *const vg_cmd_tables[] = {
    &vg_table_kernels,  &vg_table_published, &vg_table_bugs,
    &vg_table_modes,    &vg_table_execution, &vg_table_global,
    &vg_table_shared,   &vg_table_ptx,       &vg_table_source,
    &vg_table_findings, &vg_table_buffers,   &vg_table_devices,
    &vg_table_entries,  &vg_table_bench,     NULL,
};

void vg_put_int(struct lab_table *t, uint64_t v)
{
    lab_table_int(t, (int64_t)v);
}

void vg_put_ratio(struct lab_table *t, double part, uint64_t whole)
{
    if (whole == 0) {
        lab_table_none(t);
    } else {
        lab_table_real(t, part / (double)whole);
    }
}

static void put_numbers(struct lab_table *t, const struct vgpu_dim *d, uint32_t rest)
{
    struct lab_buf text;
    lab_buf_init(&text);
    lab_buf_printf(&text, "%u", d->x);
    if (d->y != rest || d->z != rest) {
        lab_buf_printf(&text, ",%u", d->y);
    }
    if (d->z != rest) {
        lab_buf_printf(&text, ",%u", d->z);
    }
    lab_table_str(t, lab_buf_str(&text));
    lab_buf_fini(&text);
}

void vg_put_dim(struct lab_table *t, const struct vgpu_dim *d)
{
    put_numbers(t, d, 1);
}

void vg_put_thread(struct lab_table *t, const struct vgpu_dim *d)
{
    put_numbers(t, d, 0);
}

void vg_put_mode(struct lab_table *t, const struct vgpu_kernel *kernel)
{
    struct vgpu_kernel_info info;
    vgpu_kernel_info(kernel, &info);
    lab_table_str(t, info.serial ? "serial" : "parallel");
    if (info.serial && info.serial_why != NULL) {
        lab_table_str(t, info.serial_why);
    } else {
        lab_table_none(t);
    }
}

void vg_put_place(struct lab_table *t, const struct ptx_func *f, uint32_t pc)
{
    struct lab_buf text;
    lab_buf_init(&text);
    const struct ptx_insn *in = pc < f->ninsns ? &f->insns[pc] : NULL;
    const char *path = in != NULL ? vg_source_path(f->module, in->loc_file) : NULL;
    if (path != NULL && in->loc_line != 0) {
        lab_buf_printf(&text, "%s:%u", vg_source_name(path), in->loc_line);
    } else if (in != NULL) {
        lab_buf_printf(&text, "%s:%u", vg_source_name(f->module->name), in->pos.line);
    }
    lab_table_str(t, lab_buf_str(&text));
    lab_buf_fini(&text);
}
