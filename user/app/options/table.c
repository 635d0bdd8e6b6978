/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* table.c - all options: the tables of each subject, one behind the other. */
#include "app/options/table.h"

#include "app/options/rows.h"

const char *const ctd_option_section_titles[CTD_OPTION_SECTIONS] = {
	[CTD_OPTIONS_COLLECTING] = "What is measured", [CTD_OPTIONS_SHOWING] = "What is shown",
	[CTD_OPTIONS_SERVING] = "How it is served",    [CTD_OPTIONS_PUSHING] = "Where it is sent",
	[CTD_OPTIONS_NAMING] = "Names of containers",  [CTD_OPTIONS_GENERAL] = "In general",
};

const struct ctd_option *ctd_option_next(const struct ctd_option *option)
{
	option = option ? option + 1 : ctd_options_measure;
	return option->name ? option : option->further;
}
