/* What each instruction does to registers and memory, with full and partial masks. */
#include "simt_alu.h"
#include "simt_helper.h"

/* One run: r1 and r2 hold the operands in every lane, the instruction leaves its result in r3. */
static int32_t result_of(const char *insn, int32_t r1, int32_t r2)
{
    char text[256];
    (void)snprintf(text, sizeof(text), "MOVI r1, %d\nMOVI r2, %d\n%s\nHALT\n", r1, r2, insn);
    struct fixture f = fixture_text(text, &simt_config_default);
    (void)fixture_run(&f);
    int32_t v = f.b->warps[0].r[3][0];
    for (int i = 1; i < SIMT_LANES; i++) {
        assert_int_equal(f.b->warps[0].r[3][i], v);
    }
    fixture_close(&f);
    return v;
}

static void arithmetic_wraps(void **state)
{
    (void)state;
    assert_int_equal(result_of("ADD r3, r1, r2", INT32_MAX, 1), INT32_MIN);
    assert_int_equal(result_of("SUB r3, r1, r2", INT32_MIN, 1), INT32_MAX);
    assert_int_equal(result_of("MUL r3, r1, r2", 65536, 65536), 0);
    assert_int_equal(result_of("MUL r3, r1, r2", -7, 6), -42);
    assert_int_equal(result_of("ADD r3, r1, 5", -7, 0), -2);
}

static void mod_has_the_sign_of_its_left_side(void **state)
{
    (void)state;
    assert_int_equal(result_of("MOD r3, r1, r2", 7, 3), 1);
    assert_int_equal(result_of("MOD r3, r1, r2", -7, 3), -1);
    assert_int_equal(result_of("MOD r3, r1, r2", 7, -3), 1);
    assert_int_equal(result_of("MOD r3, r1, r2", INT32_MIN, -1), 0);
    assert_int_equal(result_of("MOD r3, r1, 10", 12345, 0), 5);
}

static void shifts_outside_0_to_31_give_0(void **state)
{
    (void)state;
    assert_int_equal(result_of("SHL r3, r1, r2", 1, 31), INT32_MIN);
    assert_int_equal(result_of("SHL r3, r1, r2", 1, 32), 0);
    assert_int_equal(result_of("SHL r3, r1, r2", -1, -1), 0);
    assert_int_equal(result_of("SHR r3, r1, r2", -1, 31), 1);
    assert_int_equal(result_of("SHR r3, r1, r2", -1, 0), -1);
    assert_int_equal(result_of("SHR r3, r1, r2", -1, 33), 0);
    assert_int_equal(result_of("SHR r3, r1, -5", -1, 0), 0);
}

static void logic_and_comparisons(void **state)
{
    (void)state;
    assert_int_equal(result_of("AND r3, r1, r2", 12, 10), 8);
    assert_int_equal(result_of("OR r3, r1, r2", 12, 10), 14);
    assert_int_equal(result_of("XOR r3, r1, r2", 12, 10), 6);
    assert_int_equal(result_of("SEQ r3, r1, r2", 5, 5), 1);
    assert_int_equal(result_of("SEQ r3, r1, 6", 5, 0), 0);
    assert_int_equal(result_of("SLT r3, r1, r2", -1, 0), 1);
    assert_int_equal(result_of("SLT r3, r1, r2", 0, INT32_MIN), 0);
    assert_int_equal(result_of("SLT r3, r1, r2", 4, 4), 0);
}

static void moves_and_selection(void **state)
{
    (void)state;
    assert_int_equal(result_of("MOV r3, r2", 1, 99), 99);
    assert_int_equal(result_of("SELP r3, r1, r2, r1", 7, 9), 7);
    assert_int_equal(result_of("SELP r3, r1, r2, r4", 7, 9), 9);
}

/* Every operation against a plain computation, where source and destination are the same row too.
 */
static void all_operations_agree_with_scalar_arithmetic_in_place(void **state)
{
    (void)state;
    static const int32_t edge[] = {0, 1, -1, 2, 31, 32, 33, -32, 255, INT32_MAX, INT32_MIN, 77777};
    enum { N = sizeof(edge) / sizeof(edge[0]) };
    for (int op = SIMT_ADD; op <= SIMT_SLT; op++) {
        if (!simt_alu_has((enum simt_op)op)) {
            continue;
        }
        for (int k = 0; k < N; k++) {
            int32_t a[SIMT_LANES];
            int32_t b[SIMT_LANES];
            int32_t apart[SIMT_LANES];
            int32_t one_imm[SIMT_LANES];
            for (int i = 0; i < SIMT_LANES; i++) {
                a[i] = edge[i % N];
                b[i] = edge[k];
            }
            simt_alu((enum simt_op)op, apart, a, b, 0);
            simt_alu((enum simt_op)op, one_imm, a, NULL, edge[k]);
            assert_memory_equal(apart, one_imm, sizeof(apart));
            simt_alu((enum simt_op)op, a, a, b, 0);
            assert_memory_equal(apart, a, sizeof(apart));
        }
    }
}

