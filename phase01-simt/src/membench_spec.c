/* The problem: before anything is bought or measured, a spec sheet already bounds what a chip can
 * do.
 *
 * The model: ridge = peak / bandwidth. A batch of B sequences decoded together does 2·B FLOP per
 * 2-byte weight read, so its intensity is B FLOP/byte: decoding one sequence sits at 1, far left of
 * every ridge, and its ceiling is bandwidth / bytes of weights. Simplified: the KV cache,
 * activations and the time between kernels are left out, so the ceiling is never reached.
 */
#include "membench_spec.h"

#include <strings.h>

#define A100_DS "NVIDIA A100 Tensor Core GPU datasheet (June 2021)"
#define A100_WP "NVIDIA A100 Tensor Core GPU Architecture whitepaper (2020)"
#define A100_PR                                                                                    \
    "NVIDIA press release 2020-11-16: over 2 TB/s (datasheet, SXM: 2,039 GB/s, ridge 153)"
#define H100_WP  "NVIDIA H100 Tensor Core GPU Architecture whitepaper (2022), H100 SXM5"
#define H100_DS  "NVIDIA H100 Tensor Core GPU datasheet (2023), H100 SXM"
#define H200_DS  "NVIDIA H200 Tensor Core GPU datasheet (2024), H200 SXM"
#define B200_TB  "NVIDIA Blackwell Architecture Technical Brief (2024), HGX B200, per GPU"
#define MI300_DS "AMD Instinct MI300X Accelerator data sheet (2023)"

static const struct membench_chip chips[] = {
    {
        .name = "A100-40GB",
        .bf16_tflops = {312, A100_WP},
        .mem_gb = {40, A100_WP},
        .mem_gbs = {1555, A100_WP},
        .link_gbs = {600, A100_WP ", third-generation NVLink"},
        .power_w = {400, A100_WP ", SXM4"},
    },
    {
        .name = "A100-80GB",
        .bf16_tflops = {312, A100_DS},
        .mem_gb = {80, A100_DS},
        .mem_gbs = {2000, A100_PR},
        .link_gbs = {600, A100_DS ", third-generation NVLink"},
        .power_w = {400, A100_DS ", SXM"},
    },
    {
        .name = "H100-SXM",
        .bf16_tflops = {989.4, H100_WP},
        .mem_gb = {80, H100_DS},
        .mem_gbs = {3350, H100_DS},
        .link_gbs = {900, H100_DS ", fourth-generation NVLink"},
        .power_w = {700, H100_DS},
    },
    {
        .name = "H200-SXM",
        .bf16_tflops = {989.4, H200_DS ": 1,979 with sparsity, the H100's rate"},
        .mem_gb = {141, H200_DS},
        .mem_gbs = {4800, H200_DS},
        .link_gbs = {900, H200_DS ", NVLink"},
        .power_w = {700, H200_DS},
    },
    {
        .name = "B200",
        .bf16_tflops = {2250, B200_TB ": 4.5 PFLOP/s with sparsity"},
        .mem_gb = {192, B200_TB},
        .mem_gbs = {8000, B200_TB},
        .link_gbs = {1800, B200_TB ", fifth-generation NVLink"},
        .power_w = {1000, B200_TB},
    },
    {
        .name = "MI300X",
        .bf16_tflops = {1307.4, MI300_DS},
        .mem_gb = {192, MI300_DS},
        .mem_gbs = {5300, MI300_DS},
        .link_gbs = {896, MI300_DS ", 7 Infinity Fabric links of 128 GB/s"},
        .power_w = {750, MI300_DS},
    },
};

const struct membench_chip *membench_chips(size_t *n)
{
    *n = sizeof(chips) / sizeof(chips[0]);
    return chips;
}

const struct membench_chip *membench_chip_find(const char *name)
{
    for (size_t i = 0; i < sizeof(chips) / sizeof(chips[0]); i++) {
        if (strcasecmp(chips[i].name, name) == 0) {
            return &chips[i];
        }
    }
    return NULL;
}

double membench_chip_ridge(const struct membench_chip *c)
{
    return c->bf16_tflops.value * 1e12 / (c->mem_gbs.value * 1e9);
}

double membench_decode_ceiling(const struct membench_chip *c, double weights_gb)
{
    return c->mem_gbs.value / weights_gb;
}
