/* Takes the sign from the field's own last bit even where the field reaches past the register.
 * REJECTED BY: bfe_takes_the_sign_of_the_top_bit_when_the_field_reaches_past_it */
#include "vg_arith_bfe.h"

uint64_t vg_bfe(uint64_t a, uint32_t pos, uint32_t len, unsigned width, bool is_signed)
{
    pos &= 0xFFu;
    len &= 0xFFu;
    uint64_t mask = width == 64 ? UINT64_MAX : 0xFFFFFFFFu;
    if (len == 0) {
        return 0;
    }
    uint32_t last = pos + len - 1;
    uint64_t fill = is_signed && last < width && (a >> last & 1) != 0 ? UINT64_MAX : 0;
    uint64_t ones = len >= 64 ? UINT64_MAX : (1ull << len) - 1;
    uint64_t field = pos >= width ? 0 : a >> pos & ones;
    return (field | (fill & ~ones)) & mask;
}
