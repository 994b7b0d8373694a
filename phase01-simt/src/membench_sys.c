/* The problem: measured plateaus want something published to stand beside, and a measurement that
 * moves between CPUs measures two caches. Both answers come from the kernel.
 *
 * Invariant: nothing here enters the measurement itself; plateau detection is not told cache sizes.
 * Simplified: the caches of CPU 0 stand for all, which is wrong on machines with two kinds of core.
 */
#include "membench_sys.h"

#include <ctype.h>
#include <errno.h>
#include <limits.h>
#include <sched.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>

#include "lab/buf.h"
#include "lab/clock.h"
#include "lab/file.h"

/* The first word of a small file, without its newline; false when it cannot be read. */
static bool read_word(const char *folder, const char *name, char *out, size_t size)
{
    char path[512];
    int len = snprintf(path, sizeof(path), "%s/%s", folder, name);
    if (len < 0 || (size_t)len >= sizeof(path)) {
        return false;
    }
    struct lab_buf text;
    lab_buf_init(&text);
    bool ok = lab_file_read(path, 4096, &text, NULL) == 0 && text.len > 0;
    if (ok) {
        (void)snprintf(out, size, "%s", lab_buf_str(&text));
        out[strcspn(out, "\r\n")] = '\0';
    }
    lab_buf_fini(&text);
    return ok;
}

/* A whole number from such a file, with sysfs's K and M; 0 when there is none. */
static size_t read_size(const char *folder, const char *name)
{
    char word[64], *end;
    if (!read_word(folder, name, word, sizeof(word))) {
        return 0;
    }
    unsigned long v = strtoul(word, &end, 10);
    return (size_t)v << (*end == 'K' ? 10 : *end == 'M' ? 20 : 0);
}

static void insert_by_level(struct membench_cache_info *out, size_t n, struct membench_cache_info c)
{
    size_t at = n;
    while (at > 0 && out[at - 1].level > c.level) {
        out[at] = out[at - 1];
        at--;
    }
    out[at] = c;
}

size_t membench_sys_caches(const char *folder, struct membench_cache_info out[MEMBENCH_CACHES_MAX])
{
    size_t n = 0;
    for (int i = 0; i < 16 && n < MEMBENCH_CACHES_MAX; i++) {
        char index[512], type[32];
        (void)snprintf(index, sizeof(index), "%s/index%d", folder, i);
        if (!read_word(index, "type", type, sizeof(type)) || strcmp(type, "Instruction") == 0) {
            continue;
        }
        struct membench_cache_info c = {
            .level = (int)read_size(index, "level"),
            .bytes = read_size(index, "size"),
            .line = read_size(index, "coherency_line_size"),
            .ways = (int)read_size(index, "ways_of_associativity"),
        };
        if (c.level > 0 && c.bytes > 0) {
            insert_by_level(out, n++, c);
        }
    }
    return n;
}

int membench_sys_cpus(struct membench_cpus *out, struct lab_err *err)
{
    cpu_set_t set;
    out->n = 0;
    if (sched_getaffinity(0, sizeof(set), &set) != 0) {
        return lab_err_system(err, "cannot read which CPUs this process may use");
    }
    for (size_t c = 0; c < CPU_SETSIZE && out->n < MEMBENCH_CPUS_MAX; c++) {
        if (CPU_ISSET(c, &set)) {
            out->cpu[out->n++] = (int)c;
        }
    }
    return 0;
}

int membench_sys_pin(int cpu, struct lab_err *err)
{
    cpu_set_t set;
    CPU_ZERO(&set);
    if (cpu < 0 || cpu >= CPU_SETSIZE) {
        return lab_err_input(err, "cpu %d: expected 0 to %d", cpu, CPU_SETSIZE - 1);
    }
    CPU_SET((size_t)cpu, &set);
    if (sched_setaffinity(0, sizeof(set), &set) != 0) {
        if (errno == EINVAL) {
            return lab_err_input(err, "cpu %d: not a CPU this process may use", cpu);
        }
        return lab_err_system(err, "cannot pin to cpu %d", cpu);
    }
    return 0;
}

size_t membench_sys_list(const char *text, int *out, size_t max)
{
    size_t n = 0;
    const char *p = text;
    while (isdigit((unsigned char)*p)) {
        char *end;
        long from = strtol(p, &end, 10), to = from;
        if (*end == '-' && isdigit((unsigned char)end[1])) {
            to = strtol(end + 1, &end, 10);
        }
        for (long v = from; v <= to && v <= INT_MAX && n < max; v++) {
            out[n++] = (int)v;
        }
        p = end;
        p += *p == ',';
    }
    return *p == '\0' || isspace((unsigned char)*p) ? n : 0;
}

