/* Kernels with one bug each, which the checks must find where it is; and correct kernels, of which
 * no check may say anything. The lists are bugs/manifest.txt and clean/manifest.txt; their columns
 * are told there.
 */
#include <stdlib.h>
#include <string.h>

#include "lab/file.h"
#include "lab/test.h"
#include "vg_check.h"

#define MAX_ARGS   8
#define MAX_PARAMS 128

struct job {
    char file[32], kernel[64], grid[16], block[16], args[128], check[8], expect[64];
    uint32_t shared;
};

struct run {
    const struct job *job;
    struct vgpu *g;
    struct vgpu_module *m;
    struct vgpu_kernel *k;
    uint8_t params[MAX_PARAMS];
    struct vgpu_fault fault;
    enum vgpu_status status;
};

static int host_memory[64];

static unsigned check_named(const char *name)
{
    for (unsigned c = 1; c < VGPU_CHECK_ALL; c *= 2) {
        if (strcmp(vg_check_name((enum vgpu_check)c), name) == 0) {
            return c;
        }
    }
    return VGPU_CHECK_ALL;
}

static struct vgpu_dim dim_of(const char *text)
{
    struct vgpu_dim d = {1, 1, 1};
    char *comma;
    d.x = (uint32_t)strtoul(text, &comma, 10);
    d.y = *comma == ',' ? (uint32_t)strtoul(comma + 1, NULL, 10) : 1;
    return d;
}

static char *read_text(const char *folder, const char *file, const char *suffix)
{
    struct lab_buf path, text;
    struct lab_err err;
    lab_buf_init(&path);
    lab_buf_init(&text);
    lab_buf_printf(&path, LAB_PHASE_DIR "/tests/%s/%s%s", folder, file, suffix);
    if (lab_file_read(lab_buf_str(&path), 1 << 20, &text, &err) != 0) {
        fail_msg("%s", err.msg);
    }
    lab_buf_fini(&path);
    return text.data;
}

/* A device buffer as the manifest describes it. */
static uint64_t buffer(struct vgpu *g, char kind, size_t n)
{
    uint64_t addr = 0;
    size_t bytes = kind == 'b' ? n : 4 * n;
    uint8_t *data = lab_alloc(bytes + 1, 1);
    for (size_t i = 0; i < n; i++) {
        float f = (float)(i % 7);
        uint32_t u = (uint32_t)i;
        if (kind == 'b') {
            data[i] = (uint8_t)(1 + i % 9);
        } else {
            memcpy(data + 4 * i, kind == 'u' ? (const void *)&u : (const void *)&f, 4);
        }
    }
    assert_int_equal(vgpu_alloc(g, VGPU_MEM_DEVICE, bytes, &addr), VGPU_OK);
    if (kind != 'e') {
        size_t written = kind == 'h' ? bytes / 2 : bytes;
        assert_int_equal(vgpu_write(g, addr, data, written), VGPU_OK);
    }
    free(data);
    return addr;
}

static uint64_t argument(struct run *r, const char *text)
{
    if (strcmp(text, "host") == 0) {
        return (uint64_t)(uintptr_t)host_memory;
    }
    if (strcmp(text, "null") == 0) {
        return 0;
    }
    if (strcmp(text, "freed") == 0) {
        uint64_t addr = buffer(r->g, 'f', 64);
        assert_int_equal(vgpu_free(r->g, addr), VGPU_OK);
        return addr;
    }
    char *rest;
    uint64_t n = strtoul(text + 1, &rest, 10);
    if (text[0] == 'i') {
        return n;
    }
    uint64_t more = *rest == '+' ? strtoul(rest + 1, NULL, 10) : 0;
    return buffer(r->g, text[0], n) + more;
}

static void set_params(struct run *r)
{
    char args[sizeof(r->job->args)], *state = NULL;
    struct vgpu_kernel_info info;
    vgpu_kernel_info(r->k, &info);
    strcpy(args, r->job->args);
    const struct ptx_var *p = info.func->params;
    for (char *a = strtok_r(args, ",", &state); a != NULL; a = strtok_r(NULL, ",", &state)) {
        uint64_t value = argument(r, a);
        assert_non_null(p);
        assert_true(p->param_offset + p->size <= MAX_PARAMS);
        memcpy(r->params + p->param_offset, &value, p->size);
        p = p->next;
    }
    assert_null(p);
}

static void start(struct run *r, const char *folder, const struct vgpu_config *config)
{
    struct lab_err err = {0};
    struct lab_buf name;
    char *ptx = read_text(folder, r->job->file, ".ptx");
    lab_buf_init(&name);
    lab_buf_printf(&name, LAB_PHASE_DIR "/tests/%s/%s.ptx", folder, r->job->file);
    if (vgpu_open(config, &r->g, &err) != 0 ||
        vgpu_module_load(r->g, lab_buf_str(&name), ptx, strlen(ptx), &r->m, &err) != VGPU_OK) {
        fail_msg("%s", err.msg);
    }
    lab_buf_fini(&name);
    free(ptx);
    r->k = vgpu_module_kernel(r->m, r->job->kernel);
    if (r->k == NULL) {
        fail_msg("%s.ptx has no kernel %s", r->job->file, r->job->kernel);
    }
    set_params(r);
    struct vgpu_launch launch = {.kernel = r->k,
                                 .grid = dim_of(r->job->grid),
                                 .block = dim_of(r->job->block),
                                 .dynamic_shared = r->job->shared,
                                 .params = r->params};
    r->status = vgpu_run(r->g, &launch, NULL, &r->fault);
}

static void stop(struct run *r)
{
    vgpu_module_unload(r->m);
    vgpu_close(r->g);
}

