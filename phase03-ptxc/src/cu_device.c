/* Initialisation and what a program can ask about the device.
 *
 * There is one device: the chip that VGPU_DEVICE names, or none when CUDA_VISIBLE_DEVICES hides it.
 *
 * Simplified: attributes of what the software GPU does not have (textures, virtual memory
 * management, IPC, clusters) are 0; cu_attributes.def has them all.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cu_core.h"

/* --- the described chip --- */

/* FP32 rate over FP64 rate: CUDA C++ Programming Guide, "Arithmetic Instructions". */
static int double_ratio(const struct vgpu_desc *d)
{
    bool data_centre = d->cc_minor == 0 && d->cc_major >= 6;
    return data_centre ? 2 : d->cc_major == 7 ? 32 : 64;
}

static CUresult attribute(const struct vgpu_desc *d, CUdevice_attribute a, int *value)
{
    switch ((int)a) {
#define CU_ATTR(number, driver, runtime, v)                                                        \
    case number:                                                                                   \
        *value = (int)(v);                                                                         \
        return CUDA_SUCCESS;
#define CU_ATTR_DRIVER(number, driver, v)                                                          \
    case number:                                                                                   \
        *value = (int)(v);                                                                         \
        return CUDA_SUCCESS;
#include "cu_attributes.def"
#undef CU_ATTR
#undef CU_ATTR_DRIVER
    default: return CUDA_ERROR_INVALID_VALUE;
    }
}

/* "vgpu", the chip's key, and zeros: the same in every run. */
static void uuid_of(const struct vgpu_desc *d, unsigned char out[16])
{
    memset(out, 0, 16);
    memcpy(out, "vgpu", 4);
    memcpy(out + 4, d->key, strnlen(d->key, 12));
}

static void uuid_text(const struct vgpu_desc *d, char out[48])
{
    unsigned char u[16];
    uuid_of(d, u);
    int n = snprintf(out, 48, "GPU-");
    for (int k = 0; k < 16; k++) {
        bool dash = k == 4 || k == 6 || k == 8 || k == 10;
        n += snprintf(out + n, 48u - (size_t)n, "%s%02x", dash ? "-" : "", u[k]);
    }
}

/* --- initialisation --- */

static const char *environment(const char *name)
{
    return getenv(name);
}

static CUresult init(unsigned flags)
{
    if (flags != 0) {
        return CUDA_ERROR_INVALID_VALUE;
    }
    if (cu_state.ready) {
        return CUDA_SUCCESS;
    }
    struct lab_err err = {0};
    if (cu_config_read(environment, &cu_state.config, &err) < 0) {
        cu_say("%s", err.msg);
        return CUDA_ERROR_NO_DEVICE;
    }
    char uuid[48];
    uuid_text(cu_state.config.vgpu.desc, uuid);
    if (!cu_config_visible(getenv("CUDA_VISIBLE_DEVICES"), uuid)) {
        return CUDA_ERROR_NO_DEVICE;
    }
    cu_state.devices[0].desc = cu_state.config.vgpu.desc;
    cu_state.ndevices = 1;
    cu_state.ready = true;
    return CUDA_SUCCESS;
}

CUresult cu_device_get(CUdevice n, struct cu_device **out)
{
    if (n < 0 || n >= cu_state.ndevices) {
        return CUDA_ERROR_INVALID_DEVICE;
    }
    *out = &cu_state.devices[n];
    return CUDA_SUCCESS;
}

CUdevice cu_device_number(const struct cu_device *d)
{
    return (CUdevice)(d - cu_state.devices);
}

/* --- questions --- */

static CUresult desc_of(CUdevice n, const void *out, const struct vgpu_desc **d)
{
    struct cu_device *dev;
    CUresult r = cu_device_get(n, &dev);
    if (r == CUDA_SUCCESS) {
        *d = dev->desc;
        return out != NULL ? CUDA_SUCCESS : CUDA_ERROR_INVALID_VALUE;
    }
    return r;
}

