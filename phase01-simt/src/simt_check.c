/* simt check-selp FILE: does a program do what exercise e04 asks for?
 *
 * Problem: there are many right programs, so comparing texts would reject most of them.
 * Model: run it, with one warp and with two, and look at memory, at its instructions, and at the
 * masks. Each check has a name, which is said when it fails.
 */
#include <string.h>

#include "lab/file.h"
#include "simt_asm.h"
#include "simt_cmd.h"
#include "simt_kernels.h"

enum { MOST_ISSUES = 8 };
static const char stub_marker[] = "STUB: e04_selp";

/* Is this file still the one that was handed out? */
static int is_stub(const char *path, bool *stub, struct lab_err *err)
{
    struct lab_buf text;
    lab_buf_init(&text);
    int rc = lab_file_read(path, SIMT_SOURCE_MAX, &text, err);
    *stub =
        rc == 0 && memmem(lab_buf_str(&text), text.len, stub_marker, strlen(stub_marker)) != NULL;
    lab_buf_fini(&text);
    return rc;
}

static bool has_branch(const struct simt_program *p)
{
    for (uint32_t pc = 0; pc < p->n; pc++) {
        if (simt_is_branch(&p->code[pc]) || p->code[pc].op == SIMT_JMP) {
            return true;
        }
    }
    return false;
}

static int check_run(struct lab_run *run, const struct simt_program *p, unsigned warps,
                     struct lab_err *err)
{
    struct simt_config cfg = simt_config_default;
    cfg.warps = warps;
    struct simt_block *b = simt_block_new(p, &cfg);
    int rc = simt_block_run(b, err);
    if (rc == 0) {
        struct simt_counters n = simt_block_count(b);
        uint32_t word = 0;
        bool right = simt_kernel_holds("even_odd_selp", b, &word);
        lab_run_check(run, right,
                      "results_match: word t is t / 2 for even t and t for odd t, with %u warp%s "
                      "(word %u is %d, expected %u)",
                      warps, warps == 1 ? "" : "s", word, b->mem[word],
                      word % 2 == 0 ? word / 2 : word);
        lab_run_check(run, n.active_sum == SIMT_LANES * n.issues,
                      "full_masks: every issue has 32 active lanes");
        lab_run_check(run, n.issues <= (uint64_t)MOST_ISSUES * warps,
                      "few_issues: at most %d issues a warp (%llu)", MOST_ISSUES,
                      (unsigned long long)n.issues / warps);
    }
    simt_block_free(b);
    return rc;
}

int simt_cmd_check_selp(struct lab_run *run, struct lab_err *err)
{
    const char *path = run->operands[0];
    struct simt_program *p = NULL;
    bool stub = false;
    if (is_stub(path, &stub, err) < 0) {
        return -1;
    }
    if (stub) {
        lab_run_note(run, "%s: exercise e04_selp is not written yet (it still has the line '%s')",
                     path, stub_marker);
        run->exit_code = LAB_EXIT_TODO;
        return 0;
    }
    if (simt_assemble_file(path, &p, err) < 0) {
        return -1;
    }
    lab_run_check(run, !has_branch(p), "no_branch: the program has no BRZ, BRNZ or JMP");
    int rc = check_run(run, p, 1, err);
    if (rc == 0) {
        rc = check_run(run, p, 2, err);
    }
    simt_program_free(p);
    return rc;
}
