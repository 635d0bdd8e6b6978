/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* instructions.c - runs a function's call frame instructions: from each pc on, one rule. */
#include "profile/unwind/instructions.h"

#include <errno.h>

#include "profile/unwind/expression.h"

/* DWARF 5, 7.24, and what GNU and Arm added. */
enum {
	DW_CFA_advance_loc = 0x40,
	DW_CFA_offset = 0x80,
	DW_CFA_restore = 0xc0,
	DW_CFA_nop = 0x00,
	DW_CFA_set_loc = 0x01,
	DW_CFA_advance_loc1 = 0x02,
	DW_CFA_advance_loc2 = 0x03,
	DW_CFA_advance_loc4 = 0x04,
	DW_CFA_offset_extended = 0x05,
	DW_CFA_restore_extended = 0x06,
	DW_CFA_undefined = 0x07,
	DW_CFA_same_value = 0x08,
	DW_CFA_register = 0x09,
	DW_CFA_remember_state = 0x0a,
	DW_CFA_restore_state = 0x0b,
	DW_CFA_def_cfa = 0x0c,
	DW_CFA_def_cfa_register = 0x0d,
	DW_CFA_def_cfa_offset = 0x0e,
	DW_CFA_def_cfa_expression = 0x0f,
	DW_CFA_expression = 0x10,
	DW_CFA_offset_extended_sf = 0x11,
	DW_CFA_def_cfa_sf = 0x12,
	DW_CFA_def_cfa_offset_sf = 0x13,
	DW_CFA_val_offset = 0x14,
	DW_CFA_val_offset_sf = 0x15,
	DW_CFA_val_expression = 0x16,
	DW_CFA_AARCH64_negate_ra_state_with_pc = 0x2c,
	DW_CFA_AARCH64_negate_ra_state = 0x2d,
	DW_CFA_GNU_args_size = 0x2e,
	DW_CFA_GNU_negative_offset_extended = 0x2f,
};

/* States that remember_state keeps: compilers need one, assembly two. */
#define REMEMBERED_MAX 8
/* As in expression.c. */
#define OFFSET_MAX (1 << 26)

/* Where a register of the caller is. */
struct place {
	enum {
		PLACE_SAME,
		PLACE_UNDEFINED,
		PLACE_OFFSET, /* from the CFA */
		PLACE_EXPRESSION,
		PLACE_OTHER,
	} kind;
	int64_t offset;
	struct ctd_bytes expression;
};

struct state {
	bool cfa_is_expression;
	uint64_t cfa_register;
	int64_t cfa_offset;
	struct ctd_bytes cfa_expression;
	struct place return_address, fp;
};

struct run {
	const struct ctd_fde *fde;
	const struct ctd_unwind_machine *machine;
	struct state now, initial;
	struct state remembered[REMEMBERED_MAX];
	unsigned int remembered_count;
	struct place unused; /* of the registers that nobody asks for */
	uint64_t pc;
};

static struct place *place_of(struct run *run, struct state *state, uint64_t number)
{
	if (number == run->fde->cie.return_address)
		return &state->return_address;
	return number == run->machine->fp ? &state->fp : &run->unused;
}

/* A factored offset; what overflows is refused with all that is too large. */
static int64_t factored(const struct run *run, uint64_t factor)
{
	return (int64_t)(factor * (uint64_t)run->fde->cie.data_align);
}

static void set(struct run *run, uint64_t number, int kind, int64_t offset)
{
	struct place *place = place_of(run, &run->now, number);

	place->kind = kind;
	place->offset = offset;
}

static void set_expression(struct run *run, struct ctd_bytes *bytes)
{
	struct place *place = place_of(run, &run->now, ctd_bytes_uleb(bytes));

	place->kind = PLACE_EXPRESSION;
	place->expression = ctd_bytes_take(bytes, ctd_bytes_uleb(bytes));
}

static void restore(struct run *run, uint64_t number)
{
	*place_of(run, &run->now, number) = *place_of(run, &run->initial, number);
}

static void set_cfa(struct run *run, uint64_t number, int64_t offset)
{
	run->now.cfa_is_expression = false;
	run->now.cfa_register = number;
	run->now.cfa_offset = offset;
}

static bool remember(struct run *run)
{
	if (run->remembered_count == REMEMBERED_MAX)
		return false;
	run->remembered[run->remembered_count++] = run->now;
	return true;
}

static bool recall(struct run *run)
{
	if (!run->remembered_count)
		return false;
	run->now = run->remembered[--run->remembered_count];
	return true;
}

