/* Every word PTX instructions are spelled with, opcodes and modifiers alike, as one enum. */
#ifndef PTX_WORDS_H
#define PTX_WORDS_H

#include <stddef.h>

/* clang-format off */
#define PTX_WORDS(X) \
    X(none) X(abs) X(activemask) X(add) X(addc) X(alloca) X(and) X(applypriority) X(atom) X(bar) X(barrier) \
    X(bfe) X(bfi) X(bfind) X(bmsk) X(bra) X(brev) X(brkpt) X(brx) X(call) X(clz) X(cnot) X(copysign) \
    X(cos) X(cp) X(createpolicy) X(cvt) X(cvta) X(discard) X(div) X(dp2a) X(dp4a) X(elect) X(ex2) \
    X(exit) X(fence) X(fma) X(fns) X(griddepcontrol) X(isspacep) X(istypep) X(ld) X(ldmatrix) X(ldu) \
    X(lg2) X(lop3) X(mad) X(mad24) X(madc) X(match) X(max) X(mbarrier) X(membar) X(min) X(mma) X(mov) \
    X(movmatrix) X(mul) X(mul24) X(nanosleep) X(neg) X(not) X(or) X(pmevent) X(popc) X(prefetch) \
    X(prefetchu) X(prmt) X(rcp) X(red) X(redux) X(rem) X(ret) X(rsqrt) X(sad) X(selp) X(set) X(setp) \
    X(shf) X(shfl) X(shl) X(shr) X(sin) X(slct) X(sqrt) X(st) X(stmatrix) X(sub) X(subc) X(suld) \
    X(suq) X(sust) X(szext) X(tanh) X(testp) X(tex) X(trap) X(txq) X(vote) X(wmma) X(xor) \
    X(pred) X(b1) X(b8) X(b16) X(b32) X(b64) X(b128) X(u4) X(u8) X(u16) X(u32) X(u64) X(s4) X(s8) \
    X(s16) X(s32) X(s64) X(f16) X(f16x2) X(bf16) X(bf16x2) X(tf32) X(f32) X(f64) X(u16x2) X(s16x2) \
    X(e4m3x2) X(e5m2x2) X(rn) X(rz) X(rm) X(rp) X(rna) X(rni) X(rzi) X(rmi) X(rpi) X(ftz) X(sat) X(satfinite) \
    X(approx) X(full) X(relu) X(NaN) X(noftz) X(xorsign) X(lo) X(hi) X(wide) X(cc) \
    X(eq) X(ne) X(lt) X(le) X(gt) X(ge) X(ls) X(hs) X(equ) X(neu) X(ltu) X(leu) X(gtu) X(geu) X(num) X(nan) \
    X(global) X(shared) X(local) X(const) X(param) X(cta) X(cluster) X(gpu) X(sys) X(gl) X(to) \
    X(volatile) X(relaxed) X(acquire) X(release) X(acq_rel) X(sc) X(weak) X(mmio) X(unified) \
    X(nc) X(ca) X(cg) X(cs) X(cv) X(lu) X(wb) X(wt) X(L1) X(L2) X(evict_last) X(evict_normal) X(evict_first) X(evict_unchanged) \
    X(no_allocate) X(L2_64B) X(L2_128B) X(L2_256B) X(level) X(cache_hint) X(v2) X(v4) X(v8) X(ptr) X(entry) X(proxy) X(alias) X(async) \
    X(exch) X(cas) X(inc) X(dec) X(uni) X(sync) X(arrive) X(warp) X(aligned) X(all) X(any) X(ballot) \
    X(up) X(down) X(bfly) X(idx) X(wrap) X(clamp) X(l) X(r) X(shiftamt) X(f4e) X(b4e) X(rc8) X(ecl) X(ecr) X(rc16) \
    X(finite) X(infinite) X(number) X(notanumber) X(normal) X(subnormal) X(surfref) X(texref) X(samplerref) \
    X(commit_group) X(wait_group) X(wait_all) X(bulk) X(noinc) X(load) X(store) X(a) X(b) X(c) X(d) X(row) X(col) X(trans) X(num_) \
    X(m8n8) X(m8n8k4) X(m8n8k16) X(m8n8k32) X(m8n8k128) X(m16n8k4) X(m16n8k8) X(m16n8k16) X(m16n8k32) X(m16n16k16) X(m32n8k16) X(m8n32k16) X(m16n16k8) \
    X(x1) X(x2) X(x4) X(popc_)
/* clang-format on */

#define PTX_WORD_ENUM(w) PTX_W_##w,
enum ptx_word { PTX_WORDS(PTX_WORD_ENUM) PTX_WORD_COUNT };
#undef PTX_WORD_ENUM

const char *ptx_word_text(enum ptx_word w);
/* The word spelled by these bytes, or PTX_W_none when PTX has no such word. */
enum ptx_word ptx_word_find(const char *s, size_t len);

#endif
