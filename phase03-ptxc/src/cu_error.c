/* The names and messages of error codes. */
#include "cu_core.h"

struct text {
    CUresult code;
    const char *name, *message;
};

static const struct text texts[] = {
#define CU_ERROR_BOTH(number, driver, runtime, message) {driver, #driver, message},
#define CU_ERROR_DRIVER(number, driver, message)        {driver, #driver, message},
#define CU_ERROR_RUNTIME(number, runtime, message)
#include "cu_errors.def"
#undef CU_ERROR_BOTH
#undef CU_ERROR_DRIVER
#undef CU_ERROR_RUNTIME
};

static const struct text *find(CUresult code)
{
    for (size_t k = 0; k < sizeof(texts) / sizeof(texts[0]); k++) {
        if (texts[k].code == code) {
            return &texts[k];
        }
    }
    return NULL;
}

const char *cu_result_name(CUresult r)
{
    const struct text *t = find(r);
    return t != NULL ? t->name : "an unknown error";
}

CU_EXPORT CUresult cuGetErrorName(CUresult code, const char **name)
{
    const struct text *t = find(code);
    *name = t != NULL ? t->name : NULL;
    return t != NULL ? CUDA_SUCCESS : CUDA_ERROR_INVALID_VALUE;
}

CU_EXPORT CUresult cuGetErrorString(CUresult code, const char **message)
{
    const struct text *t = find(code);
    *message = t != NULL ? t->message : NULL;
    return t != NULL ? CUDA_SUCCESS : CUDA_ERROR_INVALID_VALUE;
}
