/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* budget.c - names of what can be given up for a budget. */
#include <cgtopdown/budget.h>

static const struct {
	const char *name, *text;
} parts[CTD_BUDGET_PARTS] = {
	[CTD_BUDGET_WAITS] = {"waits", "waits for a CPU"},
	[CTD_BUDGET_FREQUENCY] = {"profile_frequency", "three of four samples of stacks"},
	[CTD_BUDGET_ROTATION] = {"rotation",
				 "four of five steps of the rotation of groups of counters"},
	[CTD_BUDGET_GENERAL] = {"general", "what is counted beside the tree (--general)"},
	[CTD_BUDGET_LEVEL] = {"level_2", "level 2 of the tree"},
	[CTD_BUDGET_INTERVAL] = {"interval", "four of five intervals"},
};

const char *ctd_budget_part_name(enum ctd_budget_part part)
{
	return parts[part].name;
}

const char *ctd_budget_part_text(enum ctd_budget_part part)
{
	return parts[part].text;
}
