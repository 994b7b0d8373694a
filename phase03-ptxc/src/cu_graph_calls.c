/* The calls about a graph's structure, clones, and objects that live as long as a graph. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cu_graph.h"
#include "lab/file.h"

static bool is_graph(CUgraph g)
{
    return cu_is(g, CU_KIND_GRAPH);
}

static CUresult create(CUcontext ctx, CUgraph *out, unsigned flags)
{
    if (out == NULL || flags != 0) {
        return CUDA_ERROR_INVALID_VALUE;
    }
    *out = cu_graph_new(ctx);
    return CUDA_SUCCESS;
}

static CUresult destroy(CUgraph g)
{
    if (!is_graph(g) || g->parent != NULL) {
        return CUDA_ERROR_INVALID_VALUE;
    }
    cu_graph_free(g);
    return CUDA_SUCCESS;
}

static CUresult copy(CUgraph *out, CUgraph g)
{
    return out != NULL && is_graph(g) ? cu_graph_clone(g, out) : CUDA_ERROR_INVALID_VALUE;
}

static CUresult find_in_clone(CUgraphNode *out, CUgraphNode original, CUgraph g)
{
    if (out == NULL || !is_graph(g) || !cu_is(original, CU_KIND_NODE)) {
        return CUDA_ERROR_INVALID_VALUE;
    }
    *out = cu_graph_find(g, original);
    return *out != NULL ? CUDA_SUCCESS : CUDA_ERROR_INVALID_VALUE;
}

static CUresult destroy_node(CUgraphNode n)
{
    if (!cu_is(n, CU_KIND_NODE)) {
        return CUDA_ERROR_INVALID_VALUE;
    }
    cu_graph_remove(n);
    return CUDA_SUCCESS;
}

static CUresult node_type(CUgraphNode n, CUgraphNodeType *out)
{
    if (out == NULL || !cu_is(n, CU_KIND_NODE)) {
        return CUDA_ERROR_INVALID_VALUE;
    }
    *out = n->op.type;
    return CUDA_SUCCESS;
}

/* --- edges --- */

struct edges {
    const CUgraphNode *from, *to;
    size_t n;
};

static CUresult check_edges(CUgraph g, struct edges e)
{
    if (!is_graph(g) || (e.n > 0 && (e.from == NULL || e.to == NULL))) {
        return CUDA_ERROR_INVALID_VALUE;
    }
    for (size_t k = 0; k < e.n; k++) {
        if (!cu_is(e.from[k], CU_KIND_NODE) || !cu_is(e.to[k], CU_KIND_NODE) ||
            e.from[k]->graph != g || e.to[k]->graph != g) {
            return CUDA_ERROR_INVALID_VALUE;
        }
    }
    return CUDA_SUCCESS;
}

static CUresult remove_edges(CUgraph g, struct edges e)
{
    CUresult r = check_edges(g, e);
    for (size_t k = 0; k < e.n && r == CUDA_SUCCESS; k++) {
        r = cu_node_forget(e.to[k], e.from[k]);
    }
    return r;
}

static CUresult add_edges(CUgraph g, struct edges e)
{
    CUresult r = check_edges(g, e);
    size_t added = 0;
    while (r == CUDA_SUCCESS && added < e.n) {
        r = cu_node_depend(e.to[added], e.from[added]);
        added += r == CUDA_SUCCESS;
    }
    CUgraphNode *order = r == CUDA_SUCCESS ? cu_graph_order(g) : NULL;
    if (order == NULL && added > 0) { /* one of them is no edge, or they close a cycle */
        remove_edges(g, (struct edges){e.from, e.to, added});
        r = CUDA_ERROR_INVALID_VALUE;
    }
    free(order);
    return r;
}

/* --- lists of nodes --- */

/* Fill in as many as *n says, or only say how many there are. */
static CUresult give(const CUgraphNode *list, size_t count, CUgraphNode *out, size_t *n)
{
    if (n == NULL) {
        return CUDA_ERROR_INVALID_VALUE;
    }
    for (size_t k = 0; out != NULL && k < *n; k++) {
        out[k] = k < count ? list[k] : NULL;
    }
    *n = out == NULL || count < *n ? count : *n;
    return CUDA_SUCCESS;
}

