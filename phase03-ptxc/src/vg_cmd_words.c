/* Words of the command line: repeated options, shapes, checks, devices, and finding a kernel.
 *
 * Problem: the labs' command line knows no option that may be given several times, and a kernel has
 * several arguments. Model: before it is parsed, all `--arg A --arg B` become one `--arg "A\nB"` at
 * the place of the first. Words after "--" belong to another program and stay as they are.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "lab/file.h"
#include "vg_check.h"
#include "vg_cmd.h"
#include "vg_name.h"

#define NAMES_MAX 4

/* Which of `names` the word is, with its value in *value when it is written --name=value; −1. */
static int which_name(const char *word, const char *const *names, const char **value)
{
    *value = NULL;
    for (int i = 0; strncmp(word, "--", 2) == 0 && names[i] != NULL; i++) {
        size_t len = strlen(names[i]);
        if (strncmp(word + 2, names[i], len) == 0 &&
            (word[2 + len] == '\0' || word[2 + len] == '=')) {
            *value = word[2 + len] == '=' ? word + 3 + len : NULL;
            return i;
        }
    }
    return -1;
}

struct joining {
    const char *const *names;
    struct lab_buf text[NAMES_MAX];
    int at[NAMES_MAX]; /* where the option goes in the new argv; −1: not seen */
};

/* One word of the old argv; returns how many words it took, −1 on an error. */
static int join_word(struct joining *j, char **word, struct vg_cmd_line *out, struct lab_err *err)
{
    const char *value;
    int k = which_name(word[0], j->names, &value);
    int words = 1;
    if (k >= 0 && value == NULL && word[1] != NULL && strncmp(word[1], "--", 2) != 0) {
        value = word[1];
        words = 2;
    }
    if (k < 0 || value == NULL) {
        out->argv[out->argc++] = word[0];
        return 1;
    }
    if (strchr(value, '\n') != NULL) {
        return lab_err_input(err, "--%s: a line end in its value", j->names[k]);
    }
    if (j->at[k] < 0) {
        j->at[k] = out->argc++;
        lab_buf_printf(&j->text[k], "--%s=%s", j->names[k], value);
    } else {
        lab_buf_printf(&j->text[k], "\n%s", value);
    }
    return words;
}

int vg_cmd_join(int argc, char **argv, const char *const *names, struct vg_cmd_line *out,
                struct lab_err *err)
{
    struct joining j = {.names = names, .at = {-1, -1, -1, -1}};
    *out = (struct vg_cmd_line){.argv = lab_alloc((size_t)argc + 1, sizeof(char *)),
                                .joined = lab_alloc(NAMES_MAX, sizeof(char *))};
    int rc = 0, i = 0;
    while (rc == 0 && i < argc && strcmp(argv[i], "--") != 0) {
        int words = join_word(&j, argv + i, out, err);
        rc = words < 0 ? -1 : 0;
        i += words < 0 ? 0 : words;
    }
    for (; rc == 0 && i < argc; i++) {
        out->argv[out->argc++] = argv[i];
    }
    for (int k = 0; k < NAMES_MAX; k++) {
        if (j.at[k] >= 0) {
            char *word = lab_strdup(lab_buf_str(&j.text[k]));
            out->joined[out->njoined++] = out->argv[j.at[k]] = word;
        }
        lab_buf_fini(&j.text[k]);
    }
    return rc;
}

void vg_cmd_join_free(struct vg_cmd_line *line)
{
    for (int i = 0; i < line->njoined; i++) {
        free(line->joined[i]);
    }
    free(line->joined);
    free(line->argv);
    *line = (struct vg_cmd_line){0};
}

void vg_cmd_split(const char *joined, char **text, const char ***words)
{
    size_t n = 0, lines = 1;
    *text = lab_strdup(joined != NULL ? joined : "");
    for (const char *s = *text; *s != '\0'; s++) {
        lines += *s == '\n';
    }
    *words = lab_alloc(lines + 1, sizeof(char *));
    for (char *s = joined != NULL ? *text : NULL; s != NULL;) {
        (*words)[n++] = s;
        s = strchr(s, '\n');
        if (s != NULL) {
            *s++ = '\0';
        }
    }
}

/* The whole number before `stop` or the end, at least 1; NULL when there is none. */
static const char *dim_number(const char *s, uint32_t *v)
{
    uint64_t sum = 0;
    const char *start = s;
    for (; *s >= '0' && *s <= '9' && sum <= UINT32_MAX; s++) {
        sum = 10 * sum + (uint64_t)(*s - '0');
    }
    *v = (uint32_t)sum;
    return s != start && sum >= 1 && sum <= UINT32_MAX ? s : NULL;
}

