/* A number that a declaration stands for, to be compared between two sets of headers. */
#ifndef CU_AGREE_H
#define CU_AGREE_H

#include <stddef.h>

struct agree {
    const char *what;
    long value;
};

extern const struct agree agree_ours[], agree_toolkit[];
extern const size_t agree_ours_n, agree_toolkit_n;

#define E(enumerator)   {#enumerator, (long)(enumerator)},
#define T(type)         {"size of " #type, (long)sizeof(type)},
#define M(type, member) {#type "." #member, (long)offsetof(type, member)},
#define CU_ERROR_BOTH(number, driver, runtime, message)                                            \
    E(driver)                                                                                      \
    E(runtime)
#define CU_ERROR_DRIVER(number, driver, message)   E(driver)
#define CU_ERROR_RUNTIME(number, runtime, message) E(runtime)
#define CU_ATTR(number, driver, runtime, value)                                                    \
    E(CU_DEVICE_ATTRIBUTE_##driver)                                                                \
    E(cudaDevAttr##runtime)
#define CU_ATTR_DRIVER(number, driver, value) E(CU_DEVICE_ATTRIBUTE_##driver)

#endif