/* @return whether the instruction is one of the CFA; then it was run. */
static bool define_cfa(struct run *run, struct ctd_bytes *bytes, uint8_t code)
{
	uint64_t number = run->now.cfa_register;

	switch (code) {
	case DW_CFA_def_cfa:
		number = ctd_bytes_uleb(bytes);
		set_cfa(run, number, (int64_t)ctd_bytes_uleb(bytes));
		return true;
	case DW_CFA_def_cfa_sf:
		number = ctd_bytes_uleb(bytes);
		set_cfa(run, number, factored(run, (uint64_t)ctd_bytes_sleb(bytes)));
		return true;
	case DW_CFA_def_cfa_register:
		set_cfa(run, ctd_bytes_uleb(bytes), run->now.cfa_offset);
		return true;
	case DW_CFA_def_cfa_offset:
		set_cfa(run, number, (int64_t)ctd_bytes_uleb(bytes));
		return true;
	case DW_CFA_def_cfa_offset_sf:
		set_cfa(run, number, factored(run, (uint64_t)ctd_bytes_sleb(bytes)));
		return true;
	case DW_CFA_def_cfa_expression:
		run->now.cfa_is_expression = true;
		run->now.cfa_expression = ctd_bytes_take(bytes, ctd_bytes_uleb(bytes));
		return true;
	default:
		return false;
	}
}

/* @return whether the instruction says where a register is; then it was run. */
static bool define_register(struct run *run, struct ctd_bytes *bytes, uint8_t code)
{
	uint64_t number;

	switch (code) {
	case DW_CFA_offset_extended:
		number = ctd_bytes_uleb(bytes);
		set(run, number, PLACE_OFFSET, factored(run, ctd_bytes_uleb(bytes)));
		return true;
	case DW_CFA_offset_extended_sf:
		number = ctd_bytes_uleb(bytes);
		set(run, number, PLACE_OFFSET, factored(run, (uint64_t)ctd_bytes_sleb(bytes)));
		return true;
	case DW_CFA_GNU_negative_offset_extended:
		number = ctd_bytes_uleb(bytes);
		set(run, number, PLACE_OFFSET, factored(run, -ctd_bytes_uleb(bytes)));
		return true;
	case DW_CFA_restore_extended:
		restore(run, ctd_bytes_uleb(bytes));
		return true;
	case DW_CFA_undefined:
		set(run, ctd_bytes_uleb(bytes), PLACE_UNDEFINED, 0);
		return true;
	case DW_CFA_same_value:
		set(run, ctd_bytes_uleb(bytes), PLACE_SAME, 0);
		return true;
	case DW_CFA_register:
	case DW_CFA_val_offset:
	case DW_CFA_val_offset_sf:
		set(run, ctd_bytes_uleb(bytes), PLACE_OTHER, 0);
		ctd_bytes_uleb(bytes);
		return true;
	case DW_CFA_expression:
		set_expression(run, bytes);
		return true;
	case DW_CFA_val_expression:
		set(run, ctd_bytes_uleb(bytes), PLACE_OTHER, 0);
		ctd_bytes_take(bytes, ctd_bytes_uleb(bytes));
		return true;
	default:
		return false;
	}
}

/* @return whether the instruction is known; then it was run. */
static bool run_other(struct run *run, struct ctd_bytes *bytes, uint8_t code)
{
	switch (code) {
	case DW_CFA_nop:
	case DW_CFA_AARCH64_negate_ra_state:
	case DW_CFA_AARCH64_negate_ra_state_with_pc:
		return true;
	case DW_CFA_GNU_args_size:
		ctd_bytes_uleb(bytes);
		return true;
	case DW_CFA_remember_state:
		return remember(run);
	case DW_CFA_restore_state:
		return recall(run);
	default:
		return define_cfa(run, bytes, code) || define_register(run, bytes, code);
	}
}

/* @return whether the instruction changes the pc; then *ret_pc is the new one. */
static bool advances(struct run *run, struct ctd_bytes *bytes, uint8_t code, uint64_t *ret_pc)
{
	uint64_t delta;

	switch (code) {
	case DW_CFA_set_loc:
		*ret_pc = ctd_bytes_pointer(bytes, run->fde->cie.pointer_encoding);
		return true;
	case DW_CFA_advance_loc1:
		delta = ctd_bytes_number(bytes, 1);
		break;
	case DW_CFA_advance_loc2:
		delta = ctd_bytes_number(bytes, 2);
		break;
	case DW_CFA_advance_loc4:
		delta = ctd_bytes_number(bytes, 4);
		break;
	default:
		if ((code & 0xc0) != DW_CFA_advance_loc)
			return false;
		delta = code & 0x3f;
	}
	*ret_pc = run->pc + delta * run->fde->cie.code_align;
	return true;
}

static bool run_one(struct run *run, struct ctd_bytes *bytes, uint8_t code)
{
	switch (code & 0xc0) {
	case DW_CFA_offset:
		set(run, code & 0x3f, PLACE_OFFSET, factored(run, ctd_bytes_uleb(bytes)));
		break;
	case DW_CFA_restore:
		restore(run, code & 0x3f);
		break;
	default:
		if (!run_other(run, bytes, code))
			return false;
	}
	return !bytes->failed;
}

