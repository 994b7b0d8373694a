/* The first call of a CUDA program's main: run on the GPU where there is one, else on the software
 * GPU.
 *
 *   int main(int argc, char **argv)
 *   {
 *       lab_cuda_start();
 *       ...
 *
 * A program that is linked against CUDA's shared runtime has loaded some runtime before main
 * begins, and NVIDIA's does not work on any but NVIDIA's driver. So the choice is made by starting
 * the program again with other libraries in front:
 *
 *   VGPU=1                  software GPU
 *   VGPU=0                  go on as it is, whatever is there
 *   otherwise               go on when libcuda.so.1 is a driver's and has at least one device; else
 *                           software GPU
 *
 * The software GPU's folder is that of the environment variable VGPU_LIB, else ../lib/vgpu beside
 * the program's own folder. It becomes the first of LD_LIBRARY_PATH, and a line on stderr says so;
 * VGPU_DEVICE chooses the chip (default a100). A program that was started so already (by this
 * function, or by `vgpu run`) goes on. Where neither can be had, one line on stderr and exit 3.
 *
 * Thread-safety: call it before the first thread starts.
 */
#ifndef LAB_CUDA_START_H
#define LAB_CUDA_START_H

#ifdef __cplusplus
extern "C" {
#endif

void lab_cuda_start(void);

#ifdef __cplusplus
}
#endif

#endif
