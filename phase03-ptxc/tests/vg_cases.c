/* See vg_cases.h. A spelling template is text with alternatives in braces, expanded from left to
 * right, and operands by letter: T and F are registers of the last and of the first type in the
 * text, W twice as wide as T, other letters a register class of vg_one.h; P is %p0|%p1, n is !%p3,
 * i the constant 26. */
#include "vg_cases.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "lab/buf.h"
#include "lab/rng.h"

#define INTS   "u16|s16|u32|s32|u64|s64"
#define BITS   "b16|b32|b64"
#define HALVES "f16|f16x2|bf16|bf16x2"
#define FLOATS HALVES "|f32|f64"
#define ALL    INTS "|" BITS "|" FLOATS "|u16x2|s16x2"
#define ROUND  "{|.rn|.rz|.rm|.rp}"
#define CMP    "{.eq|.ne|.lt|.le|.gt|.ge|.lo|.ls|.hi|.hs|.equ|.neu|.ltu|.leu|.gtu|.geu|.num|.nan}"
#define CVT    "u8|u16|u32|u64|s8|s16|s32|s64|f16|bf16|f32|f64"

struct template
{
    const char *text, *operands;
};

static const struct template templates[] = {
    {"{add|sub|mul}" ROUND "{|.ftz}{|.sat}.{" ALL "}", "TTT"},
    {"fma" ROUND "{|.ftz}{|.sat}{|.relu}.{" FLOATS "}", "TTTT"},
    {"mad" ROUND "{|.ftz}{|.sat}.{f16|f32|f64}", "TTTT"},
    {"mad{|.lo|.hi|.wide}{|.sat|.cc}.{" INTS "}", "TTTT"},
    {"mad.wide.{u16|s16|u32|s32}", "WTTW"},
    {"mul{.lo|.hi|.wide}{|.sat}.{" INTS "}", "TTT"},
    {"mul.wide.{u16|s16|u32|s32}", "WTT"},
    {"madc{.lo|.hi}{|.cc}.{" INTS "}", "TTTT"},
    {"{add.cc|addc|addc.cc|sub.cc|subc|subc.cc}.{" INTS "}", "TTT"},
    {"div{|.rn|.rz|.rm|.rp|.approx|.full}{|.ftz}.{" ALL "}", "TTT"},
    {"{rcp|sqrt|rsqrt|sin|cos|lg2|ex2|tanh}{|.rn|.rz|.rm|.rp|.approx}{|.ftz}.{" FLOATS "}", "TT"},
    {"{min|max}{|.ftz}{|.NaN}{|.xorsign.abs|.abs}{|.relu}.{" ALL "}", "TTT"},
    {"{min|max}{|.ftz}{|.NaN}{|.abs}.{f32|f64|s32}", "TTTT"},
    {"{abs|neg}{|.ftz}{|.sat}.{" ALL "}", "TT"},
    {"copysign{|.ftz}.{" FLOATS "}", "TTT"},
    {"{and|or|xor}.{pred|" ALL "}", "TTT"},
    {"{not|cnot|brev}.{pred|" ALL "}", "TT"},
    {"{popc|clz}.{" ALL "}", "rT"},
    {"bfind{|.shiftamt}.{" ALL "}", "rT"},
    {"{shl|shr}.{" ALL "}", "TTr"},
    {"bfe.{" ALL "}", "TTrr"},
    {"bfi.{" ALL "}", "TTTrr"},
    {"{szext|bmsk}{|.clamp|.wrap}.{b32|u32|s32|u64}", "TTr"},
    {"shf{.l|.r}{|.clamp|.wrap}.{b32|b64|u32}", "TTTr"},
    {"fns.{b32|u32|b64}", "Trrr"},
    {"prmt.b32{|.f4e|.b4e|.rc8|.ecl|.ecr|.rc16}", "rrrr"},
    {"lop3.{b32|b64|u32}", "TTTTi"},
    {"{rem|sad}.{" ALL "}", "TTT"},
    {"sad.{" ALL "}", "TTTT"},
    {"mul24{|.lo|.hi}.{u32|s32|u64}", "TTT"},
    {"mad24{.lo|.hi}{|.sat}.{u32|s32}", "TTTT"},
    {"dp4a.{u32|s32}.{u32|s32}", "rrrr"},
    {"dp2a{|.lo|.hi}.{u32|s32}.{u32|s32}", "rrrr"},
    {"selp.{" ALL "}", "TTTp"},
    {"slct{|.ftz}.{" ALL "}.{s32|f32}", "FFFT"},
    {"testp{.finite|.infinite|.number|.notanumber|.normal|.subnormal}.{f16|f32|f64}", "pT"},
    {"setp" CMP "{|.ftz}.{" ALL "}", "pTT"},
    {"setp.lt{.and|.or|.xor}.{s32|f32|f64|u16}", "pTTn"},
    {"setp.lt{|.and|.xor}.{f16x2|bf16x2|s32}", "PTTn"},
    {"setp.gt.{f16x2|bf16x2|s32|f32}", "PTT"},
    {"set{.lt|.eq|.neu}{|.ftz}.{" ALL "}.{" ALL "}", "FTT"},
    {"set.eq.or.{u32|f32|f16}.{s32|f32|f16|b64}", "FTTn"},
    {"{add|sub}" ROUND "{|.ftz}{|.sat}.f32.{f16|bf16}", "fhf"},
    {"fma" ROUND "{|.ftz}{|.sat}.f32.{f16|bf16}", "fhhf"},
    {"cvt{|.rn|.rz|.rm|.rp|.rni|.rzi|.rmi|.rpi}{|.ftz}{|.sat}.{" CVT "}.{" CVT "}", "FT"},
    {"cvt{|.rn|.rz|.rm|.rp|.rna}{|.relu}{|.satfinite}{|.sat}.{f16|bf16|tf32|f64}.f32", "FT"},
    {"cvt{|.rn|.rz|.rm|.rna}{|.relu}{|.satfinite}.{f16x2|bf16x2|e4m3x2|e5m2x2}.f32", "FTT"},
    {"cvt{|.rn|.rz}{|.relu}{|.satfinite}.{e4m3x2|e5m2x2}.{f16x2|bf16x2}", "FT"},
    {"cvt{|.rn|.rz}{|.relu}{|.satfinite}.{f16x2|bf16x2}.{e4m3x2|e5m2x2}", "FT"},
    {"cvt.pack{|.sat}.{u8|s8|u4|s4|u16|s16}.s32", "rrr"},
    {"cvt.pack{|.sat}.{u8|s8|u4|s4|u16|s16}.s32.b32", "rrrr"},
    {"{add|sub|mul}" ROUND "{|.ftz}{|.sat}.f32x2", "ddd"},
    {"fma" ROUND "{|.ftz}{|.sat}.f32x2", "dddd"},
    {"mov.{pred|" ALL "}", "TT"},
    {"cvta{|.to}{|.global|.shared|.local|.const|.param}.{u64|b64}", "dd"},
    {"isspacep{|.global|.shared|.local|.param}", "pd"},
};

