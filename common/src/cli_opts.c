/* Problem: a mistyped command line must cost the user one line of reading, not a wrong run.
 * Model: the program's static tables say which words exist; everything typed is looked up there and
 * its value is parsed whole or refused with what was expected.
 * Invariants: no field of the options struct outside [min, max]; an option is never taken for a
 * value. Simplified: no abbreviated options and no bundled short ones; of a repeated option the
 * last counts.
 */
#include <inttypes.h>
#include <math.h>
#include <string.h>

#include "cli_impl.h"

struct common {
    bool help, version, quiet, verbose, bless;
    int format;
    const char *seed, *expect, *svg;
};

struct common_opt {
    struct lab_opt opt;
    unsigned takes; /* offered when the verb takes this; 0: always */
    char letter;    /* its short form, or 0 */
};

#define AT(field) offsetof(struct common, field)
static const struct common_opt common_opts[] = {
    {{"format", LAB_OPT_CHOICE, AT(format), "table|csv|json", 0, 0, "how to print the tables"},
     LAB_TAKES_FORMAT,
     0},
    {{"seed", LAB_OPT_STR, AT(seed), "N", 0, 0,
      "where the random numbers start, 0 to 2^64-1 (default 42)"},
     LAB_TAKES_SEED,
     0},
    {{"expect", LAB_OPT_STR, AT(expect), "FILE", 0, 0,
      "compare the tables with FILE (.csv: by its rules) and exit 1 when they differ"},
     LAB_TAKES_EXPECT,
     0},
    {{"bless", LAB_OPT_FLAG, AT(bless), NULL, 0, 0,
      "with --expect: show the differences and make FILE the new expectation"},
     LAB_TAKES_EXPECT,
     0},
    {{"svg", LAB_OPT_STR, AT(svg), "FILE", 0, 0, "draw the result into FILE"}, LAB_TAKES_SVG, 0},
    {{"quiet", LAB_OPT_FLAG, AT(quiet), NULL, 0, 0, "no notes on stderr"}, 0, 'q'},
    {{"verbose", LAB_OPT_FLAG, AT(verbose), NULL, 0, 0, "name every check that holds"}, 0, 'v'},
    {{"help", LAB_OPT_FLAG, AT(help), NULL, 0, 0, "this text; after a verb, the verb's"}, 0, 'h'},
    {{"version", LAB_OPT_FLAG, AT(version), NULL, 0, 0, "name and version"}, 0, 0},
};
#undef AT

enum { NCOMMON = sizeof(common_opts) / sizeof(common_opts[0]) };

/* One command line while it is read. */
struct parse {
    struct lab_run *run;
    char *opts;
    struct common common;
    bool only_operands; /* "--" was seen */
};

static bool offered(const struct common_opt *c, const struct lab_verb *verb)
{
    return c->takes == 0 || (c->takes & verb->takes) != 0;
}

static bool named(const char *name, const char *typed, size_t n)
{
    return strlen(name) == n && memcmp(name, typed, n) == 0;
}

static const struct lab_opt *own_opt(const struct lab_verb *verb, const char *typed, size_t n)
{
    for (const struct lab_opt *o = verb->opts; o != NULL && o->name != NULL; o++) {
        if (named(o->name, typed, n)) {
            return o;
        }
    }
    return NULL;
}

static const struct lab_opt *common_opt(const struct lab_verb *verb, const char *typed, size_t n)
{
    for (size_t i = 0; i < NCOMMON; i++) {
        if (offered(&common_opts[i], verb) && named(common_opts[i].opt.name, typed, n)) {
            return &common_opts[i].opt;
        }
    }
    return NULL;
}

const struct lab_opt *lab_cli_common(const struct lab_verb *verb, size_t i, char *letter)
{
    for (size_t k = 0; k < NCOMMON; k++) {
        if (offered(&common_opts[k], verb) && i-- == 0) {
            *letter = common_opts[k].letter;
            return &common_opts[k].opt;
        }
    }
    return NULL;
}

const struct lab_verb *lab_cli_verb(const struct lab_program *prog, size_t i)
{
    size_t n = 0;
    while (prog->verbs != NULL && prog->verbs[n].name != NULL) {
        n++;
    }
    bool explains = prog->tables != NULL && prog->tables[0] != NULL;
    return i < n ? &prog->verbs[i] : i == n && explains ? &lab_cli_explain : NULL;
}

struct nearest {
    const char *typed;
    size_t n;
    const char *name;
    size_t distance;
};

