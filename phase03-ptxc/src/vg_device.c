/* The chips that can be described.
 *
 * Sources: compute capability, shared memory, registers and residency limits from the CUDA C++
 * Programming Guide 13.0, "Compute Capabilities", tables of features and technical specifications;
 * multiprocessors, clocks, memory and L2 from NVIDIA's data sheets and architecture papers: "NVIDIA
 * Turing GPU Architecture" and the T4 data sheet, "NVIDIA A100 Tensor Core GPU Architecture", the
 * L4 data sheet, "NVIDIA H100 Tensor Core GPU Architecture" (SXM5) and the H200 data sheet. Memory
 * is the nominal size in GiB; a driver reports somewhat less. The grid and block limits are those
 * of every chip since compute capability 3.0.
 */
#include <string.h>

#include "vgpu.h"

#define GIB (1ull << 30)
#define MIB (1u << 20)
#define KIB 1024u

#define EVERY_CHIP                                                                                 \
    .max_threads_per_block = 1024, .regs_per_block = 65536, .regs_per_sm = 65536,                  \
    .max_regs_per_thread = 255, .shared_per_block = 48 * KIB,                                      \
    .max_grid = {2147483647u, 65535, 65535}, .max_block = {1024, 1024, 64}

static const struct vgpu_desc chips[] = {
    {.key = "t4",
     .name = "Tesla T4 (software)",
     .cc_major = 7,
     .cc_minor = 5,
     .sms = 40,
     .memory_bytes = 16 * GIB,
     .clock_khz = 1590000,
     .memory_clock_khz = 5001000,
     .bus_bits = 256,
     .l2_bytes = 4 * MIB,
     .max_threads_per_sm = 1024,
     .max_blocks_per_sm = 16,
     .max_warps_per_sm = 32,
     .shared_per_block_optin = 64 * KIB,
     .shared_per_sm = 64 * KIB,
     EVERY_CHIP},
    {.key = "a100",
     .name = "NVIDIA A100-SXM4-80GB (software)",
     .cc_major = 8,
     .cc_minor = 0,
     .sms = 108,
     .memory_bytes = 80 * GIB,
     .clock_khz = 1410000,
     .memory_clock_khz = 1593000,
     .bus_bits = 5120,
     .l2_bytes = 40 * MIB,
     .max_threads_per_sm = 2048,
     .max_blocks_per_sm = 32,
     .max_warps_per_sm = 64,
     .shared_per_block_optin = 163 * KIB,
     .shared_per_sm = 164 * KIB,
     .shared_reserved = KIB,
     EVERY_CHIP},
    {.key = "l4",
     .name = "NVIDIA L4 (software)",
     .cc_major = 8,
     .cc_minor = 9,
     .sms = 58,
     .memory_bytes = 24 * GIB,
     .clock_khz = 2040000,
     .memory_clock_khz = 6251000,
     .bus_bits = 192,
     .l2_bytes = 48 * MIB,
     .max_threads_per_sm = 1536,
     .max_blocks_per_sm = 24,
     .max_warps_per_sm = 48,
     .shared_per_block_optin = 99 * KIB,
     .shared_per_sm = 100 * KIB,
     .shared_reserved = KIB,
     EVERY_CHIP},
    {.key = "h100",
     .name = "NVIDIA H100 80GB HBM3 (software)",
     .cc_major = 9,
     .cc_minor = 0,
     .sms = 132,
     .memory_bytes = 80 * GIB,
     .clock_khz = 1980000,
     .memory_clock_khz = 2619000,
     .bus_bits = 5120,
     .l2_bytes = 50 * MIB,
     .max_threads_per_sm = 2048,
     .max_blocks_per_sm = 32,
     .max_warps_per_sm = 64,
     .shared_per_block_optin = 227 * KIB,
     .shared_per_sm = 228 * KIB,
     .shared_reserved = KIB,
     EVERY_CHIP},
    {.key = "h200",
     .name = "NVIDIA H200 (software)",
     .cc_major = 9,
     .cc_minor = 0,
     .sms = 132,
     .memory_bytes = 141 * GIB,
     .clock_khz = 1980000,
     .memory_clock_khz = 3201000,
     .bus_bits = 6144,
     .l2_bytes = 50 * MIB,
     .max_threads_per_sm = 2048,
     .max_blocks_per_sm = 32,
     .max_warps_per_sm = 64,
     .shared_per_block_optin = 227 * KIB,
     .shared_per_sm = 228 * KIB,
     .shared_reserved = KIB,
     EVERY_CHIP},
};

const struct vgpu_desc *vgpu_desc_find(const char *key)
{
    for (size_t k = 0; k < sizeof(chips) / sizeof(chips[0]); k++) {
        if (strcmp(chips[k].key, key) == 0) {
            return &chips[k];
        }
    }
    return NULL;
}

const struct vgpu_desc *vgpu_desc_list(size_t *n)
{
    *n = sizeof(chips) / sizeof(chips[0]);
    return chips;
}
