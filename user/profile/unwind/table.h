/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* table.h - the unwind table of an executable, in the words that profile_abi.h lays out. */
#ifndef PROFILE_UNWIND_TABLE_H
#define PROFILE_UNWIND_TABLE_H

#include <stddef.h>
#include <stdint.h>

#include "profile/unwind/machine.h"
#include "profile/unwind/rules.h"

struct ctd_unwind_table {
	uint32_t *words; /* owned */
	size_t words_count;
	uint16_t *rules; /* owned; numbers of those in its rows, each once, without the fixed ones */
	size_t rules_count;
	size_t rules_added; /* of these, those that no table had before */
	/* How well it went. */
	size_t functions; /* read */
	size_t bad_functions; /* left out: not to be read, outside of the code, or in one another */
	size_t rows;
	size_t unsupported_rows; /* of these, with CTD_RULE_UNSUPPORTED */
};

/* What to make it of. */
struct ctd_unwind_source {
	const struct ctd_unwind_machine *machine;
	const void *eh_frame; /* bytes of the section */
	size_t eh_frame_bytes;
	uint64_t eh_frame_address;
	uint64_t code_start,
		code_end; /* of the executable segments, as the file counts addresses */
	size_t rules_of_owner; /* that tables of other files of the same owner have added */
};

/*
 * Rules that @p rules lacks are added to it, and all of its rows are held: they are to be released
 * when the table is freed. Of one file at most CTD_RULES_OF_ONE_MAX are added, and of one owner's
 * files CTD_RULES_OF_OWNER_MAX, so that neither takes the room of all; rows that want more are
 * unsupported. The 60 largest files of a machine with compilers have 3,040 rules, and none of them
 * more than 883.
 * @return 0, -ENOMEM, -EFBIG (more code, rows or functions than a table takes) or -ENODATA (no
 * function). Then no rule was added.
 */
#define CTD_RULES_OF_ONE_MAX 2048
#define CTD_RULES_OF_OWNER_MAX 4096
int ctd_unwind_table_make(const struct ctd_unwind_source *source, struct ctd_unwind_rules *rules,
			  struct ctd_unwind_table *ret_table);
/* The number of the rule of an address, as BPF finds it. */
uint32_t ctd_unwind_table_find(const struct ctd_unwind_table *table, uint64_t address);
void ctd_unwind_table_free(struct ctd_unwind_table *table);
#define auto_ctd_unwind_table __attribute__((cleanup(ctd_unwind_table_free)))

#endif