static void consider(struct nearest *best, const char *name)
{
    size_t n = strlen(name);
    size_t d = lab_edits(best->typed, best->n, name, n);
    size_t limit = n / 3 > 2 ? n / 3 : 2;
    if (d <= limit && d < n && (best->name == NULL || d < best->distance)) {
        best->name = name;
        best->distance = d;
    }
}

static int unknown_verb(const struct lab_program *prog, const char *word, struct lab_err *err)
{
    struct nearest best = {.typed = word, .n = strlen(word)};
    for (size_t i = 0; lab_cli_verb(prog, i) != NULL; i++) {
        consider(&best, lab_cli_verb(prog, i)->name);
    }
    bool near = best.name != NULL;
    return lab_err_input(err, "unknown verb '%s'%s%s%s (%s --help lists them)", word,
                         near ? ", did you mean '" : "", near ? best.name : "", near ? "'?" : "",
                         prog->name);
}

static int unknown_opt(const struct lab_run *run, const char *typed, size_t n, struct lab_err *err)
{
    const struct lab_program *prog = run->prog;
    const struct lab_verb *verb = run->verb;
    const char *space = verb->name == NULL ? "" : " ";
    const char *name = verb->name == NULL ? "" : verb->name;
    for (size_t i = 0; lab_cli_verb(prog, i) != NULL; i++) {
        if (own_opt(lab_cli_verb(prog, i), typed, n) != NULL) {
            return lab_err_input(err, "unknown option '--%.*s' here, it belongs to '%s %s'", (int)n,
                                 typed, prog->name, lab_cli_verb(prog, i)->name);
        }
    }
    struct nearest best = {.typed = typed, .n = n};
    for (const struct lab_opt *o = verb->opts; o != NULL && o->name != NULL; o++) {
        consider(&best, o->name);
    }
    for (size_t i = 0; i < NCOMMON; i++) {
        if (offered(&common_opts[i], verb)) {
            consider(&best, common_opts[i].opt.name);
        }
    }
    bool near = best.name != NULL;
    return lab_err_input(err, "unknown option '--%.*s'%s%s%s (%s%s%s --help lists them)", (int)n,
                         typed, near ? ", did you mean '--" : "", near ? best.name : "",
                         near ? "'?" : "", prog->name, space, name);
}

/* Digits only, the whole text; false also when the number does not fit. */
static bool parse_u64(const char *s, const char *end, uint64_t *v)
{
    uint64_t sum = 0;
    if (s == end) {
        return false;
    }
    for (; s < end; s++) {
        if (*s < '0' || *s > '9' || __builtin_mul_overflow(sum, 10u, &sum) ||
            __builtin_add_overflow(sum, (uint64_t)(*s - '0'), &sum)) {
            return false;
        }
    }
    *v = sum;
    return true;
}

static bool parse_i64(const char *s, int64_t *v)
{
    bool minus = *s == '-';
    uint64_t size = 0;
    uint64_t limit = (uint64_t)INT64_MAX + minus;
    if (!parse_u64(s + minus, s + strlen(s), &size) || size > limit) {
        return false;
    }
    *v = minus ? (int64_t)(0 - size) : (int64_t)size;
    return true;
}

static bool parse_size(const char *s, int64_t *v)
{
    size_t n = strlen(s);
    int shift = 0;
    if (n > 0) {
        shift = s[n - 1] == 'K' ? 10 : s[n - 1] == 'M' ? 20 : s[n - 1] == 'G' ? 30 : 0;
    }
    uint64_t size = 0;
    if (!parse_u64(s, s + n - (shift > 0), &size) || size > (uint64_t)INT64_MAX >> shift) {
        return false;
    }
    *v = (int64_t)(size << shift);
    return true;
}

static bool parse_real(const char *s, double *v)
{
    char *end = NULL;
    if (*s == '\0' || strspn(s, "+-.0123456789eE") != strlen(s)) {
        return false;
    }
    *v = strtod(s, &end);
    return *end == '\0' && isfinite(*v);
}

static bool parse_choice(const char *s, const char *words, int *v)
{
    size_t n = strlen(s);
    for (int i = 0;; i++) {
        size_t word = strcspn(words, "|");
        if (word == n && memcmp(s, words, n) == 0) {
            *v = i;
            return true;
        }
        if (words[word] == '\0') {
            return false;
        }
        words += word + 1;
    }
}