enum pick { ALL, ROOTS, DEPENDENTS };

static CUresult pick_nodes(CUgraph g, enum pick pick, CUgraphNode of, CUgraphNode *out, size_t *n)
{
    CUgraphNode *list = lab_alloc(g->nnodes + 1, sizeof(*list));
    size_t count = 0;
    for (size_t k = 0; k < g->nnodes; k++) {
        CUgraphNode node = g->nodes[k];
        if (pick == ALL || (pick == ROOTS && node->ndeps == 0) ||
            (pick == DEPENDENTS && cu_node_depends(node, of))) {
            list[count++] = node;
        }
    }
    CUresult r = give(list, count, out, n);
    free(list);
    return r;
}

static CUresult get_nodes(CUgraph g, enum pick pick, CUgraphNode *out, size_t *n)
{
    return is_graph(g) ? pick_nodes(g, pick, NULL, out, n) : CUDA_ERROR_INVALID_VALUE;
}

/* Edges carry no data of their own here. */
static void clear_edges(CUgraphEdgeData *edges, CUresult r, const size_t *n)
{
    if (r == CUDA_SUCCESS && edges != NULL && n != NULL) {
        memset(edges, 0, *n * sizeof(*edges));
    }
}

struct node_list {
    CUgraphNode *out;
    CUgraphEdgeData *edges;
    size_t *n;
};

static CUresult get_dependencies(CUgraphNode node, struct node_list l)
{
    if (!cu_is(node, CU_KIND_NODE)) {
        return CUDA_ERROR_INVALID_VALUE;
    }
    CUresult r = give(node->deps, node->ndeps, l.out, l.n);
    clear_edges(l.out != NULL ? l.edges : NULL, r, l.n);
    return r;
}

static CUresult get_dependents(CUgraphNode node, struct node_list l)
{
    if (!cu_is(node, CU_KIND_NODE)) {
        return CUDA_ERROR_INVALID_VALUE;
    }
    CUresult r = pick_nodes(node->graph, DEPENDENTS, node, l.out, l.n);
    clear_edges(l.out != NULL ? l.edges : NULL, r, l.n);
    return r;
}

static CUresult get_edges(CUgraph g, CUgraphNode *from, CUgraphNode *to, struct node_list l)
{
    size_t count = 0;
    if (!is_graph(g) || l.n == NULL || (from == NULL) != (to == NULL)) {
        return CUDA_ERROR_INVALID_VALUE;
    }
    for (size_t k = 0; k < g->nnodes; k++) {
        for (size_t d = 0; d < g->nodes[k]->ndeps; d++, count++) {
            if (from != NULL && count < *l.n) {
                from[count] = g->nodes[k]->deps[d];
                to[count] = g->nodes[k];
            }
        }
    }
    *l.n = from == NULL || count < *l.n ? count : *l.n;
    clear_edges(from != NULL ? l.edges : NULL, CUDA_SUCCESS, l.n);
    return CUDA_SUCCESS;
}

/* --- a picture --- */

static const char *const type_names[] = {
    "kernel",     "memcpy",       "memset",           "host",           "graph", "empty",
    "event wait", "event record", "semaphore signal", "semaphore wait", "alloc", "free",
};

static void print_graph(CUgraph g, struct lab_buf *out, const char *prefix)
{
    for (size_t k = 0; k < g->nnodes; k++) {
        CUgraphNode n = g->nodes[k];
        bool kernel = n->op.type == CU_GRAPH_NODE_TYPE_KERNEL;
        lab_buf_printf(out, "    %s%zu [label=\"%s%s%s\"];\n", prefix, k, type_names[n->op.type],
                       kernel ? " " : "", kernel ? n->op.launch.func->info.name : "");
        n->index = k;
    }
    for (size_t k = 0; k < g->nnodes; k++) {
        for (size_t d = 0; d < g->nodes[k]->ndeps; d++) {
            lab_buf_printf(out, "    %s%zu -> %s%zu;\n", prefix, g->nodes[k]->deps[d]->index,
                           prefix, k);
        }
    }
}

