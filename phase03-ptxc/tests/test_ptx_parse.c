/* The tree of well-formed PTX: modules, variables, functions, scopes, operands. */
#include "ptx_testing.h"

/* Operand k of instruction i of the kernel. */
static const struct ptx_operand *operand(const struct ptx_module *m, uint32_t i, uint32_t k)
{
    const struct ptx_func *f = ptx_find_func(m, "k");
    assert_true(i < f->ninsns && k < f->insns[i].nops);
    return &f->insns[i].ops[k];
}

static struct ptx_module *module(const char *rest)
{
    struct lab_buf text;
    lab_buf_init(&text);
    lab_buf_printf(&text, PTX_HEAD "%s\n", rest);
    struct ptx_module *m = ptx_round_trip("m.ptx", lab_buf_str(&text), text.len);
    lab_buf_fini(&text);
    return m;
}

static void module_keeps_version_target_and_lines(void **state)
{
    (void)state;
    static const char text[] = "// c\n.version 8.10\n.target sm_90a, debug\n.address_size 64\n\n\0";
    struct ptx_module *m = ptx_must_parse("a.ptx", text, sizeof(text));
    assert_int_equal(m->version_major, 8);
    assert_int_equal(m->version_minor, 10);
    assert_int_equal(m->target_sm, 90);
    assert_string_equal(m->target, "sm_90a");
    size_t len;
    const char *line = ptx_line(m, 2, &len);
    assert_int_equal(len, 13);
    assert_memory_equal(line, ".version 8.10", len);
    ptx_line(m, 5, &len);
    assert_int_equal(len, 0);
    assert_string_equal(ptx_line(m, 999, &len), "");
    assert_string_equal(ptx_line(m, 0, &len), "");
    assert_null(ptx_find_func(m, "k"));
    assert_null(ptx_find_var(m, "v"));
    ptx_module_free(m);
    ptx_module_free(NULL);
}

static void variables_know_space_type_alignment_and_size(void **state)
{
    (void)state;
    struct ptx_module *m = module(".visible .global .align 16 .f32 a[4][8];\n"
                                  ".const .u8 c;\n"
                                  ".extern .shared .align 16 .b8 dyn[];\n"
                                  ".global .attribute(.managed) .align 4 .u32 mg;\n"
                                  ".common .global .v4 .f32 v, w[2];\n"
                                  ".weak .global .align 1 .b64 packed;");
    const struct ptx_var *a = ptx_find_var(m, "a");
    assert_int_equal(a->space, PTX_SPACE_GLOBAL);
    assert_int_equal(a->type, PTX_F32);
    assert_int_equal(a->align, 16);
    assert_int_equal(a->elements, 32);
    assert_int_equal(a->size, 128);
    assert_true(a->visible);
    assert_null(a->init);
    assert_int_equal(ptx_find_var(m, "c")->space, PTX_SPACE_CONST);
    const struct ptx_var *dyn = ptx_find_var(m, "dyn");
    assert_true(dyn->is_extern && dyn->elements == 0 && dyn->size == 0 && dyn->align == 16);
    assert_true(ptx_find_var(m, "mg")->managed);
    assert_int_equal(ptx_find_var(m, "w")->size, 32);
    assert_int_equal(ptx_find_var(m, "v")->align, 16);
    assert_true(ptx_find_var(m, "v")->common);
    assert_int_equal(ptx_find_var(m, "packed")->align, 1);
    assert_true(ptx_find_var(m, "packed")->weak);
    ptx_module_free(m);
}

