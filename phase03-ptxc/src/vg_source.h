/* Lines of a kernel's sources, for reports: PTX text from the module, .cu text from the files its
 * .file directives name, where they exist.
 *
 * Thread-safety: one thread at a time per cache.
 */
#ifndef VG_SOURCE_H
#define VG_SOURCE_H

#include "lab/buf.h"
#include "ptx.h"

struct vg_source; /* files read so far */

struct vg_source *vg_source_new(void);
void vg_source_free(struct vg_source *s);

/* The path of .file number `index`; NULL when the module has none. Borrowed from the module. */
const char *vg_source_path(const struct ptx_module *m, uint32_t index);
/* The last part of a path. */
const char *vg_source_name(const char *path);
/* The source line an instruction was made from, without indentation and trailing blanks; NULL when
 * it has none or the file is not at hand. A relative path is looked up beside the PTX file first.
 * *len gets the length. Borrowed from the cache. */
const char *vg_source_line(struct vg_source *s, const struct ptx_func *f, uint32_t pc, size_t *len);
/* The PTX line an instruction stands on, trimmed the same way. Borrowed from the module. */
const char *vg_ptx_line(const struct ptx_func *f, uint32_t pc, size_t *len);

/* Append a line of code with every run of blanks and tabs as one blank, cut to `max` bytes with
 * "..." at the end where it is longer. */
void vg_line_print(const char *text, size_t len, size_t max, struct lab_buf *out);

#endif
