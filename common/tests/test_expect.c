#include "lab/test.h"

static void placeholder(void **state)
{
    (void)state;
}

static const struct CMUnitTest tests[] = {cmocka_unit_test(placeholder)};

int main(int argc, char **argv)
{
    return LAB_TEST_MAIN(tests);
}
