/* Fat binaries built here byte by byte, good and broken; real ones are in test_ptx_compilers. */
#include <stdlib.h>
#include <zstd.h>

#include "cu_fatbin.h"
#include "ptx_testing.h"

static const char ptx75[] = "\n\n.version 9.0\n.target sm_75\n";
static const char ptx90[] = "\n\n.version 9.0\n.target sm_90\n";

static void put(struct lab_buf *b, uint64_t v, unsigned bytes)
{
    for (unsigned i = 0; i < bytes; i++) {
        lab_buf_putc(b, (char)(v >> (8 * i)));
    }
}

static void header(struct lab_buf *b, uint64_t entries)
{
    put(b, CU_FATBIN_MAGIC, 4);
    put(b, 1, 2);
    put(b, 16, 2);
    put(b, entries, 8);
}

struct shape {
    unsigned kind, arch;
    uint64_t flags;
    uint64_t packed, plain; /* as the header says */
};

static void entry(struct lab_buf *b, const struct shape *s, const void *payload, size_t len)
{
    size_t padded = (len + 7) / 8 * 8;
    put(b, s->kind, 2);
    put(b, 0x101, 2);
    put(b, 72, 4); /* a header with 8 bytes for the source's name */
    put(b, padded, 8);
    put(b, s->packed, 4);
    put(b, 64, 4);
    put(b, 0, 2);
    put(b, 9, 2);
    put(b, s->arch, 4);
    put(b, 64, 4);
    put(b, 4, 4);
    put(b, s->flags, 8);
    put(b, 0, 8);
    put(b, s->plain, 8);
    lab_buf_add(b, "a.cu\0\0\0\0", 8);
    lab_buf_add(b, payload, len);
    lab_buf_fill(b, '\0', padded - len);
}

/* One fat binary of these entries. */
static void wrap(struct lab_buf *out, const struct lab_buf *entries)
{
    header(out, entries->len);
    lab_buf_add(out, entries->data, entries->len);
}

static size_t zstd(const void *s, size_t len, char *out, size_t cap)
{
    size_t n = ZSTD_compress(out, cap, s, len, 3);
    assert_false(ZSTD_isError(n));
    return n;
}

/* PTX for 75 plain, for 90 in zstd, ELF for 80. */
static void sample(struct lab_buf *out)
{
    struct lab_buf entries;
    char packed[512];
    size_t n = zstd(ptx90, sizeof(ptx90), packed, sizeof(packed));
    lab_buf_init(&entries);
    entry(&entries, &(struct shape){CU_FATBIN_ELF, 80, 0x11, 0, 0}, "\177ELF", 4);
    entry(&entries, &(struct shape){CU_FATBIN_PTX, 75, 0x11, 0, 0}, ptx75, sizeof(ptx75));
    entry(&entries, &(struct shape){CU_FATBIN_PTX, 90, 0x8011, n, sizeof(ptx90)}, packed, n);
    wrap(out, &entries);
    lab_buf_fini(&entries);
}

static void fatbin_entries_are_walked_in_order(void **state)
{
    (void)state;
    struct lab_buf b, text;
    lab_buf_init(&b);
    lab_buf_init(&text);
    sample(&b);
    struct cu_fatbin fb;
    struct cu_fatbin_entry e;
    struct lab_err err = {0};
    lab_buf_puts(&b, "what follows is not its own");
    assert_true(cu_fatbin_is(b.data, b.len));
    assert_int_equal(cu_fatbin_open("f", b.data, b.len, &fb, &err), 0);
    assert_int_equal(cu_fatbin_size(b.data), fb.len);
    assert_int_equal(cu_fatbin_next(&fb, &e, &err), 1);
    assert_true(e.kind == CU_FATBIN_ELF && e.arch == 80 && e.size == 8);
    assert_int_equal(cu_fatbin_next(&fb, &e, &err), 1);
    assert_true(e.kind == CU_FATBIN_PTX && e.arch == 75 && e.version_major == 9);
    assert_memory_equal(e.source, "a.cu", 4);
    assert_int_equal(e.source_len, 4);
    assert_int_equal(cu_fatbin_extract(&fb, &e, &text, &err), 0);
    assert_string_equal(lab_buf_str(&text), ptx75);
    assert_int_equal(cu_fatbin_next(&fb, &e, &err), 1);
    assert_int_equal(e.plain_size, sizeof(ptx90));
    assert_int_equal(cu_fatbin_extract(&fb, &e, &text, &err), 0); /* appends */
    assert_string_equal(lab_buf_str(&text) + strlen(ptx75), ptx90);
    assert_int_equal(cu_fatbin_next(&fb, &e, &err), 0);
    lab_buf_fini(&b);
    lab_buf_fini(&text);
}

