/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* sinks.c - finds a sink by name. */
#include <cgtopdown/sink.h>

#include <string.h>

const struct ctd_sink *ctd_sink_find(const char *name)
{
	for (size_t i = 0; ctd_sinks[i]; i++)
		if (strcmp(ctd_sinks[i]->name, name) == 0)
			return ctd_sinks[i];
	return NULL;
}
