/* Problem: a PTX instruction is spelled from some seven hundred words; the parser must know each
 * and say which one was meant when none fits.
 * Model: two sorted tables, opcodes and modifiers, searched by halving; the nearest word by
 * Levenshtein's edit distance (insert, delete, replace one byte).
 * Invariants: the tables are in byte order (test_ptx_words checks), so no index has to be built and
 * lookups share no state.
 * Simplified: which modifiers an opcode takes is not known here; whoever executes an instruction
 * refuses those it does not have.
 */
#include "ptx_words.h"

#include <string.h>

#define LONGEST 48 /* bytes; above the longest word */

#define WORD_TEXT(id, text) text,
static const char *const texts[] = {PTX_WORDS(WORD_TEXT)};
enum {
    NOPCODES = sizeof((const char *const[]){PTX_OPCODES(WORD_TEXT)}) / sizeof(texts[0]),
    NMODIFIERS = PTX_WORD_COUNT - 1 - NOPCODES
};
#undef WORD_TEXT

const char *ptx_word_text(enum ptx_word w)
{
    return w < PTX_WORD_COUNT ? texts[w] : "";
}

bool ptx_word_is_opcode(enum ptx_word w)
{
    return w > PTX_W_none && w <= (enum ptx_word)NOPCODES;
}

/* Compare a NUL-terminated text with bytes, as strcmp does. */
static int compare(const char *text, const char *s, size_t len)
{
    int order = strncmp(text, s, len);
    return order != 0 ? order : text[len] != '\0';
}

static enum ptx_word find_in(unsigned first, unsigned n, const char *s, size_t len)
{
    unsigned lo = first, hi = first + n;
    while (lo < hi) {
        unsigned mid = lo + (hi - lo) / 2;
        int order = compare(texts[mid], s, len);
        if (order == 0) {
            return (enum ptx_word)mid;
        }
        if (order < 0) {
            lo = mid + 1;
        } else {
            hi = mid;
        }
    }
    return PTX_W_none;
}

enum ptx_word ptx_word_find(const char *s, size_t len)
{
    if (len == 0 || len > LONGEST || memchr(s, '\0', len) != NULL) {
        return PTX_W_none;
    }
    enum ptx_word w = find_in(1, NOPCODES, s, len);
    return w != PTX_W_none ? w : find_in(1 + NOPCODES, NMODIFIERS, s, len);
}

static unsigned distance(const char *a, size_t na, const char *b, size_t nb)
{
    unsigned row[LONGEST + 1];
    for (size_t j = 0; j <= nb; j++) {
        row[j] = (unsigned)j;
    }
    for (size_t i = 1; i <= na; i++) {
        unsigned diagonal = row[0];
        row[0] = (unsigned)i;
        for (size_t j = 1; j <= nb; j++) {
            unsigned best = diagonal + (a[i - 1] != b[j - 1]);
            best = best < row[j] + 1 ? best : row[j] + 1;
            best = best < row[j - 1] + 1 ? best : row[j - 1] + 1;
            diagonal = row[j];
            row[j] = best;
        }
    }
    return row[nb];
}

enum ptx_word ptx_word_nearest(const char *s, size_t len, bool opcode)
{
    if (len == 0 || len > LONGEST) {
        return PTX_W_none;
    }
    unsigned end = opcode ? 1 + NOPCODES : PTX_WORD_COUNT;
    unsigned best = (unsigned)len / 3 + 2; /* a third of the letters may be wrong, and one more */
    enum ptx_word nearest = PTX_W_none;
    for (unsigned w = 1; w < end; w++) {
        size_t n = strlen(texts[w]);
        unsigned d = n <= LONGEST ? distance(s, len, texts[w], n) : best;
        if (d < best) {
            best = d;
            nearest = (enum ptx_word)w;
        }
    }
    return nearest;
}
