/* Any bytes through the assembler, and what assembles through the executor under both policies.
 *
 * Must hold: no crash; every refusal is an input error of one line; what is assembled, printed and
 * assembled again is the same program; and the counters' laws. */
#include <string.h>

#include "simt_asm.h"
#include "simt_block.h"

/* A label before every instruction, so that each target has a name: "L<pc>: INSTRUCTION". */
static void print_program(const struct simt_program *p, struct lab_buf *out)
{
    for (uint32_t pc = 0; pc < p->n; pc++) {
        const struct simt_insn *in = &p->code[pc];
        struct lab_buf text;
        lab_buf_init(&text);
        simt_insn_text(p, pc, &text);
        bool jumps = simt_is_branch(in) || in->op == SIMT_JMP;
        const char *s = lab_buf_str(&text);
        const char *target = jumps ? strrchr(s, ' ') : NULL;
        int keep = (int)(target != NULL ? (size_t)(target - s) : text.len);
        lab_buf_printf(out, "L%u: %.*s", pc, keep, s);
        if (jumps) {
            lab_buf_printf(out, " L%u", in->target);
        }
        lab_buf_putc(out, '\n');
        lab_buf_fini(&text);
    }
}

static void check_round_trip(const struct simt_program *p)
{
    struct simt_program *again = NULL;
    struct lab_err err = {0};
    struct lab_buf text;
    lab_buf_init(&text);
    print_program(p, &text);
    LAB_ASSERT(simt_assemble("again", lab_buf_str(&text), text.len, &again, &err) == 0);
    LAB_ASSERT(again->n == p->n && memcmp(again->code, p->code, p->n * sizeof(*p->code)) == 0);
    simt_program_free(again);
    lab_buf_fini(&text);
}

static void check_run(const struct simt_program *p, unsigned variant)
{
    struct simt_config cfg = {.warps = 1 + (variant >> 2),
                              .policy = (enum simt_policy)(variant & 1),
                              .sched = (enum simt_sched)(variant >> 1 & 1),
                              .ld_latency = 3,
                              .mem_words = 64,
                              .budget = 500};
    struct lab_err err = {0};
    struct simt_block *b = simt_block_new(p, &cfg);
    int rc = simt_block_run(b, &err);
    struct simt_counters n = simt_block_count(b);
    LAB_ASSERT(n.issues <= 500 && n.issues == b->issues && b->issues <= b->cycle + 1);
    LAB_ASSERT(n.active_sum >= n.issues && n.active_sum <= 32 * n.issues);
    LAB_ASSERT(n.max_depth < SIMT_LANES && n.body <= n.issues && n.loads <= n.issues);
    LAB_ASSERT(rc == 0 ? b->fault == SIMT_FAULT_NONE
                       : err.kind == LAB_ERR_INPUT && b->fault != SIMT_FAULT_NONE);
    simt_block_free(b);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct simt_program *p = NULL;
    struct lab_err err = {0};
    if (simt_assemble("fuzz", (const char *)data, size, &p, &err) < 0) {
        LAB_ASSERT(p == NULL && err.kind == LAB_ERR_INPUT && strchr(err.msg, '\n') == NULL);
        return 0;
    }
    check_round_trip(p);
    for (unsigned variant = 0; variant < 8; variant++) {
        check_run(p, variant);
    }
    simt_program_free(p);
    return 0;
}
