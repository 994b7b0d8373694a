/* The numbers of our declarations. */
#include "cu_decl.h"

#include "cu_agree.h"

const struct agree agree_ours[] = {
#include "cu_agree.def"
#include "cu_attributes.def"
#include "cu_errors.def"
};

const size_t agree_ours_n = sizeof(agree_ours) / sizeof(agree_ours[0]);