static void initialisers_become_bytes(void **state)
{
    (void)state;
    struct ptx_module *m = module(".global .align 4 .b8 a[8] = {0, 0, 128, 63, 0xFF};\n"
                                  ".global .u32 n = -2;\n"
                                  ".global .f32 f[3] = {1.5, 0f40000000, 3};\n"
                                  ".global .f64 d = 0d3FF0000000000000;\n"
                                  ".const .b16 open[][2] = {{1, 2}, {3, 4}, {5, 6}};\n"
                                  ".global .s64 big = 0x8000000000000000U;\n"
                                  ".global .u32 zero = 0, zeros[4] = {0, 0};");
    static const uint8_t a[8] = {0, 0, 128, 63, 255};
    static const uint8_t n[4] = {0xfe, 0xff, 0xff, 0xff};
    static const uint8_t f[12] = {0, 0, 0xc0, 0x3f, 0, 0, 0, 0x40, 0, 0, 0x40, 0x40};
    static const uint8_t d[8] = {0, 0, 0, 0, 0, 0, 0xf0, 0x3f};
    static const uint8_t open[12] = {1, 0, 2, 0, 3, 0, 4, 0, 5, 0, 6, 0};
    static const uint8_t big[8] = {0, 0, 0, 0, 0, 0, 0, 0x80};
    assert_memory_equal(ptx_find_var(m, "a")->init, a, 8);
    assert_memory_equal(ptx_find_var(m, "n")->init, n, 4);
    assert_memory_equal(ptx_find_var(m, "f")->init, f, 12);
    assert_memory_equal(ptx_find_var(m, "d")->init, d, 8);
    assert_int_equal(ptx_find_var(m, "open")->size, 12);
    assert_memory_equal(ptx_find_var(m, "open")->init, open, 12);
    assert_memory_equal(ptx_find_var(m, "big")->init, big, 8);
    assert_non_null(ptx_find_var(m, "zero")->init);
    assert_int_equal(ptx_find_var(m, "zeros")->size, 16);
    ptx_module_free(m);
}

static void initialisers_keep_addresses_as_relocs(void **state)
{
    (void)state;
    struct ptx_module *m = module(".func f();\n.global .u32 x;\n"
                                  ".global .u64 tab[4] = {f, x+8, generic(x)+4-1, 7};\n"
                                  ".global .u32 low = later;\n"
                                  ".global .u8 part[2] = {0xff00(x), 0xff(generic(f))};\n"
                                  ".global .u32 later;");
    const struct ptx_var *tab = ptx_find_var(m, "tab");
    assert_int_equal(tab->nrelocs, 3);
    assert_ptr_equal(tab->relocs[0].func, ptx_find_func(m, "f"));
    assert_ptr_equal(tab->relocs[1].var, ptx_find_var(m, "x"));
    assert_int_equal(tab->relocs[1].offset, 8);
    assert_int_equal(tab->relocs[1].addend, 8);
    assert_int_equal(tab->relocs[1].bytes, 8);
    assert_false(tab->relocs[1].generic);
    assert_true(tab->relocs[2].generic);
    assert_int_equal(tab->relocs[2].addend, 3);
    assert_int_equal(tab->init[24], 7);
    const struct ptx_var *low = ptx_find_var(m, "low");
    assert_int_equal(low->relocs[0].bytes, 4);
    assert_ptr_equal(low->relocs[0].var, ptx_find_var(m, "later"));
    const struct ptx_var *part = ptx_find_var(m, "part");
    assert_int_equal(part->relocs[0].shift, 8);
    assert_int_equal(part->relocs[0].bytes, 1);
    assert_int_equal(part->relocs[1].shift, 0);
    ptx_module_free(m);
}

static void parameters_are_laid_out_by_natural_alignment(void **state)
{
    (void)state;
    struct ptx_module *m = module(".entry e(.param .u8 a, .param .u64 .ptr .global .align 16 b,\n"
                                  " .param .align 16 .b8 c[20], .param .f32 d, .param .u64 .ptr e)"
                                  " .maxntid 128, 2 .minnctapersm 3 .maxnreg 40\n{ ret; }");
    const struct ptx_func *f = ptx_find_func(m, "e");
    static const uint32_t offsets[] = {0, 8, 16, 36, 40};
    const struct ptx_var *v = f->params;
    for (uint32_t i = 0; i < 5; i++, v = v->next) {
        assert_int_equal(v->param_index, i);
        assert_int_equal(v->param_offset, offsets[i]);
    }
    assert_null(v);
    assert_int_equal(f->nparams, 5);
    assert_int_equal(f->param_bytes, 48);
    assert_int_equal(f->kind, PTX_ENTRY);
    assert_true(f->maxntid[0] == 128 && f->maxntid[1] == 2 && f->maxntid[2] == 1);
    assert_int_equal(f->minnctapersm, 3);
    assert_int_equal(f->maxnreg, 40);
    ptx_module_free(m);
}

