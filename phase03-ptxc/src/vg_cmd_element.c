/* Numbers of ten types, once each as text, double and bytes.
 *
 * Invariant: what is printed reads back as the same bits (a NaN's payload aside). Simplified: the
 * host is little-endian, as the device is.
 */
#include "vg_cmd_element.h"

#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "vg_f16.h"

static const struct {
    const char *name;
    enum ptx_type type;
} types[] = {
    {"u8", PTX_U8},   {"i8", PTX_S8},   {"s8", PTX_S8},   {"u16", PTX_U16}, {"i16", PTX_S16},
    {"s16", PTX_S16}, {"u32", PTX_U32}, {"i32", PTX_S32}, {"s32", PTX_S32}, {"u64", PTX_U64},
    {"i64", PTX_S64}, {"s64", PTX_S64}, {"f16", PTX_F16}, {"f32", PTX_F32}, {"f64", PTX_F64},
};

enum ptx_type vg_element_type(const char *name, size_t len)
{
    for (size_t i = 0; i < sizeof(types) / sizeof(types[0]); i++) {
        if (strlen(types[i].name) == len && memcmp(types[i].name, name, len) == 0) {
            return types[i].type;
        }
    }
    return PTX_NONE;
}

bool vg_element_is_float(enum ptx_type type)
{
    return type == PTX_F16 || type == PTX_F32 || type == PTX_F64;
}

static bool is_signed(enum ptx_type type)
{
    return type == PTX_S8 || type == PTX_S16 || type == PTX_S32 || type == PTX_S64;
}

static void store_real(enum ptx_type type, double v, uint8_t *out)
{
    float f = (float)v;
    uint32_t bits = 0;
    memcpy(&bits, &f, sizeof(bits));
    if (type == PTX_F64) {
        memcpy(out, &v, sizeof(v));
    } else if (type == PTX_F32) {
        memcpy(out, &bits, sizeof(bits));
    } else {
        bits = vg_f16_of_f32(bits);
        memcpy(out, &bits, 2);
    }
}

/* The low bytes of v; −1 when they are not the whole number. */
static int store_int(enum ptx_type type, bool minus, uint64_t size, uint8_t *out)
{
    unsigned bits = 8 * ptx_type_size(type);
    uint64_t most = bits == 64 ? UINT64_MAX : (1ull << bits) - 1;
    uint64_t v = minus ? 0 - size : size;
    if (is_signed(type)) {
        most /= 2;
    }
    if ((minus && size > (is_signed(type) ? most + 1 : 0)) || (!minus && size > most)) {
        return -1;
    }
    memcpy(out, &v, bits / 8);
    return 0;
}

int vg_element_parse(enum ptx_type type, const char *text, size_t len, uint8_t *out)
{
    char word[64], *end = NULL;
    if (len == 0 || len >= sizeof(word)) {
        return -1;
    }
    memcpy(word, text, len);
    word[len] = '\0';
    errno = 0;
    if (strchr(" \t\n\r\v\f", word[0]) != NULL) {
        return -1;
    }
    if (vg_element_is_float(type)) {
        double v = strtod(word, &end);
        store_real(type, v, out);
        return *end == '\0' && end != word ? 0 : -1;
    }
    bool minus = word[0] == '-';
    const char *digits = word + minus;
    if (*digits < '0' || *digits > '9') {
        return -1;
    }
    bool hex = digits[0] == '0' && (digits[1] == 'x' || digits[1] == 'X');
    uint64_t size = strtoull(digits, &end, hex ? 16 : 10);
    if (*end != '\0' || errno == ERANGE) {
        return -1;
    }
    return store_int(type, minus, size, out);
}

static int64_t whole(enum ptx_type type, const uint8_t *at)
{
    unsigned bits = 8 * ptx_type_size(type);
    uint64_t v = 0;
    memcpy(&v, at, bits / 8);
    if (is_signed(type) && bits < 64) {
        return (int64_t)(v << (64 - bits)) >> (64 - bits);
    }
    return (int64_t)v;
}

double vg_element(enum ptx_type type, const uint8_t *bytes, uint64_t i)
{
    const uint8_t *at = bytes + i * ptx_type_size(type);
    if (type == PTX_F64) {
        double d;
        memcpy(&d, at, sizeof(d));
        return d;
    }
    if (type == PTX_F32 || type == PTX_F16) {
        uint32_t bits = 0;
        float f;
        memcpy(&bits, at, ptx_type_size(type));
        bits = type == PTX_F16 ? vg_f32_of_f16(bits) : bits;
        memcpy(&f, &bits, sizeof(f));
        return f;
    }
    return type == PTX_U64 ? (double)(uint64_t)whole(type, at) : (double)whole(type, at);
}

void vg_element_set(enum ptx_type type, uint8_t *bytes, uint64_t i, double v)
{
    uint8_t *at = bytes + i * ptx_type_size(type);
    if (vg_element_is_float(type)) {
        store_real(type, v, at);
    } else {
        int64_t w = (int64_t)v;
        memcpy(at, &w, ptx_type_size(type));
    }
}

void vg_element_print(enum ptx_type type, const uint8_t *bytes, uint64_t i, struct lab_buf *out)
{
    const uint8_t *at = bytes + i * ptx_type_size(type);
    if (vg_element_is_float(type)) {
        lab_buf_printf(out, "%.*g",
                       type == PTX_F64   ? 17
                       : type == PTX_F32 ? 9
                                         : 5,
                       vg_element(type, bytes, i));
    } else if (type == PTX_U64) {
        lab_buf_printf(out, "%" PRIu64, (uint64_t)whole(type, at));
    } else {
        lab_buf_printf(out, "%" PRId64, whole(type, at));
    }
}
