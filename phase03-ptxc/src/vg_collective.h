/* What the lanes of a warp can do together, by one .sync instruction. */
#ifndef VG_COLLECTIVE_H
#define VG_COLLECTIVE_H

enum vg_collective {
    VG_SHFL_UP,
    VG_SHFL_DOWN,
    VG_SHFL_BFLY,
    VG_SHFL_IDX,
    VG_VOTE_ALL,
    VG_VOTE_ANY,
    VG_VOTE_UNI,
    VG_VOTE_BALLOT,
    VG_MATCH_ANY,
    VG_MATCH_ALL,
    VG_REDUX_ADD,
    VG_REDUX_MIN_U,
    VG_REDUX_MIN_S,
    VG_REDUX_MAX_U,
    VG_REDUX_MAX_S,
    VG_REDUX_AND,
    VG_REDUX_OR,
    VG_REDUX_XOR,
    VG_ELECT,
    VG_WARP_BARRIER,
};

#endif
