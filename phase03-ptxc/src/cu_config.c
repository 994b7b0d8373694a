/* The environment as a configuration: strict, because a misspelt variable that is silently ignored
 * costs an afternoon.
 */
#include "cu_config.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

static int read_number(const char *name, const char *text, uint64_t max, uint64_t *out,
                       struct lab_err *err)
{
    char *end;
    errno = 0;
    unsigned long long v = strtoull(text, &end, 10);
    if (text[0] < '0' || text[0] > '9' || *end != '\0' || errno != 0 || v > max) {
        return lab_err_input(err, "%s=%s: expected a number from 0 to %llu", name, text,
                             (unsigned long long)max);
    }
    *out = v;
    return 0;
}

int cu_config_checks(const char *words, unsigned *checks, struct lab_err *err)
{
    static const struct {
        const char *word;
        unsigned bits;
    } known[] = {
        {"mem", VGPU_CHECK_MEM},   {"race", VGPU_CHECK_RACE}, {"sync", VGPU_CHECK_SYNC},
        {"init", VGPU_CHECK_INIT}, {"all", VGPU_CHECK_ALL},   {"none", 0},
    };
    *checks = 0;
    for (const char *at = words;;) {
        size_t n = strcspn(at, ",");
        size_t k = 0;
        while (k < 6 && (strlen(known[k].word) != n || strncmp(known[k].word, at, n) != 0)) {
            k++;
        }
        if (k == 6) {
            return lab_err_input(err, "%.*s is no check, expected mem, race, sync, init or all",
                                 (int)n, at);
        }
        *checks |= known[k].bits;
        if (at[n] == '\0') {
            return 0;
        }
        at += n + 1;
    }
}

static int read_device(const char *key, struct cu_config *out, struct lab_err *err)
{
    out->vgpu.desc = vgpu_desc_find(key != NULL ? key : "a100");
    if (out->vgpu.desc != NULL) {
        return 0;
    }
    size_t n;
    const struct vgpu_desc *list = vgpu_desc_list(&n);
    struct lab_buf names;
    lab_buf_init(&names);
    for (size_t k = 0; k < n; k++) {
        lab_buf_printf(&names, "%s%s", k == 0 ? "" : ", ", list[k].key);
    }
    lab_err_input(err, "VGPU_DEVICE=%s: no such chip, expected one of %s", key,
                  lab_buf_str(&names));
    lab_buf_fini(&names);
    return -1;
}

static int read_report(const char *format, struct cu_config *out, struct lab_err *err)
{
    static const char *const words[] = {"table", "csv", "json"};
    if (format == NULL || strcmp(format, "off") == 0) {
        return 0;
    }
    for (int k = 0; k < 3; k++) {
        if (strcmp(format, words[k]) == 0) {
            out->report = true;
            out->format = (enum lab_format)k;
            return 0;
        }
    }
    return lab_err_input(err, "VGPU_REPORT=%s: expected table, csv, json or off", format);
}

static int read_policy(const char *policy, struct cu_config *out, struct lab_err *err)
{
    if (policy == NULL || strcmp(policy, "its") == 0) {
        out->vgpu.policy = VGPU_POLICY_ITS;
    } else if (strcmp(policy, "stack") == 0) {
        out->vgpu.policy = VGPU_POLICY_STACK;
    } else {
        return lab_err_input(err, "VGPU_POLICY=%s: expected its or stack", policy);
    }
    return 0;
}

int cu_config_read(const char *(*get)(const char *name), struct cu_config *out, struct lab_err *err)
{
    uint64_t threads = 0, lines = 0;
    *out = (struct cu_config){.vgpu.budget = CU_BUDGET_DEFAULT};
    const char *v = get("VGPU_CHECK");
    if (v != NULL && cu_config_checks(v, &out->vgpu.checks, err) < 0) {
        lab_err_prefix(err, "VGPU_CHECK");
        return -1;
    }
    if ((v = get("VGPU_THREADS")) != NULL &&
        read_number("VGPU_THREADS", v, 1024, &threads, err) < 0) {
        return -1;
    }
    if ((v = get("VGPU_LINES")) != NULL &&
        read_number("VGPU_LINES", v, UINT32_MAX, &lines, err) < 0) {
        return -1;
    }
    if ((v = get("VGPU_BUDGET")) != NULL &&
        read_number("VGPU_BUDGET", v, UINT64_MAX, &out->vgpu.budget, err) < 0) {
        return -1;
    }
    if (read_device(get("VGPU_DEVICE"), out, err) < 0 ||
        read_report(get("VGPU_REPORT"), out, err) < 0 ||
        read_policy(get("VGPU_POLICY"), out, err) < 0) {
        return -1;
    }
    out->vgpu.threads = (unsigned)threads;
    out->lines = (unsigned)lines;
    out->vgpu.counters = out->report;
    out->report_file = get("VGPU_REPORT_FILE");
    v = get("CUDA_LAUNCH_BLOCKING");
    out->launch_blocking = v != NULL && strcmp(v, "1") == 0;
    return 0;
}

bool cu_config_visible(const char *value, const char *uuid)
{
    if (value == NULL) {
        return true;
    }
    size_t n = strcspn(value, ",");
    if (n == 1 && value[0] == '0') {
        return true;
    }
    return n > 4 && strncasecmp(value, uuid, n) == 0;
}