static int best(const struct lab_buf *b, unsigned arch, struct lab_buf *text, struct lab_err *err)
{
    struct cu_fatbin fb;
    lab_buf_clear(text);
    if (cu_fatbin_open("f", b->data, b->len, &fb, err) < 0) {
        return -1;
    }
    return cu_fatbin_ptx(&fb, arch, text, err);
}

static void fatbin_gives_the_newest_ptx_the_device_runs(void **state)
{
    (void)state;
    struct lab_buf b, text;
    struct lab_err err = {0};
    lab_buf_init(&b);
    lab_buf_init(&text);
    sample(&b);
    assert_int_equal(best(&b, 75, &text, &err), 75);
    assert_string_equal(lab_buf_str(&text), ptx75);
    assert_int_equal(best(&b, 89, &text, &err), 75);
    assert_int_equal(best(&b, 90, &text, &err), 90);
    assert_string_equal(lab_buf_str(&text), ptx90);
    assert_int_equal(best(&b, 120, &text, &err), 90);
    assert_int_equal(best(&b, 70, &text, &err), -1);
    assert_string_equal(err.msg, "f: holds machine code for sm_80, PTX for sm_75, PTX for sm_90, "
                                 "expected PTX for sm_70 or older (nvcc -gencode "
                                 "arch=compute_75,code=compute_75)");
    lab_buf_fini(&b);
    lab_buf_fini(&text);
}

static void fatbin_for_one_architecture_or_family_runs_there_only(void **state)
{
    (void)state;
    struct lab_buf entries, b, text;
    struct lab_err err = {0};
    lab_buf_init(&entries);
    lab_buf_init(&b);
    lab_buf_init(&text);
    entry(&entries, &(struct shape){CU_FATBIN_PTX, 90, CU_FATBIN_ARCH_SPECIFIC, 0, 0}, ptx90, 10);
    entry(&entries, &(struct shape){CU_FATBIN_PTX, 100, CU_FATBIN_FAMILY_SPECIFIC, 0, 0}, ptx90, 9);
    wrap(&b, &entries);
    assert_int_equal(best(&b, 90, &text, &err), 90);
    assert_int_equal(best(&b, 89, &text, &err), -1);
    assert_int_equal(best(&b, 103, &text, &err), 100);
    assert_int_equal(best(&b, 120, &text, &err), -1);
    assert_string_equal(err.msg,
                        "f: holds PTX for sm_90a, PTX for sm_100f, expected PTX for sm_120 "
                        "or older (nvcc -gencode arch=compute_75,code=compute_75)");
    lab_buf_clear(&b);
    header(&b, 0);
    assert_int_equal(best(&b, 90, &text, &err), -1);
    assert_non_null(strstr(err.msg, "f: holds nothing, expected PTX"));
    lab_buf_fini(&entries);
    lab_buf_fini(&b);
    lab_buf_fini(&text);
}

static void fatbin_reads_lz4(void **state)
{
    (void)state;
    /* "abc", then 12 bytes that repeat from 3 back, then "xyzzy" as last literals. */
    static const uint8_t block[] = {0x38, 'a', 'b', 'c', 3, 0, 0x50, 'x', 'y', 'z', 'z', 'y'};
    static const char plain[] = "abcabcabcabcabcxyzzy";
    struct lab_buf entries, b, text;
    struct lab_err err = {0};
    lab_buf_init(&entries);
    lab_buf_init(&b);
    lab_buf_init(&text);
    entry(&entries, &(struct shape){CU_FATBIN_PTX, 75, CU_FATBIN_LZ4, sizeof(block), strlen(plain)},
          block, sizeof(block));
    wrap(&b, &entries);
    assert_int_equal(best(&b, 75, &text, &err), 75);
    assert_string_equal(lab_buf_str(&text), plain);
    lab_buf_fini(&entries);
    lab_buf_fini(&b);
    lab_buf_fini(&text);
}

