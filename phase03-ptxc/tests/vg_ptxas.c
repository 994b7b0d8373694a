/* See vg_ptxas.h. ptxas propagates constants, so a kernel that stores one computed value becomes a
 * move of an immediate and a store: the immediate is read out of the machine code. Instructions are
 * 16 bytes; the low 12 bits are the opcode, bits 16 … 23 the destination register, 24 … 31 the
 * first source (255: zero), the upper half of the first word an immediate or the second source. */
#include "vg_ptxas.h"

#include <elf.h>
#include <fcntl.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "lab/buf.h"
#include "lab/file.h"
#include "lab/test.h"

extern char **environ;

static const char registers[] =
    ".reg .pred %p<8>; .reg .b8 %c<8>; .reg .b16 %h<8>; .reg .b32 %r<8>; .reg .b64 %d<8>; "
    ".reg .f32 %f<8>; .reg .f64 %g<8>; .reg .b128 %q<8>; .reg .b64 %out;\n";

const char *vg_ptxas_path(void)
{
    static char found[4096];
    const char *named = getenv("PTXAS"), *path = getenv("PATH");
    if (named != NULL && named[0] != '\0') {
        return named;
    }
    for (const char *at = path; at != NULL && *at != '\0';) {
        size_t n = strcspn(at, ":");
        snprintf(found, sizeof(found), "%.*s/ptxas", (int)n, at);
        if (access(found, X_OK) == 0) {
            return found;
        }
        at += n + (at[n] == ':');
    }
    return access("/usr/local/cuda/bin/ptxas", X_OK) == 0 ? "/usr/local/cuda/bin/ptxas" : NULL;
}

