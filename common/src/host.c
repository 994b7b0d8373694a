/* Problem: a measured number means nothing without the machine and the build it came from.
 * Model: the processor's name from /proc/cpuinfo, the kernel from uname(2), the compiler from what
 * it told the preprocessor.
 * Invariants: always one line, also where /proc has no name to give (then the machine type).
 * Simplified: says nothing of frequency, memory or load, and online processors are not always ours
 * to use (a container may have fewer).
 */
#include "lab/host.h"

#include <stdio.h>
#include <string.h>
#include <sys/utsname.h>
#include <unistd.h>

static bool cpu_model(struct lab_buf *out)
{
    FILE *f = fopen("/proc/cpuinfo", "re");
    if (f == NULL) {
        return false;
    }
    char line[512];
    bool found = false;
    while (!found && fgets(line, sizeof(line), f) != NULL) {
        char *colon = strchr(line, ':');
        if (strncmp(line, "model name", 10) == 0 && colon != NULL) {
            char *name = colon + 1 + strspn(colon + 1, " \t");
            name[strcspn(name, "\n")] = '\0';
            found = name[0] != '\0';
            lab_buf_puts(out, name);
        }
    }
    (void)fclose(f);
    return found;
}

void lab_host_line(struct lab_buf *out)
{
    struct utsname u;
    if (uname(&u) < 0) {
        memset(&u, 0, sizeof(u));
    }
    if (!cpu_model(out)) {
        lab_buf_puts(out, u.machine);
    }
    long cpus = sysconf(_SC_NPROCESSORS_ONLN);
    lab_buf_printf(out, ", %ld %s, %s %s %s, ", cpus, cpus == 1 ? "CPU" : "CPUs", u.sysname,
                   u.release, u.machine);
#ifdef __clang__
    lab_buf_printf(out, "clang %d.%d.%d", __clang_major__, __clang_minor__, __clang_patchlevel__);
#else
    lab_buf_puts(out, "gcc " __VERSION__);
#endif
    lab_buf_puts(out, " " LAB_BUILD_TYPE);
}

bool lab_host_optimised(void)
{
#if defined(__OPTIMIZE__) && !defined(LAB_SANITIZED)
    return true;
#else
    return false;
#endif
}
