/* Device-side printf: the format is read from device memory and done on the host.
 *
 * nvcc packs the arguments into a local buffer, each at its natural alignment, small integers
 * widened to 4 bytes and float to double, and calls vprintf(format, buffer). The result is the
 * number of arguments, −1 for a null format (CUDA C++ Programming Guide, "Formatted Output"). The
 * conversions are those of the same chapter: d i o u x X p c f F e E g G a A s with flags, width,
 * precision and h, l, ll; `*` takes an int. A conversion that printf does not have is printed as it
 * stands.
 *
 * Simplified: CUDA keeps one buffer of 1 MiB and overwrites the oldest output; here a block's
 * output ends at that size.
 */
#include "vg_printf.h"

#include <stdio.h>
#include <string.h>

#include "vg_call.h"
#include "vg_lanes.h"
#include "vg_launch.h"
#include "vg_local.h"

#define FORMAT_BYTES 4096
#define OUTPUT_BYTES (1u << 20)

struct job {
    struct vg_warp *w;
    unsigned lane;
    uint64_t args; /* where the next argument lies */
    int count;
    struct lab_buf *out;
};

int vg_get_string(struct vg_warp *w, unsigned lane, uint64_t addr, char *out, size_t size)
{
    size_t n = 0;
    for (; n + 1 < size; n++) {
        if (!vg_generic_get(w, lane, addr + n, 1, &out[n])) {
            out[n] = '\0';
            return n == 0 ? -1 : (int)n;
        }
        if (out[n] == '\0') {
            return (int)n;
        }
    }
    out[n] = '\0';
    return (int)n;
}

static uint64_t next_arg(struct job *j, unsigned bytes)
{
    uint64_t v = 0;
    j->args = (j->args + bytes - 1) & ~(uint64_t)(bytes - 1);
    vg_generic_get(j->w, j->lane, j->args, bytes, &v);
    j->args += bytes;
    j->count++;
    return v;
}

/* One conversion, as the format spells it: "%-8.3" in spec, then the size and the letter. */
struct conversion {
    char spec[40];
    size_t n;
    unsigned bytes; /* of an integer */
    int narrow;     /* 1 for h, 2 for hh */
    char letter;
};

/* Text of the conversion with the size and letter that the host's printf wants. */
static void finish(struct conversion *c, const char *tail)
{
    snprintf(c->spec + c->n, sizeof(c->spec) - c->n, "%s", tail);
}

#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wformat-nonliteral"

static void put_integer(struct job *j, struct conversion *c)
{
    uint64_t v = next_arg(j, c->bytes);
    bool is_signed = c->letter == 'd' || c->letter == 'i';
    unsigned bits = c->narrow == 0 ? c->bytes * 8 : c->narrow == 1 ? 16 : 8;
    if (bits < 64) {
        v &= (1ull << bits) - 1;
        if (is_signed && (v >> (bits - 1)) != 0) {
            v |= ~0ull << bits;
        }
    }
    const char tail[] = {'l', 'l', c->letter, '\0'};
    finish(c, tail);
    lab_buf_printf(j->out, c->spec, v);
}

static void put_double(struct job *j, struct conversion *c)
{
    uint64_t bits = next_arg(j, 8);
    double v;
    memcpy(&v, &bits, sizeof(v));
    const char tail[] = {c->letter, '\0'};
    finish(c, tail);
    lab_buf_printf(j->out, c->spec, v);
}

static void put_string(struct job *j, struct conversion *c)
{
    char text[FORMAT_BYTES];
    uint64_t addr = next_arg(j, 8);
    if (vg_get_string(j->w, j->lane, addr, text, sizeof(text)) < 0) {
        snprintf(text, sizeof(text), "(null)");
    }
    finish(c, "s");
    lab_buf_printf(j->out, c->spec, text);
}

static void put_char(struct job *j, struct conversion *c)
{
    int v = (int)next_arg(j, 4);
    finish(c, "c");
    lab_buf_printf(j->out, c->spec, v);
}

static void put_pointer(struct job *j, struct conversion *c)
{
    uint64_t v = next_arg(j, 8);
    finish(c, "p");
    lab_buf_printf(j->out, c->spec, (void *)(uintptr_t)v);
}

#pragma GCC diagnostic pop

static void put(struct job *j, struct conversion *c)
{
    switch (c->letter) {
    case 'd':
    case 'i':
    case 'o':
    case 'u':
    case 'x':
    case 'X': put_integer(j, c); break;
    case 'c': put_char(j, c); break;
    case 's': put_string(j, c); break;
    case 'p': put_pointer(j, c); break;
    default: put_double(j, c); break;
    }
}

/* One more piece of the specification; a number of more than three digits is cut: nobody's column
 * is wider. */
static void add_spec(struct conversion *c, const char *piece)
{
    size_t len = strlen(piece), digits = 0;
    for (size_t k = c->n; k > 0 && c->spec[k - 1] >= '0' && c->spec[k - 1] <= '9'; k--) {
        digits++;
    }
    bool number = piece[0] >= '0' && piece[0] <= '9';
    if (c->n + len + 4 < sizeof(c->spec) && !(number && digits + len > 3)) {
        memcpy(c->spec + c->n, piece, len);
        c->n += len;
    }
}

/* Flags, width and precision at *f, an asterisk replaced by its argument. */
static void read_spec(struct job *j, const char **f, struct conversion *c)
{
    c->spec[c->n++] = '%';
    while (**f != '\0' && strchr("-+ #0123456789.*", **f) != NULL) {
        char piece[16] = {**f, '\0'};
        if (**f == '*') {
            snprintf(piece, sizeof(piece), "%d", (int)next_arg(j, 4) % 1000);
        }
        add_spec(c, piece);
        (*f)++;
    }
}

static void read_size(const char **f, struct conversion *c)
{
    c->bytes = 4;
    for (;; (*f)++) {
        if (**f == 'h') {
            c->narrow++;
        } else if (**f == 'l' || **f == 'z' || **f == 'j' || **f == 't') {
            c->bytes = 8;
        } else {
            return;
        }
    }
}

static void format(struct job *j, const char *f)
{
    while (*f != '\0') {
        if (*f != '%') {
            lab_buf_putc(j->out, *f++);
            continue;
        }
        const char *start = f++;
        struct conversion c = {.n = 0};
        read_spec(j, &f, &c);
        read_size(&f, &c);
        c.letter = *f;
        if (*f == '%') {
            lab_buf_putc(j->out, '%');
            f++;
        } else if (*f != '\0' && strchr("diouxXpcfFeEgGaAs", *f) != NULL) {
            put(j, &c);
            f++;
        } else {
            lab_buf_add(j->out, start, (size_t)(f - start));
        }
    }
}

void vg_op_vprintf(struct vg_warp *w, const struct vg_insn *i)
{
    char text[FORMAT_BYTES];
    struct lab_buf *out = &w->block->printed;
    uint32_t m = w->exec;
    VG_FOR_MASK(l, m)
    {
        uint64_t at = vg_arg(w, i, 0, l);
        if (at == 0 || vg_get_string(w, l, at, text, sizeof(text)) < 0) {
            vg_result(w, i, l, (uint64_t)-1);
            continue;
        }
        struct job j = {w, l, vg_arg(w, i, 1, l), 0, out};
        if (out->len < OUTPUT_BYTES) {
            format(&j, text);
        }
        vg_result(w, i, l, (uint64_t)j.count);
    }
}
