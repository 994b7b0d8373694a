/* Problem: find the PTX in what nvcc embeds in a program, whatever it is compressed with.
 * Model: a cursor over entries whose headers say where the next begins; payloads are decompressed
 * into a buffer of the size the entry promises, which is bounded first.
 * Invariants: no field is believed before it was compared with the length at hand.
 * Simplified: fat binaries of -rdc=true are read as they are; nothing links their texts. What a
 * real driver does beside this, prefer matching machine code, does not apply: only PTX can run
 * here.
 */
#include "cu_fatbin.h"

#include <string.h>
#include <zstd.h>

#define HEADER_BYTES 16u
#define ENTRY_BYTES  64u

static uint64_t le(const uint8_t *p, unsigned n)
{
    uint64_t v = 0;
    for (unsigned i = 0; i < n; i++) {
        v |= (uint64_t)p[i] << (8 * i);
    }
    return v;
}

bool cu_fatbin_is(const void *bytes, size_t len)
{
    return len >= 4 && le(bytes, 4) == CU_FATBIN_MAGIC;
}

uint64_t cu_fatbin_size(const void *bytes)
{
    const uint8_t *p = bytes;
    if (!cu_fatbin_is(p, HEADER_BYTES)) {
        return 0;
    }
    uint64_t header = le(p + 6, 2), entries = le(p + 8, 8), size;
    if (header < HEADER_BYTES || __builtin_add_overflow(header, entries, &size)) {
        return 0;
    }
    return size;
}

int cu_fatbin_unwrap(const void *wrapper, const void **data, struct lab_err *err)
{
    uint32_t magic;
    memcpy(&magic, wrapper, sizeof(magic));
    if (magic != CU_FATBIN_WRAPPER_MAGIC) {
        return lab_err_input(err, "a wrapper with magic 0x%08x, expected 0x%08x of a fat binary",
                             magic, CU_FATBIN_WRAPPER_MAGIC);
    }
    memcpy(data, (const uint8_t *)wrapper + 8, sizeof(*data));
    return *data != NULL ? 0 : lab_err_input(err, "a wrapper without data, expected a fat binary");
}

int cu_fatbin_open(const char *name, const void *bytes, size_t len, struct cu_fatbin *fb,
                   struct lab_err *err)
{
    const uint8_t *p = bytes;
    if (len < HEADER_BYTES) {
        return lab_err_input(err, "%s: a fat binary of %zu bytes, expected a header of %u", name,
                             len, HEADER_BYTES);
    }
    if (!cu_fatbin_is(p, len)) {
        return lab_err_input(err, "%s: begins with 0x%08x, expected 0x%08x of a fat binary", name,
                             (unsigned)le(p, 4), CU_FATBIN_MAGIC);
    }
    uint64_t size = cu_fatbin_size(p);
    if (le(p + 4, 2) != 1 || size == 0) {
        return lab_err_input(err,
                             "%s: a fat binary of version %u with a header of %u bytes, expected "
                             "version 1 and %u",
                             name, (unsigned)le(p + 4, 2), (unsigned)le(p + 6, 2), HEADER_BYTES);
    }
    if (size > len) {
        return lab_err_input(err,
                             "%s: the fat binary's header asks for %llu bytes, expected at most "
                             "the %zu there are",
                             name, (unsigned long long)size, len);
    }
    *fb = (struct cu_fatbin){
        .name = name, .bytes = p, .len = (size_t)size, .at = (size_t)le(p + 6, 2)};
    return 0;
}

/* The source's name, where the header holds it whole. */
static void read_source(const uint8_t *p, uint64_t header, struct cu_fatbin_entry *e)
{
    uint64_t at = le(p + 32, 4), n = le(p + 36, 4);
    if (n > 0 && at >= ENTRY_BYTES && at <= header && n <= header - at) {
        e->source = (const char *)p + at;
        e->source_len = (size_t)n;
    }
}

int cu_fatbin_next(struct cu_fatbin *fb, struct cu_fatbin_entry *e, struct lab_err *err)
{
    size_t left = fb->len - fb->at;
    const uint8_t *p = fb->bytes + fb->at;
    if (left == 0) {
        return 0;
    }
    if (left < ENTRY_BYTES) {
        (void)lab_err_input(err, "%s: %zu bytes left for entry %u, expected %u or more", fb->name,
                            left, fb->index, ENTRY_BYTES);
        return -1;
    }
    uint64_t header = le(p + 4, 4), stored = le(p + 8, 8), packed = le(p + 16, 4);
    if (header < ENTRY_BYTES || header > left || stored > left - header || packed > stored) {
        (void)lab_err_input(err,
                            "%s: entry %u of %llu + %llu bytes (%llu compressed), expected no more "
                            "than the %zu left",
                            fb->name, fb->index, (unsigned long long)header,
                            (unsigned long long)stored, (unsigned long long)packed, left);
        return -1;
    }
    *e = (struct cu_fatbin_entry){.kind = (unsigned)le(p, 2),
                                  .version_minor = (unsigned)le(p + 24, 2),
                                  .version_major = (unsigned)le(p + 26, 2),
                                  .arch = (unsigned)le(p + 28, 4),
                                  .flags = le(p + 40, 8),
                                  .data = p + header,
                                  .size = (size_t)stored,
                                  .plain_size = stored};
    if ((e->flags & (CU_FATBIN_LZ4 | CU_FATBIN_ZSTD)) != 0) {
        e->size = (size_t)packed;
        e->plain_size = le(p + 56, 8);
    }
    read_source(p, header, e);
    fb->at += (size_t)(header + stored);
    fb->index++;
    return 1;
}

