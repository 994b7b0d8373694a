/* LAB_CLONES: compile a hot function for several x86-64 levels and pick at load time.
 *
 * Empty on other machines, and under ThreadSanitizer, whose runtime is not up yet when the loader
 * resolves the clones (the program crashes at start). A cloned function must give the same bits at
 * every level: integer code does; floating point does with -ffp-contract=off.
 */
#ifndef LAB_CLONES_H
#define LAB_CLONES_H

#if defined(__x86_64__) && defined(__gnu_linux__) && defined(__GNUC__) && !defined(__clang__) &&   \
    !defined(__SANITIZE_THREAD__) && !defined(__SANITIZE_ADDRESS__)
#define LAB_CLONES __attribute__((target_clones("arch=x86-64-v4", "arch=x86-64-v3", "default")))
#else
#define LAB_CLONES
#endif

#endif