/* " from 1 to 64", or nothing where the type is the only bound. */
static void put_range(const struct lab_opt *o, struct lab_buf *out)
{
    if (o->min != 0 || o->max != 0) {
        if (o->max == INT64_MAX) {
            lab_buf_printf(out, " from %" PRId64, o->min);
        } else {
            lab_buf_printf(out, " from %" PRId64 " to %" PRId64, o->min, o->max);
        }
    }
}

static int bad_value(const struct lab_opt *o, const char *s, struct lab_err *err)
{
    static const char *const what[] = {
        [LAB_OPT_FLAG] = "nothing",
        [LAB_OPT_INT] = "a whole number",
        [LAB_OPT_SIZE] = "bytes like 4096, 64K, 32M or 1G",
        [LAB_OPT_REAL] = "a number",
        [LAB_OPT_STR] = "text",
        [LAB_OPT_CHOICE] = "one of ",
    };
    struct lab_buf text;
    lab_buf_init(&text);
    lab_buf_puts(&text, what[o->kind]);
    if (o->kind == LAB_OPT_CHOICE) {
        lab_buf_puts(&text, o->arg);
    } else {
        put_range(o, &text);
    }
    (void)lab_err_input(err, "--%s: expected %s, got '%s'", o->name, lab_buf_str(&text), s);
    lab_buf_fini(&text);
    return -1;
}

/* long double: it holds every int64_t and every double. */
static bool in_range(const struct lab_opt *o, long double v)
{
    return (o->min == 0 && o->max == 0) || (v >= o->min && v <= o->max);
}

/* A refused value ends the program, so it does no harm in its field. */
static int store(const struct lab_opt *o, void *field, const char *s, struct lab_err *err)
{
    int64_t i = 0;
    double d = 0;
    bool ok = true;
    switch (o->kind) {
    case LAB_OPT_FLAG: *(bool *)field = true; break;
    case LAB_OPT_STR: *(const char **)field = s; break;
    case LAB_OPT_INT:
    case LAB_OPT_SIZE:
        ok = (o->kind == LAB_OPT_INT ? parse_i64(s, &i) : parse_size(s, &i)) && in_range(o, i);
        *(int64_t *)field = i;
        break;
    case LAB_OPT_REAL:
        ok = parse_real(s, &d) && in_range(o, d);
        *(double *)field = d;
        break;
    case LAB_OPT_CHOICE: ok = parse_choice(s, o->arg, field); break;
    }
    return ok ? 0 : bad_value(o, s, err);
}

/* The option this word names, of whichever verb: asked before the verb is known. */
static const struct lab_opt *any_opt(const struct lab_program *prog, const char *word)
{
    const char *name = word + 2;
    size_t n = strcspn(name, "=");
    const struct lab_opt *o = own_opt(&prog->demo, name, n);
    for (size_t i = 0; o == NULL && lab_cli_verb(prog, i) != NULL; i++) {
        o = own_opt(lab_cli_verb(prog, i), name, n);
    }
    for (size_t i = 0; o == NULL && i < NCOMMON; i++) {
        o = named(common_opts[i].opt.name, name, n) ? &common_opts[i].opt : NULL;
    }
    return o;
}

/* The index of the verb in argv: the first word that is neither an option nor an option's value; 0
 * when there is none, and where an unknown option stands first, which is then what gets reported.
 */
static int verb_index(const struct lab_program *prog, int argc, char **argv)
{
    for (int i = 1; i < argc && strcmp(argv[i], "--") != 0; i++) {
        if (argv[i][0] != '-' || argv[i][1] == '\0') {
            return i;
        }
        if (argv[i][1] == '-') {
            const struct lab_opt *o = any_opt(prog, argv[i]);
            if (o == NULL) {
                return 0;
            }
            i += o->kind != LAB_OPT_FLAG && strchr(argv[i], '=') == NULL && i + 1 < argc &&
                 strncmp(argv[i + 1], "--", 2) != 0;
        }
    }
    return 0;
}

static int choose_verb(struct lab_run *run, int argc, char **argv, struct lab_err *err)
{
    const struct lab_program *prog = run->prog;
    run->verb = &prog->demo;
    if (prog->demo.max_operands != 0) {
        return 0;
    }
    int at = verb_index(prog, argc, argv);
    if (at == 0) {
        return 0;
    }
    for (size_t i = 0; lab_cli_verb(prog, i) != NULL; i++) {
        if (strcmp(lab_cli_verb(prog, i)->name, argv[at]) == 0) {
            run->verb = lab_cli_verb(prog, i);
            return at;
        }
    }
    return unknown_verb(prog, argv[at], err);
}