static void lz4_blocks_are_bounded(void **state)
{
    (void)state;
    uint8_t dst[64];
    static const struct {
        uint8_t block[8];
        size_t len;
        int64_t want;
    } rows[] = {
        {{0x10, 'a'}, 2, 1},                  /* one literal */
        {{0x00}, 1, 0},                       /* nothing */
        {{0}, 0, -1},                         /* no sequence at all */
        {{0x20, 'a'}, 2, -1},                 /* a literal is missing */
        {{0xf0, 255, 255, 255}, 4, -1},       /* a length without an end */
        {{0x10, 'a', 1}, 3, -1},              /* half an offset */
        {{0x10, 'a', 0, 0, 0x00}, 5, -1},     /* offset 0 */
        {{0x10, 'a', 2, 0, 0x00}, 5, -1},     /* before the beginning */
        {{0x10, 'a', 1, 0}, 4, -1},           /* ends with a match */
        {{0x1f, 'a', 1, 0, 60, 0}, 6, -1},    /* 1 + 79 bytes: too many */
        {{0x1f, 'a', 1, 0, 44, 0x00}, 6, 64}, /* 1 + 63 bytes: just right */
    };
    for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
        int64_t got = cu_lz4_block(rows[i].block, rows[i].len, dst, sizeof(dst));
        if (got != rows[i].want) {
            fail_msg("row %zu: %lld, expected %lld", i, (long long)got, (long long)rows[i].want);
        }
    }
    assert_int_equal(dst[63], 'a');
}

/* --- broken ones --- */

static void refuse(const struct lab_buf *b, const char *want)
{
    struct lab_buf text;
    struct lab_err err = {0};
    lab_buf_init(&text);
    lab_buf_puts(&text, "before");
    /* In a piece of its own, so that a sanitizer sees a read behind it. */
    char *exact = malloc(b->len == 0 ? 1 : b->len);
    assert_non_null(exact);
    memcpy(exact, lab_buf_str(b), b->len);
    struct cu_fatbin fb;
    if (cu_fatbin_open("f", exact, b->len, &fb, &err) == 0) {
        assert_int_equal(cu_fatbin_ptx(&fb, 90, &text, &err), -1);
    }
    free(exact);
    assert_int_equal(err.kind, LAB_ERR_INPUT);
    assert_string_equal(lab_buf_str(&text), "before");
    if (strcmp(err.msg, want) != 0) {
        fail_msg("got  '%s'\nwant '%s'", err.msg, want);
    }
    lab_buf_fini(&text);
}

static void fatbin_refuses_a_bad_header(void **state)
{
    (void)state;
    struct lab_buf b;
    lab_buf_init(&b);
    refuse(&b, "f: a fat binary of 0 bytes, expected a header of 16");
    lab_buf_puts(&b, "0123456789abcdef");
    refuse(&b, "f: begins with 0x33323130, expected 0xba55ed50 of a fat binary");
    assert_int_equal(cu_fatbin_size(b.data), 0);
    lab_buf_clear(&b);
    header(&b, 1);
    refuse(&b, "f: the fat binary's header asks for 17 bytes, expected at most the 16 there are");
    lab_buf_clear(&b);
    header(&b, UINT64_MAX);
    refuse(&b, "f: a fat binary of version 1 with a header of 16 bytes, expected version 1 and 16");
    lab_buf_clear(&b);
    header(&b, 0);
    b.data[4] = 2;
    refuse(&b, "f: a fat binary of version 2 with a header of 16 bytes, expected version 1 and 16");
    lab_buf_fini(&b);
}