/* --- expanding --- */

static char class_of(const char *type)
{
    static const struct {
        const char *suffix;
        char letter;
    } classes[] = {{"tf32", 'r'}, {"f32", 'f'}, {"f64", 'g'}, {"pred", 'p'}, {"64", 'd'},
                   {"x2", 'r'},   {"32", 'r'},  {"16", 'h'},  {"8", 'h'}};
    size_t n = strlen(type);
    if (strcmp(type, "e4m3x2") == 0 || strcmp(type, "e5m2x2") == 0) {
        return 'h';
    }
    for (unsigned k = 0; k < sizeof(classes) / sizeof(classes[0]); k++) {
        size_t m = strlen(classes[k].suffix);
        if (n >= m && strcmp(type + n - m, classes[k].suffix) == 0) {
            return classes[k].letter;
        }
    }
    return 0;
}

/* The classes of the first and the last word after a dot that is a type. */
static void classes_of(const char *text, char *first, char *last)
{
    char word[32];
    *first = *last = 0;
    for (const char *at = strchr(text, '.'); at != NULL; at = strchr(at + 1, '.')) {
        size_t n = strcspn(at + 1, ".");
        snprintf(word, sizeof(word), "%.*s", (int)n, at + 1);
        char c = strcmp(word, "rc8") != 0 && strcmp(word, "rc16") != 0 ? class_of(word) : 0;
        *first = *first == 0 ? c : *first;
        *last = c != 0 ? c : *last;
    }
}

static void add_operand(struct lab_buf *b, char letter, char first, char last, unsigned k)
{
    char c = letter == 'T' ? last : letter == 'F' ? first : letter;
    if (letter == 'W') {
        c = last == 'h' ? 'r' : 'd';
    }
    lab_buf_puts(b, k == 0 ? " " : ", ");
    switch (c) {
    case 'P': lab_buf_puts(b, "%p0|%p1"); break;
    case 'n': lab_buf_puts(b, "!%p3"); break;
    case 'i': lab_buf_puts(b, "26"); break;
    default: lab_buf_printf(b, "%%%c%u", c, k); break;
    }
}

static void add_statement(struct vg_cases *c, const char *text, const char *operands)
{
    char first, last;
    struct lab_buf b;
    lab_buf_init(&b);
    classes_of(text, &first, &last);
    lab_buf_puts(&b, text);
    for (unsigned k = 0; operands[k] != '\0'; k++) {
        add_operand(&b, operands[k], first, last, k);
    }
    lab_buf_putc(&b, ';');
    if ((c->n & (c->n - 1)) == 0) {
        c->statements = lab_resize(c->statements, c->n == 0 ? 1 : c->n * 2, sizeof(char *));
    }
    c->statements[c->n++] = lab_strdup(lab_buf_str(&b));
    lab_buf_fini(&b);
}

/* Expand the first pair of braces, and the rest of the text for each alternative. */
static void expand(struct vg_cases *c, const char *text, const char *operands)
{
    const char *open = strchr(text, '{');
    if (open == NULL) {
        add_statement(c, text, operands);
        return;
    }
    const char *close = strchr(open, '}');
    for (const char *at = open + 1; at <= close;) {
        size_t n = strcspn(at, "|}");
        char next[512];
        snprintf(next, sizeof(next), "%.*s%.*s%s", (int)(open - text), text, (int)n, at, close + 1);
        expand(c, next, operands);
        at += n + 1;
    }
}

void vg_cases_spellings(struct vg_cases *c)
{
    *c = (struct vg_cases){NULL, 0};
    for (unsigned k = 0; k < sizeof(templates) / sizeof(templates[0]); k++) {
        expand(c, templates[k].text, templates[k].operands);
    }
}

void vg_cases_free(struct vg_cases *c)
{
    for (unsigned k = 0; k < c->n; k++) {
        free(c->statements[k]);
    }
    free(c->statements);
}