size_t membench_sys_nodes(int out[MEMBENCH_NODES_MAX])
{
    char word[512];
    size_t n = 0;
    if (read_word("/sys/devices/system/node", "has_memory", word, sizeof(word))) {
        n = membench_sys_list(word, out, MEMBENCH_NODES_MAX);
    }
    if (n == 0) {
        out[0] = 0;
        n = 1;
    }
    return n;
}

double membench_sys_clock_ghz(void)
{
    const uint64_t loops = 100000;
    double best = 0;
    for (int t = 0; t < 20; t++) {
        uint64_t v = (uint64_t)t, one = 1;
        /* In a register the compiler knows nothing about: some cores fold additions of a constant.
         */
        __asm__("" : "+r"(one));
        uint64_t from = lab_now_ns();
        for (uint64_t i = 0; i < loops; i++) {
            /* Ten additions in a chain; the empty asm keeps the compiler from adding 10 at once. */
#define ADD1                                                                                       \
    v += one;                                                                                      \
    __asm__("" : "+r"(v));
            ADD1 ADD1 ADD1 ADD1 ADD1 ADD1 ADD1 ADD1 ADD1 ADD1
#undef ADD1
        }
        uint64_t took = lab_now_ns() - from;
        LAB_ASSERT(v == (uint64_t)t + 10 * loops);
        double ghz = took > 0 ? 10.0 * (double)loops / (double)took : 0;
        best = ghz > best ? ghz : best;
    }
    return best;
}

size_t membench_sys_available(void)
{
    static const char field[] = "MemAvailable:";
    struct lab_buf text;
    lab_buf_init(&text);
    size_t bytes = SIZE_MAX;
    if (lab_file_read("/proc/meminfo", (size_t)1 << 20, &text, NULL) == 0) {
        const char *at = strstr(lab_buf_str(&text), field);
        unsigned long long kib = at != NULL ? strtoull(at + sizeof(field) - 1, NULL, 10) : 0;
        bytes = kib > 0 ? (size_t)kib << 10 : SIZE_MAX;
    }
    lab_buf_fini(&text);
    return bytes;
}

double membench_stat_busy(const char *text, double ticks_per_s)
{
    /* user nice system idle iowait irq softirq steal; guest time is in user already */
    static const bool busy[8] = {true, true, true, false, false, true, true, true};
    double ticks = 0;
    if (strncmp(text, "cpu ", 4) != 0) {
        return -1;
    }
    text += 4;
    for (int i = 0; i < 8; i++) {
        char *end;
        unsigned long long v = strtoull(text, &end, 10);
        if (end == text) {
            return -1;
        }
        ticks += busy[i] ? (double)v : 0;
        text = end;
    }
    return ticks / ticks_per_s;
}

static double seconds_of(const struct rusage *u)
{
    return (double)(u->ru_utime.tv_sec + u->ru_stime.tv_sec) +
           1e-6 * (double)(u->ru_utime.tv_usec + u->ru_stime.tv_usec);
}

void membench_sys_busy(struct membench_busy *now)
{
    struct lab_buf text;
    struct rusage self = {0}, children = {0};
    lab_buf_init(&text);
    *now = (struct membench_busy){.wall_s = 1e-9 * (double)lab_now_ns(), .machine_s = -1};
    if (lab_file_read("/proc/stat", (size_t)1 << 20, &text, NULL) == 0) {
        now->machine_s = membench_stat_busy(lab_buf_str(&text), (double)sysconf(_SC_CLK_TCK));
    }
    lab_buf_fini(&text);
    (void)getrusage(RUSAGE_SELF, &self);
    (void)getrusage(RUSAGE_CHILDREN, &children);
    now->own_s = seconds_of(&self) + seconds_of(&children);
}

double membench_sys_others(const struct membench_busy *start)
{
    struct membench_busy now;
    membench_sys_busy(&now);
    double wall = now.wall_s - start->wall_s;
    if (start->machine_s < 0 || now.machine_s < 0 || wall <= 0) {
        return 0;
    }
    double others = (now.machine_s - start->machine_s - (now.own_s - start->own_s)) / wall;
    return others > 0 ? others : 0;
}
