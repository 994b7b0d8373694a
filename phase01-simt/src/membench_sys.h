/* What this machine says about itself, and where a thread runs.
 *
 * Thread-safety: the functions share no state. Pinning changes the calling thread only.
 */
#ifndef MEMBENCH_SYS_H
#define MEMBENCH_SYS_H

#include <stddef.h>

#include "lab/err.h"

#define MEMBENCH_CACHES_MAX 8
#define MEMBENCH_CPUS_MAX   1024
#define MEMBENCH_NODES_MAX  64

struct membench_cache_info {
    size_t bytes;
    size_t line; /* coherency_line_size; 0 when the kernel does not say */
    int level;
    int ways; /* 0 when the kernel does not say */
};

/* The data and unified caches of one CPU, by rising level, from sysfs (Documentation/ABI/testing/
 * sysfs-devices-system-cpu). `folder` is normally MEMBENCH_SYSFS_CACHE. Returns how many were
 * found; 0 when the kernel publishes none, which is no error. */
#define MEMBENCH_SYSFS_CACHE "/sys/devices/system/cpu/cpu0/cache"
size_t membench_sys_caches(const char *folder, struct membench_cache_info out[MEMBENCH_CACHES_MAX]);

struct membench_cpus {
    int cpu[MEMBENCH_CPUS_MAX];
    size_t n;
};

/* The CPUs this process may run on (sched_getaffinity), rising. */
int membench_sys_cpus(struct membench_cpus *out, struct lab_err *err);

/* Pin the calling thread. Input error when the process may not use that CPU. */
int membench_sys_pin(int cpu, struct lab_err *err);

/* The NUMA nodes that hold memory, from sysfs; returns their number, 1 with node 0 when the kernel
 * does not say. */
size_t membench_sys_nodes(int out[MEMBENCH_NODES_MAX]);

/* A list as sysfs writes it ("0-3,8,10-11"): how many numbers were stored, at most max; 0 when the
 * text is malformed. */
size_t membench_sys_list(const char *text, int *out, size_t max);

/* Clock of the calling CPU in GHz: a chain of dependent additions, one a cycle on every core built
 * for speed in the last decades, timed; the fastest of several tries. On a core that renames
 * additions away, or in an unoptimised build, the figure is an estimate only. */
double membench_sys_clock_ghz(void);

/* Bytes that programs can still get: MemAvailable of /proc/meminfo (man 5 proc); SIZE_MAX when
 * unknown. */
size_t membench_sys_available(void);

/* How busy the machine was: all CPUs together and this process, in seconds since boot and start. */
struct membench_busy {
    double wall_s, machine_s, own_s; /* machine_s < 0: the kernel does not say */
};
void membench_sys_busy(struct membench_busy *now);

/* CPUs that other programs kept busy on average since `start`: 0.5 is half of one. Time stolen by
 * the hypervisor counts as theirs. 0 when it is not known. Source: /proc/stat (man 5 proc) and
 * getrusage. */
double membench_sys_others(const struct membench_busy *start);

/* The first line of /proc/stat in seconds of busy time (all but idle and iowait), −1 when
 * malformed. */
double membench_stat_busy(const char *text, double ticks_per_s);

#endif
