/* bfe, the bit-field extract. */
#include "vg_arith_bfe.h"

uint64_t vg_bfe(uint64_t a, uint32_t pos, uint32_t len, unsigned width, bool is_signed)
{
    pos &= 0xFFu;
    len &= 0xFFu;
    if (len == 0) {
        return 0;
    }
    uint32_t top = pos + len - 1 < width ? pos + len - 1 : width - 1; /* the field's highest bit */
    uint64_t fill = is_signed && (a >> top & 1) != 0 ? UINT64_MAX : 0;
    if (pos >= width) {
        return fill >> (64 - width);
    }
    uint64_t have = top - pos + 1; /* bits the register has of the field */
    uint64_t ones = UINT64_MAX >> (64 - have);
    uint64_t field = a >> pos & ones;
    return (field | (fill & ~ones)) & (UINT64_MAX >> (64 - width));
}
