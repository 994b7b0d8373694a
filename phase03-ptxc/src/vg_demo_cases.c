/* The committed kernels, how each is launched, and what it must compute, in plain C.
 *
 * Model: a reference gives one element of the result from the inputs. It is written from the
 * kernel's purpose, not from its code, in double. Sizes are small: every figure here is a count,
 * and a count per request does not depend on the size.
 */
#include <string.h>

#include "vg_demo.h"

/* Element i of buffer k as it was before the launch. */
static double given(const struct vg_given *w, uint32_t k, uint64_t i)
{
    const struct vg_arg *a = &w->args->at[k];
    return vg_element(a->type, a->initial, i);
}

/* The number that is argument k. */
static double number(const struct vg_given *w, uint32_t k)
{
    return vg_element(w->args->at[k].type, w->args->at[k].value, 0);
}

static uint64_t whole(const struct vg_given *w, uint32_t k)
{
    return (uint64_t)number(w, k);
}

static double want_sum_of_two(const struct vg_given *w, uint64_t i)
{
    return given(w, 0, i) + given(w, 1, i);
}

static double want_product(const struct vg_given *w, uint64_t i)
{
    uint64_t n = whole(w, 3), row = i / n, col = i % n;
    double sum = 0;
    for (uint64_t k = 0; k < n; k++) {
        sum += given(w, 0, row * n + k) * given(w, 1, k * n + col);
    }
    return sum;
}

static double want_copy(const struct vg_given *w, uint64_t i)
{
    return given(w, 1, i);
}

static double want_transpose(const struct vg_given *w, uint64_t i)
{
    uint64_t n = whole(w, 2);
    return given(w, 1, i % n * n + i / n);
}

static double want_strided(const struct vg_given *w, uint64_t i)
{
    uint64_t stride = whole(w, 3);
    return i % stride == 0 ? given(w, 1, i) : 0;
}

static double want_shifted(const struct vg_given *w, uint64_t i)
{
    uint64_t n = whole(w, 2), offset = whole(w, 3);
    return i >= offset && i < n + offset ? given(w, 1, i) : 0;
}

static double want_first(const struct vg_given *w, uint64_t i)
{
    (void)i;
    return given(w, 1, 0);
}

static double want_sum_of_float4(const struct vg_given *w, uint64_t i)
{
    uint64_t thread = i / 4, part = i % 4;
    double sum = 0;
    for (uint64_t k = 0; k < 4; k++) {
        sum += given(w, 1, 16 * thread + 4 * k + part);
    }
    return sum;
}

static double want_scaled_x(const struct vg_given *w, uint64_t i)
{
    return given(w, 0, i) * (i % 3 == 0 ? number(w, 1) : 1);
}

static double want_scaled(const struct vg_given *w, uint64_t i)
{
    return given(w, 0, i) * number(w, 1);
}

static double want_raised_x(const struct vg_given *w, uint64_t i)
{
    return given(w, 0, i) + (i % 3 == 0 ? number(w, 1) : 0);
}

static double want_raised(const struct vg_given *w, uint64_t i)
{
    return given(w, 0, i) + number(w, 1);
}

static double want_block_sum(const struct vg_given *w, uint64_t i)
{
    uint64_t threads = w->c->block.x;
    double sum = 0;
    for (uint64_t k = i * threads; k < (i + 1) * threads; k++) {
        sum += given(w, 0, k);
    }
    return sum;
}

static double want_column_sum(const struct vg_given *w, uint64_t i)
{
    double sum = 0;
    for (uint64_t row = 0; row < 32; row++) {
        sum += given(w, 1, 32 * row + i);
    }
    return sum;
}

static double want_row_sum(const struct vg_given *w, uint64_t i)
{
    double sum = 0;
    for (uint64_t col = 0; col < 32; col++) {
        sum += given(w, 1, 32 * i + col);
    }
    return sum;
}

/* Row `lane` of eight float4, each of whose four parts is the float4's number, over and over. */
static double want_tile_sum(const struct vg_given *w, uint64_t i)
{
    double sum = 0;
    for (uint64_t k = 0; k < whole(w, 1); k++) {
        sum += 4.0 * (double)(8 * (i % 32) + k % 8);
    }
    return sum;
}

