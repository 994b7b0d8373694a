/* What leaves the two libraries: every call of the lists, every call the toolkit's headers declare,
 * and nothing else. */
#include <ctype.h>
#include <dlfcn.h>
#include <stdbool.h>
#include <string.h>

#include "lab/file.h"
#include "lab/test.h"

static void *libcuda, *libcudart;

static const char *const driver_calls[] = {
#define CU_PROVIDED(symbol, name, version, per_thread) #symbol,
#define CU_STUB(symbol, name, version, per_thread)     #symbol,
#include "cu_driver.def"
#include "cu_driver_stubs.def"
#undef CU_PROVIDED
#undef CU_STUB
};

static const char *const runtime_calls[] = {
#define CU_PROVIDED(symbol) #symbol,
#define CU_STUB(symbol)     #symbol,
#include "cu_runtime.def"
#include "cu_runtime_stubs.def"
#undef CU_PROVIDED
#undef CU_STUB
};

#define COUNT(list) (sizeof(list) / sizeof((list)[0]))

static bool driver_has(const char *name)
{
    return dlsym(libcuda, name) != NULL;
}

static bool runtime_has(const char *name)
{
    return dlvsym(libcudart, name, "libcudart.so.13") != NULL;
}

static void the_lists_are_exported(void **state)
{
    (void)state;
    for (size_t k = 0; k < COUNT(driver_calls); k++) {
        if (!driver_has(driver_calls[k])) {
            fail_msg("libcuda.so.1 has no %s", driver_calls[k]);
        }
    }
    for (size_t k = 0; k < COUNT(runtime_calls); k++) {
        if (!runtime_has(runtime_calls[k])) {
            fail_msg("libcudart.so.13 has no %s with its version", runtime_calls[k]);
        }
    }
    assert_true(COUNT(driver_calls) > 600 && COUNT(runtime_calls) > 400);
}

static void nothing_else_is(void **state)
{
    (void)state;
    assert_null(dlsym(libcuda, "lab_buf_init"));
    assert_null(dlsym(libcuda, "vgpu_open"));
    assert_null(dlsym(libcuda, "cu_state"));
    assert_null(dlsym(libcuda, "ptx_parse"));
    assert_null(dlvsym(libcudart, "rt_kernel", "libcudart.so.13"));
}

/* Names that stand in the header as calls: a word with this prefix, followed by a parenthesis,
 * after the macro that says a declaration. Returns how many there are. */
static size_t check_header(const char *file, const char *macro, const char *prefix,
                           bool (*has)(const char *))
{
    struct lab_buf text;
    char path[1024], word[128];
    size_t found = 0;
    lab_buf_init(&text);
    snprintf(path, sizeof(path), "%s/%s", CUDA_INCLUDE_DIR, file);
    assert_int_equal(lab_file_read(path, 1u << 24, &text, NULL), 0);
    for (const char *at = lab_buf_str(&text); (at = strstr(at, macro)) != NULL;) {
        size_t n = 0;
        at += strlen(macro);
        while (*at == ' ') {
            at++;
        }
        while (n + 1 < sizeof(word) && (at[n] == '_' || isalnum((unsigned char)at[n]))) {
            word[n] = at[n];
            n++;
        }
        word[n] = '\0';
        if (at[n] == '(' && strncmp(word, prefix, strlen(prefix)) == 0) {
            found++;
            if (!has(word)) {
                fail_msg("%s declares %s, which is not exported", file, word);
            }
        }
    }
    lab_buf_fini(&text);
    return found;
}

static void every_declared_call_is_exported(void **state)
{
    (void)state;
    if (CUDA_INCLUDE_DIR[0] == '\0') {
        print_message("no CUDA toolkit headers: their declarations are not compared\n");
        skip();
    }
    assert_true(check_header("cuda.h", "CUDAAPI", "cu", driver_has) > 600);
    assert_true(check_header("cudaProfiler.h", "CUDAAPI", "cu", driver_has) >= 2);
    assert_true(check_header("cuda_runtime_api.h", "CUDARTAPI", "cuda", runtime_has) > 250);
    assert_true(check_header("cuda_profiler_api.h", "CUDARTAPI", "cuda", runtime_has) >= 2);
    assert_true(check_header("crt/host_runtime.h", "CUDARTAPI", "__cudaRegisterF", runtime_has) >=
                3);
}

static int open_libraries(void **state)
{
    (void)state;
    libcudart = dlopen(VGPU_LIB_DIR "/libcudart.so.13", RTLD_NOW | RTLD_LOCAL);
    libcuda = dlopen(VGPU_LIB_DIR "/libcuda.so.1", RTLD_NOW | RTLD_LOCAL);
    return libcudart != NULL && libcuda != NULL ? 0 : -1;
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test_setup(the_lists_are_exported, open_libraries),
    cmocka_unit_test(nothing_else_is),
    cmocka_unit_test(every_declared_call_is_exported),
};

int main(int argc, char **argv)
{
    return LAB_TEST_MAIN(tests);
}
