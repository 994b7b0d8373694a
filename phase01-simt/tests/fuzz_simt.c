/* Any bytes through the assembler, and what assembles through the executor under both policies.
 *
 * Few random bytes are a program, so an input that begins with byte 1 is read as instructions, four
 * bytes each, which always assemble.
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

static void put_operand(char letter, const uint8_t *b, uint32_t n, struct lab_buf *out)
{
    switch (letter) {
    case 'd': lab_buf_printf(out, "r%u", b[1] % 8); break;
    case 'a': lab_buf_printf(out, "r%u", b[2] % 8); break;
    case 'b': lab_buf_printf(out, "r%u", b[3] % 8); break;
    case 'c': lab_buf_printf(out, "r%u", (b[1] ^ b[3]) % 8); break;
    case 'i': lab_buf_printf(out, "%d", b[3] - 64); break;
    case 'm': lab_buf_printf(out, "[r%u%+d]", b[2] % 8, b[1] % 64 - 8); break;
    case 'l': lab_buf_printf(out, "L%u", (b[1] + 256u * b[3]) % n); break;
    default: lab_buf_printf(out, b[0] >= 128 ? "r%u" : "%u", b[3] % 8);
    }
}

/* Four bytes an instruction; a RECONV only where a branch is open, and those still open closed at
 * the end. */
static void program_of(const uint8_t *data, size_t size, struct lab_buf *out)
{
    uint32_t n = (uint32_t)(size / 4);
    uint32_t open = 0;
    for (uint32_t pc = 0; pc < n; pc++) {
        const uint8_t *b = data + 4 * (size_t)pc;
        enum simt_op op = (enum simt_op)(b[0] % SIMT_NOPS);
        op = op == SIMT_RECONV && open == 0 ? SIMT_TID : op;
        open += op == SIMT_BRZ || op == SIMT_BRNZ;
        open -= op == SIMT_RECONV;
        const char *form = simt_op_info(op)->form;
        lab_buf_printf(out, "L%u: %s", pc, simt_op_info(op)->name);
        for (size_t i = 0; form[i] != '\0'; i++) {
            lab_buf_puts(out, i == 0 ? " " : ", ");
            put_operand(form[i], b, n, out);
        }
        lab_buf_putc(out, '\n');
    }
    for (; open > 0; open--) {
        lab_buf_puts(out, "RECONV\n");
    }
    lab_buf_puts(out, "HALT\n");
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct simt_program *p = NULL;
    struct lab_err err = {0};
    struct lab_buf text;
    bool made = size > 0 && data[0] == 1;
    lab_buf_init(&text);
    if (made) {
        program_of(data + 1, size - 1, &text);
    } else {
        lab_buf_add(&text, data, size);
    }
    int rc = simt_assemble("fuzz", lab_buf_str(&text), text.len, &p, &err);
    lab_buf_fini(&text);
    LAB_ASSERT(rc == 0 || !made);
    if (rc < 0) {
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
