/* Everything a C program needs to call the CUDA driver and runtime API without the toolkit's
 * headers. A program that has the toolkit includes cuda.h and cuda_runtime_api.h instead. */
#ifndef CU_DECL_H
#define CU_DECL_H

#include "cu_driver_graph.h"
#include "cu_runtime_graph.h"

#endif
