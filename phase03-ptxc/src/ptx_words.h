/* Every word PTX instructions are spelled with, opcodes and modifiers alike, as one enum.
 *
 * Source of the vocabulary: NVIDIA's "Parallel Thread Execution ISA" 9.0, chapter 9. A word is what
 * stands between two dots: "shared::cta" and "mbarrier::complete_tx::bytes" are one word each, with
 * "::" written "_" in the identifier (PTX_W_shared_cta). A word that is an opcode and a modifier as
 * well (add in atom.add) stands among the opcodes.
 */
#ifndef PTX_WORDS_H
#define PTX_WORDS_H

#include <stdbool.h>
#include <stddef.h>

/* Both lists are in the byte order of the texts: ptx_word_find searches them by halving. */
/* clang-format off */
/* What an instruction begins with. */
#define PTX_OPCODES(X) \
    X(abs, "abs") X(activemask, "activemask") X(add, "add") X(addc, "addc") \
    X(alloca, "alloca") X(and, "and") X(applypriority, "applypriority") X(atom, "atom") \
    X(bar, "bar") X(barrier, "barrier") X(bfe, "bfe") X(bfi, "bfi") X(bfind, "bfind") \
    X(bmsk, "bmsk") X(bra, "bra") X(brev, "brev") X(brkpt, "brkpt") X(brx, "brx") \
    X(call, "call") X(clusterlaunchcontrol, "clusterlaunchcontrol") X(clz, "clz") \
    X(cnot, "cnot") X(copysign, "copysign") X(cos, "cos") X(cp, "cp") \
    X(createpolicy, "createpolicy") X(cvt, "cvt") X(cvta, "cvta") X(discard, "discard") \
    X(div, "div") X(dp2a, "dp2a") X(dp4a, "dp4a") X(elect, "elect") X(ex2, "ex2") \
    X(exit, "exit") X(fence, "fence") X(fma, "fma") X(fns, "fns") X(getctarank, "getctarank") \
    X(griddepcontrol, "griddepcontrol") X(isspacep, "isspacep") X(istypep, "istypep") \
    X(ld, "ld") X(ldmatrix, "ldmatrix") X(ldu, "ldu") X(lg2, "lg2") X(lop3, "lop3") \
    X(mad, "mad") X(mad24, "mad24") X(madc, "madc") X(mapa, "mapa") X(match, "match") \
    X(max, "max") X(mbarrier, "mbarrier") X(membar, "membar") X(min, "min") X(mma, "mma") \
    X(mov, "mov") X(movmatrix, "movmatrix") X(mul, "mul") X(mul24, "mul24") \
    X(multimem, "multimem") X(nanosleep, "nanosleep") X(neg, "neg") X(not, "not") X(or, "or") \
    X(pmevent, "pmevent") X(popc, "popc") X(prefetch, "prefetch") X(prefetchu, "prefetchu") \
    X(prmt, "prmt") X(rcp, "rcp") X(red, "red") X(redux, "redux") X(rem, "rem") X(ret, "ret") \
    X(rsqrt, "rsqrt") X(sad, "sad") X(selp, "selp") X(set, "set") X(setmaxnreg, "setmaxnreg") \
    X(setp, "setp") X(shf, "shf") X(shfl, "shfl") X(shl, "shl") X(shr, "shr") X(sin, "sin") \
    X(slct, "slct") X(sqrt, "sqrt") X(st, "st") X(stackrestore, "stackrestore") \
    X(stacksave, "stacksave") X(stmatrix, "stmatrix") X(sub, "sub") X(subc, "subc") \
    X(suld, "suld") X(suq, "suq") X(sured, "sured") X(sust, "sust") X(szext, "szext") \
    X(tanh, "tanh") X(tcgen05, "tcgen05") X(tensormap, "tensormap") X(testp, "testp") \
    X(tex, "tex") X(tld4, "tld4") X(trap, "trap") X(txq, "txq") X(vabsdiff, "vabsdiff") \
    X(vabsdiff2, "vabsdiff2") X(vabsdiff4, "vabsdiff4") X(vadd, "vadd") X(vadd2, "vadd2") \
    X(vadd4, "vadd4") X(vavrg2, "vavrg2") X(vavrg4, "vavrg4") X(vmad, "vmad") X(vmax, "vmax") \
    X(vmax2, "vmax2") X(vmax4, "vmax4") X(vmin, "vmin") X(vmin2, "vmin2") X(vmin4, "vmin4") \
    X(vote, "vote") X(vset, "vset") X(vset2, "vset2") X(vset4, "vset4") X(vshl, "vshl") \
    X(vshr, "vshr") X(vsub, "vsub") X(vsub2, "vsub2") X(vsub4, "vsub4") X(wgmma, "wgmma") \
    X(wmma, "wmma") X(xor, "xor")

