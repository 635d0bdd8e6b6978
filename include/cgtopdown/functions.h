/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* functions.h - what functions had of the figures of rows: in a time, and since they are told. */
#ifndef CGTOPDOWN_FUNCTIONS_H
#define CGTOPDOWN_FUNCTIONS_H

#include <cgtopdown/cpu.h>
#include <stddef.h>
#include <stdint.h>

/* What stands for no function: time in which no sample hit a row; all without a place of their own,
 * be it in a profile or in the totals of an account. */
#define CTD_FUNCTION_NOT_SAMPLED "[not sampled]"
#define CTD_FUNCTION_OTHER "[other]"

/* Categories are those of level 1, in the order of their roles. */
#define CTD_FUNCTION_CATEGORIES (CTD_ROLE_SMT_CONTENTION - CTD_ROLE_RETIRING + 1)
/* -1: the node is none of them. */
static inline int ctd_function_category(const struct ctd_node *node)
{
	return node->level == 1 && node->role >= CTD_ROLE_RETIRING &&
			       node->role <= CTD_ROLE_SMT_CONTENTION
		       ? (int)node->role - CTD_ROLE_RETIRING
		       : -1;
}

struct ctd_function_figures {
	uint64_t cpu_ns;
	uint64_t slots[CTD_FUNCTION_CATEGORIES]; /* by category; 0 where it is not known */
};

/* What one function had in a time, by itself and not by what it called. */
struct ctd_function_part {
	const char *name; /* as it is shown: text of a bounded length; each name once in a row */
	uint64_t samples;
	struct ctd_function_figures figures;
};

/* A row of a rollup by container, on one core type: its functions have all of its time. */
struct ctd_function_row {
	uint64_t cgroup_id; /* 0: none, or several */
	const char *key; /* of its account: key_text */
	const char *core; /* the core type's name */
	uint32_t categories_known; /* a bit for each */
	const struct ctd_function_part *parts;
	size_t parts_count;
};

/* All rows of a time, on their way into a ledger. */
struct ctd_functions {
	uint64_t begun_ns, end_ns; /* since 1970 */
	struct ctd_function_row *rows; /* owned, as these */
	struct ctd_function_part *parts;
	char *texts;
	size_t rows_count;
	size_t rows_taken; /* that the ledger has */
	struct ctd_functions *next; /* of a later time */
};

/* Totals of one function of an account. */
struct ctd_function_total {
	const char *name;
	uint64_t begun_ns; /* since 1970: when the time began in which it got its place */
	struct ctd_function_figures figures; /* since then */
};

/* CTD_FUNCTION_OTHER, CTD_FUNCTION_NOT_SAMPLED, then those that have a place, each name once: all
 * together have the account's CPU time, as far as it was in profiles, and its slots, as far as
 * profiles know them. Const, shared by reference count. */
struct ctd_account_functions {
	const struct ctd_function_total *items;
	size_t count;
	uint32_t categories_known; /* ever; a bit for each */
};

#endif
