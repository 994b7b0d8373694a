/* The problem: a plateau is an inference; a miss counter is the processor's own word.
 *
 * The model: the generic events cache-references and cache-misses, which on most processors count
 * the last level. Simplified: what exactly they count differs by model (perf list says); a virtual
 * machine often has no counters at all, and a kernel may keep them to itself (perf_event_paranoid),
 * so their absence is a finding, not a failure.
 */
#include "membench_perf.h"

#include <errno.h>
#include <linux/perf_event.h>
#include <stddef.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/syscall.h>
#include <unistd.h>

static int open_event(uint64_t config)
{
    struct perf_event_attr attr;
    memset(&attr, 0, sizeof(attr));
    attr.type = PERF_TYPE_HARDWARE;
    attr.size = sizeof(attr);
    attr.config = config;
    attr.disabled = 1;
    attr.exclude_kernel = 1;
    attr.exclude_hv = 1;
    return (int)syscall(SYS_perf_event_open, &attr, 0, -1, -1, 0);
}

const char *membench_perf_reason(int errnum)
{
    switch (errnum) {
    case EACCES:
    case EPERM: return "not permitted";
    case ENOENT:
    case ENODEV:
    case EOPNOTSUPP:
    case ENOSYS: return "not supported";
    case EBUSY: return "in use";
    default: return "refused";
    }
}

void membench_perf_open(struct membench_perf *p)
{
    *p = (struct membench_perf){.references_fd = -1, .misses_fd = -1};
    p->references_fd = open_event(PERF_COUNT_HW_CACHE_REFERENCES);
    if (p->references_fd >= 0) {
        p->misses_fd = open_event(PERF_COUNT_HW_CACHE_MISSES);
    }
    if (p->misses_fd < 0) {
        p->why_not = membench_perf_reason(errno);
    }
}

void membench_perf_close(struct membench_perf *p)
{
    if (p->references_fd >= 0) {
        (void)close(p->references_fd);
    }
    if (p->misses_fd >= 0) {
        (void)close(p->misses_fd);
    }
    p->references_fd = p->misses_fd = -1;
}

static void control(const struct membench_perf *p, unsigned long request)
{
    (void)ioctl(p->references_fd, request, 0);
    (void)ioctl(p->misses_fd, request, 0);
}

void membench_perf_start(struct membench_perf *p)
{
    if (p->why_not == NULL) {
        control(p, PERF_EVENT_IOC_RESET);
        control(p, PERF_EVENT_IOC_ENABLE);
    }
}

void membench_perf_stop(struct membench_perf *p, uint64_t *references, uint64_t *misses)
{
    *references = *misses = 0;
    if (p->why_not != NULL) {
        return;
    }
    control(p, PERF_EVENT_IOC_DISABLE);
    if (read(p->references_fd, references, sizeof(*references)) != sizeof(*references) ||
        read(p->misses_fd, misses, sizeof(*misses)) != sizeof(*misses)) {
        p->why_not = "unreadable";
    }
}