static void functions_are_one_object_before_and_after_their_body(void **state)
{
    (void)state;
    struct ptx_module *m = module(".func (.param .b32 r) f(.param .b32 a);\n"
                                  ".extern .func g(.param .b64 x) .noreturn;\n"
                                  ".weak .func h();\n"
                                  ".entry k() { .param .b32 x; .param .b32 y; .reg .b64 p;\n"
                                  " call (x), f, (y); mov.u64 p, f; mov.u64 p, k; call h; ret; }\n"
                                  ".visible .func (.param .b32 r) f(.param .b32 b) { ret; }");
    const struct ptx_func *f = ptx_find_func(m, "f");
    assert_true(f->defined && f->visible && f->nreturns == 1);
    assert_ptr_equal(f->module, m);
    assert_string_equal(f->params->name, "b");
    assert_ptr_equal(operand(m, 0, 1)->func, f);
    assert_ptr_equal(operand(m, 1, 1)->func, f);
    assert_ptr_equal(operand(m, 2, 1)->func, ptx_find_func(m, "k"));
    assert_true(ptx_find_func(m, "g")->is_extern && ptx_find_func(m, "g")->noreturn);
    assert_false(ptx_find_func(m, "g")->defined);
    ptx_module_free(m);
}

static void aliases_point_to_the_other_function(void **state)
{
    (void)state;
    struct ptx_module *m = module(".func f() { ret; }\n.visible .func g();\n.alias g, f;");
    assert_ptr_equal(ptx_find_func(m, "g")->alias, ptx_find_func(m, "f"));
    ptx_module_free(m);
}

static void registers_come_into_being_when_used(void **state)
{
    (void)state;
    struct ptx_module *m = ptx_kernel(".reg .b32 %r<1000000>, %r1<5>; .reg .f64 %unused;\n"
                                      "mov.u32 %r999999, 1; mov.u32 %r12, %r999999;\n"
                                      "mov.u32 %r14, 2;\n");
    const struct ptx_func *f = ptx_find_func(m, "k");
    assert_int_equal(f->nregs, 3);
    assert_string_equal(f->regs->name, "%r999999");
    assert_int_equal(operand(m, 0, 0)->var->reg_index, 0);
    assert_int_equal(operand(m, 1, 0)->var->reg_index, 1);
    assert_ptr_equal(operand(m, 1, 1)->var, operand(m, 0, 0)->var);
    ptx_module_free(m);
}

static void inner_scopes_shadow_outer_names(void **state)
{
    (void)state;
    struct ptx_module *m = ptx_kernel(".reg .b32 %r<9>; mov.u32 %r1, 1;\n"
                                      "{ .reg .pred %r<3>; { .reg .f32 %r2; mov.f32 %r2, 1.0; }\n"
                                      "  mov.pred %r1, %r2; mov.u32 %r4, 5; }\n"
                                      "mov.u32 %r1, 2;");
    const struct ptx_func *f = ptx_find_func(m, "k");
    assert_int_equal(f->nscopes, 3);
    assert_int_equal(f->scopes[2].parent, 1);
    assert_int_equal(f->scopes[1].first, 1);
    assert_int_equal(f->scopes[1].end, 4);
    assert_int_equal(operand(m, 1, 0)->var->type, PTX_F32);
    assert_int_equal(operand(m, 2, 0)->var->type, PTX_PRED);
    assert_ptr_not_equal(operand(m, 2, 0)->var, operand(m, 0, 0)->var);
    assert_int_equal(operand(m, 2, 0)->var->scope, 1);
    assert_int_equal(operand(m, 3, 0)->var->type, PTX_B32);
    assert_int_equal(operand(m, 3, 0)->var->scope, 0);
    assert_ptr_equal(operand(m, 4, 0)->var, operand(m, 0, 0)->var);
    ptx_module_free(m);
}

