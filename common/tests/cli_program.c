#include <inttypes.h>
#include <string.h>

#include "cli_program.h"

static const struct lab_col cols[] = {
    {"name", LAB_STR, 0, NULL, NULL, "What it is called."},
    {"value", LAB_REAL, 1, NULL, "abs:0.5", "How much of it."},
};
static const struct lab_table_def first_def = {"first", NULL, cols, 2, NULL};
static const struct lab_table_def second_def = {"second", "Second", cols, 2, "A note."};
static const struct lab_table_def *const table_defs[] = {&first_def, &second_def, NULL};

struct opts {
    bool flag;
    int64_t warps, mem;
    double share;
    const char *word;
    int policy;
};

static const struct opts defaults = {
    .warps = 4, .mem = 65536, .share = 0.5, .word = "a", .policy = 1};

#define AT(field) offsetof(struct opts, field)
const struct lab_opt cli_demo_opts[] = {
    {"flag", LAB_OPT_FLAG, AT(flag), NULL, 0, 0, "a switch"},
    {"warps", LAB_OPT_INT, AT(warps), "N", 1, 64, "how many warps"},
    {"offset", LAB_OPT_INT, AT(mem), "N", 0, 0, "any number"},
    {"mem", LAB_OPT_SIZE, AT(mem), "BYTES", 4096, INT64_MAX, "how much memory"},
    {"share", LAB_OPT_REAL, AT(share), "X", 0, 1, "a part of one"},
    {"scale", LAB_OPT_REAL, AT(share), "X", 0, 0, "any number at all"},
    {"word", LAB_OPT_STR, AT(word), "TEXT", 0, 0, "any text"},
    {"policy", LAB_OPT_CHOICE, AT(policy), "stack|its", 0, 0, "which policy"},
    {NULL, LAB_OPT_FLAG, 0, NULL, 0, 0, NULL},
};
static const struct lab_opt run_opts[] = {
    {"trace", LAB_OPT_FLAG, AT(flag), NULL, 0, 0, "show each step"},
    {"how", LAB_OPT_STR, AT(word), "HOW", 0, 0, "what to do"},
    {NULL, LAB_OPT_FLAG, 0, NULL, 0, 0, NULL},
};

static int demo(struct lab_run *run, struct lab_err *err)
{
    const struct opts *o = run->opts;
    (void)err;
    struct lab_table *t = lab_run_table(run, &first_def);
    lab_table_str(t, o->word);
    lab_table_real(t, (double)o->warps);
    t = lab_run_table(run, &second_def);
    lab_table_str(t, o->policy == 0 ? "stack" : "its");
    lab_table_real(t, o->share);
    lab_run_check(run, true, "a law");
    lab_run_check(run, !o->flag, "the flag is %s", "not set");
    return 0;
}

int cli_run_file(struct lab_run *run, struct lab_err *err)
{
    const struct opts *o = run->opts;
    const char *how = o->word;
    lab_table_str(lab_run_table(run, &first_def), "cut short");
    if (strcmp(how, "input") == 0) {
        return lab_err_input(err, "%s:1:2: bad word", run->operands[0]);
    }
    if (strcmp(how, "check") == 0) {
        return lab_err_check(err, "a law is broken");
    }
    if (strcmp(how, "system") == 0) {
        return lab_err_system(err, "no device");
    }
    if (strcmp(how, "skip") == 0) {
        return lab_err_skip(err, "no GPU here");
    }
    if (strcmp(how, "silent") == 0) {
        return -1;
    }
    run->exit_code = strcmp(how, "verdict") == 0 ? 11 : 0;
    fprintf(run->out, "trace=%d mem=%" PRId64 " seed=%" PRIu64, o->flag, o->mem, run->seed);
    for (int i = 0; i < run->noperands; i++) {
        fprintf(run->out, " [%s]", run->operands[i]);
    }
    fprintf(run->out, "\n");
    return 0;
}

static const struct lab_verb verbs[] = {
    {"run", "FILE...", 1, -1, "Run a file.", run_opts, 0, cli_run_file},
    {NULL, NULL, 0, 0, NULL, NULL, 0, NULL},
};

const struct lab_program cli_simt = {
    .name = "simt",
    .summary = "what a branch costs a warp",
    .demo = {.help = "the demonstration",
             .opts = cli_demo_opts,
             .takes = LAB_TAKES_TABLES | LAB_TAKES_SEED | LAB_TAKES_SVG,
             .run = demo},
    .verbs = verbs,
    .tables = table_defs,
    .opts_default = &defaults,
    .opts_size = sizeof(defaults),
    .epilog = "examples:\n  simt run a.simt",
};

const struct lab_program cli_bare = {
    .name = "bare",
    .summary = "a program without verbs",
    .demo = {.operands = "A B", .min_operands = 2, .max_operands = 2, .run = cli_run_file},
    .opts_default = &defaults,
    .opts_size = sizeof(defaults),
};

/* What one run of a program did. */
struct lab_buf cli_out;
struct lab_buf cli_err;

int cli_main(void *arg)
{
    struct cli_call *c = arg;
    char *argv[32] = {(char[]){"program"}};
    int argc = 1;
    for (char *word = strtok(c->line, " "); word != NULL; word = strtok(NULL, " ")) {
        for (char *s = strchr(word, '_'); s != NULL; s = strchr(s, '_')) {
            *s = ' ';
        }
        argv[argc++] = word;
    }
    int bad = c->ci == NULL ? unsetenv("CI") : setenv("CI", c->ci, 1);
    return bad ? 99 : lab_main(c->program, argc, argv);
}

int cli_run(const struct lab_program *program, const char *fmt, ...)
{
    struct lab_buf line;
    lab_buf_init(&line);
    va_list ap;
    va_start(ap, fmt);
    lab_buf_vprintf(&line, fmt, ap);
    va_end(ap);
    lab_buf_putc(&line, ' ');
    struct cli_call c = {program, line.data, NULL};
    lab_buf_clear(&cli_out);
    lab_buf_clear(&cli_err);
    int code = lab_test_child(cli_main, &c, &cli_out, &cli_err);
    lab_buf_fini(&line);
    return code;
}

void cli_assert_says(const struct lab_buf *b, const char *what)
{
    if (strstr(lab_buf_str(b), what) == NULL) {
        fail_msg("expected '%s' in:\n%s", what, lab_buf_str(b));
    }
}

int cli_free(void **state)
{
    (void)state;
    lab_buf_fini(&cli_out);
    lab_buf_fini(&cli_err);
    return 0;
}
