/* The small part of C++ name mangling that kernels use: nested names, and template arguments that
 * are integers, booleans or built-in types.
 */
#include "vg_name.h"

#include <ctype.h>
#include <stdbool.h>
#include <string.h>

static const char *builtin_type(char c)
{
    switch (c) {
    case 'b': return "bool";
    case 'c': return "char";
    case 'h': return "unsigned char";
    case 's': return "short";
    case 't': return "unsigned short";
    case 'i': return "int";
    case 'j': return "unsigned";
    case 'l': return "long";
    case 'm': return "unsigned long";
    case 'x': return "long long";
    case 'y': return "unsigned long long";
    case 'f': return "float";
    case 'd': return "double";
    default: return NULL;
    }
}

/* "6matmul": the identifier at *at, which moves behind it; false when there is none. */
static bool identifier(const char **at, struct lab_buf *out)
{
    size_t n = 0;
    const char *s = *at;
    while (isdigit((unsigned char)*s) && n < 10000) {
        n = 10 * n + (size_t)(*s++ - '0');
    }
    if (n == 0 || strnlen(s, n) < n) {
        return false;
    }
    lab_buf_add(out, s, n);
    *at = s + n;
    return true;
}

/* "Li256E", "Lb1E", "Ln" + digits for negative numbers: one literal. */
static bool literal(const char **at, struct lab_buf *out)
{
    const char *s = *at;
    if (s[0] != 'L' || builtin_type(s[1]) == NULL) {
        return false;
    }
    bool boolean = s[1] == 'b';
    s += 2;
    const char *minus = *s == 'n' ? "-" : "";
    s += *s == 'n';
    size_t digits = strspn(s, "0123456789");
    if (digits == 0 || s[digits] != 'E') {
        return false;
    }
    if (boolean) {
        lab_buf_puts(out, *s == '0' ? "false" : "true");
    } else {
        lab_buf_puts(out, minus);
        lab_buf_add(out, s, digits);
    }
    *at = s + digits + 1;
    return true;
}

/* "I…E"; stops with "..." at the first argument that is neither a literal nor a built-in type. */
static void template_arguments(const char *s, struct lab_buf *out)
{
    lab_buf_putc(out, '<');
    for (const char *comma = ""; *s != 'E'; comma = ", ") {
        lab_buf_puts(out, comma);
        const char *type = builtin_type(*s);
        if (type != NULL) {
            lab_buf_puts(out, type);
            s++;
        } else if (!literal(&s, out)) {
            lab_buf_puts(out, "...");
            break;
        }
    }
    lab_buf_putc(out, '>');
}

static bool mangled(const char *s, struct lab_buf *out)
{
    bool nested = *s == 'N';
    s += nested;
    do {
        size_t start = out->len;
        lab_buf_puts(out, start > 0 ? "::" : "");
        size_t name = out->len;
        if (!identifier(&s, out)) {
            return false;
        }
        if (strncmp(out->data + name, "_GLOBAL__N_", 11) == 0) {
            out->len = start;
            out->data[start] = '\0';
        }
    } while (nested && *s != 'E' && *s != 'I');
    if (*s == 'I') {
        template_arguments(s + 1, out);
    }
    return true;
}

void vg_name_print(const char *name, struct lab_buf *out)
{
    struct lab_buf text;
    lab_buf_init(&text);
    bool known = strncmp(name, "_Z", 2) == 0 && mangled(name + 2, &text);
    lab_buf_puts(out, known ? lab_buf_str(&text) : name);
    lab_buf_fini(&text);
}