static CUresult print_dot(CUgraph g, const char *path)
{
    struct lab_err err = {0};
    struct lab_buf dot;
    if (!is_graph(g) || path == NULL) {
        return CUDA_ERROR_INVALID_VALUE;
    }
    lab_buf_init(&dot);
    lab_buf_puts(&dot, "digraph graph_1 {\n    node [shape=box];\n");
    print_graph(g, &dot, "n");
    lab_buf_puts(&dot, "}\n");
    int r = lab_file_write(path, lab_buf_str(&dot), dot.len, &err);
    lab_buf_fini(&dot);
    return r < 0 ? CUDA_ERROR_OPERATING_SYSTEM : CUDA_SUCCESS;
}

/* --- objects --- */

CUresult cu_object_release(CUuserObject o, unsigned count)
{
    if (!cu_is(o, CU_KIND_OBJECT) || count == 0 || count > o->refs) {
        return CUDA_ERROR_INVALID_VALUE;
    }
    o->refs -= count;
    if (o->refs == 0) {
        cu_handle_drop(o);
        cu_call_host(o->destroy, o->ptr);
        free(o);
    }
    return CUDA_SUCCESS;
}

struct object_args {
    void *ptr;
    CUhostFn destroy;
    unsigned refs, flags;
};

static CUresult object_create(CUuserObject *out, struct object_args a)
{
    if (out == NULL || a.destroy == NULL || a.refs == 0 || a.refs > INT32_MAX ||
        a.flags != CU_USER_OBJECT_NO_DESTRUCTOR_SYNC) {
        return CUDA_ERROR_INVALID_VALUE;
    }
    *out = lab_alloc(1, sizeof(**out));
    **out = (struct CUuserObject_st){a.ptr, a.destroy, a.refs};
    cu_handle_add(*out, CU_KIND_OBJECT);
    return CUDA_SUCCESS;
}

static CUresult object_retain(CUuserObject o, unsigned count)
{
    if (!cu_is(o, CU_KIND_OBJECT) || count == 0) {
        return CUDA_ERROR_INVALID_VALUE;
    }
    o->refs += count;
    return CUDA_SUCCESS;
}

static struct cu_object_ref *object_of(CUgraph g, CUuserObject o)
{
    for (size_t k = 0; k < g->nobjects; k++) {
        if (g->objects[k].object == o) {
            return &g->objects[k];
        }
    }
    g->objects = lab_resize(g->objects, g->nobjects + 1, sizeof(*g->objects));
    g->objects[g->nobjects] = (struct cu_object_ref){o, 0};
    return &g->objects[g->nobjects++];
}

static CUresult graph_retain(CUgraph g, CUuserObject o, unsigned count, unsigned flags)
{
    if (!is_graph(g) || !cu_is(o, CU_KIND_OBJECT) || count == 0 ||
        flags > CU_GRAPH_USER_OBJECT_MOVE) {
        return CUDA_ERROR_INVALID_VALUE;
    }
    object_of(g, o)->count += count;
    return flags == CU_GRAPH_USER_OBJECT_MOVE ? CUDA_SUCCESS : object_retain(o, count);
}

static CUresult graph_release(CUgraph g, CUuserObject o, unsigned count)
{
    if (!is_graph(g) || !cu_is(o, CU_KIND_OBJECT)) {
        return CUDA_ERROR_INVALID_VALUE;
    }
    struct cu_object_ref *ref = object_of(g, o);
    if (count == 0 || count > ref->count) {
        return CUDA_ERROR_INVALID_VALUE;
    }
    ref->count -= count;
    if (ref->count == 0) {
        *ref = g->objects[--g->nobjects];
    }
    return cu_object_release(o, count);
}

#define EDGES                                                                                      \
    (struct edges)                                                                                 \
    {                                                                                              \
        from, to, n                                                                                \
    }
#define LIST(edges)                                                                                \
    (struct node_list)                                                                             \
    {                                                                                              \
        out, edges, n                                                                              \
    }

CU_API(cuGraphCreate, (CUgraph * out, unsigned flags), CU_NEED_CONTEXT, create(ctx, out, flags));
CU_API(cuGraphDestroy, (CUgraph g), CU_NEED_INIT, destroy(g));
CU_API(cuGraphClone, (CUgraph * out, CUgraph g), CU_NEED_INIT, copy(out, g));
CU_API(cuGraphNodeFindInClone, (CUgraphNode * out, CUgraphNode original, CUgraph g), CU_NEED_INIT,
       find_in_clone(out, original, g));
