/* Source lines for reports.
 *
 * A .cu file is looked up by the path in the PTX, as it stands; a report on another machine has no
 * source text and says only file and line. Files are read whole, once.
 */
#include "vg_source.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "lab/buf.h"
#include "lab/file.h"

#define MAX_FILE (16u << 20)

struct file {
    char *path; /* owned */
    struct lab_buf text;
    struct file *next;
};

struct vg_source {
    struct file *files;
};

struct vg_source *vg_source_new(void)
{
    return lab_alloc(1, sizeof(struct vg_source));
}

void vg_source_free(struct vg_source *s)
{
    while (s != NULL && s->files != NULL) {
        struct file *f = s->files;
        s->files = f->next;
        lab_buf_fini(&f->text);
        free(f->path);
        free(f);
    }
    free(s);
}

const char *vg_source_path(const struct ptx_module *m, uint32_t index)
{
    for (uint32_t i = 0; m != NULL && i < m->nfiles; i++) {
        if (m->files[i].index == index) {
            return m->files[i].path;
        }
    }
    return NULL;
}

const char *vg_source_name(const char *path)
{
    const char *slash = strrchr(path, '/');
    return slash == NULL ? path : slash + 1;
}

static struct file *file_of(struct vg_source *s, const char *path)
{
    for (struct file *f = s->files; f != NULL; f = f->next) {
        if (strcmp(f->path, path) == 0) {
            return f;
        }
    }
    struct file *f = lab_alloc(1, sizeof(*f));
    f->path = lab_strdup(path);
    lab_buf_init(&f->text);
    struct lab_err ignored;
    if (lab_file_read(path, MAX_FILE, &f->text, &ignored) != 0) {
        lab_buf_clear(&f->text);
    }
    f->next = s->files;
    s->files = f;
    return f;
}

/* The text of the file, from beside the PTX file or as the path stands; empty when there is none.
 */
static const struct lab_buf *text_of(struct vg_source *s, const struct ptx_module *m,
                                     const char *path)
{
    const char *name = vg_source_name(m->name);
    struct file *f = NULL;
    if (path[0] != '/' && name != m->name) {
        struct lab_buf beside;
        lab_buf_init(&beside);
        lab_buf_add(&beside, m->name, (size_t)(name - m->name));
        lab_buf_puts(&beside, path);
        f = file_of(s, lab_buf_str(&beside));
        lab_buf_fini(&beside);
    }
    return f != NULL && f->text.len > 0 ? &f->text : &file_of(s, path)->text;
}

static bool blank(char c)
{
    return c == ' ' || c == '\t' || c == '\r';
}

static const char *trim(const char *text, size_t *len)
{
    while (*len > 0 && blank(*text)) {
        text++;
        (*len)--;
    }
    while (*len > 0 && blank(text[*len - 1])) {
        (*len)--;
    }
    return text;
}

const char *vg_source_line(struct vg_source *s, const struct ptx_func *f, uint32_t pc, size_t *len)
{
    const char *path = pc < f->ninsns ? vg_source_path(f->module, f->insns[pc].loc_file) : NULL;
    uint32_t line = path == NULL ? 0 : f->insns[pc].loc_line;
    if (line == 0) {
        return NULL;
    }
    const struct lab_buf *text = text_of(s, f->module, path);
    const char *at = lab_buf_str(text), *end = at + text->len;
    for (; line > 1 && at < end; line--) {
        at = memchr(at, '\n', (size_t)(end - at));
        at = at == NULL ? end : at + 1;
    }
    if (at >= end) {
        return NULL;
    }
    const char *newline = memchr(at, '\n', (size_t)(end - at));
    *len = (size_t)((newline == NULL ? end : newline) - at);
    return trim(at, len);
}

const char *vg_ptx_line(const struct ptx_func *f, uint32_t pc, size_t *len)
{
    *len = 0;
    if (f->module == NULL || pc >= f->ninsns) {
        return "";
    }
    return trim(ptx_line(f->module, f->insns[pc].pos.line, len), len);
}

void vg_line_print(const char *text, size_t len, size_t max, struct lab_buf *out)
{
    size_t start = out->len;
    for (size_t i = 0; i < len; i++) {
        bool again = i > 0 && blank(text[i]) && blank(text[i - 1]);
        if (!again) {
            lab_buf_putc(out, blank(text[i]) ? ' ' : text[i]);
        }
    }
    if (out->len - start <= max || max < 3) {
        return;
    }
    size_t end = start + max - 3;
    while (end > start && ((unsigned char)out->data[end] & 0xC0) == 0x80) {
        end--; /* not inside a character */
    }
    out->len = end;
    lab_buf_puts(out, "...");
}
