/* Stream capture: work that is submitted to a capturing stream becomes nodes of a graph. Private to
 * libcuda.so.1. */
#ifndef CU_CAPTURE_H
#define CU_CAPTURE_H

#include "cu_op.h"

struct cu_capture {
    CUgraph graph;
    bool own_graph; /* made by the capture: goes when the capture fails */
    size_t first;   /* nodes the graph had before */
    CUstream origin;
    CUstreamCaptureMode mode;
    pthread_t thread; /* that began it */
    uint64_t id;
    bool invalid, ended;
    unsigned refs; /* streams that capture, events recorded in it */
};

void cu_capture_unref(struct cu_capture *c);
/* What the stream's next node depends on: these, or these too. */
void cu_capture_set_deps(CUstream s, const CUgraphNode *deps, size_t n);
void cu_capture_add_deps(CUstream s, const CUgraphNode *deps, size_t n);

/* Make op a node of the stream's capture; takes over what op owns. */
CUresult cu_capture_add(CUstream s, struct cu_op *op);
CUresult cu_capture_record(CUstream s, CUevent e, unsigned flags);
CUresult cu_capture_wait(CUstream s, CUevent e, unsigned flags);
void cu_capture_leave(CUstream s);
void cu_event_uncapture(CUevent e);
void cu_capture_invalidate(struct cu_capture *c);

/* A call that must not be made while something captures: work on the legacy default stream, and
 * calls such as cuMemAlloc that could hide a synchronisation. They invalidate the captures that
 * forbid them. */
CUresult cu_capture_legacy(CUcontext ctx);
CUresult cu_capture_unsafe(void);
/* Waiting for the whole context, or for a stream that captures. */
CUresult cu_capture_context(CUcontext ctx);
CUresult cu_capture_stream(CUstream s);

#endif
