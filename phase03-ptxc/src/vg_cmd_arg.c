/* One argument word: what it asks for.
 *
 * Model: the word is cut at its first ':' and '['. A type's name before ':' makes it a number, any
 * other word there names a buffer. Nothing is read or allocated here, so that a wrong word is
 * refused before anything large happens.
 */
#include <string.h>

#include "vg_cmd_args.h"

#define EXPECTED "expected TYPE:VALUE, [NAME:]TYPE[N] or [NAME:]TYPE[N]=INIT"

static bool name_byte(char c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_';
}

static int take_name(const char *text, size_t len, struct vg_arg *out, struct lab_err *err)
{
    if (len == 0 || len >= sizeof(out->name)) {
        return lab_err_input(err, "a name of %zu bytes, expected 1 to %zu", len,
                             sizeof(out->name) - 1);
    }
    for (size_t i = 0; i < len; i++) {
        if (!name_byte(text[i])) {
            return lab_err_input(err, "'%.*s' is no name, expected letters, digits and '_'",
                                 (int)len, text);
        }
    }
    memcpy(out->name, text, len);
    out->name[len] = '\0';
    return 0;
}

/* A whole number of decimal digits; −1 also when it does not fit. */
static int take_count(const char *text, size_t len, uint64_t *v)
{
    uint8_t bytes[8];
    if (len == 0 || text[0] < '0' || text[0] > '9' ||
        vg_element_parse(PTX_U64, text, len, bytes) < 0) {
        return -1;
    }
    memcpy(v, bytes, sizeof(*v));
    return 0;
}

static int parse_number(const char *value, struct vg_arg *out, struct lab_err *err)
{
    out->kind = VG_ARG_NUMBER;
    out->value_bytes = ptx_type_size(out->type);
    if (vg_element_parse(out->type, value, strlen(value), out->value) < 0) {
        return lab_err_input(err, "'%s' is no number of type %s", value, ptx_type_name(out->type));
    }
    return 0;
}

static int parse_pointer(const char *text, struct vg_arg *out, struct lab_err *err)
{
    size_t len = strcspn(text, "+");
    out->kind = VG_ARG_POINTER;
    out->type = PTX_U64;
    if (text[len] == '+' && take_count(text + len + 1, strlen(text + len + 1), &out->offset) < 0) {
        return lab_err_input(err, "'%s' is no number of bytes", text + len + 1);
    }
    return take_name(text, len, out, err);
}

static int hex_digit(char c)
{
    if (c >= '0' && c <= '9') {
        return c - '0';
    }
    return c >= 'a' && c <= 'f' ? c - 'a' + 10 : c >= 'A' && c <= 'F' ? c - 'A' + 10 : -1;
}

static int parse_hex(const char *text, struct vg_arg *out, struct lab_err *err)
{
    size_t len = strlen(text);
    out->kind = VG_ARG_HEX;
    out->type = PTX_B8;
    if (len == 0 || len % 2 != 0 || len / 2 > sizeof(out->value)) {
        return lab_err_input(err, "%zu hex digits, expected 2 a byte and 1 to %zu bytes", len,
                             sizeof(out->value));
    }
    for (size_t i = 0; i < len; i += 2) {
        int high = hex_digit(text[i]), low = hex_digit(text[i + 1]);
        if (high < 0 || low < 0) {
            return lab_err_input(err, "'%.2s' is no byte of two hex digits", text + i);
        }
        out->value[i / 2] = (uint8_t)(16 * high + low);
    }
    out->value_bytes = (uint32_t)(len / 2);
    return 0;
}

/* TYPE[N] or TYPE[N]=INIT. */
static int parse_buffer(const char *text, struct vg_arg *out, struct lab_err *err)
{
    size_t len = strcspn(text, "[");
    const char *close = strchr(text, ']');
    out->kind = VG_ARG_BUFFER;
    out->type = vg_element_type(text, len);
    if (out->type == PTX_NONE && text[len] == '[') {
        return lab_err_input(err,
                             "'%.*s' is no type, expected one of u8 i8 u16 i16 u32 i32 u64 i64 "
                             "f16 f32 f64",
                             (int)len, text);
    }
    if (text[len] != '[' || close == NULL || (close[1] != '\0' && close[1] != '=')) {
        return lab_err_input(err, EXPECTED);
    }
    const char *count = text + len + 1;
    uint64_t most = VG_ARG_BYTES / ptx_type_size(out->type);
    if (take_count(count, (size_t)(close - count), &out->n) < 0 || out->n < 1 || out->n > most) {
        return lab_err_input(err, "'%.*s' elements, expected 1 to %llu", (int)(close - count),
                             count, (unsigned long long)most);
    }
    out->init = close[1] == '=' ? close + 2 : NULL;
    return 0;
}

int vg_arg_parse(const char *text, struct vg_arg *out, struct lab_err *err)
{
    *out = (struct vg_arg){0};
    size_t head = strcspn(text, ":[=");
    if (text[head] != ':') {
        return parse_buffer(text, out, err);
    }
    const char *rest = text + head + 1;
    out->type = vg_element_type(text, head);
    if (out->type != PTX_NONE) {
        return parse_number(rest, out, err);
    }
    if (head == 3 && memcmp(text, "ptr", 3) == 0) {
        return parse_pointer(rest, out, err);
    }
    if (head == 3 && memcmp(text, "hex", 3) == 0) {
        return parse_hex(rest, out, err);
    }
    if (strchr(rest, '[') == NULL) {
        return lab_err_input(err, "'%.*s' is no type; " EXPECTED, (int)head, text);
    }
    out->named = true;
    return take_name(text, head, out, err) < 0 ? -1 : parse_buffer(rest, out, err);
}
