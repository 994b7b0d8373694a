/* Printing what a warp does while it does it.
 *
 * Problem: a mask is understood by watching it change.
 * Model: one line for each issue, written before it takes effect, so that the last line of a run
 * that fails is the instruction that failed.
 *
 * Simplified: no register values; `simt run --dump regs` shows them at the end.
 */
#include "simt_trace.h"

void simt_trace_head(const struct simt_trace *t)
{
    (void)fprintf(t->out, "%s   pc  %-26s  0       8       16      24     31\n",
                  t->warps ? "warp" : "", "instruction");
}

void simt_trace_line(const struct simt_trace *t, const struct simt_event *event)
{
    char mask[SIMT_LANES + 1];
    for (int i = 0; i < SIMT_LANES; i++) {
        mask[i] = (event->active >> i & 1) != 0 ? '#' : '.';
    }
    mask[SIMT_LANES] = '\0';
    struct lab_buf text;
    lab_buf_init(&text);
    simt_insn_text(t->prog, event->pc, &text);
    if (t->warps) {
        (void)fprintf(t->out, "%4u", event->warp);
    }
    (void)fprintf(t->out, "%5u  %-26s  %s\n", event->pc, lab_buf_str(&text), mask);
    lab_buf_fini(&text);
}
