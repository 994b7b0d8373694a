/* Words into memory before a run, and registers and memory out after it.
 *
 * Problem: a kernel is only as good as what it computes; the learner wants to give it data and see
 * the result. Model: the file of words is read with the assembler's own reader, so numbers,
 * comments and line ends are the same as in a program.
 */
#include "simt_dump.h"

#include <string.h>

#include "lab/file.h"
#include "simt_lex.h"
#include "simt_tables.h"

enum { MEM_FILE_MAX = 16 << 20, WORDS_PER_LINE = 8 };

static int load_line(struct simt_lex *lx, struct simt_block *b, uint32_t *n)
{
    while (simt_lex_more(lx)) {
        const char *at = lx->p;
        int32_t word = 0;
        if (simt_lex_imm(lx, &word) < 0) {
            return -1;
        }
        if (*n == b->cfg.mem_words) {
            return simt_lex_error(lx, at, "too many words, expected at most %u", b->cfg.mem_words);
        }
        b->mem[(*n)++] = word;
        (void)simt_lex_take(lx, ',');
    }
    return 0;
}

int simt_mem_load(struct simt_block *b, const char *path, struct lab_err *err)
{
    struct lab_buf text;
    struct simt_lex lx;
    uint32_t n = 0;
    lab_buf_init(&text);
    int rc = lab_file_read(path, MEM_FILE_MAX, &text, err);
    if (rc == 0) {
        simt_lex_init(&lx, path, lab_buf_str(&text), text.len, err);
        int more = 0;
        while (rc == 0 && (more = simt_lex_line(&lx)) > 0) {
            rc = load_line(&lx, b, &n);
        }
        rc = more < 0 ? -1 : rc;
    }
    lab_buf_fini(&text);
    return rc;
}

/* A decimal number of at most 9 digits, or −1. */
static int64_t number(const char **p)
{
    int64_t v = -1;
    for (int digits = 0; **p >= '0' && **p <= '9' && digits < 9; digits++, (*p)++) {
        v = (v < 0 ? 0 : v * 10) + (**p - '0');
    }
    return v;
}

int simt_dump_parse(const char *text, uint32_t mem_words, struct simt_dump *out,
                    struct lab_err *err)
{
    *out = (struct simt_dump){.last = mem_words - 1};
    if (text == NULL) {
        return 0;
    }
    if (strcmp(text, "regs") == 0) {
        out->regs = true;
        return 0;
    }
    out->mem = true;
    if (strcmp(text, "mem") == 0) {
        return 0;
    }
    if (strncmp(text, "mem:", 4) == 0) {
        const char *p = text + 4;
        int64_t first = number(&p);
        bool dash = *p == '-';
        p += dash;
        int64_t last = number(&p);
        if (dash && *p == '\0' && first >= 0 && first <= last && last < mem_words) {
            *out = (struct simt_dump){
                .mem = true, .range = true, .first = (uint32_t)first, .last = (uint32_t)last};
            return 0;
        }
    }
    return lab_err_input(err,
                         "--dump '%s' is not understood, expected regs, mem or mem:A-B in 0..%u",
                         text, mem_words - 1);
}

static void dump_regs(const struct simt_block *b, struct lab_table *t)
{
    for (unsigned w = 0; w < b->cfg.warps; w++) {
        for (int lane = 0; lane < SIMT_LANES; lane++) {
            lab_table_int(t, (int64_t)w * SIMT_LANES + lane);
            for (int r = 0; r < SIMT_REGS; r++) {
                lab_table_int(t, b->warps[w].r[r][lane]);
            }
        }
    }
}

static bool all_zero(const int32_t *word, uint32_t n)
{
    for (uint32_t i = 0; i < n; i++) {
        if (word[i] != 0) {
            return false;
        }
    }
    return true;
}

static void dump_mem(const struct simt_dump *d, const struct simt_block *b, struct lab_table *t)
{
    for (uint32_t at = d->first; at <= d->last; at += WORDS_PER_LINE) {
        uint32_t n = d->last - at + 1 < WORDS_PER_LINE ? d->last - at + 1 : WORDS_PER_LINE;
        if (!d->range && all_zero(&b->mem[at], n)) {
            continue;
        }
        lab_table_int(t, at);
        for (uint32_t i = 0; i < WORDS_PER_LINE; i++) {
            if (i < n) {
                lab_table_int(t, b->mem[at + i]);
            } else {
                lab_table_none(t);
            }
        }
    }
}

void simt_dump_tables(const struct simt_dump *d, const struct simt_block *b, struct lab_run *run)
{
    if (d->regs) {
        dump_regs(b, lab_run_table(run, &simt_table_regs));
    }
    if (d->mem) {
        dump_mem(d, b, lab_run_table(run, &simt_table_mem));
    }
}
