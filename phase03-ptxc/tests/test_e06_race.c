/* Exercise e06: the rule of the race check. */
#include "lab/test.h"
#include "vg_hazard.h"

#define A 5
#define B 37

/* Two instructions, the first by thread A stamped 10, which thread B has seen up to `seen`. */
static enum vg_hazard rule(enum vg_access_kind then, enum vg_access_kind now, uint32_t seen)
{
    struct vg_touch first = {then, A, 10}, second = {now, B, 12};
    return vg_hazard_rule(&first, &second, seen, VG_TWO_INSTRUCTIONS);
}

static void unordered_accesses_are_named_by_what_happened(void **state)
{
    (void)state;
    assert_int_equal(rule(VG_STORE, VG_LOAD, 9), VG_HAZARD_RAW);
    assert_int_equal(rule(VG_LOAD, VG_STORE, 9), VG_HAZARD_WAR);
    assert_int_equal(rule(VG_STORE, VG_STORE, 9), VG_HAZARD_WAW);
    assert_int_equal(rule(VG_LOAD, VG_LOAD, 9), VG_NO_HAZARD);
}

static void what_a_thread_has_seen_is_in_order(void **state)
{
    (void)state;
    for (int then = VG_LOAD; then <= VG_ASYNC_COPY; then++) {
        for (int now = VG_LOAD; now <= VG_ASYNC_COPY; now++) {
            for (uint32_t seen = 10; seen < 13; seen++) {
                assert_int_equal(rule((enum vg_access_kind)then, (enum vg_access_kind)now, seen),
                                 VG_NO_HAZARD);
            }
        }
    }
}

static void a_thread_is_in_order_with_itself(void **state)
{
    (void)state;
    struct vg_touch first = {VG_STORE, A, 10}, second = {VG_LOAD, A, 10};
    assert_int_equal(vg_hazard_rule(&first, &second, 0, VG_TWO_INSTRUCTIONS), VG_NO_HAZARD);
}

static void two_atomics_are_harmless_but_one_is_not(void **state)
{
    (void)state;
    assert_int_equal(rule(VG_ATOMIC, VG_ATOMIC, 0), VG_NO_HAZARD);
    assert_int_equal(rule(VG_ATOMIC, VG_LOAD, 0), VG_HAZARD_RAW);
    assert_int_equal(rule(VG_LOAD, VG_ATOMIC, 0), VG_HAZARD_WAR);
    assert_int_equal(rule(VG_ATOMIC, VG_STORE, 0), VG_HAZARD_WAW);
    assert_int_equal(rule(VG_STORE, VG_ATOMIC, 0), VG_HAZARD_WAW);
}

static void an_async_copy_is_a_store(void **state)
{
    (void)state;
    assert_int_equal(rule(VG_ASYNC_COPY, VG_LOAD, 0), VG_HAZARD_RAW);
    assert_int_equal(rule(VG_LOAD, VG_ASYNC_COPY, 0), VG_HAZARD_WAR);
}

static void lanes_of_one_store_may_agree_but_not_differ(void **state)
{
    (void)state;
    struct vg_touch first = {VG_STORE, A, 10}, second = {VG_STORE, A + 1, 10};
    assert_int_equal(vg_hazard_rule(&first, &second, 9, VG_ONE_AND_SAME_VALUE), VG_NO_HAZARD);
    assert_int_equal(vg_hazard_rule(&first, &second, 9, VG_ONE_INSTRUCTION), VG_HAZARD_WAW);
}

int main(int argc, char **argv)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(unordered_accesses_are_named_by_what_happened),
        cmocka_unit_test(what_a_thread_has_seen_is_in_order),
        cmocka_unit_test(a_thread_is_in_order_with_itself),
        cmocka_unit_test(two_atomics_are_harmless_but_one_is_not),
        cmocka_unit_test(an_async_copy_is_a_store),
        cmocka_unit_test(lanes_of_one_store_may_agree_but_not_differ),
    };
    return LAB_TEST_MAIN(tests);
}
