/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* rows.h - short words for rows of the tables of options. */
#ifndef OPTIONS_ROWS_H
#define OPTIONS_ROWS_H

#include "app/options/table.h"

#define ON(command) (1u << CTD_COMMAND_##command)
#define MEASURES_INTERVALS (ON(STAT) | ON(TOP) | ON(RECORD) | ON(SERVE))
#define MEASURES (MEASURES_INTERVALS | ON(PROFILE) | ON(NEIGHBOURS))
#define SHOWS (ON(STAT) | ON(REPORT))

#define INTO(field)                                    \
	.offset = offsetof(struct ctd_options, field), \
	.bytes = sizeof(((struct ctd_options *)NULL)->field)

/* Levels of a vendor's tree. */
#define VENDOR_LEVEL(its_section, its_commands)                                                    \
	.name = "level", .metavar = "LEVEL", .section = (its_section), .commands = (its_commands), \
	INTO(level), .store = ctd_store_number, .min = 1, .max = 6,                                \
	.choices = (const char *const[])                                                           \
	{                                                                                          \
		"1", "2", "3", "4", "5", "6", NULL                                                 \
	}

/* What is kept as it is given: a file, a name, a pattern. */
#define TEXT(its_name, its_metavar, its_section, its_commands)                  \
	.name = (its_name), .metavar = (its_metavar), .section = (its_section), \
	.commands = (its_commands), .store = ctd_store_text

/* A whole number. */
#define NUMBER(its_name, its_metavar, its_section, its_commands, least, most)   \
	.name = (its_name), .metavar = (its_metavar), .section = (its_section), \
	.commands = (its_commands), .store = ctd_store_number, .min = (least), .max = (most)

/* What is so, or not. */
#define FLAG(its_name, its_section, its_commands)                                 \
	.name = (its_name), .section = (its_section), .commands = (its_commands), \
	.store = ctd_store_flag

#define NS_PER_MS 1000000ull
#define NS_PER_S 1000000000ull

/* The tables, in their order. */
extern const struct ctd_option ctd_options_measure[], ctd_options_show[], ctd_options_serve[],
	ctd_options_general[];

#endif
