/* Takes the position modulo the register's width, as a shift instruction of the host does.
 * REJECTED BY: bfe_past_the_top_is_all_sign */
#include "vg_arith_bfe.h"

uint64_t vg_bfe(uint64_t a, uint32_t pos, uint32_t len, unsigned width, bool is_signed)
{
    pos &= width - 1;
    len &= 0xFFu;
    uint64_t r = 0;
    uint64_t sign = 0;
    for (unsigned i = 0; i < width && len != 0; i++) {
        if (i < len && pos + i < width) {
            sign = a >> (pos + i) & 1;
        }
        uint64_t bit = i < len && pos + i < width ? sign : is_signed ? sign : 0;
        r |= bit << i;
    }
    return r;
}
