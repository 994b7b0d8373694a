/* Special registers are slots that are filled when a frame is made.
 *
 * Thread numbers run x fastest, then y, then z (PTX ISA, "Special Registers", %tid). A block is a
 * cluster of its own. %smid is the block's index modulo the number of multiprocessors: the same in
 * every run, where hardware may choose otherwise. %envreg1 and 2 hold the high and low half of the
 * address of a cooperative launch's workspace, where nvcc's grid barrier keeps its count; 0 in
 * other launches, which makes that barrier trap.
 */
#include "vg_sreg.h"

#include "vg_lanes.h"
#include "vg_launch.h"

bool vg_sreg_of_block(enum ptx_sreg r)
{
    switch (r) {
    case PTX_CTAID_X:
    case PTX_CTAID_Y:
    case PTX_CTAID_Z:
    case PTX_CLUSTERID_X:
    case PTX_CLUSTERID_Y:
    case PTX_CLUSTERID_Z:
    case PTX_SMID: return true;
    default: return false;
    }
}

static uint64_t of_grid(const struct vg_block *b, enum ptx_sreg r)
{
    const struct vgpu_launch *l = b->launch->launch;
    switch (r) {
    case PTX_NTID_X: return l->block.x;
    case PTX_NTID_Y: return l->block.y;
    case PTX_NTID_Z: return l->block.z;
    case PTX_NCTAID_X:
    case PTX_NCLUSTERID_X: return l->grid.x;
    case PTX_NCTAID_Y:
    case PTX_NCLUSTERID_Y: return l->grid.y;
    case PTX_NCTAID_Z:
    case PTX_NCLUSTERID_Z: return l->grid.z;
    case PTX_CTAID_X:
    case PTX_CLUSTERID_X: return b->ctaid.x;
    case PTX_CTAID_Y:
    case PTX_CLUSTERID_Y: return b->ctaid.y;
    case PTX_CTAID_Z:
    case PTX_CLUSTERID_Z: return b->ctaid.z;
    case PTX_CLUSTER_NCTAID_X:
    case PTX_CLUSTER_NCTAID_Y:
    case PTX_CLUSTER_NCTAID_Z:
    case PTX_CLUSTER_NCTARANK: return 1;
    case PTX_NWARPID: return b->launch->g->config.desc->max_warps_per_sm;
    case PTX_SMID: return b->index % b->launch->g->config.desc->sms;
    case PTX_NSMID: return b->launch->g->config.desc->sms;
    case PTX_GRIDID: return b->launch->number;
    case PTX_DYNAMIC_SMEM_SIZE: return l->dynamic_shared;
    case PTX_TOTAL_SMEM_SIZE:
    case PTX_AGGR_SMEM_SIZE: return b->launch->shared_bytes;
    default: return 0;
    }
}

static uint64_t of_lane(const struct vg_warp *w, enum ptx_sreg r, uint32_t lane)
{
    const struct vgpu_dim *dim = &w->block->launch->launch->block;
    uint32_t t = w->id * VG_LANES + lane, bit = 1u << lane;
    switch (r) {
    case PTX_TID_X: return t % dim->x;
    case PTX_TID_Y: return t / dim->x % dim->y;
    case PTX_TID_Z: return t / dim->x / dim->y;
    case PTX_LANEID: return lane;
    case PTX_WARPID: return w->id;
    case PTX_LANEMASK_EQ: return bit;
    case PTX_LANEMASK_LT: return bit - 1;
    case PTX_LANEMASK_LE: return bit | (bit - 1);
    case PTX_LANEMASK_GT: return ~(bit | (bit - 1));
    case PTX_LANEMASK_GE: return ~(bit - 1);
    default: return of_grid(w->block, r);
    }
}

static uint64_t of_driver(const struct vg_block *b, uint32_t number)
{
    uint64_t at = b->launch->workspace;
    return number == 1 ? at >> 32 : number == 2 ? (uint32_t)at : 0;
}

void vg_sreg_fill(const struct vg_warp *w, uint8_t *slot, const struct vg_fill *p)
{
    enum ptx_sreg r = (enum ptx_sreg)(uint32_t)p->bits;
    if (r == PTX_ENVREG) {
        vg_slot_fill(slot, 0, p->type, of_driver(w->block, (uint32_t)(p->bits >> 32)));
        return;
    }
    vg_slot_fill(slot, 0, p->type, of_lane(w, r, 0));
    for (uint32_t l = vg_sreg_of_block(r) ? VG_LANES : 1; l < VG_LANES && p->type != PTX_PRED;
         l++) {
        uint64_t v = of_lane(w, r, l);
        switch (ptx_type_size(p->type)) {
        case 8: ((uint64_t *)(void *)slot)[l] = v; break;
        case 4: ((uint32_t *)(void *)slot)[l] = (uint32_t)v; break;
        default: ((uint16_t *)(void *)slot)[l] = (uint16_t)v; break;
        }
    }
}