static double want_bin(const struct vg_given *w, uint64_t i)
{
    double n = 0;
    for (uint64_t k = 0; k < whole(w, 2); k++) {
        n += (uint64_t)given(w, 0, k) % 64 == i;
    }
    return n;
}

#define DIM(x, y)                                                                                  \
    {                                                                                              \
        x, y, 1                                                                                    \
    }
#define MATRIX "f32[9216]=rand" /* 96 x 96 */
#define MATMUL                                                                                     \
    {                                                                                              \
        MATRIX, MATRIX, "f32[9216]", "i32:96"                                                      \
    }
#define SQUARE                                                                                     \
    {                                                                                              \
        "f32[16384]", "f32[16384]=rand", "i32:128"                                                 \
    }
#define STRIDED(size, stride)                                                                      \
    {                                                                                              \
        "f32[" size "]=zero", "f32[" size "]=rand", "i32:4096", "i32:" stride                      \
    }
#define SHIFTED(offset)                                                                            \
    {                                                                                              \
        "f32[4104]=zero", "f32[4104]=rand", "i32:4096", "i32:" offset                              \
    }
#define REDUCE                                                                                     \
    {                                                                                              \
        "f32[1024]=rand", "f32[8]", "i32:1024"                                                     \
    }
#define TILE                                                                                       \
    {                                                                                              \
        "f32[32]", "f32[1024]=rand"                                                                \
    }
#define LDS128                                                                                     \
    {                                                                                              \
        "f32[128]", "i32:64"                                                                       \
    }
#define HISTOGRAM                                                                                  \
    {                                                                                              \
        "u32[10000]=rand", "u32[64]=zero", "i32:10000"                                             \
    }