int vg_cmd_dim(const char *what, const char *text, struct vgpu_dim *out, struct lab_err *err)
{
    uint32_t v[3] = {1, 1, 1};
    const char *s = text;
    for (int i = 0; s != NULL && i < 3; i++) {
        s = dim_number(s, &v[i]);
        if (s == NULL || *s == '\0') {
            break;
        }
        s = *s == ',' && i < 2 ? s + 1 : NULL;
    }
    if (s == NULL) {
        return lab_err_input(err, "--%s: expected X, X,Y or X,Y,Z with numbers from 1, got '%s'",
                             what, text == NULL ? "" : text);
    }
    *out = (struct vgpu_dim){v[0], v[1], v[2]};
    return 0;
}

static unsigned check_named(const char *word, size_t len)
{
    if (len == 3 && strncmp(word, "all", len) == 0) {
        return VGPU_CHECK_ALL;
    }
    for (unsigned c = 1; c < VGPU_CHECK_ALL; c *= 2) {
        const char *name = vg_check_name((enum vgpu_check)c);
        if (strlen(name) == len && strncmp(word, name, len) == 0) {
            return c;
        }
    }
    return 0;
}

int vg_cmd_checks(const char *text, unsigned *out, struct lab_err *err)
{
    *out = 0;
    for (const char *s = text; s != NULL;) {
        size_t len = strcspn(s, ",");
        unsigned c = check_named(s, len);
        if (c == 0) {
            return lab_err_input(err,
                                 "--check: expected mem, race, sync, init or all with commas "
                                 "between, got '%.*s'",
                                 (int)(len < 40 ? len : 40), s);
        }
        *out |= c;
        s = s[len] == ',' ? s + len + 1 : NULL;
    }
    return 0;
}

const struct vgpu_desc *vg_cmd_device(int choice)
{
    char key[16] = "";
    const char *s = VG_DEVICES;
    for (; choice > 0; choice--) {
        s += strcspn(s, "|") + 1;
    }
    (void)snprintf(key, sizeof(key), "%.*s", (int)strcspn(s, "|"), s);
    const struct vgpu_desc *d = vgpu_desc_find(key);
    LAB_ASSERT(d != NULL);
    return d;
}

unsigned vg_cmd_threads(int64_t n)
{
    long cpus = sysconf(_SC_NPROCESSORS_ONLN);
    if (n > 0) {
        return (unsigned)n;
    }
    return cpus < 1 ? 1 : cpus > VG_THREADS_MAX ? VG_THREADS_MAX : (unsigned)cpus;
}

int vg_cmd_load(struct vgpu *g, const char *path, struct vgpu_module **out, struct lab_err *err)
{
    struct lab_buf text;
    lab_buf_init(&text);
    int rc = lab_file_read(path, PTX_MAX_TEXT, &text, err);
    if (rc == 0 && vgpu_module_load(g, path, lab_buf_str(&text), text.len, out, err) != VGPU_OK) {
        rc = -1;
    }
    lab_buf_fini(&text);
    return rc;
}

static bool called(const struct ptx_func *f, const char *name)
{
    struct lab_buf text;
    lab_buf_init(&text);
    vg_name_print(f->name, &text);
    bool same = strcmp(lab_buf_str(&text), name) == 0;
    lab_buf_fini(&text);
    return same;
}

static int no_kernel(const struct ptx_module *m, const char *name, size_t found,
                     struct lab_err *err)
{
    struct lab_buf list;
    lab_buf_init(&list);
    for (const struct ptx_func *f = m->funcs; f != NULL && list.len < 300; f = f->next) {
        if (f->kind == PTX_ENTRY && (found == 0 || called(f, name))) {
            lab_buf_printf(&list, "%s%s", list.len > 0 ? ", " : "", f->name);
        }
    }
    (void)lab_err_input(err,
                        found == 0 ? "%s: no kernel '%s', expected one of: %s"
                                   : "%s: '%s' names several kernels: %s",
                        m->name, name, list.len > 0 ? lab_buf_str(&list) : "(there is none)");
    lab_buf_fini(&list);
    return -1;
}

int vg_cmd_kernel(struct vgpu_module *m, const char *name, struct vgpu_kernel **out,
                  struct lab_err *err)
{
    const struct ptx_module *ptx = vgpu_module_ptx(m);
    size_t found = 0;
    *out = vgpu_module_kernel(m, name);
    for (const struct ptx_func *f = ptx->funcs; *out == NULL && f != NULL; f = f->next) {
        found += f->kind == PTX_ENTRY && called(f, name);
    }
    for (const struct ptx_func *f = ptx->funcs; found == 1 && f != NULL; f = f->next) {
        if (f->kind == PTX_ENTRY && called(f, name)) {
            *out = vgpu_module_kernel(m, f->name);
        }
    }
    return *out != NULL ? 0 : no_kernel(ptx, name, found, err);
}

void vg_cmd_adopt(struct lab_run *run, struct lab_table *t)
{
    run->tables = lab_resize(run->tables, run->ntables + 1, sizeof(*run->tables));
    run->tables[run->ntables++] = t;
}