/* Does line `line` of the text hold the mark? */
static bool marked(const char *text, uint32_t line, const char *kernel)
{
    char mark[80];
    snprintf(mark, sizeof(mark), "BUG(%s)", kernel);
    for (; line > 1 && text != NULL; line--) {
        text = strchr(text, '\n');
        text = text == NULL ? NULL : text + 1;
    }
    const char *at = text == NULL ? NULL : strstr(text, mark), *end = text;
    return at != NULL && (end = strchr(text, '\n')) != NULL && at < end;
}

static uint32_t source_line(const struct ptx_func *f, uint32_t pc)
{
    return f == NULL || pc >= f->ninsns ? 0 : f->insns[pc].loc_line;
}

static bool right_finding(const struct job *j, const struct vg_finding *f, const char *cu)
{
    return (unsigned)vg_check_of(f->reason) == check_named(j->check) &&
           strstr(f->what, j->expect) != NULL &&
           (marked(cu, source_line(f->func, f->pc), j->kernel) ||
            marked(cu, source_line(f->other_func, f->other_pc), j->kernel));
}

static void print_report(const struct run *r, struct lab_buf *out)
{
    vg_report_print(vgpu_report(r->g), out);
}

/* One configuration: the bug is found; the report goes to `text`. */
static bool found(const struct job *j, const struct vgpu_config *config, struct lab_buf *text)
{
    struct run r = {.job = j};
    char *cu = read_text("bugs", j->file, ".cu");
    start(&r, "bugs", config);
    size_t n;
    bool right = false;
    const struct vg_finding *list = vg_report_list(vgpu_report(r.g), &n);
    for (size_t i = 0; i < n; i++) {
        right |= right_finding(j, &list[i], cu);
    }
    print_report(&r, text);
    if (!right) {
        print_message("%s: status %s %s\n%s", j->kernel, vgpu_status_name(r.status), r.fault.text,
                      lab_buf_str(text));
    }
    free(cu);
    stop(&r);
    return right;
}

static struct vgpu_config config_of(unsigned checks, unsigned threads)
{
    return (struct vgpu_config){
        .desc = vgpu_desc_find("a100"), .checks = checks, .threads = threads, .budget = 2000000};
}

static bool one_bug(const struct job *j)
{
    struct vgpu_config one = config_of(check_named(j->check), 1),
                       all = config_of(VGPU_CHECK_ALL, 1);
    struct vgpu_config two = config_of(check_named(j->check), 2);
    struct vgpu_config stack = config_of(check_named(j->check), 1);
    stack.policy = VGPU_POLICY_STACK;
    struct lab_buf text, again, unused;
    lab_buf_init(&text);
    lab_buf_init(&again);
    lab_buf_init(&unused);
    bool right = found(j, &one, &text) && found(j, &all, &unused) && found(j, &two, &again);
    /* Warps that run in step have no use for member masks, so nobody looks at them there. */
    bool masks = strcmp(j->check, "sync") == 0 && strstr(j->expect, "barrier") == NULL;
    lab_buf_clear(&unused);
    right = right && (masks || found(j, &stack, &unused));
    if (right && strcmp(j->check, "mem") != 0) { /* a memory error stops other blocks anywhere */
        assert_string_equal(lab_buf_str(&text), lab_buf_str(&again));
    }
    lab_buf_fini(&text);
    lab_buf_fini(&again);
    lab_buf_fini(&unused);
    return right;
}

static bool one_clean(const struct job *j)
{
    bool clean = true;
    for (unsigned i = 0; i < 4; i++) {
        struct vgpu_config config = config_of(VGPU_CHECK_ALL, 1 + i % 2);
        config.policy = i < 2 ? VGPU_POLICY_ITS : VGPU_POLICY_STACK;
        struct run r = {.job = j};
        struct lab_buf text;
        lab_buf_init(&text);
        start(&r, "clean", &config);
        print_report(&r, &text);
        if (r.status != VGPU_OK || strcmp(lab_buf_str(&text), "no findings\n") != 0) {
            print_message("%s: status %s %s\n%s", j->kernel, vgpu_status_name(r.status),
                          r.fault.text, lab_buf_str(&text));
            clean = false;
        }
        lab_buf_fini(&text);
        stop(&r);
    }
    return clean;
}

/* Every line of the manifest; returns how many there are. */
static int each_job(const char *folder, bool (*job)(const struct job *j))
{
    char *manifest = read_text(folder, "manifest", ".txt"), *state = NULL;
    int n = 0, wrong = 0;
    for (char *line = strtok_r(manifest, "\n", &state); line != NULL;
         line = strtok_r(NULL, "\n", &state)) {
        struct job j = {0};
        if (line[0] == '#') {
            continue;
        }
        int fields = sscanf(line, "%31s %63s %15s %15s %u %127s %7s %63[^\n]", j.file, j.kernel,
                            j.grid, j.block, &j.shared, j.args, j.check, j.expect);
        assert_true(fields == 6 || fields == 8);
        n++;
        wrong += job(&j) ? 0 : 1;
    }
    free(manifest);
    assert_int_equal(wrong, 0);
    return n;
}

static void every_seeded_bug_is_found_on_its_line(void **state)
{
    (void)state;
    int n = each_job("bugs", one_bug);
    print_message("%d bugs\n", n);
    assert_true(n >= 30);
}

static void no_correct_kernel_is_accused(void **state)
{
    (void)state;
    int n = each_job("clean", one_clean);
    print_message("%d correct kernels\n", n);
    assert_true(n >= 15);
}

int main(int argc, char **argv)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_seeded_bug_is_found_on_its_line),
        cmocka_unit_test(no_correct_kernel_is_accused),
    };
    return LAB_TEST_MAIN(tests);
}