/* name, file, kernel, grid, block, dynamic shared bytes, arguments, which is written, reference */
const struct vg_case vg_cases[] = {
    {"vec_add",
     "vec_add",
     "vec_add",
     DIM(391, 1),
     DIM(256, 1),
     0,
     {"f32[100000]=rand", "f32[100000]=rand", "f32[100000]", "i32:100000"},
     2,
     want_sum_of_two},
    {"matmul_uncoalesced", "matmul", "matmul_uncoalesced", DIM(3, 12), DIM(32, 8), 0, MATMUL, 2,
     want_product},
    {"matmul_naive", "matmul", "matmul_naive", DIM(3, 12), DIM(32, 8), 0, MATMUL, 2, want_product},
    {"matmul_tiled16", "matmul", "matmul_tiled16", DIM(6, 6), DIM(16, 16), 0, MATMUL, 2,
     want_product},
    {"matmul_tiled32", "matmul", "matmul_tiled32", DIM(3, 3), DIM(32, 32), 0, MATMUL, 2,
     want_product},
    {"transpose_copy", "transpose", "transpose_copy", DIM(4, 4), DIM(32, 8), 0, SQUARE, 0,
     want_copy},
    {"transpose_naive", "transpose", "transpose_naive", DIM(4, 4), DIM(32, 8), 0, SQUARE, 0,
     want_transpose},
    {"transpose_tiled", "transpose", "transpose_tiled", DIM(4, 4), DIM(32, 8), 0, SQUARE, 0,
     want_transpose},
    {"transpose_padded", "transpose", "transpose_padded", DIM(4, 4), DIM(32, 8), 0, SQUARE, 0,
     want_transpose},
    {"copy_strided 1", "access", "copy_strided", DIM(16, 1), DIM(256, 1), 0, STRIDED("4096", "1"),
     0, want_strided},
    {"copy_strided 2", "access", "copy_strided", DIM(16, 1), DIM(256, 1), 0, STRIDED("8192", "2"),
     0, want_strided},
    {"copy_strided 4", "access", "copy_strided", DIM(16, 1), DIM(256, 1), 0, STRIDED("16384", "4"),
     0, want_strided},
    {"copy_strided 8", "access", "copy_strided", DIM(16, 1), DIM(256, 1), 0, STRIDED("32768", "8"),
     0, want_strided},
    {"copy_strided 32", "access", "copy_strided", DIM(16, 1), DIM(256, 1), 0,
     STRIDED("131072", "32"), 0, want_strided},
    {"copy_misaligned 0", "access", "copy_misaligned", DIM(16, 1), DIM(256, 1), 0, SHIFTED("0"), 0,
     want_shifted},
    {"copy_misaligned 1", "access", "copy_misaligned", DIM(16, 1), DIM(256, 1), 0, SHIFTED("1"), 0,
     want_shifted},
    {"copy_broadcast",
     "access",
     "copy_broadcast",
     DIM(16, 1),
     DIM(256, 1),
     0,
     {"f32[4096]", "f32[1]=rand", "i32:4096"},
     0,
     want_first},
    {"copy_float4",
     "access",
     "copy_float4",
     DIM(16, 1),
     DIM(256, 1),
     0,
     {"f32[16384]", "f32[16384]=rand", "i32:4096"},
     0,
     want_copy},
    {"sum_float4x4",
     "access",
     "sum_float4x4",
     DIM(4, 1),
     DIM(256, 1),
     0,
     {"f32[4096]", "f32[16384]=rand", "i32:1024"},
     0,
     want_sum_of_float4},
    {"scale_aos",
     "access",
     "scale_aos",
     DIM(16, 1),
     DIM(256, 1),
     0,
     {"f32[12288]=rand", "f32:3", "i32:4096"},
     0,
     want_scaled_x},
    {"scale_soa",
     "access",
     "scale_soa",
     DIM(16, 1),
     DIM(256, 1),
     0,
     {"f32[4096]=rand", "f32:3", "i32:4096"},
     0,
     want_scaled},
    {"add_aos_double3",
     "access",
     "add_aos_double3",
     DIM(16, 1),
     DIM(256, 1),
     0,
     {"f64[12288]=rand", "f64:3", "i32:4096"},
     0,
     want_raised_x},
    {"add_soa_double",
     "access",
     "add_soa_double",
     DIM(16, 1),
     DIM(256, 1),
     0,
     {"f64[4096]=rand", "f64:3", "i32:4096"},
     0,
     want_raised},
    {"reduce_neighbored", "reduce", "reduce_neighbored", DIM(8, 1), DIM(128, 1), 0, REDUCE, 1,
     want_block_sum},
    {"reduce_interleaved", "reduce", "reduce_interleaved", DIM(8, 1), DIM(128, 1), 0, REDUCE, 1,
     want_block_sum},
    {"reduce_shared", "reduce", "reduce_shared", DIM(8, 1), DIM(128, 1), 512, REDUCE, 1,
     want_block_sum},
    {"reduce_shuffle", "reduce", "reduce_shuffle", DIM(8, 1), DIM(128, 1), 0, REDUCE, 1,
     want_block_sum},
    {"tile_rows", "banks", "tile_rows", DIM(1, 1), DIM(32, 1), 0, TILE, 0, want_column_sum},
    {"tile_columns", "banks", "tile_columns", DIM(1, 1), DIM(32, 1), 0, TILE, 0, want_row_sum},
    {"tile_columns_padded", "banks", "tile_columns_padded", DIM(1, 1), DIM(32, 1), 0, TILE, 0,
     want_row_sum},
    {"tile_columns_float4", "banks", "tile_columns_float4", DIM(1, 1), DIM(32, 1), 0, TILE, 0,
     want_row_sum},
    {"lds128_bad", "banks", "lds128_bad", DIM(4, 1), DIM(32, 1), 0, LDS128, 0, want_tile_sum},
    {"lds128_swizzled", "banks", "lds128_swizzled", DIM(4, 1), DIM(32, 1), 0, LDS128, 0,
     want_tile_sum},
    {"histogram_global", "atomics", "histogram_global", DIM(40, 1), DIM(256, 1), 0, HISTOGRAM, 1,
     want_bin},
    {"histogram_shared", "atomics", "histogram_shared", DIM(40, 1), DIM(256, 1), 0, HISTOGRAM, 1,
     want_bin},
};
const size_t vg_ncases = sizeof(vg_cases) / sizeof(vg_cases[0]);

size_t vg_case_find(const char *name)
{
    for (size_t i = 0; i < vg_ncases; i++) {
        if (strcmp(vg_cases[i].name, name) == 0) {
            return i;
        }
    }
    LAB_ASSERT(false && "a case of that name");
    return 0;
}
