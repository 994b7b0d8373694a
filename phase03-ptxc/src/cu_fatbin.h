/* NVIDIA's fat binaries: PTX texts and machine code for several architectures in one piece.
 *
 * The format is not documented; what stands here was found by looking at what nvcc and fatbinary of
 * CUDA 13.0 write with every --compress-mode, with -G, -lineinfo, -rdc and several targets. All
 * numbers are little-endian.
 *
 *   header     0  u32  0xba55ed50           4  u16  version, 1     6  u16  bytes of the header, 16
 *              8  u64  bytes of all entries behind the header, which may be 0
 *   entry      0  u16  kind: 1 PTX, 2 ELF (a cubin)                2  u16  0x0101
 *              4  u32  bytes of the entry's header (64 and more: the payload follows it)
 *              8  u64  bytes of the payload, padded to a multiple of 8
 *             16  u32  bytes of the compressed payload without padding; 0: not compressed
 *             20  u32  where in the header the record of the options stands; 64 when there is none
 *             24  u16  minor, 26 u16 major: PTX: the ISA version, 9.0; ELF: the ABI's
 *             28  u32  architecture, 75 for sm_75
 *             32  u32  where in the header the source's name stands, 36 u32 its length (-G,
 * -lineinfo) 40  u64  flags: 0x1 64-bit, 0x2 debug (-G), 0x10 made on Linux, 0x2000 payload is an
 *                      LZ4 block (--compress-mode speed), 0x8000 payload is a zstd frame (size,
 *                      balance, default), 0x100000 architecture-specific (sm_90a), 0x200000
 *                      family-specific (sm_100f)
 *             56  u64  bytes of the payload when decompressed; 0: not compressed
 *
 * PTX text has its comments stripped and ends in NUL bytes. In an executable the section .nv_fatbin
 * holds any number of fat binaries one after the other; .nvFatBinSegment holds for each a wrapper
 * { u32 magic 0x466243b1, u32 version, pointer to the header, pointer } which the program hands to
 * the runtime when it starts. Version 2 comes from nvcc -rdc=true: its last pointer is a list of
 * the fat binaries that were linked.
 *
 * Every read is checked against the length given; decompression never writes more than
 * CU_FATBIN_MAX_PLAIN bytes. Thread-safety: no shared state.
 */
#ifndef CU_FATBIN_H
#define CU_FATBIN_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "lab/buf.h"
#include "lab/err.h"

#define CU_FATBIN_MAGIC         0xba55ed50u
#define CU_FATBIN_WRAPPER_MAGIC 0x466243b1u
#define CU_FATBIN_MAX_PLAIN     (64u << 20) /* bytes of one decompressed payload */

enum cu_fatbin_kind { CU_FATBIN_PTX = 1, CU_FATBIN_ELF = 2 };

enum cu_fatbin_flags {
    CU_FATBIN_DEBUG = 0x2,
    CU_FATBIN_LZ4 = 0x2000,
    CU_FATBIN_ZSTD = 0x8000,
    CU_FATBIN_ARCH_SPECIFIC = 0x100000,
    CU_FATBIN_FAMILY_SPECIFIC = 0x200000,
};

struct cu_fatbin_entry {
    unsigned kind; /* enum cu_fatbin_kind; others are possible and may be skipped */
    unsigned version_major, version_minor;
    unsigned arch; /* 75 for sm_75 */
    uint64_t flags;
    const uint8_t *data; /* the payload as stored; borrowed */
    size_t size;         /* bytes of it: the compressed size where it is compressed */
    uint64_t plain_size; /* bytes when decompressed */
    const char *source;  /* the source's name, not NUL-terminated; NULL: not recorded */
    size_t source_len;
};

/* A walk over one fat binary. */
struct cu_fatbin {
    const char *name; /* what messages call it; borrowed */
    const uint8_t *bytes;
    size_t len;     /* of this fat binary, header included; what follows may be another one */
    size_t at;      /* offset of the next entry */
    unsigned index; /* of the next entry */
};

/* Do these bytes begin with a fat binary's header? */
bool cu_fatbin_is(const void *bytes, size_t len);
/* Bytes from the header to the end of the last entry, as the header says; at least 16. Reads 16
 * bytes: for data a running program hands over without a length. 0: no fat binary. */
uint64_t cu_fatbin_size(const void *bytes);
/* The wrapper's magic is right; *data gets its pointer to the header. Reads 24 bytes. */
int cu_fatbin_unwrap(const void *wrapper, const void **data, struct lab_err *err);

int cu_fatbin_open(const char *name, const void *bytes, size_t len, struct cu_fatbin *fb,
                   struct lab_err *err);
/* 1: *e is the next entry; 0: there is no more; −1: the entry cannot be right. */
int cu_fatbin_next(struct cu_fatbin *fb, struct cu_fatbin_entry *e, struct lab_err *err);
/* Append the payload, decompressed; PTX text without its NUL bytes. */
int cu_fatbin_extract(const struct cu_fatbin *fb, const struct cu_fatbin_entry *e,
                      struct lab_buf *out, struct lab_err *err);

/* Append the PTX that a device of compute capability `arch` (75, 80, …) would be given: of the
 * texts it can run, that of the newest architecture. *fb as cu_fatbin_open leaves it. Returns the
 * text's architecture, or −1 with an input error that names what the fat binary does hold. */
int cu_fatbin_ptx(const struct cu_fatbin *fb, unsigned arch, struct lab_buf *out,
                  struct lab_err *err);

/* One LZ4 block (https://github.com/lz4/lz4/blob/dev/doc/lz4_Block_format.md) into dst[0..cap).
 * Returns the bytes written, or −1 when the block is malformed or needs more room. */
int64_t cu_lz4_block(const uint8_t *src, size_t len, uint8_t *dst, size_t cap);

#endif