static CUresult get_count(int *count)
{
    if (count == NULL) {
        return CUDA_ERROR_INVALID_VALUE;
    }
    *count = cu_state.ndevices;
    return CUDA_SUCCESS;
}

static CUresult get_device(CUdevice *out, int ordinal)
{
    const struct vgpu_desc *d;
    CUresult r = desc_of(ordinal, out, &d);
    if (r == CUDA_SUCCESS) {
        *out = ordinal;
    }
    return r;
}

static CUresult get_name(char *name, int len, CUdevice n)
{
    const struct vgpu_desc *d;
    CUresult r = desc_of(n, name, &d);
    if (r == CUDA_SUCCESS && len > 0) {
        snprintf(name, (size_t)len, "%s", d->name);
    }
    return r == CUDA_SUCCESS && len <= 0 ? CUDA_ERROR_INVALID_VALUE : r;
}

static CUresult get_uuid(CUuuid *out, CUdevice n)
{
    const struct vgpu_desc *d;
    CUresult r = desc_of(n, out, &d);
    if (r == CUDA_SUCCESS) {
        uuid_of(d, (unsigned char *)out->bytes);
    }
    return r;
}

static CUresult total_mem(size_t *bytes, CUdevice n)
{
    const struct vgpu_desc *d;
    CUresult r = desc_of(n, bytes, &d);
    if (r == CUDA_SUCCESS) {
        *bytes = d->memory_bytes;
    }
    return r;
}

static CUresult get_attribute(int *value, CUdevice_attribute a, CUdevice n)
{
    const struct vgpu_desc *d;
    CUresult r = desc_of(n, value, &d);
    return r == CUDA_SUCCESS ? attribute(d, a, value) : r;
}

static CUresult get_properties(CUdevprop *p, CUdevice n)
{
    const struct vgpu_desc *d;
    CUresult r = desc_of(n, p, &d);
    if (r != CUDA_SUCCESS) {
        return r;
    }
    *p = (CUdevprop){
        .maxThreadsPerBlock = (int)d->max_threads_per_block,
        .sharedMemPerBlock = (int)d->shared_per_block,
        .totalConstantMemory = 65536,
        .SIMDWidth = 32,
        .memPitch = INT32_MAX,
        .regsPerBlock = (int)d->regs_per_block,
        .clockRate = (int)d->clock_khz,
        .textureAlign = 512,
    };
    for (int k = 0; k < 3; k++) {
        p->maxThreadsDim[k] = (int)d->max_block[k];
        p->maxGridSize[k] = (int)d->max_grid[k];
    }
    return CUDA_SUCCESS;
}

static CUresult compute_capability(int *major, int *minor, CUdevice n)
{
    const struct vgpu_desc *d;
    CUresult r = desc_of(n, major, &d);
    if (r != CUDA_SUCCESS || minor == NULL) {
        return r != CUDA_SUCCESS ? r : CUDA_ERROR_INVALID_VALUE;
    }
    *major = (int)d->cc_major;
    *minor = (int)d->cc_minor;
    return CUDA_SUCCESS;
}

/* The bus id agrees with the attributes PCI_DOMAIN_ID, PCI_BUS_ID and PCI_DEVICE_ID. */
static const char pci_bus_id[] = "0000:03:00.0";

static CUresult get_pci(char *out, int len, CUdevice n)
{
    const struct vgpu_desc *d;
    CUresult r = desc_of(n, out, &d);
    if (r == CUDA_SUCCESS && len < (int)sizeof(pci_bus_id)) {
        return CUDA_ERROR_INVALID_VALUE;
    }
    if (r == CUDA_SUCCESS) {
        memcpy(out, pci_bus_id, sizeof(pci_bus_id));
    }
    return r;
}