/* What may follow a dot. */
#define PTX_MODIFIERS(X) \
    X(128x128b, "128x128b") X(128x256b, "128x256b") X(16x128b, "16x128b") \
    X(16x256b, "16x256b") X(16x32bx2, "16x32bx2") X(16x64b, "16x64b") X(1d, "1d") X(2d, "2d") \
    X(2dms, "2dms") X(32x128b, "32x128b") X(32x32b, "32x32b") X(3d, "3d") X(4d, "4d") \
    X(4x256b, "4x256b") X(5d, "5d") X(64x128b, "64x128b") X(L1, "L1") \
    X(L1_evict_first, "L1::evict_first") X(L1_evict_last, "L1::evict_last") \
    X(L1_evict_normal, "L1::evict_normal") X(L1_evict_unchanged, "L1::evict_unchanged") \
    X(L1_no_allocate, "L1::no_allocate") X(L2, "L2") X(L2_128B, "L2::128B") \
    X(L2_256B, "L2::256B") X(L2_64B, "L2::64B") X(L2_cache_hint, "L2::cache_hint") \
    X(L2_evict_first, "L2::evict_first") X(L2_evict_last, "L2::evict_last") \
    X(L2_evict_normal, "L2::evict_normal") X(L2_evict_unchanged, "L2::evict_unchanged") \
    X(NaN, "NaN") X(a, "a") X(a1d, "a1d") X(a2d, "a2d") X(a2dms, "a2dms") \
    X(acc_f16, "acc::f16") X(acc_f32, "acc::f32") X(acq_rel, "acq_rel") X(acquire, "acquire") \
    X(acube, "acube") X(addr_mode_0, "addr_mode_0") X(addr_mode_1, "addr_mode_1") \
    X(addr_mode_2, "addr_mode_2") X(alias, "alias") X(aligned, "aligned") X(all, "all") \
    X(alloc, "alloc") X(any, "any") X(approx, "approx") X(array_size, "array_size") \
    X(arrive, "arrive") X(arrive_drop, "arrive_drop") X(ashift, "ashift") X(async, "async") \
    X(async_generic, "async::generic") X(b, "b") X(b1, "b1") X(b1024, "b1024") X(b128, "b128") \
    X(b16, "b16") X(b32, "b32") X(b4e, "b4e") X(b4x16_p64, "b4x16_p64") X(b64, "b64") \
    X(b6x16_p32, "b6x16_p32") X(b8, "b8") X(b8x16, "b8x16") X(ballot, "ballot") \
    X(base, "base") X(bf16, "bf16") X(bf16x2, "bf16x2") X(bfly, "bfly") X(block16, "block16") \
    X(block32, "block32") X(block_scale, "block_scale") X(box_dim, "box_dim") X(bulk, "bulk") \
    X(bulk_group, "bulk_group") X(c, "c") X(ca, "ca") X(cas, "cas") X(cc, "cc") X(cg, "cg") \
    X(channel_data_type, "channel_data_type") X(channel_order, "channel_order") \
    X(clamp, "clamp") X(cluster, "cluster") X(col, "col") \
    X(collector_a_discard, "collector::a::discard") X(collector_a_fill, "collector::a::fill") \
    X(collector_a_lastuse, "collector::a::lastuse") X(collector_a_use, "collector::a::use") \
    X(collector_b0_discard, "collector::b0::discard") \
    X(collector_b0_fill, "collector::b0::fill") \
    X(collector_b0_lastuse, "collector::b0::lastuse") \
    X(collector_b0_use, "collector::b0::use") \
    X(collector_b1_discard, "collector::b1::discard") \
    X(collector_b1_fill, "collector::b1::fill") \
    X(collector_b1_lastuse, "collector::b1::lastuse") \
    X(collector_b1_use, "collector::b1::use") \
    X(collector_b2_discard, "collector::b2::discard") \
    X(collector_b2_fill, "collector::b2::fill") \
    X(collector_b2_lastuse, "collector::b2::lastuse") \
    X(collector_b2_use, "collector::b2::use") \
    X(collector_b3_discard, "collector::b3::discard") \
    X(collector_b3_fill, "collector::b3::fill") \
    X(collector_b3_lastuse, "collector::b3::lastuse") \
    X(collector_b3_use, "collector::b3::use") X(commit, "commit") \
    X(commit_group, "commit_group") X(complete_tx, "complete_tx") X(const, "const") \
    X(cp_fenceproxy, "cp_fenceproxy") X(cp_mask, "cp_mask") X(cs, "cs") X(cta, "cta") \
    X(cta_group_1, "cta_group::1") X(cta_group_2, "cta_group::2") X(cube, "cube") X(cv, "cv") \
    X(d, "d") X(dealloc, "dealloc") X(dec, "dec") X(depth, "depth") X(down, "down") \
    X(e2m1, "e2m1") X(e2m1x2, "e2m1x2") X(e2m1x4, "e2m1x4") X(e2m3, "e2m3") \
    X(e2m3x2, "e2m3x2") X(e2m3x4, "e2m3x4") X(e3m2, "e3m2") X(e3m2x2, "e3m2x2") \
    X(e3m2x4, "e3m2x4") X(e4m3, "e4m3") X(e4m3x2, "e4m3x2") X(e4m3x4, "e4m3x4") \
    X(e5m2, "e5m2") X(e5m2x2, "e5m2x2") X(e5m2x4, "e5m2x4") X(ecl, "ecl") X(ecr, "ecr") \
    X(element_stride, "element_stride") X(elemtype, "elemtype") X(eq, "eq") X(equ, "equ") \
    X(evict_first, "evict_first") X(evict_last, "evict_last") X(evict_normal, "evict_normal") \
    X(exch, "exch") X(expect_tx, "expect_tx") X(f16, "f16") X(f16x2, "f16x2") X(f32, "f32") \
    X(f32x2, "f32x2") X(f4e, "f4e") X(f64, "f64") \
    X(fence_after_thread_sync, "fence::after_thread_sync") \
    X(fence_before_thread_sync, "fence::before_thread_sync") X(fill_mode, "fill_mode") \
    X(filter_mode, "filter_mode") X(finite, "finite") \
    X(force_unnormalized_coords, "force_unnormalized_coords") X(fractional, "fractional") \
    X(ftz, "ftz") X(full, "full") X(ge, "ge") X(get_first_ctaid, "get_first_ctaid") \
    X(get_first_ctaid_x, "get_first_ctaid::x") X(get_first_ctaid_y, "get_first_ctaid::y") \
    X(get_first_ctaid_z, "get_first_ctaid::z") X(geu, "geu") X(gl, "gl") X(global, "global") \
    X(global_address, "global_address") X(global_dim, "global_dim") \
    X(global_stride, "global_stride") X(gpu, "gpu") X(grad, "grad") X(gt, "gt") X(gtu, "gtu") \
    X(height, "height") X(hi, "hi") X(hs, "hs") X(idx, "idx") X(ignore_oob, "ignore_oob") \
    X(im2col, "im2col") X(im2col_w, "im2col::w") X(im2col_w_128, "im2col::w::128") \
    X(im2col_no_offs, "im2col_no_offs") X(inc, "inc") X(infinite, "infinite") X(init, "init") \
    X(interleave_layout, "interleave_layout") X(inval, "inval") X(is_canceled, "is_canceled") \
    X(kind_f16, "kind::f16") X(kind_f8f6f4, "kind::f8f6f4") X(kind_i8, "kind::i8") \
    X(kind_mxf4, "kind::mxf4") X(kind_mxf4nvf4, "kind::mxf4nvf4") \
    X(kind_mxf8f6f4, "kind::mxf8f6f4") X(kind_tf32, "kind::tf32") X(l, "l") \
    X(launch_dependents, "launch_dependents") X(ld_reduce, "ld_reduce") X(le, "le") \
    X(leu, "leu") X(level, "level") X(lo, "lo") X(load, "load") X(local, "local") X(ls, "ls") \
    X(lt, "lt") X(ltu, "ltu") X(lu, "lu") X(m16n16, "m16n16") X(m16n16k16, "m16n16k16") \
    X(m16n16k8, "m16n16k8") X(m16n8k128, "m16n8k128") X(m16n8k16, "m16n8k16") \
    X(m16n8k256, "m16n8k256") X(m16n8k32, "m16n8k32") X(m16n8k4, "m16n8k4") \
    X(m16n8k64, "m16n8k64") X(m16n8k8, "m16n8k8") X(m32n8k16, "m32n8k16") \
    X(m64n104k16, "m64n104k16") X(m64n104k256, "m64n104k256") X(m64n104k32, "m64n104k32") \
    X(m64n104k64, "m64n104k64") X(m64n104k8, "m64n104k8") X(m64n112k16, "m64n112k16") \
    X(m64n112k256, "m64n112k256") X(m64n112k32, "m64n112k32") X(m64n112k64, "m64n112k64") \
    X(m64n112k8, "m64n112k8") X(m64n120k16, "m64n120k16") X(m64n120k256, "m64n120k256") \
    X(m64n120k32, "m64n120k32") X(m64n120k64, "m64n120k64") X(m64n120k8, "m64n120k8") \
    X(m64n128k16, "m64n128k16") X(m64n128k256, "m64n128k256") X(m64n128k32, "m64n128k32") \
    X(m64n128k64, "m64n128k64") X(m64n128k8, "m64n128k8") X(m64n136k16, "m64n136k16") \
    X(m64n136k256, "m64n136k256") X(m64n136k32, "m64n136k32") X(m64n136k64, "m64n136k64") \
    X(m64n136k8, "m64n136k8") X(m64n144k16, "m64n144k16") X(m64n144k256, "m64n144k256") \
    X(m64n144k32, "m64n144k32") X(m64n144k64, "m64n144k64") X(m64n144k8, "m64n144k8") \
    X(m64n152k16, "m64n152k16") X(m64n152k256, "m64n152k256") X(m64n152k32, "m64n152k32") \
    X(m64n152k64, "m64n152k64") X(m64n152k8, "m64n152k8") X(m64n160k16, "m64n160k16") \
    X(m64n160k256, "m64n160k256") X(m64n160k32, "m64n160k32") X(m64n160k64, "m64n160k64") \
    X(m64n160k8, "m64n160k8") X(m64n168k16, "m64n168k16") X(m64n168k256, "m64n168k256") \
    X(m64n168k32, "m64n168k32") X(m64n168k64, "m64n168k64") X(m64n168k8, "m64n168k8") \
    X(m64n16k16, "m64n16k16") X(m64n16k256, "m64n16k256") X(m64n16k32, "m64n16k32") \
    X(m64n16k64, "m64n16k64") X(m64n16k8, "m64n16k8") X(m64n176k16, "m64n176k16") \
    X(m64n176k256, "m64n176k256") X(m64n176k32, "m64n176k32") X(m64n176k64, "m64n176k64") \
    X(m64n176k8, "m64n176k8") X(m64n184k16, "m64n184k16") X(m64n184k256, "m64n184k256") \
    X(m64n184k32, "m64n184k32") X(m64n184k64, "m64n184k64") X(m64n184k8, "m64n184k8") \
    X(m64n192k16, "m64n192k16") X(m64n192k256, "m64n192k256") X(m64n192k32, "m64n192k32") \
    X(m64n192k64, "m64n192k64") X(m64n192k8, "m64n192k8") X(m64n200k16, "m64n200k16") \
    X(m64n200k256, "m64n200k256") X(m64n200k32, "m64n200k32") X(m64n200k64, "m64n200k64") \
    X(m64n200k8, "m64n200k8") X(m64n208k16, "m64n208k16") X(m64n208k256, "m64n208k256") \
    X(m64n208k32, "m64n208k32") X(m64n208k64, "m64n208k64") X(m64n208k8, "m64n208k8") \
    X(m64n216k16, "m64n216k16") X(m64n216k256, "m64n216k256") X(m64n216k32, "m64n216k32") \
    X(m64n216k64, "m64n216k64") X(m64n216k8, "m64n216k8") X(m64n224k16, "m64n224k16") \
    X(m64n224k256, "m64n224k256") X(m64n224k32, "m64n224k32") X(m64n224k64, "m64n224k64") \
    X(m64n224k8, "m64n224k8") X(m64n232k16, "m64n232k16") X(m64n232k256, "m64n232k256") \
    X(m64n232k32, "m64n232k32") X(m64n232k64, "m64n232k64") X(m64n232k8, "m64n232k8") \
    X(m64n240k16, "m64n240k16") X(m64n240k256, "m64n240k256") X(m64n240k32, "m64n240k32") \
    X(m64n240k64, "m64n240k64") X(m64n240k8, "m64n240k8") X(m64n248k16, "m64n248k16") \
    X(m64n248k256, "m64n248k256") X(m64n248k32, "m64n248k32") X(m64n248k64, "m64n248k64") \
    X(m64n248k8, "m64n248k8") X(m64n24k16, "m64n24k16") X(m64n24k256, "m64n24k256") \
    X(m64n24k32, "m64n24k32") X(m64n24k64, "m64n24k64") X(m64n24k8, "m64n24k8") \
    X(m64n256k16, "m64n256k16") X(m64n256k256, "m64n256k256") X(m64n256k32, "m64n256k32") \
    X(m64n256k64, "m64n256k64") X(m64n256k8, "m64n256k8") X(m64n32k16, "m64n32k16") \
    X(m64n32k256, "m64n32k256") X(m64n32k32, "m64n32k32") X(m64n32k64, "m64n32k64") \
    X(m64n32k8, "m64n32k8") X(m64n40k16, "m64n40k16") X(m64n40k256, "m64n40k256") \
    X(m64n40k32, "m64n40k32") X(m64n40k64, "m64n40k64") X(m64n40k8, "m64n40k8") \
    X(m64n48k16, "m64n48k16") X(m64n48k256, "m64n48k256") X(m64n48k32, "m64n48k32") \
    X(m64n48k64, "m64n48k64") X(m64n48k8, "m64n48k8") X(m64n56k16, "m64n56k16") \
    X(m64n56k256, "m64n56k256") X(m64n56k32, "m64n56k32") X(m64n56k64, "m64n56k64") \
    X(m64n56k8, "m64n56k8") X(m64n64k16, "m64n64k16") X(m64n64k256, "m64n64k256") \
    X(m64n64k32, "m64n64k32") X(m64n64k64, "m64n64k64") X(m64n64k8, "m64n64k8") \
    X(m64n72k16, "m64n72k16") X(m64n72k256, "m64n72k256") X(m64n72k32, "m64n72k32") \
    X(m64n72k64, "m64n72k64") X(m64n72k8, "m64n72k8") X(m64n80k16, "m64n80k16") \
    X(m64n80k256, "m64n80k256") X(m64n80k32, "m64n80k32") X(m64n80k64, "m64n80k64") \
    X(m64n80k8, "m64n80k8") X(m64n88k16, "m64n88k16") X(m64n88k256, "m64n88k256") \
    X(m64n88k32, "m64n88k32") X(m64n88k64, "m64n88k64") X(m64n88k8, "m64n88k8") \
    X(m64n8k16, "m64n8k16") X(m64n8k256, "m64n8k256") X(m64n8k32, "m64n8k32") \
    X(m64n8k64, "m64n8k64") X(m64n8k8, "m64n8k8") X(m64n96k16, "m64n96k16") \
    X(m64n96k256, "m64n96k256") X(m64n96k32, "m64n96k32") X(m64n96k64, "m64n96k64") \
    X(m64n96k8, "m64n96k8") X(m8n16, "m8n16") X(m8n32k16, "m8n32k16") X(m8n8, "m8n8") \
    X(m8n8k128, "m8n8k128") X(m8n8k16, "m8n8k16") X(m8n8k32, "m8n8k32") X(m8n8k4, "m8n8k4") \
    X(mask, "mask") X(mbarrier_arrive_one, "mbarrier::arrive::one") \
    X(mbarrier_complete_tx_bytes, "mbarrier::complete_tx::bytes") \
    X(mbarrier_init, "mbarrier_init") X(memory_layout, "memory_layout") \
    X(mma_async, "mma_async") X(mmio, "mmio") X(multicast_cluster, "multicast::cluster") \
    X(multicast_cluster_all, "multicast::cluster::all") X(nan, "nan") X(nc, "nc") X(ne, "ne") \
    X(neu, "neu") X(noComplete, "noComplete") X(noftz, "noftz") X(noinc, "noinc") \
    X(normal, "normal") X(normalized_coords, "normalized_coords") X(notanumber, "notanumber") \
    X(num, "num") X(num_mip_levels, "num_mip_levels") X(num_samples, "num_samples") \
    X(number, "number") X(oob, "oob") X(ordered_metadata, "ordered_metadata") X(p, "p") \
    X(pack, "pack") X(pack_16b, "pack::16b") X(param, "param") X(param_entry, "param::entry") \
    X(param_func, "param::func") X(parity, "parity") X(pending_count, "pending_count") \
    X(po, "po") X(pred, "pred") X(proxy, "proxy") X(query_cancel, "query_cancel") X(r, "r") \
    X(range, "range") X(rank, "rank") X(rc16, "rc16") X(rc8, "rc8") X(read, "read") \
    X(reduce, "reduce") X(reg, "reg") X(relaxed, "relaxed") X(release, "release") \
    X(relinquish_alloc_permit, "relinquish_alloc_permit") X(relu, "relu") \
    X(replace, "replace") X(rm, "rm") X(rmi, "rmi") X(rn, "rn") X(rna, "rna") X(rni, "rni") \
    X(row, "row") X(rp, "rp") X(rpi, "rpi") X(rs, "rs") X(rz, "rz") X(rzi, "rzi") \
    X(s16, "s16") X(s16x2, "s16x2") X(s32, "s32") X(s4, "s4") X(s64, "s64") X(s8, "s8") \
    X(s8x4, "s8x4") X(samplerref, "samplerref") X(sat, "sat") X(satfinite, "satfinite") \
    X(sc, "sc") X(scale_vec_1X, "scale_vec::1X") X(scale_vec_2X, "scale_vec::2X") \
    X(scale_vec_4X, "scale_vec::4X") X(shared, "shared") X(shared_cluster, "shared::cluster") \
    X(shared_cta, "shared::cta") X(shift, "shift") X(shiftamt, "shiftamt") X(shr15, "shr15") \
    X(shr7, "shr7") X(sp, "sp") X(sp_ordered_metadata, "sp::ordered_metadata") \
    X(store, "store") X(subnormal, "subnormal") X(surfref, "surfref") \
    X(swizzle_atomicity, "swizzle_atomicity") X(swizzle_mode, "swizzle_mode") X(sync, "sync") \
    X(sync_restrict_shared_cluster, "sync_restrict::shared::cluster") \
    X(sync_restrict_shared_cta, "sync_restrict::shared::cta") X(sys, "sys") \
    X(tensor, "tensor") X(tensormap_generic, "tensormap::generic") X(test_wait, "test_wait") \
    X(texref, "texref") X(tf32, "tf32") X(tile, "tile") X(tile_gather4, "tile::gather4") \
    X(tile_scatter4, "tile::scatter4") X(to, "to") X(trans, "trans") \
    X(try_cancel, "try_cancel") X(try_wait, "try_wait") X(u16, "u16") X(u16x2, "u16x2") \
    X(u32, "u32") X(u4, "u4") X(u64, "u64") X(u8, "u8") X(u8x4, "u8x4") X(ue4m3, "ue4m3") \
    X(ue4m3x2, "ue4m3x2") X(ue8m0, "ue8m0") X(ue8m0x2, "ue8m0x2") X(uni, "uni") \
    X(unified, "unified") X(unpack_16b, "unpack::16b") X(up, "up") X(v2, "v2") X(v4, "v4") \
    X(v8, "v8") X(volatile, "volatile") X(wait, "wait") X(wait_ld, "wait::ld") \
    X(wait_st, "wait::st") X(wait_all, "wait_all") X(wait_group, "wait_group") X(warp, "warp") \
    X(warpx2_01_23, "warpx2::01_23") X(warpx2_02_13, "warpx2::02_13") X(warpx4, "warpx4") \
    X(wb, "wb") X(weak, "weak") X(wide, "wide") X(width, "width") X(wrap, "wrap") X(ws, "ws") \
    X(wt, "wt") X(x1, "x1") X(x128, "x128") X(x16, "x16") X(x2, "x2") X(x32, "x32") \
    X(x4, "x4") X(x64, "x64") X(x8, "x8") X(xorsign, "xorsign") X(zero, "zero")
/* clang-format on */

#define PTX_WORDS(X) X(none, "") PTX_OPCODES(X) PTX_MODIFIERS(X)

#define PTX_WORD_ENUM(id, text) PTX_W_##id,
enum ptx_word { PTX_WORDS(PTX_WORD_ENUM) PTX_WORD_COUNT };
#undef PTX_WORD_ENUM

/* "shared::cta"; "" for PTX_W_none. */
const char *ptx_word_text(enum ptx_word w);
/* The word spelled by these bytes, or PTX_W_none when PTX has no such word. */
enum ptx_word ptx_word_find(const char *s, size_t len);
/* May an instruction begin with it? */
bool ptx_word_is_opcode(enum ptx_word w);
/* The word (an opcode when `opcode`) that needs the fewest edits to become these bytes; PTX_W_none
 * when none is near enough to be meant. */
enum ptx_word ptx_word_nearest(const char *s, size_t len, bool opcode);

#endif