/* Run ptxas on `text`; what it says goes to `said`. The exit status, or −1. */
static int run(const char *arch, const char *text, const char *cubin, const char *said,
               struct lab_err *err)
{
    char in[4200], arch_arg[64];
    snprintf(in, sizeof(in), "%s/in.ptx", lab_test_tmpdir());
    snprintf(arch_arg, sizeof(arch_arg), "-arch=%s", arch);
    FILE *f = fopen(in, "w");
    if (f == NULL || fputs(text, f) < 0 || fclose(f) != 0) {
        return lab_err_system(err, "%s", in);
    }
    const char *path = vg_ptxas_path();
    char *const argv[] = {(char *)(uintptr_t)path,  arch_arg, in, (char *)(uintptr_t) "-o",
                          (char *)(uintptr_t)cubin, NULL};
    posix_spawn_file_actions_t actions;
    posix_spawn_file_actions_init(&actions);
    posix_spawn_file_actions_addopen(&actions, 1, said, O_WRONLY | O_CREAT | O_TRUNC, 0600);
    posix_spawn_file_actions_adddup2(&actions, 1, 2);
    pid_t pid;
    int status = posix_spawn(&pid, path, &actions, NULL, argv, environ);
    posix_spawn_file_actions_destroy(&actions);
    if (status != 0 || waitpid(pid, &status, 0) < 0) {
        return lab_err_system(err, "cannot run %s", path);
    }
    return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

static void header(struct lab_buf *b, const char *arch)
{
    lab_buf_printf(b, ".version 9.0\n.target sm_%s\n.address_size 64\n", strchr(arch, '_') + 1);
}

/* --- which instructions exist --- */

#define BATCH 400u

static int accepts_batch(const char *const *statements, unsigned n, bool *accepted,
                         struct lab_err *err)
{
    const unsigned first = 6; /* line of the first statement */
    char said[4200], line[512];
    struct lab_buf b;
    lab_buf_init(&b);
    header(&b, "compute_100");
    lab_buf_printf(&b, ".visible .entry k() {\n%s", registers);
    for (unsigned k = 0; k < n; k++) {
        lab_buf_printf(&b, "%s\n", statements[k]);
        accepted[k] = true;
    }
    lab_buf_printf(&b, "ret;\n}\n");
    snprintf(said, sizeof(said), "%s/said.txt", lab_test_tmpdir());
    int status = run("compute_100", lab_buf_str(&b), "/dev/null", said, err);
    lab_buf_fini(&b);
    FILE *f = status < 0 ? NULL : fopen(said, "r");
    if (f == NULL) {
        return -1;
    }
    while (fgets(line, sizeof(line), f) != NULL) {
        const char *at = strstr(line, ", line ");
        unsigned where = at != NULL ? (unsigned)strtoul(at + 7, NULL, 10) : 0;
        if (where >= first && where < first + n) {
            accepted[where - first] = false;
        }
    }
    fclose(f);
    return 0;
}

int vg_ptxas_accepts(const char *const *statements, unsigned n, bool *accepted, struct lab_err *err)
{
    for (unsigned k = 0; k < n; k += BATCH) {
        unsigned size = n - k < BATCH ? n - k : BATCH;
        if (accepts_batch(statements + k, size, accepted + k, err) < 0) {
            return -1;
        }
    }
    return 0;
}

/* --- what they fold to --- */

static unsigned letter_bits(char c)
{
    switch (c) {
    case 'p': return 1;
    case 'h': return 16;
    case 'r':
    case 'f': return 32;
    default: return 64;
    }
}

void vg_fold_statement(const struct vg_fold *f, char *text, unsigned size)
{
    int n = snprintf(text, size, "%s", f->op);
    for (unsigned k = 0; f->letters[k] != '\0'; k++) {
        n += snprintf(text + n, size - (unsigned)n, "%s %%%c%u", k == 0 ? "" : ",", f->letters[k],
                      k);
    }
    snprintf(text + n, size - (unsigned)n, ";");
}

static void kernel(struct lab_buf *b, const struct vg_fold *f, unsigned number)
{
    char text[128], dest = f->letters[0];
    lab_buf_printf(b, ".visible .entry k%u(.param .u64 p0) {\n%sld.param.u64 %%out, [p0];\n",
                   number, registers);
    for (unsigned k = 1; f->letters[k] != '\0'; k++) {
        char c = f->letters[k];
        unsigned long long v = f->source[k - 1];
        if (c == 'p') {
            lab_buf_printf(b, "mov.b32 %%r7, %llu; setp.ne.b32 %%p%u, %%r7, 0;\n", v, k);
        } else {
            lab_buf_printf(b, "mov.b%u %%%c%u, 0x%llX;\n", letter_bits(c), c, k, v);
        }
    }
    vg_fold_statement(f, text, sizeof(text));
    lab_buf_printf(b, "%s\n", text);
    if (dest == 'p') {
        lab_buf_printf(b, "selp.b32 %%r6, 1, 0, %%p0; st.global.b32 [%%out], %%r6;\n");
    } else {
        lab_buf_printf(b, "st.global.b%u [%%out], %%%c0;\n", letter_bits(dest), dest);
    }
    lab_buf_printf(b, "ret;\n}\n");
}

struct machine {
    uint32_t value[257];
    bool known[257];
};

static void forget(struct machine *m, unsigned reg)
{
    if (reg < 255) {
        m->known[reg] = m->known[reg + 1] = false;
    }
}

static void learn(struct machine *m, unsigned reg, uint32_t value)
{
    m->value[reg] = value;
    m->known[reg] = reg < 255;
}

/* Follow the moves of constants up to the store; true when what is stored is known. */
static bool stored(const uint8_t *code, size_t size, unsigned bits, uint64_t *result)
{
    enum { MOV_IMM = 0x802, IMAD_IMM = 0x424, HFMA2_IMM = 0x431, HFMA2_MMA = 0x435, CS2R = 0x805 };
    enum { MOV = 0x202, STG = 0x986, ULDC = 0xab9, LDC = 0xb82 };
    struct machine m = {0};
    m.known[255] = m.known[256] = true;
    for (size_t at = 0; at + 16 <= size; at += 16) {
        uint64_t w;
        memcpy(&w, code + at, sizeof(w));
        unsigned op = w & 0xFFF, dst = w >> 16 & 0xFF, src = w >> 24 & 0xFF;
        uint32_t imm = (uint32_t)(w >> 32);
        if (op == MOV_IMM ||
            ((op == IMAD_IMM || op == HFMA2_IMM || op == HFMA2_MMA) && src == 255)) {
            learn(&m, dst, imm);
        } else if (op == CS2R) {
            learn(&m, dst, 0);
            learn(&m, dst + 1, 0);
        } else if (op == MOV && m.known[imm & 0xFF]) {
            learn(&m, dst, m.value[imm & 0xFF]);
        } else if (op == STG) {
            unsigned r = imm & 0xFF, high = r == 255 ? 255 : r + 1;
            *result = m.value[r] | (bits == 64 ? (uint64_t)m.value[high] << 32 : 0);
            *result &= UINT64_MAX >> (64 - (bits < 16 ? 32 : bits));
            return m.known[r] && (bits < 64 || m.known[high]);
        } else if (op != ULDC && op != LDC) {
            forget(&m, dst);
        }
    }
    return false;
}

/* The section of kernel `number`; NULL: none. */
static const uint8_t *code_of(const uint8_t *elf, size_t len, unsigned number, size_t *size)
{
    const Elf64_Ehdr *h = (const Elf64_Ehdr *)(const void *)elf;
    char want[32];
    snprintf(want, sizeof(want), ".text.k%u", number);
    if (len < sizeof(*h) || h->e_shoff + (uint64_t)h->e_shnum * sizeof(Elf64_Shdr) > len) {
        return NULL;
    }
    const Elf64_Shdr *s = (const Elf64_Shdr *)(const void *)(elf + h->e_shoff);
    const char *names = (const char *)elf + s[h->e_shstrndx].sh_offset;
    for (unsigned k = 0; k < h->e_shnum; k++) {
        if (strcmp(names + s[k].sh_name, want) == 0) {
            *size = s[k].sh_size;
            return elf + s[k].sh_offset;
        }
    }
    return NULL;
}

static int fold_batch(struct vg_fold *folds, unsigned n, struct lab_err *err)
{
    char cubin[4200], said[4200];
    struct lab_buf b;
    lab_buf_init(&b);
    header(&b, folds[0].arch);
    for (unsigned k = 0; k < n; k++) {
        kernel(&b, &folds[k], k);
    }
    snprintf(cubin, sizeof(cubin), "%s/out.cubin", lab_test_tmpdir());
    snprintf(said, sizeof(said), "%s/said.txt", lab_test_tmpdir());
    int status = run(folds[0].arch, lab_buf_str(&b), cubin, said, err);
    lab_buf_fini(&b);
    if (status != 0) {
        return lab_err_check(err, "ptxas refuses a kernel of %s, see %s", folds[0].op, said);
    }
    struct lab_buf elf;
    lab_buf_init(&elf);
    status = lab_file_read(cubin, 64u << 20, &elf, err);
    for (unsigned k = 0; status == 0 && k < n; k++) {
        size_t size = 0;
        const uint8_t *code = code_of((const uint8_t *)lab_buf_str(&elf), elf.len, k, &size);
        LAB_ASSERT(code != NULL);
        folds[k].folded = stored(code, size, letter_bits(folds[k].letters[0]), &folds[k].result);
    }
    lab_buf_fini(&elf);
    return status;
}

int vg_ptxas_fold(struct vg_fold *folds, unsigned n, struct lab_err *err)
{
    for (unsigned k = 0; k < n; k += 100) {
        if (fold_batch(folds + k, n - k < 100 ? n - k : 100, err) < 0) {
            return -1;
        }
    }
    return 0;
}