/* −1 when the payload is not what its compression says. */
static int64_t decompress(const struct cu_fatbin_entry *e, uint8_t *dst, size_t cap)
{
    if ((e->flags & CU_FATBIN_LZ4) != 0) {
        return cu_lz4_block(e->data, e->size, dst, cap);
    }
    size_t n = ZSTD_decompress(dst, cap, e->data, e->size);
    return ZSTD_isError(n) ? -1 : (int64_t)n;
}

static int unpack(const struct cu_fatbin *fb, const struct cu_fatbin_entry *e, struct lab_buf *out,
                  struct lab_err *err)
{
    const char *method = (e->flags & CU_FATBIN_LZ4) != 0 ? "LZ4" : "zstd";
    if (e->plain_size > CU_FATBIN_MAX_PLAIN) {
        return lab_err_input(err, "%s: entry %u decompresses to %llu bytes, expected at most %u",
                             fb->name, fb->index - 1, (unsigned long long)e->plain_size,
                             CU_FATBIN_MAX_PLAIN);
    }
    size_t start = out->len, plain = (size_t)e->plain_size;
    lab_buf_fill(out, '\0', plain + 1);
    int64_t n = decompress(e, (uint8_t *)out->data + start, plain);
    if (n != (int64_t)plain) {
        out->len = start;
        out->data[start] = '\0';
        return lab_err_input(err, "%s: entry %u is no %s data of %zu bytes, expected one", fb->name,
                             fb->index - 1, method, plain);
    }
    out->len = start + plain;
    out->data[out->len] = '\0';
    return 0;
}

int cu_fatbin_extract(const struct cu_fatbin *fb, const struct cu_fatbin_entry *e,
                      struct lab_buf *out, struct lab_err *err)
{
    size_t start = out->len;
    if ((e->flags & (CU_FATBIN_LZ4 | CU_FATBIN_ZSTD)) == 0) {
        lab_buf_add(out, e->data, e->size);
    } else if (unpack(fb, e, out, err) < 0) {
        return -1;
    }
    while (e->kind == CU_FATBIN_PTX && out->len > start && out->data[out->len - 1] == '\0') {
        out->len--;
    }
    return 0;
}

/* Can a device of compute capability `arch` run this text? PTX for sm_90a runs on 9.0 only, PTX for
 * sm_100f on 10.x from 10.0 on; all else runs on what is newer (PTX ISA 9.0, 11.1.2). */
static bool runs_on(const struct cu_fatbin_entry *e, unsigned arch)
{
    if ((e->flags & CU_FATBIN_ARCH_SPECIFIC) != 0) {
        return e->arch == arch;
    }
    if ((e->flags & CU_FATBIN_FAMILY_SPECIFIC) != 0) {
        return e->arch / 10 == arch / 10 && e->arch <= arch;
    }
    return e->arch <= arch;
}

/* "PTX for sm_90, ELF for sm_80": what there is when there is nothing to run. */
static void describe(struct lab_buf *held, const struct cu_fatbin_entry *e)
{
    lab_buf_printf(held, "%s%s for sm_%u%s", held->len == 0 ? "" : ", ",
                   e->kind == CU_FATBIN_PTX   ? "PTX"
                   : e->kind == CU_FATBIN_ELF ? "machine code"
                                              : "something unknown",
                   e->arch,
                   (e->flags & CU_FATBIN_ARCH_SPECIFIC) != 0     ? "a"
                   : (e->flags & CU_FATBIN_FAMILY_SPECIFIC) != 0 ? "f"
                                                                 : "");
}

int cu_fatbin_ptx(const struct cu_fatbin *fb, unsigned arch, struct lab_buf *out,
                  struct lab_err *err)
{
    struct cu_fatbin walk = *fb, best_at = *fb;
    struct cu_fatbin_entry e, best = {.kind = 0};
    struct lab_buf held;
    int rc;
    lab_buf_init(&held);
    while ((rc = cu_fatbin_next(&walk, &e, err)) > 0) {
        if (held.len < 200) {
            describe(&held, &e);
        }
        if (e.kind == CU_FATBIN_PTX && runs_on(&e, arch) &&
            (best.kind == 0 || e.arch > best.arch)) {
            best = e;
            best_at = walk;
        }
    }
    if (rc == 0 && best.kind == 0) {
        rc = lab_err_input(err,
                           "%s: holds %s, expected PTX for sm_%u or older (nvcc -gencode "
                           "arch=compute_75,code=compute_75)",
                           fb->name, held.len == 0 ? "nothing" : lab_buf_str(&held), arch);
    } else if (rc == 0) {
        rc = cu_fatbin_extract(&best_at, &best, out, err);
    }
    lab_buf_fini(&held);
    return rc < 0 ? -1 : (int)best.arch;
}