CU_API(cuGraphDestroyNode, (CUgraphNode n), CU_NEED_INIT, destroy_node(n));
CU_API(cuGraphNodeGetType, (CUgraphNode n, CUgraphNodeType *out), CU_NEED_INIT, node_type(n, out));
CU_API(cuGraphAddDependencies,
       (CUgraph g, const CUgraphNode *from, const CUgraphNode *to, size_t n), CU_NEED_INIT,
       add_edges(g, EDGES));
CU_API(cuGraphAddDependencies_v2,
       (CUgraph g, const CUgraphNode *from, const CUgraphNode *to, const CUgraphEdgeData *edges,
        size_t n),
       CU_NEED_INIT, ((void)edges, add_edges(g, EDGES)));
CU_API(cuGraphRemoveDependencies,
       (CUgraph g, const CUgraphNode *from, const CUgraphNode *to, size_t n), CU_NEED_INIT,
       remove_edges(g, EDGES));
CU_API(cuGraphRemoveDependencies_v2,
       (CUgraph g, const CUgraphNode *from, const CUgraphNode *to, const CUgraphEdgeData *edges,
        size_t n),
       CU_NEED_INIT, ((void)edges, remove_edges(g, EDGES)));
CU_API(cuGraphGetNodes, (CUgraph g, CUgraphNode *out, size_t *n), CU_NEED_INIT,
       get_nodes(g, ALL, out, n));
CU_API(cuGraphGetRootNodes, (CUgraph g, CUgraphNode *out, size_t *n), CU_NEED_INIT,
       get_nodes(g, ROOTS, out, n));
CU_API(cuGraphNodeGetDependencies, (CUgraphNode node, CUgraphNode *out, size_t *n), CU_NEED_INIT,
       get_dependencies(node, LIST(NULL)));
CU_API(cuGraphNodeGetDependencies_v2,
       (CUgraphNode node, CUgraphNode *out, CUgraphEdgeData *edges, size_t *n), CU_NEED_INIT,
       get_dependencies(node, LIST(edges)));
CU_API(cuGraphNodeGetDependentNodes, (CUgraphNode node, CUgraphNode *out, size_t *n), CU_NEED_INIT,
       get_dependents(node, LIST(NULL)));
CU_API(cuGraphNodeGetDependentNodes_v2,
       (CUgraphNode node, CUgraphNode *out, CUgraphEdgeData *edges, size_t *n), CU_NEED_INIT,
       get_dependents(node, LIST(edges)));
CU_API(cuGraphGetEdges, (CUgraph g, CUgraphNode *from, CUgraphNode *to, size_t *n), CU_NEED_INIT,
       get_edges(g, from, to, (struct node_list){NULL, NULL, n}));
CU_API(cuGraphGetEdges_v2,
       (CUgraph g, CUgraphNode *from, CUgraphNode *to, CUgraphEdgeData *edges, size_t *n),
       CU_NEED_INIT, get_edges(g, from, to, (struct node_list){NULL, edges, n}));
CU_API(cuGraphDebugDotPrint, (CUgraph g, const char *path, unsigned flags), CU_NEED_INIT,
       ((void)flags, print_dot(g, path)));
CU_API(cuUserObjectCreate,
       (CUuserObject * out, void *ptr, CUhostFn fn, unsigned refs, unsigned flags), CU_NEED_INIT,
       object_create(out, (struct object_args){ptr, fn, refs, flags}));
CU_API(cuUserObjectRetain, (CUuserObject o, unsigned count), CU_NEED_INIT, object_retain(o, count));
CU_API(cuUserObjectRelease, (CUuserObject o, unsigned count), CU_NEED_INIT,
       cu_object_release(o, count));
CU_API(cuGraphRetainUserObject, (CUgraph g, CUuserObject o, unsigned count, unsigned flags),
       CU_NEED_INIT, graph_retain(g, o, count, flags));
CU_API(cuGraphReleaseUserObject, (CUgraph g, CUuserObject o, unsigned count), CU_NEED_INIT,
       graph_release(g, o, count));