static int place_rule(const struct place *place, const struct ctd_unwind_machine *machine,
		      uint8_t *ret_where, int16_t *ret_offset)
{
	enum ctd_unwind_where where = CTD_WHERE_CFA;
	int64_t offset = place->offset;

	if (place->kind == PLACE_SAME || place->kind == PLACE_UNDEFINED) {
		where = CTD_WHERE_SAME;
		offset = 0;
	} else if (place->kind == PLACE_EXPRESSION) {
		if (ctd_expression_where(place->expression, machine, &where, &offset))
			return -ENOTSUP;
	} else if (place->kind != PLACE_OFFSET) {
		return -ENOTSUP;
	}
	if (offset < INT16_MIN || offset > INT16_MAX)
		return -ENOTSUP;
	*ret_where = where;
	*ret_offset = (int16_t)offset;
	return 0;
}

static int cfa_rule(const struct state *state, const struct ctd_unwind_machine *machine,
		    struct ctd_unwind_rule *rule)
{
	if (state->cfa_is_expression)
		return ctd_expression_cfa(state->cfa_expression, machine, rule);
	if (state->cfa_offset < -OFFSET_MAX || state->cfa_offset > OFFSET_MAX)
		return -ENOTSUP;
	rule->cfa_offset = (int32_t)state->cfa_offset;
	if (state->cfa_register == machine->sp) {
		rule->cfa = CTD_CFA_SP;
	} else if (state->cfa_register == machine->fp) {
		rule->cfa = CTD_CFA_FP;
	} else if (state->cfa_register < machine->registers) {
		rule->cfa = CTD_CFA_REGISTER;
		rule->cfa_register = (uint8_t)state->cfa_register;
	} else {
		return -ENOTSUP;
	}
	return 0;
}

/* @return 0, or -ENOTSUP for what a rule cannot say. */
static int make_rule(const struct run *run, struct ctd_unwind_rule *ret_rule)
{
	const struct ctd_unwind_machine *machine = run->machine;
	struct ctd_unwind_rule rule = {0};

	if (cfa_rule(&run->now, machine, &rule) ||
	    place_rule(&run->now.return_address, machine, &rule.return_address,
		       &rule.return_address_offset) ||
	    place_rule(&run->now.fp, machine, &rule.fp, &rule.fp_offset))
		return -ENOTSUP;
	/* A caller must have pushed it, unless the machine has a register for it. */
	if (rule.return_address == CTD_WHERE_SAME &&
	    run->fde->cie.return_address >= machine->registers)
		return -ENOTSUP;
	rule.flags = run->fde->cie.signal_frame ? CTD_UNWIND_SIGNAL : 0;
	*ret_rule = rule;
	return 0;
}

static int tell(const struct run *run, ctd_unwind_row *row, void *context)
{
	struct ctd_unwind_rule rule;

	if (run->now.return_address.kind == PLACE_UNDEFINED)
		return row(context, run->pc, NULL, CTD_RULE_END);
	if (run->fde->cie.return_address != run->machine->return_address || make_rule(run, &rule))
		return row(context, run->pc, NULL, CTD_RULE_UNSUPPORTED);
	return row(context, run->pc, &rule, CTD_RULE_NONE);
}

int ctd_unwind_run(const struct ctd_fde *fde, const struct ctd_unwind_machine *machine,
		   ctd_unwind_row *row, void *context)
{
	struct ctd_bytes bytes = fde->cie.instructions;
	struct run run; /* not all of it: what is remembered is large, and seldom used */
	uint64_t pc;
	int err;

	run.fde = fde;
	run.machine = machine;
	run.pc = fde->start;
	run.now = run.initial = (struct state){0};
	run.remembered_count = 0;
	while (ctd_bytes_left(&bytes))
		if (!run_one(&run, &bytes, (uint8_t)ctd_bytes_number(&bytes, 1)))
			return row(context, run.pc, NULL, CTD_RULE_UNSUPPORTED);
	run.initial = run.now;
	bytes = fde->instructions;
	while (ctd_bytes_left(&bytes)) {
		uint8_t code = (uint8_t)ctd_bytes_number(&bytes, 1);

		if (!advances(&run, &bytes, code, &pc)) {
			if (!run_one(&run, &bytes, code))
				return row(context, run.pc, NULL, CTD_RULE_UNSUPPORTED);
			continue;
		}
		if (bytes.failed || pc < run.pc)
			return row(context, run.pc, NULL, CTD_RULE_UNSUPPORTED);
		if (pc == run.pc)
			continue;
		if (pc >= fde->end)
			break;
		err = tell(&run, row, context);
		if (err)
			return err;
		run.pc = pc;
	}
	return tell(&run, row, context);
}
