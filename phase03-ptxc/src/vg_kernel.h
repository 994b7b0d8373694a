/* Building a kernel: which functions it can reach, their code, its shared and local memory. Private
 * to the executor. */
#ifndef VG_KERNEL_H
#define VG_KERNEL_H

#include "vg_launch.h"

/* Build the kernel of function `index`. What is wrong with it goes to k->error. */
void vg_kernel_build(struct vgpu_module *m, struct vgpu_kernel *k, uint32_t index);
void vg_kernel_fini(struct vgpu_kernel *k);

void vg_symbols_sort(struct vg_symbol *s, uint32_t n);
const struct vg_symbol *vg_symbols_find(const struct vg_symbol *s, uint32_t n,
                                        const struct ptx_var *var);
uint64_t vg_func_address(const struct vgpu_module *m, uint32_t index);
uint32_t vg_func_index(const struct vgpu_module *m, const struct ptx_func *f);
/* Unload what is still loaded: the device closes. The lock is not taken. */
void vg_module_drop_all(struct vgpu *g);

#endif
