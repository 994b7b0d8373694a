/* The whole of the arithmetic at work: CUDA's mathematical library as nvcc compiles it, run on the
 * machine, against the host's in higher precision. Each function must keep the bound that the CUDA
 * C++ Programming Guide states for it (appendix "Mathematical Functions": the largest distance in
 * units in the last place from the correctly rounded result). expf alone uses fma.rm, fma.sat and
 * ex2.approx.ftz. Skipped without nvcc. */
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "lab/buf.h"
#include "lab/file.h"
#include "lab/rng.h"
#include "vgt.h"

#define N 4096u

typedef long double ld;

static ld rsqrtl(ld x)
{
    return 1 / sqrtl(x);
}
static ld divl(ld x, ld y)
{
    return x / y;
}

struct function {
    const char *name;
    ld (*one)(ld x);
    ld (*two)(ld x, ld y);
    unsigned f32_units, f64_units; /* 0: correctly rounded */
    bool positive;                 /* x > 0 only */
    bool f64;
};

static const struct function functions[] = {
    {"exp", expl, NULL, 1, 1, false, true},      {"exp2", exp2l, NULL, 2, 1, false, false},
    {"expm1", expm1l, NULL, 1, 1, false, false}, {"log", logl, NULL, 1, 1, true, true},
    {"log1p", log1pl, NULL, 1, 1, true, false},  {"sin", sinl, NULL, 2, 2, false, true},
    {"cos", cosl, NULL, 2, 2, false, false},     {"tan", tanl, NULL, 4, 2, false, false},
    {"tanh", tanhl, NULL, 2, 2, false, true},    {"sinh", sinhl, NULL, 3, 2, false, false},
    {"erf", erfl, NULL, 2, 2, false, true},      {"sqrt", sqrtl, NULL, 0, 0, true, true},
    {"rsqrt", rsqrtl, NULL, 2, 1, true, true},   {"cbrt", cbrtl, NULL, 1, 1, false, true},
    {"pow", NULL, powl, 4, 2, true, true},       {"atan2", NULL, atan2l, 3, 2, false, true},
    {"hypot", NULL, hypotl, 3, 2, false, false}, {"fmod", NULL, fmodl, 0, 0, false, true},
    {"div", NULL, divl, 0, 0, false, true},
};

static const char *nvcc_path(void)
{
    static const char *const paths[] = {"/usr/local/cuda/bin/nvcc", "/opt/cuda/bin/nvcc",
                                        "/usr/bin/nvcc"};
    for (unsigned k = 0; k < 3; k++) {
        if (access(paths[k], X_OK) == 0) {
            return paths[k];
        }
    }
    return NULL;
}

/* PTX of tests/maths/maths.cu for an architecture; free with lab_buf_fini. */
static void compile(const char *arch, struct lab_buf *ptx)
{
    char command[1024], path[512];
    struct lab_err err = {0};
    snprintf(path, sizeof(path), "%s/maths.ptx", lab_test_tmpdir());
    snprintf(command, sizeof(command), "%s -arch=%s -ptx -o %s %s >/dev/null 2>&1", nvcc_path(),
             arch, path, LAB_PHASE_DIR "/tests/maths/maths.cu");
    assert_int_equal(system(command), 0);
    lab_buf_init(ptx);
    if (lab_file_read(path, 64u << 20, ptx, &err) < 0) {
        fail_msg("%s", err.msg);
    }
}

/* Operands of many sizes, the same on every machine. */
static double operand(struct lab_rng *rng, bool positive)
{
    double x = ldexp(1 + lab_rng_f64(rng), (int)lab_rng_below(rng, 14) - 8);
    return !positive && lab_rng_below(rng, 2) == 0 ? -x : x;
}

static uint64_t steps_f32(float a, float b)
{
    int32_t x, y;
    memcpy(&x, &a, sizeof(x));
    memcpy(&y, &b, sizeof(y));
    int64_t p = x < 0 ? INT32_MIN - (int64_t)x : x, q = y < 0 ? INT32_MIN - (int64_t)y : y;
    return (uint64_t)(p > q ? p - q : q - p);
}

