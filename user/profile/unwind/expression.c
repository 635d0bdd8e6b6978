/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* expression.c - recognises the few DWARF expressions that compilers and assembly write in
 * .eh_frame. */
#include "profile/unwind/expression.h"

#include <errno.h>
#include <string.h>

/* DWARF 5, 7.7.1. */
enum {
	DW_OP_deref = 0x06,
	DW_OP_and = 0x1a,
	DW_OP_mul = 0x1e,
	DW_OP_plus = 0x22,
	DW_OP_plus_uconst = 0x23,
	DW_OP_shl = 0x24,
	DW_OP_ge = 0x2a,
	DW_OP_lit0 = 0x30,
	DW_OP_breg0 = 0x70,
	DW_OP_breg31 = 0x8f,
};

/* A function's stack is no larger: more is an error, or nobody's. */
#define OFFSET_MAX (1 << 26)

static bool next_is(struct ctd_bytes *expression, const char *operations, size_t count)
{
	if (ctd_bytes_left(expression) < count || memcmp(expression->at, operations, count) != 0)
		return false;
	ctd_bytes_take(expression, count);
	return true;
}

static bool read_base(struct ctd_bytes *expression, uint8_t *ret_register, int64_t *ret_offset)
{
	uint64_t operation = ctd_bytes_number(expression, 1);

	if (operation < DW_OP_breg0 || operation > DW_OP_breg31)
		return false;
	*ret_register = (uint8_t)(operation - DW_OP_breg0);
	*ret_offset = ctd_bytes_sleb(expression);
	return !expression->failed && *ret_offset >= -OFFSET_MAX && *ret_offset <= OFFSET_MAX;
}

/* breg16 0; lit15; and; lit N; ge; lit3; shl; plus: the stub in which the pc is has pushed a word
 * from its byte N on. */
static bool is_plt(struct ctd_bytes expression, struct ctd_unwind_rule *rule)
{
	static const char begin[] = {(char)(DW_OP_breg0 + 16), 0, DW_OP_lit0 + 15, DW_OP_and};
	static const char end[] = {DW_OP_ge, DW_OP_lit0 + 3, DW_OP_shl, DW_OP_plus};
	uint64_t literal;

	if (!next_is(&expression, begin, sizeof(begin)))
		return false;
	literal = ctd_bytes_number(&expression, 1) - DW_OP_lit0;
	if (literal > 15 || !next_is(&expression, end, sizeof(end)) || ctd_bytes_left(&expression))
		return false;
	rule->cfa = CTD_CFA_PLT;
	rule->cfa_add = (int16_t)literal;
	return true;
}

/* breg N 0; lit8; mul; plus: OpenSSL's multiplication has the caller's sp behind an array whose
 * length is in a register. */
static bool take_scaled(struct ctd_bytes *expression, uint8_t *ret_register)
{
	static const char end[] = {DW_OP_lit0 + 8, DW_OP_mul, DW_OP_plus};
	struct ctd_bytes rest = *expression;
	int64_t offset;

	if (!read_base(&rest, ret_register, &offset) || offset || !next_is(&rest, end, sizeof(end)))
		return false;
	*expression = rest;
	return true;
}

/* deref, and plus_uconst N or nothing. */
static bool is_deref(struct ctd_bytes expression, struct ctd_unwind_rule *rule)
{
	uint64_t add = 0;

	if (ctd_bytes_number(&expression, 1) != DW_OP_deref)
		return false;
	if (ctd_bytes_left(&expression)) {
		if (ctd_bytes_number(&expression, 1) != DW_OP_plus_uconst)
			return false;
		add = ctd_bytes_uleb(&expression);
	}
	if (expression.failed || ctd_bytes_left(&expression) || add > INT16_MAX)
		return false;
	rule->cfa_add = (int16_t)add;
	return true;
}

int ctd_expression_cfa(struct ctd_bytes expression, const struct ctd_unwind_machine *machine,
		       struct ctd_unwind_rule *ret_rule)
{
	struct ctd_unwind_rule rule = *ret_rule;
	uint8_t base, scaled;
	int64_t offset;

	if (!read_base(&expression, &base, &offset) || (base != machine->sp && base != machine->fp))
		return -ENOTSUP;
	rule.cfa_offset = (int32_t)offset;
	if (!ctd_bytes_left(&expression)) {
		rule.cfa = base == machine->sp ? CTD_CFA_SP : CTD_CFA_FP;
	} else if (base == machine->sp && take_scaled(&expression, &scaled)) {
		rule.cfa = CTD_CFA_SP_SCALED;
		rule.cfa_register = scaled;
		if (scaled >= machine->registers || !is_deref(expression, &rule))
			return -ENOTSUP;
	} else if (is_deref(expression, &rule)) {
		rule.cfa = base == machine->sp ? CTD_CFA_SP_DEREF : CTD_CFA_FP_DEREF;
	} else if (base != machine->sp || !is_plt(expression, &rule)) {
		return -ENOTSUP;
	}
	*ret_rule = rule;
	return 0;
}

int ctd_expression_where(struct ctd_bytes expression, const struct ctd_unwind_machine *machine,
			 enum ctd_unwind_where *ret_where, int64_t *ret_offset)
{
	uint8_t base;

	if (!read_base(&expression, &base, ret_offset) || ctd_bytes_left(&expression) ||
	    (base != machine->sp && base != machine->fp))
		return -ENOTSUP;
	*ret_where = base == machine->sp ? CTD_WHERE_SP : CTD_WHERE_FP;
	return 0;
}
