/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* general.h - the metrics beside the tree: instructions, clock, wrong branches, cache misses. */
#ifndef CPU_GENERAL_H
#define CPU_GENERAL_H

#include "cpu/topdown.h"

/*
 * Their group begins with the model's leader, as all groups do: so slots are counted in its turns
 * too, and the books hold. Then, from @p first on, which is 0 where the leader counts cycles:
 * cycles while not halted, instructions and wrongly predicted branches that retired, and misses of
 * a cache, which is not the same one everywhere, nor are all of its misses.
 */
#define GENERAL_COUNTS(first, cycles, instructions, mispredicts, misses) \
	COUNT cycles = count[first];                                     \
	COUNT instructions = count[(first) + 1];                         \
	COUNT mispredicts = count[(first) + 2];                          \
	COUNT misses = count[(first) + 3];                               \
	COUNT time_ns = count[CTD_COUNT_TIME_NS]

/* Arguments are names of counts: the text of a formula is shown to people, without more brackets. */
/* NOLINTBEGIN(bugprone-macro-parentheses) */
/* clang-format off */
#define GENERAL_FORMULAS_OF(counts, cycles, instructions, mispredicts, misses, cache) \
	FORMULA(ipc, counts, instructions / cycles) \
	FORMULA(ghz, counts, cycles / time_ns) \
	FORMULA(branch_mpki, counts, 1000 * mispredicts / instructions) \
	FORMULA(cache##_mpki, counts, 1000 * misses / instructions) \
	FORMULA(cpi, counts, cycles / instructions)
/* NOLINTEND(bugprone-macro-parentheses) */
/* The other arguments are what formulas call the counts; @p cache: of which it is. */
#define GENERAL_FORMULAS(first, cycles, instructions, mispredicts, misses, cache) \
	GENERAL_FORMULAS_OF(GENERAL_COUNTS(first, cycles, instructions, mispredicts, misses), \
			    cycles, instructions, mispredicts, misses, cache)

#define GENERAL_NODE(node, in_unit, needed, heading, text) \
	{NODE(node, 0, -1, heading, 0, text), .unit = (in_unit), .group = CTD_GENERAL_GROUP, \
	 .counters = (needed)}
#define GENERAL_TABLE(first, cache, cache_heading, cache_text) \
	GENERAL_NODE(ipc, CTD_UNIT_PER_CYCLE, (first) + 2, "IPC", \
		     "Instructions per cycle in which the CPU was not halted. The tree says why they " \
		     "are few; spinning makes many of them, and no progress."), \
	GENERAL_NODE(ghz, CTD_UNIT_GHZ, (first) + 1, "GHz", \
		     "The clock while the row ran: cycles by the time in which they were counted. " \
		     "Where it is low, look at limits of power and heat, at the governor, and at " \
		     "neighbours with wide vector instructions."), \
	GENERAL_NODE(branch_mpki, CTD_UNIT_PER_THOUSAND, (first) + 3, "BrMPKI", \
		     "Branches that retired and went another way than predicted, per thousand " \
		     "instructions. Sample them to find the branches; bad_speculation says what they " \
		     "cost."), \
	GENERAL_NODE(cache##_mpki, CTD_UNIT_PER_THOUSAND, (first) + 4, cache_heading, cache_text), \
	GENERAL_NODE(cpi, CTD_UNIT_CYCLES, (first) + 2, "CPI", \
		     "Cycles per instruction, the inverse of ipc. CPIs of like loads can be " \
		     "subtracted: what one has more is what it lost.")
/* clang-format on */

#endif
