/* Problem: fatbinary --compress-mode speed stores payloads as LZ4 blocks.
 * Model: a block is a row of sequences: a token (two lengths of 4 bits), literals, a two-byte
 * offset back into what was written, a match of at least 4 bytes. A length of 15 goes on in bytes
 * of 255. The last sequence has literals only.
 * Invariants: reads stay in src, writes in dst, matches begin inside what was written.
 * Simplified: byte by byte; no checksums, those belong to LZ4's frame format, which is not used.
 */
#include <string.h>

#include "cu_fatbin.h"

struct lz4 {
    const uint8_t *p, *end;
    uint8_t *dst;
    size_t at, cap;
};

/* The rest of a length whose four bits were `n`. */
static int read_length(struct lz4 *z, size_t *n)
{
    uint8_t more = 255;
    if (*n < 15) {
        return 0;
    }
    while (more == 255) {
        if (z->p == z->end || *n > z->cap) {
            return -1;
        }
        more = *z->p++;
        *n += more;
    }
    return 0;
}

static int copy_literals(struct lz4 *z, size_t n)
{
    if (n > (size_t)(z->end - z->p) || n > z->cap - z->at) {
        return -1;
    }
    if (n != 0) {
        memcpy(z->dst + z->at, z->p, n);
    }
    z->p += n;
    z->at += n;
    return 0;
}

/* The match may overlap what it writes: that is how LZ4 repeats. */
static int copy_match(struct lz4 *z, size_t n)
{
    if (z->end - z->p < 2) {
        return -1;
    }
    size_t offset = z->p[0] | (size_t)z->p[1] << 8;
    z->p += 2;
    if (read_length(z, &n) < 0) {
        return -1;
    }
    n += 4;
    if (offset == 0 || offset > z->at || n > z->cap - z->at) {
        return -1;
    }
    for (size_t i = 0; i < n; i++, z->at++) {
        z->dst[z->at] = z->dst[z->at - offset];
    }
    return 0;
}

int64_t cu_lz4_block(const uint8_t *src, size_t len, uint8_t *dst, size_t cap)
{
    struct lz4 z = {.p = src, .end = src + len, .dst = dst, .cap = cap};
    while (z.p < z.end) {
        uint8_t token = *z.p++;
        size_t literals = token >> 4;
        if (read_length(&z, &literals) < 0 || copy_literals(&z, literals) < 0) {
            return -1;
        }
        if (z.p == z.end) {
            return (int64_t)z.at;
        }
        if (copy_match(&z, token & 15) < 0) {
            return -1;
        }
    }
    return -1; /* the last sequence ends with its literals */
}