static void fatbin_refuses_lying_sizes(void **state)
{
    (void)state;
    struct lab_buf entries, b;
    /* A zstd frame of one raw block, so that its size depends on no version of the library. */
    char packed[9 + sizeof(ptx90)] = "\x28\xb5\x2f\xfd\x20\x1e\xf1";
    size_t n = sizeof(packed);
    memcpy(packed + 9, ptx90, sizeof(ptx90));
    static const struct {
        size_t at;
        uint64_t value;
        unsigned bytes;
        const char *want;
    } rows[] = {
        {4, 63, 4,
         "f: entry 0 of 63 + 40 bytes (39 compressed), expected no more than the 112 left"},
        {4, 121, 4,
         "f: entry 0 of 121 + 40 bytes (39 compressed), expected no more than the 112 left"},
        {8, 48, 8,
         "f: entry 0 of 72 + 48 bytes (39 compressed), expected no more than the 112 left"},
        {8, UINT64_MAX, 8,
         "f: entry 0 of 72 + 18446744073709551615 bytes (39 compressed), expected no more than the "
         "112 left"},
        {16, 41, 4,
         "f: entry 0 of 72 + 40 bytes (41 compressed), expected no more than the 112 left"},
        {16, 20, 4, "f: entry 0 is no zstd data of 30 bytes, expected one"},
        {56, 29, 8, "f: entry 0 is no zstd data of 29 bytes, expected one"},
        {56, 31, 8, "f: entry 0 is no zstd data of 31 bytes, expected one"},
        {56, 1u << 30, 8, "f: entry 0 decompresses to 1073741824 bytes, expected at most 67108864"},
        {8, 39, 8, "f: 1 bytes left for entry 1, expected 64 or more"},
    };
    for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
        lab_buf_init(&entries);
        lab_buf_init(&b);
        entry(&entries, &(struct shape){CU_FATBIN_PTX, 75, 0x8011, n, sizeof(ptx90)}, packed, n);
        wrap(&b, &entries);
        for (unsigned k = 0; k < rows[i].bytes; k++) {
            b.data[16 + rows[i].at + k] = (char)(rows[i].value >> (8 * k));
        }
        refuse(&b, rows[i].want);
        lab_buf_fini(&entries);
        lab_buf_fini(&b);
    }
}

/* Whatever byte is wrong, the reader answers; a cut fat binary is refused. */
static void fatbin_survives_every_wrong_byte_and_every_cut(void **state)
{
    (void)state;
    struct lab_buf b, text;
    struct lab_err err;
    lab_buf_init(&b);
    lab_buf_init(&text);
    sample(&b);
    for (size_t i = 0; i < b.len; i++) {
        char right = b.data[i];
        for (int bit = 0; bit < 8; bit++) {
            b.data[i] = (char)(right ^ 1 << bit);
            (void)best(&b, 90, &text, &err);
        }
        b.data[i] = right;
        struct lab_buf cut = {.data = b.data, .len = i};
        assert_int_equal(best(&cut, 90, &text, &err), -1);
    }
    lab_buf_fini(&b);
    lab_buf_fini(&text);
}

static void wrappers_are_checked(void **state)
{
    (void)state;
    struct {
        uint32_t magic, version;
        const void *data, *more;
    } w = {CU_FATBIN_WRAPPER_MAGIC, 1, ptx75, NULL};
    const void *data;
    struct lab_err err = {0};
    assert_int_equal(cu_fatbin_unwrap(&w, &data, &err), 0);
    assert_ptr_equal(data, ptx75);
    w.data = NULL;
    assert_int_equal(cu_fatbin_unwrap(&w, &data, &err), -1);
    assert_string_equal(err.msg, "a wrapper without data, expected a fat binary");
    w.magic = 1;
    assert_int_equal(cu_fatbin_unwrap(&w, &data, &err), -1);
    assert_string_equal(err.msg,
                        "a wrapper with magic 0x00000001, expected 0x466243b1 of a fat binary");
}

int main(int argc, char **argv)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(fatbin_entries_are_walked_in_order),
        cmocka_unit_test(fatbin_gives_the_newest_ptx_the_device_runs),
        cmocka_unit_test(fatbin_for_one_architecture_or_family_runs_there_only),
        cmocka_unit_test(fatbin_reads_lz4),
        cmocka_unit_test(lz4_blocks_are_bounded),
        cmocka_unit_test(fatbin_refuses_a_bad_header),
        cmocka_unit_test(fatbin_refuses_lying_sizes),
        cmocka_unit_test(fatbin_survives_every_wrong_byte_and_every_cut),
        cmocka_unit_test(wrappers_are_checked),
    };
    return LAB_TEST_MAIN(tests);
}
