/* Which earlier accesses of a cell must be remembered.
 *
 * Problem: a byte can be read by a thousand threads between two barriers, and a later store must
 * find one that it is unordered with; keeping them all for every byte is too much.
 * Model: a record R may go when a newer record N of the same kind is ordered after it: whatever is
 * unordered with R is then unordered with N. Lanes of one instruction and one time share a record.
 * As long as all barriers are for the whole block, records of two different warps are enough:
 * between two barriers, any other access is unordered with at least one of them. With barriers for
 * some warps
 * (`exact`) every record that is not ordered before a newer one is kept.
 * Invariants: `newest` has the highest stamp. Each lane of each warp occurs in at most one record,
 * so a set has at most 1,024.
 */
#include "lab/buf.h"
#include "vg_shadow_impl.h"

static uint32_t new_node(struct vg_shadow *s, struct rec rec, uint32_t next)
{
    if (s->npool == s->pool_cap) {
        s->pool_cap = s->pool_cap == 0 ? 256 : 2 * s->pool_cap;
        s->pool = lab_resize(s->pool, s->pool_cap, sizeof(s->pool[0]));
    }
    if (s->npool == 0) {
        s->npool = 1;
    }
    s->pool[s->npool] = (struct node){rec, next};
    return s->npool++;
}

/* The lanes of `old` that nobody needs once `now` is known. */
static uint32_t superfluous(const struct vg_shadow *s, const struct rec *old, const struct rec *now)
{
    const uint32_t warp = warp_of(now);
    if (warp_of(old) != warp) {
        return old->stamp <= s->warp_seen[warp][warp_of(old)] ? old->lanes : 0;
    }
    if (old->stamp <= s->warp_floor[warp]) {
        return old->lanes;
    }
    uint32_t gone = old->lanes & now->lanes;
    if (s->lane_seen[warp] == NULL) {
        return gone;
    }
    for (uint32_t left = old->lanes & ~gone; left != 0; left &= left - 1) {
        uint32_t lane = (uint32_t)__builtin_ctz(left);
        for (uint32_t by = now->lanes; by != 0; by &= by - 1) {
            if (s->lane_seen[warp][__builtin_ctz(by)][lane] >= old->stamp) {
                gone |= 1u << lane;
                break;
            }
        }
    }
    return gone;
}

static void prune_list(struct vg_shadow *s, uint32_t *head, const struct rec *now)
{
    for (uint32_t *at = head; *at != 0;) {
        struct node *node = &s->pool[*at];
        node->rec.lanes &= ~superfluous(s, &node->rec, now);
        if (node->rec.lanes == 0) {
            *at = node->next;
        } else {
            at = &node->next;
        }
    }
}

static void insert_exact(struct vg_shadow *s, struct set *set, struct rec rec)
{
    prune_list(s, &set->more, &rec);
    if (set->second.stamp != 0) {
        set->second.lanes &= ~superfluous(s, &set->second, &rec);
    }
    set->newest.lanes &= ~superfluous(s, &set->newest, &rec);
    if (set->newest.lanes != 0) {
        if (set->second.lanes != 0) {
            set->more = new_node(s, set->second, set->more);
        }
        set->second = set->newest;
    }
    if (set->second.lanes == 0) {
        set->second = (struct rec){0};
    }
    set->newest = rec;
}

/* One record can stand for both: same warp and time, and all lanes of the old one come again. */
static bool covers(const struct rec *now, const struct rec *old)
{
    return warp_of(old) == warp_of(now) && old->stamp == now->stamp &&
           (old->lanes & ~now->lanes) == 0;
}

void vg_shadow_insert(struct vg_shadow *s, struct set *set, struct rec rec)
{
    bool other_second = set->second.stamp != 0 && warp_of(&set->second) != warp_of(&rec);
    if (covers(&rec, &set->newest) || (!s->exact && other_second)) {
        set->newest = rec;
    } else {
        insert_exact(s, set, rec);
    }
}
