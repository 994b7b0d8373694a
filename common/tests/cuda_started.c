/* Says with what libraries in front, and with what arguments, it got past lab_cuda_start. */
#include <stdio.h>
#include <stdlib.h>

#include "lab/cuda_start.h"

int main(int argc, char **argv)
{
    lab_cuda_start();
    const char *path = getenv("LD_LIBRARY_PATH");
    printf("%s\n", path != NULL ? path : "");
    for (int k = 1; k < argc; k++) {
        printf("[%s]\n", argv[k]);
    }
    return 7;
}