static CUresult by_pci(CUdevice *out, const char *id)
{
    unsigned domain, bus, device;
    if (out == NULL || id == NULL || sscanf(id, "%x:%x:%x", &domain, &bus, &device) != 3) {
        return CUDA_ERROR_INVALID_VALUE;
    }
    if (cu_state.ndevices == 0 || domain != 0 || bus != 3 || device != 0) {
        return CUDA_ERROR_INVALID_DEVICE;
    }
    *out = 0;
    return CUDA_SUCCESS;
}

static CUresult can_access_peer(int *can, CUdevice a, CUdevice b)
{
    const struct vgpu_desc *d;
    CUresult r = desc_of(a, can, &d);
    r = r == CUDA_SUCCESS ? desc_of(b, can, &d) : r;
    if (r == CUDA_SUCCESS) {
        *can = 0;
    }
    return r;
}

static CUresult p2p(int *value, CUdevice_P2PAttribute a, CUdevice from, CUdevice to)
{
    if (from == to || a < CU_DEVICE_P2P_ATTRIBUTE_PERFORMANCE_RANK) {
        return CUDA_ERROR_INVALID_DEVICE;
    }
    return can_access_peer(value, from, to);
}

static CUresult exec_affinity(int *value, CUdevice n)
{
    const struct vgpu_desc *d;
    CUresult r = desc_of(n, value, &d);
    if (r == CUDA_SUCCESS) {
        *value = 0;
    }
    return r;
}

static CUresult version(int *out)
{
    if (out == NULL) {
        return CUDA_ERROR_INVALID_VALUE;
    }
    *out = CU_VERSION;
    return CUDA_SUCCESS;
}

CU_API(cuInit, (unsigned flags), CU_NEED_NOTHING, init(flags));
CU_API(cuDriverGetVersion, (int *out), CU_NEED_NOTHING, version(out));
CU_API(cuDeviceGetCount, (int *count), CU_NEED_INIT, get_count(count));
CU_API(cuDeviceGet, (CUdevice * out, int n), CU_NEED_INIT, get_device(out, n));
CU_API(cuDeviceGetName, (char *name, int len, CUdevice n), CU_NEED_INIT, get_name(name, len, n));
CU_API(cuDeviceGetUuid_v2, (CUuuid * out, CUdevice n), CU_NEED_INIT, get_uuid(out, n));
CU_ALSO(cuDeviceGetUuid, cuDeviceGetUuid_v2);
CU_API(cuDeviceTotalMem_v2, (size_t * bytes, CUdevice n), CU_NEED_INIT, total_mem(bytes, n));
CU_ALSO(cuDeviceTotalMem, cuDeviceTotalMem_v2);
CU_API(cuDeviceGetAttribute, (int *value, CUdevice_attribute a, CUdevice n), CU_NEED_INIT,
       get_attribute(value, a, n));
CU_API(cuDeviceGetProperties, (CUdevprop * p, CUdevice n), CU_NEED_INIT, get_properties(p, n));
CU_API(cuDeviceComputeCapability, (int *major, int *minor, CUdevice n), CU_NEED_INIT,
       compute_capability(major, minor, n));
CU_API(cuDeviceGetPCIBusId, (char *out, int len, CUdevice n), CU_NEED_INIT, get_pci(out, len, n));
CU_API(cuDeviceGetByPCIBusId, (CUdevice * out, const char *id), CU_NEED_INIT, by_pci(out, id));
CU_API(cuDeviceCanAccessPeer, (int *can, CUdevice a, CUdevice b), CU_NEED_INIT,
       can_access_peer(can, a, b));
CU_API(cuDeviceGetP2PAttribute, (int *value, CUdevice_P2PAttribute a, CUdevice from, CUdevice to),
       CU_NEED_INIT, p2p(value, a, from, to));
CU_API(cuDeviceGetExecAffinitySupport, (int *value, CUexecAffinityType type, CUdevice n),
       CU_NEED_INIT, ((void)type, exec_affinity(value, n)));
CU_API(cuProfilerStart, (void), CU_NEED_CONTEXT, CUDA_SUCCESS);
CU_API(cuProfilerStop, (void), CU_NEED_CONTEXT, CUDA_SUCCESS);