static int short_opt(struct parse *p, const char *word, struct lab_err *err)
{
    for (size_t i = 0; i < NCOMMON; i++) {
        if (common_opts[i].letter == word[1] && word[2] == '\0') {
            return store(&common_opts[i].opt, (char *)&p->common + common_opts[i].opt.offset, "",
                         err);
        }
    }
    return lab_err_input(err, "unknown option '%s' (%s --help lists them)", word,
                         p->run->prog->name);
}

/* Returns how many words it took, or −1. `next` may be NULL. */
static int long_opt(struct parse *p, const char *word, const char *next, struct lab_err *err)
{
    const char *name = word + 2;
    size_t n = strcspn(name, "=");
    const char *value = name[n] == '=' ? name + n + 1 : NULL;
    const struct lab_opt *o = own_opt(p->run->verb, name, n);
    char *base = p->opts;
    if (o == NULL) {
        o = common_opt(p->run->verb, name, n);
        base = (char *)&p->common;
    }
    if (o == NULL) {
        return unknown_opt(p->run, name, n, err);
    }
    int words = 1;
    if (o->kind == LAB_OPT_FLAG && value != NULL) {
        return lab_err_input(err, "--%s takes no value, got '%s'", o->name, value);
    }
    if (o->kind != LAB_OPT_FLAG && value == NULL) {
        if (next == NULL || strncmp(next, "--", 2) == 0) {
            return lab_err_input(err, "--%s needs a value: --%s %s", o->name, o->name, o->arg);
        }
        value = next;
        words = 2;
    }
    return store(o, base + o->offset, value, err) < 0 ? -1 : words;
}

static int one_word(struct parse *p, int left, char **word, struct lab_err *err)
{
    if (p->only_operands || word[0][0] != '-' || word[0][1] == '\0') {
        p->run->operands[p->run->noperands++] = word[0];
        return 1;
    }
    if (strcmp(word[0], "--") == 0) {
        p->only_operands = true;
        return 1;
    }
    if (word[0][1] != '-') {
        return short_opt(p, word[0], err) < 0 ? -1 : 1;
    }
    return long_opt(p, word[0], left > 1 ? word[1] : NULL, err);
}

static int check_operands(const struct lab_run *run, struct lab_err *err)
{
    const struct lab_verb *verb = run->verb;
    const char *name = verb->name == NULL ? run->prog->name : verb->name;
    if (run->noperands < verb->min_operands) {
        return lab_err_input(err, "%s needs %s, got %d operand%s", name,
                             verb->operands == NULL ? "operands" : verb->operands, run->noperands,
                             run->noperands == 1 ? "" : "s");
    }
    if (verb->max_operands >= 0 && run->noperands > verb->max_operands) {
        return lab_err_input(err, "%s takes %s, unexpected '%s'", name,
                             verb->operands == NULL ? "no operand" : verb->operands,
                             run->operands[verb->max_operands]);
    }
    return 0;
}

/* The common options into the run. */
static int take_common(struct parse *p, struct lab_err *err)
{
    const struct common *c = &p->common;
    struct lab_run *run = p->run;
    run->quiet = c->quiet;
    run->verbose = c->verbose;
    run->format = (enum lab_format)c->format;
    run->svg_path = c->svg;
    run->expect_path = c->expect;
    run->bless = c->bless;
    run->seed = 42;
    if (c->seed != NULL && !parse_u64(c->seed, c->seed + strlen(c->seed), &run->seed)) {
        return lab_err_input(err, "--seed: expected a whole number from 0 to %" PRIu64 ", got '%s'",
                             UINT64_MAX, c->seed);
    }
    if (c->bless && c->expect == NULL) {
        return lab_err_input(err, "--bless needs --expect FILE, the file to rewrite");
    }
    return check_operands(run, err);
}

int lab_cli_parse(struct lab_run *run, void *opts, int argc, char **argv, struct lab_err *err)
{
    struct parse p = {.run = run, .opts = opts};
    int verb = choose_verb(run, argc, argv, err);
    if (verb < 0) {
        return -1;
    }
    for (int i = 1; i < argc;) {
        int words = i == verb ? 1 : one_word(&p, argc - i, argv + i, err);
        if (words < 0) {
            return -1;
        }
        i += words;
    }
    if (p.common.help || p.common.version) {
        return p.common.help ? LAB_ASK_HELP : LAB_ASK_VERSION;
    }
    return take_common(&p, err) < 0 ? -1 : LAB_ASK_RUN;
}
