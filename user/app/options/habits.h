/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* habits.h - options that people know from perf, top and others, and what does the same here. */
#ifndef OPTIONS_HABITS_H
#define OPTIONS_HABITS_H

#include <stdbool.h>

#include "app/options/options.h"

struct ctd_habit {
	const char *name; /* long, without dashes; NULL: a letter alone */
	char letter; /* 0: none */
	unsigned int commands; /* bit 1 << enum ctd_command */
	bool takes_value;
	const char *instead; /* a sentence; NULL: it works */
	/* That it stands for; NULL: for what is so anyway. */
	const char *option, *value;
	const char *unit; /* not NULL, perhaps "": its own value with this behind it, not `value` */
};

/* @return NULL: there is no such habit. Options of the command itself come first. */
const struct ctd_habit *ctd_habit_of_letter(enum ctd_command command, char letter);
const struct ctd_habit *ctd_habit_of_name(enum ctd_command command, const char *name);

#endif