static void vector_registers_are_their_parts(void **state)
{
    (void)state;
    struct ptx_module *m = ptx_kernel(".reg .v4 .f32 v; .reg .v2 .b64 w; .reg .b64 a;\n"
                                      "ld.global.v4.f32 v, [a]; mov.f32 v.y, v.a;\n"
                                      "mov.b64 a, w.x; mov.v4.u32 v, %tid;");
    assert_int_equal(operand(m, 0, 0)->kind, PTX_OP_VEC);
    assert_int_equal(operand(m, 0, 0)->nelems, 4);
    assert_string_equal(operand(m, 0, 0)->elems[2].var->name, "v.z");
    assert_ptr_equal(operand(m, 1, 0)->var, operand(m, 0, 0)->elems[1].var);
    assert_ptr_equal(operand(m, 1, 1)->var, operand(m, 0, 0)->elems[3].var);
    const struct ptx_operand *tid = operand(m, 3, 1);
    assert_true(tid->kind == PTX_OP_VEC && tid->nelems == 4);
    assert_int_equal(tid->elems[2].sreg, PTX_TID_Z);
    assert_int_equal(tid->elems[3].kind, PTX_OP_INT);
    ptx_module_free(m);
}

static void operands_are_told_apart(void **state)
{
    (void)state;
    struct ptx_module *m = ptx_kernel(
        ".reg .b32 %r<9>; .reg .pred %p<3>; .reg .f32 %f<3>; .reg .b64 %rd<3>; .reg .f64 d;\n"
        ".shared .align 4 .b8 s[64];\n"
        "shfl.sync.down.b32 %r1|%p1, %r2, 16, 31, -1;\n"
        "setp.eq.and.u32 %p1|_, %r1, %ntid.y, !%p2;\n"
        "mov.f32 %f1, 0f3F800000; mov.f32 %f1, 0.1; mov.f64 d, 0.1; mov.f64 d, "
        "0dBFF0000000000000;\n"
        "mov.b64 {%r1, _}, %rd1;\n"
        "mov.u32 %r1, s+4; mov.u32 %r1, s[2]; ld.shared.u8 %r1, s[2];\n"
        "ld.param.u32 %r1, [kn]; ld.global.u32 %r1, [%rd1+-4]; ld.shared.u32 %r1, [s+16];\n"
        "ld.local.u32 %r1, [64]; ld.global.u32 %r1, [%rd1].unified; mov.u32 %r1, %envreg7;\n");
    assert_int_equal(operand(m, 0, 0)->kind, PTX_OP_PAIR);
    assert_string_equal(operand(m, 0, 0)->elems[1].var->name, "%p1");
    assert_int_equal(operand(m, 0, 4)->i, -1);
    assert_int_equal(operand(m, 1, 0)->elems[1].kind, PTX_OP_SINK);
    assert_int_equal(operand(m, 1, 2)->sreg, PTX_NTID_Y);
    assert_true(operand(m, 1, 3)->negated);
    assert_true(operand(m, 2, 1)->kind == PTX_OP_F32 && operand(m, 2, 1)->i == 0x3f800000);
    assert_true(operand(m, 3, 1)->kind == PTX_OP_F32 && operand(m, 3, 1)->i == 0x3dcccccd);
    assert_true(operand(m, 4, 1)->kind == PTX_OP_F64 && operand(m, 4, 1)->i == 0x3fb999999999999a);
    assert_true(operand(m, 5, 1)->kind == PTX_OP_F64);
    assert_int_equal(operand(m, 6, 0)->elems[1].kind, PTX_OP_SINK);
    assert_true(operand(m, 7, 1)->kind == PTX_OP_SYM && operand(m, 7, 1)->i == 4);
    assert_true(operand(m, 8, 1)->kind == PTX_OP_SYM && operand(m, 8, 1)->i == 2);
    assert_true(operand(m, 9, 1)->kind == PTX_OP_ADDR && operand(m, 9, 1)->offset == 2);
    assert_int_equal(operand(m, 10, 1)->var->space, PTX_SPACE_PARAM);
    assert_true(operand(m, 11, 1)->var->space == PTX_SPACE_REG && operand(m, 11, 1)->offset == -4);
    assert_true(operand(m, 12, 1)->var->space == PTX_SPACE_SHARED &&
                operand(m, 12, 1)->offset == 16);
    assert_true(operand(m, 13, 1)->var == NULL && operand(m, 13, 1)->offset == 64);
    assert_true(operand(m, 14, 1)->unified);
    assert_true(operand(m, 15, 1)->sreg == PTX_ENVREG && operand(m, 15, 1)->i == 7);
    ptx_module_free(m);
}

