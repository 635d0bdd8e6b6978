/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* sinks.c - finds the output that a file's name asks for. */
#include <cgtopdown/profile_sink.h>

#include <string.h>

const struct ctd_profile_sink *const ctd_profile_file_sinks[] = {
	&ctd_profile_svg, &ctd_profile_pprof, &ctd_profile_folded, &ctd_profile_speedscope, NULL,
};

const struct ctd_profile_sink *ctd_profile_sink_find(const char *file)
{
	size_t bytes = strlen(file);

	for (size_t i = 0; ctd_profile_file_sinks[i]; i++) {
		const char *suffix = ctd_profile_file_sinks[i]->suffix;

		if (bytes > strlen(suffix) && strcmp(file + bytes - strlen(suffix), suffix) == 0)
			return ctd_profile_file_sinks[i];
	}
	return NULL;
}