static void tid_counts_through_the_warps(void **state)
{
    (void)state;
    struct simt_config cfg = simt_config_default;
    cfg.warps = 3;
    struct fixture f = fixture_text("TID r1\nHALT\n", &cfg);
    (void)fixture_run(&f);
    for (int t = 0; t < 3 * SIMT_LANES; t++) {
        assert_int_equal(f.b->warps[t / SIMT_LANES].r[1][t % SIMT_LANES], t);
    }
    fixture_close(&f);
}

static void loads_and_stores_reach_every_shape_of_address(void **state)
{
    (void)state;
    struct fixture f = fixture_text("TID r0\n"
                                    "ST [r0+100], r0\n" /* a run */
                                    "MUL r1, r0, 3\n"
                                    "ST [r1+200], r0\n" /* stride 3 */
                                    "LD r2, [r0+100]\n"
                                    "LD r3, [r1+200]\n"
                                    "SUB r4, r0, 31\n"
                                    "MUL r4, r4, -1\n"
                                    "LD r5, [r4+100]\n" /* backwards */
                                    "HALT\n",
                                    &simt_config_default);
    (void)fixture_run(&f);
    for (int i = 0; i < SIMT_LANES; i++) {
        assert_int_equal(f.b->mem[100 + i], i);
        assert_int_equal(f.b->mem[200 + 3 * i], i);
        assert_int_equal(f.b->warps[0].r[2][i], i);
        assert_int_equal(f.b->warps[0].r[3][i], i);
        assert_int_equal(f.b->warps[0].r[5][i], 31 - i);
    }
    fixture_close(&f);
}

static void the_highest_lane_wins_a_shared_word(void **state)
{
    (void)state;
    struct fixture f = fixture_text("TID r0\nMOVI r1, 9\nST [r1], r0\n"
                                    "SLT r2, r0, 20\nBRZ r2, over\nST [r1+1], r0\nover: RECONV\n"
                                    "HALT\n",
                                    &simt_config_default);
    (void)fixture_run(&f);
    assert_int_equal(f.b->mem[9], 31);
    assert_int_equal(f.b->mem[10], 19);
    fixture_close(&f);
}

static void inactive_lanes_change_nothing_and_cannot_fail(void **state)
{
    (void)state;
    /* Lane 0 alone takes the body; in all others the address and the divisor are bad. */
    struct fixture f = fixture_text("TID r0\n"
                                    "MUL r1, r0, 1000000\n"
                                    "SEQ r2, r0, 0\n"
                                    "MOVI r3, 7\n"
                                    "MOVI r4, 7\n"
                                    "BRZ r2, over\n"
                                    "LD r3, [r1]\n"
                                    "ST [r1+1], r4\n"
                                    "MOD r4, r4, r2\n"
                                    "ADD r5, r5, 1\n"
                                    "over: RECONV\nHALT\n",
                                    &simt_config_default);
    (void)fixture_run(&f);
    for (int i = 0; i < SIMT_LANES; i++) {
        assert_int_equal(f.b->warps[0].r[3][i], i == 0 ? 0 : 7);
        assert_int_equal(f.b->warps[0].r[4][i], i == 0 ? 0 : 7);
        assert_int_equal(f.b->warps[0].r[5][i], i == 0 ? 1 : 0);
    }
    assert_int_equal(f.b->mem[1], 7);
    fixture_close(&f);
}

static void cas_goes_in_lane_order(void **state)
{
    (void)state;
    /* Each lane takes the word from its own number to the next: all succeed, one after the other.
     */
    struct fixture f = fixture_text("TID r0\nADD r1, r0, 1\nMOVI r2, 5\n"
                                    "ATOM_CAS r3, [r2], r0, r1\nHALT\n",
                                    &simt_config_default);
    (void)fixture_run(&f);
    assert_int_equal(f.b->mem[5], 32);
    for (int i = 0; i < SIMT_LANES; i++) {
        assert_int_equal(f.b->warps[0].r[3][i], i);
    }
    fixture_close(&f);
}