static uint64_t steps_f64(double a, double b)
{
    int64_t x, y;
    memcpy(&x, &a, sizeof(x));
    memcpy(&y, &b, sizeof(y));
    uint64_t p = x < 0 ? 0 - ((uint64_t)x & INT64_MAX) : (uint64_t)x;
    uint64_t q = y < 0 ? 0 - ((uint64_t)y & INT64_MAX) : (uint64_t)y;
    return (int64_t)(p - q) < 0 ? q - p : p - q;
}

/* long double has few bits more than f64, so `exact` may look like a tie that it is not. */
static bool half_a_unit(double got, ld exact)
{
    int e;
    frexpl(exact, &e);
    return fabsl((ld)got - exact) <= ldexpl(0.5005L, e - 53);
}

static void launch(struct vgt *t, const char *prefix, const char *name, const uint64_t ab[3])
{
    char kernel[32];
    snprintf(kernel, sizeof(kernel), "%s%s", prefix, name);
    if (vgt_launch(t, kernel, N / 256, 256, ab) != VGPU_OK) {
        fail_msg("%s: %s", kernel, t->fault.text);
    }
}

static void check_f32(struct vgt *t, const struct function *f, struct lab_rng *rng)
{
    static float a[N], b[N], out[N];
    for (unsigned k = 0; k < N; k++) {
        a[k] = (float)operand(rng, f->positive);
        b[k] = (float)operand(rng, false);
    }
    const uint64_t ab[3] = {vgt_buffer(t, a, sizeof(a)), vgt_buffer(t, b, sizeof(b)), 0};
    launch(t, "f_", f->name, ab);
    assert_int_equal(vgpu_read(t->g, out, t->out, sizeof(out)), VGPU_OK);
    for (unsigned k = 0; k < N; k++) {
        float want = (float)(f->one != NULL ? f->one(a[k]) : f->two(a[k], b[k]));
        if (steps_f32(out[k], want) > f->f32_units) {
            fail_msg("%sf(%a, %a) = %a, expected %a within %u", f->name, (double)a[k], (double)b[k],
                     (double)out[k], (double)want, f->f32_units);
        }
    }
}

static void check_f64(struct vgt *t, const struct function *f, struct lab_rng *rng)
{
    static double a[N], b[N], out[N];
    for (unsigned k = 0; k < N; k++) {
        a[k] = operand(rng, f->positive);
        b[k] = operand(rng, false);
    }
    const uint64_t ab[3] = {vgt_buffer(t, a, sizeof(a)), vgt_buffer(t, b, sizeof(b)), 0};
    launch(t, "d_", f->name, ab);
    assert_int_equal(vgpu_read(t->g, out, t->out, sizeof(out)), VGPU_OK);
    for (unsigned k = 0; k < N; k++) {
        ld exact = f->one != NULL ? f->one(a[k]) : f->two(a[k], b[k]);
        double want = (double)exact;
        bool tie = f->f64_units == 0 && half_a_unit(out[k], exact);
        if (steps_f64(out[k], want) > f->f64_units && !tie) {
            fail_msg("%s(%a, %a) = %a, expected %a within %u", f->name, a[k], b[k], out[k], want,
                     f->f64_units);
        }
    }
}

static void check_arch(const char *arch)
{
    struct vgpu_config config = {.desc = vgpu_desc_find("h100")};
    struct lab_buf ptx;
    struct lab_rng rng;
    compile(arch, &ptx);
    struct vgt *t = vgt_new(&config, lab_buf_str(&ptx));
    lab_rng_seed(&rng, 42);
    for (unsigned k = 0; k < sizeof(functions) / sizeof(functions[0]); k++) {
        check_f32(t, &functions[k], &rng);
        if (functions[k].f64) {
            check_f64(t, &functions[k], &rng);
        }
    }
    vgt_free(t);
    lab_buf_fini(&ptx);
}

static void the_older_dialect_keeps_cudas_error_bounds(void **state)
{
    (void)state;
    check_arch("compute_75");
}

static void sm_90_keeps_cudas_error_bounds(void **state)
{
    (void)state;
    check_arch("compute_90");
}

int main(int argc, char **argv)
{
    if (nvcc_path() == NULL) {
        fprintf(stderr, "SKIP: nvcc is not installed (CUDA toolkit 13.0)\n");
        return LAB_EXIT_SKIP;
    }
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_older_dialect_keeps_cudas_error_bounds),
        cmocka_unit_test(sm_90_keeps_cudas_error_bounds),
    };
    return LAB_TEST_MAIN(tests);
}