static void constants_are_calculated(void **state)
{
    (void)state;
    static const struct {
        const char *text;
        int64_t value;
    } rows[] = {{"1 + 2 * 3", 7},
                {"(1 + 2) * 3", 9},
                {"10 - 3 - 2", 5},
                {"100 / 10 / 5", 2},
                {"1 << 4 | 1", 17},
                {"-7 / 2", -3},
                {"-7 % 2", -1},
                {"-9223372036854775808 / -1", INT64_MIN},
                {"0xFFFFFFFFFFFFFFFFU / 2", INT64_MAX},
                {"-1 >> 60", -1},
                {"-1 >> 200", -1},
                {"1 << 64", 0},
                {"(.u64)-1 >> 63", 1},
                {"~0 & 0xF ^ 1", 14},
                {"3 > 2 && !0", 1},
                {"-1 < 0U || 0", 0},
                {"1 == 1 ? 5 : 6", 5},
                {"0 ? 5 : 1 ? 7 : 8", 7},
                {"WARP_SZ - 1", 31},
                {"- - 5", 5}};
    for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
        char body[200];
        (void)snprintf(body, sizeof(body), ".reg .b64 a; add.s64 a, %s, 0;", rows[i].text);
        struct ptx_module *m = ptx_kernel(body);
        if (operand(m, 0, 1)->i != rows[i].value) {
            fail_msg("%s is %lld", rows[i].text, (long long)operand(m, 0, 1)->i);
        }
        ptx_module_free(m);
    }
}

static void calls_know_functions_prototypes_and_lists(void **state)
{
    (void)state;
    struct ptx_module *m =
        module(".func (.param .b32 r) f(.param .b32 a) { ret; }\n"
               ".entry k() { .reg .b64 %rd1; .reg .b32 %r1;\n"
               "{ // callseq 3, 0\n .param .b32 param0;\n st.param.b32 [param0+0], %r1;\n"
               " .param .b32 retval0;\n"
               " call.uni (retval0),\n f,\n (\n param0\n )\n ;\n"
               " ld.param.b32 %r1, [retval0+0];\n} // callseq 3\n"
               "{ .param .b32 param0; .param .b32 retval0;\n"
               " prototype_6 : .callprototype (.param .b32 _) _ (.param .b32 _);\n"
               " call (retval0), %rd1, (param0), prototype_6; }\n"
               " .param .b32 r1; call (r1), %rd1, (), later;\n"
               " later: .calltargets f, f; call f, (5); }");
    const struct ptx_func *f = ptx_find_func(m, "f");
    assert_int_equal(operand(m, 1, 0)->kind, PTX_OP_LIST);
    assert_string_equal(operand(m, 1, 0)->elems[0].var->name, "retval0");
    assert_ptr_equal(operand(m, 1, 1)->func, f);
    assert_int_equal(operand(m, 1, 2)->nelems, 1);
    const struct ptx_operand *proto = operand(m, 3, 3);
    assert_int_equal(proto->kind, PTX_OP_PROTO);
    assert_int_equal(proto->func->kind, PTX_PROTOTYPE);
    assert_true(proto->func->nparams == 1 && proto->func->nreturns == 1);
    assert_int_equal(operand(m, 4, 2)->nelems, 0);
    assert_int_equal(operand(m, 4, 3)->kind, PTX_OP_TARGETS);
    assert_ptr_equal(operand(m, 4, 3)->elems[1].func, f);
    assert_int_equal(operand(m, 5, 1)->elems[0].i, 5);
    ptx_module_free(m);
}