static void shuffle_reads_active_lanes_only(void **state)
{
    (void)state;
    struct fixture f = fixture_text("TID r0\n"
                                    "ADD r1, r0, 1\n"
                                    "SHFL r2, r0, r1\n" /* lane 31 asks for lane 32: own value */
                                    "SHFL r3, r0, -1\n"
                                    "SHFL r4, r0, 5\n"
                                    "MOV r5, r0\n"
                                    "SLT r6, r0, 8\n"
                                    "BRZ r6, over\n"
                                    "SHFL r5, r0, 8\n" /* lane 8 is inactive: own value */
                                    "SHFL r7, r0, 7\n"
                                    "over: RECONV\nHALT\n",
                                    &simt_config_default);
    (void)fixture_run(&f);
    for (int i = 0; i < SIMT_LANES; i++) {
        assert_int_equal(f.b->warps[0].r[2][i], i < 31 ? i + 1 : 31);
        assert_int_equal(f.b->warps[0].r[3][i], i);
        assert_int_equal(f.b->warps[0].r[4][i], 5);
        assert_int_equal(f.b->warps[0].r[5][i], i);
        assert_int_equal(f.b->warps[0].r[7][i], i < 8 ? 7 : 0);
    }
    fixture_close(&f);
}

static void votes_go_to_active_lanes_only(void **state)
{
    (void)state;
    struct fixture f = fixture_text("TID r0\n"
                                    "MOVI r1, 9\nMOVI r2, 9\nMOVI r3, 9\n"
                                    "SLT r4, r0, 4\n"
                                    "BRZ r4, over\n"
                                    "VOTE_ANY r1, r0\n"
                                    "VOTE_ALL r2, r0\n" /* lane 0 says no */
                                    "BALLOT r3, r0\n"
                                    "over: RECONV\n"
                                    "VOTE_ALL r5, r1\nBALLOT r6, r0\nHALT\n",
                                    &simt_config_default);
    (void)fixture_run(&f);
    for (int i = 0; i < SIMT_LANES; i++) {
        assert_int_equal(f.b->warps[0].r[1][i], i < 4 ? 1 : 9);
        assert_int_equal(f.b->warps[0].r[2][i], i < 4 ? 0 : 9);
        assert_int_equal(f.b->warps[0].r[3][i], i < 4 ? 0xe : 9);
        assert_int_equal(f.b->warps[0].r[5][i], 1);
        assert_int_equal(f.b->warps[0].r[6][i], -2);
    }
    fixture_close(&f);
}

static void faults_name_place_lane_and_address(void **state)
{
    (void)state;
    struct simt_config cfg = simt_config_default;
    fixture_fails(
        "TID r0\nLD r1, [r0+4070]\nHALT\n", &cfg,
        "t.simt:2:1: LD at word 4096 in lane 26 of warp 0 is outside memory, expected 0..4095");
    fixture_fails(
        "TID r0\nSUB r0, r0, 1\n ST [r0], r0\nHALT\n", &cfg,
        "t.simt:3:2: ST at word -1 in lane 0 of warp 0 is outside memory, expected 0..4095");
    fixture_fails("TID r0\nSUB r1, r0, 7\nMOD r2, r0, r1\nHALT\n", &cfg,
                  "t.simt:3:1: MOD by 0 in lane 7 of warp 0, expected another divisor");
    fixture_fails("MOVI r0, 5\nMOD r2, r0, 0\nHALT\n", &cfg, "t.simt:2:1: MOD by 0 in lane 0");
    cfg.mem_words = 8;
    fixture_fails("MOVI r0, 8\nATOM_CAS r1, [r0], r2, r3\nHALT\n", &cfg,
                  "ATOM_CAS at word 8 in lane 0 of warp 0 is outside memory, expected 0..7");
    cfg.warps = 2;
    fixture_fails("TID r0\nSHR r0, r0, 5\nSEQ r0, r0, 0\nMOVI r2, 9\nMOD r1, r2, r0\nHALT\n", &cfg,
                  "MOD by 0 in lane 0 of warp 1");
}

int main(int argc, char **argv)
{
    static const struct CMUnitTest tests[] = {
        cmocka_unit_test(arithmetic_wraps),
        cmocka_unit_test(mod_has_the_sign_of_its_left_side),
        cmocka_unit_test(shifts_outside_0_to_31_give_0),
        cmocka_unit_test(logic_and_comparisons),
        cmocka_unit_test(moves_and_selection),
        cmocka_unit_test(all_operations_agree_with_scalar_arithmetic_in_place),
        cmocka_unit_test(tid_counts_through_the_warps),
        cmocka_unit_test(loads_and_stores_reach_every_shape_of_address),
        cmocka_unit_test(the_highest_lane_wins_a_shared_word),
        cmocka_unit_test(inactive_lanes_change_nothing_and_cannot_fail),
        cmocka_unit_test(cas_goes_in_lane_order),
        cmocka_unit_test(shuffle_reads_active_lanes_only),
        cmocka_unit_test(votes_go_to_active_lanes_only),
        cmocka_unit_test(faults_name_place_lane_and_address),
    };
    return LAB_TEST_MAIN(tests);
}