static void labels_and_targets_are_instruction_numbers(void **state)
{
    (void)state;
    struct ptx_module *m = ptx_kernel(".reg .b32 a; .reg .pred p;\n"
                                      "TOP: { @!p bra IN; bra.uni END; IN: bra TOP; }\n"
                                      "brx.idx a, ts; ts: .branchtargets TOP, END;\n"
                                      "END:");
    const struct ptx_func *f = ptx_find_func(m, "k");
    assert_int_equal(operand(m, 0, 0)->target, 2);
    assert_true(f->insns[0].guard_negated && f->insns[0].guard->type == PTX_PRED);
    assert_int_equal(operand(m, 1, 0)->target, 4);
    assert_int_equal(operand(m, 2, 0)->target, 0);
    assert_int_equal(operand(m, 3, 1)->kind, PTX_OP_TARGETS);
    assert_int_equal(operand(m, 3, 1)->elems[1].target, 4);
    /* The end can be reached, so it has an instruction. */
    assert_int_equal(f->ninsns, 5);
    assert_int_equal(f->insns[4].op, PTX_W_ret);
    assert_int_equal(f->nlabels, 3);
    ptx_module_free(m);
}

static void positions_and_source_lines_are_kept(void **state)
{
    (void)state;
    struct ptx_module *m =
        module(".entry k() {\n .reg .b32 a; .reg .pred %p;\n .loc 1 7 3\n  mov.u32 a, 1;\n"
               " .loc 2 9 1, function_name $L__info_string0+16, inlined_at 1 8 2\n"
               " @%p mov.u32 a, 2;\n}\n.file 1 \"a b.cu\"\n.file 2 \"c.h\", 17, 5");
    const struct ptx_func *f = ptx_find_func(m, "k");
    assert_true(f->pos.line == 4 && f->pos.col == 8);
    assert_true(f->insns[0].pos.line == 7 && f->insns[0].pos.col == 3);
    assert_true(f->insns[0].loc_file == 1 && f->insns[0].loc_line == 7);
    assert_true(f->insns[1].pos.line == 9 && f->insns[1].pos.col == 2);
    /* A function of another file stands for the place that calls it. */
    assert_true(f->insns[1].loc_file == 1 && f->insns[1].loc_line == 8);
    assert_int_equal(f->insns[2].pos.line, 10);
    assert_int_equal(m->nfiles, 2);
    assert_string_equal(m->files[0].path, "a b.cu");
    assert_int_equal(m->files[1].index, 2);
    ptx_module_free(m);
}

static void debug_sections_are_skipped(void **state)
{
    (void)state;
    struct ptx_module *m =
        module(".entry k() { ret; }\n"
               ".section .debug_abbrev\n{\n.b8 1\n.b8 17 // DW\n}\n"
               ".section .debug_info { .b32 .debug_abbrev, Lx+4\nLx: { .b8 2 } }\n"
               ".section .debug_loc {}");
    assert_int_equal(ptx_find_func(m, "k")->ninsns, 1);
    ptx_module_free(m);
}

int main(int argc, char **argv)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(module_keeps_version_target_and_lines),
        cmocka_unit_test(variables_know_space_type_alignment_and_size),
        cmocka_unit_test(initialisers_become_bytes),
        cmocka_unit_test(initialisers_keep_addresses_as_relocs),
        cmocka_unit_test(parameters_are_laid_out_by_natural_alignment),
        cmocka_unit_test(functions_are_one_object_before_and_after_their_body),
        cmocka_unit_test(aliases_point_to_the_other_function),
        cmocka_unit_test(registers_come_into_being_when_used),
        cmocka_unit_test(inner_scopes_shadow_outer_names),
        cmocka_unit_test(vector_registers_are_their_parts),
        cmocka_unit_test(operands_are_told_apart),
        cmocka_unit_test(constants_are_calculated),
        cmocka_unit_test(calls_know_functions_prototypes_and_lists),
        cmocka_unit_test(labels_and_targets_are_instruction_numbers),
        cmocka_unit_test(positions_and_source_lines_are_kept),
        cmocka_unit_test(debug_sections_are_skipped),
    };
    return LAB_TEST_MAIN(tests);
}
