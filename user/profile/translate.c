/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* translate.c - names the stacks of a profile as those of another run are named. */
#include <cgtopdown/profile.h>

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/auto.h"

#define NONE UINT32_MAX

static int translate_function(const struct ctd_stacks *from, uint32_t at, struct ctd_stacks *common,
			      uint32_t *ret_function)
{
	const struct ctd_function *function = &from->functions[at];
	const struct ctd_module *module = &from->modules[function->module];
	uint32_t place;
	int error = ctd_stacks_module(common, module->file, "", module->kernel, &place);

	/* Only what has no name is where it is. */
	return error ? error
		     : ctd_stacks_function(common, place, *function->name ? 0 : function->address,
					   function->name, ret_function);
}

/* With the frame that says that it is not complete, which has a name, too. */
static int translate_trace(const struct ctd_stacks *from, uint32_t at, struct ctd_stacks *common,
			   uint32_t *ret_trace)
{
	const struct ctd_trace *trace = &from->traces[at];
	autofree uint32_t *functions = malloc(trace->frames_count * sizeof(*functions));

	if (!functions)
		return -ENOMEM;
	for (uint32_t i = 0; i < trace->frames_count; i++) {
		int error = translate_function(from, from->frames[trace->first + i], common,
					       &functions[i]);

		if (error)
			return error;
	}
	return ctd_stacks_trace(common, functions, trace->frames_count, CTD_TRACE_COMPLETE,
				ret_trace);
}

int ctd_profile_translate(struct ctd_profile *profile, struct ctd_stacks *common)
{
	const struct ctd_stacks *from = profile->stacks;
	autofree uint32_t *traces = malloc(from->traces_count * sizeof(*traces));

	if (!traces)
		return -ENOMEM;
	memset(traces, 0xff, from->traces_count * sizeof(*traces));
	for (size_t i = 0; i < profile->rows_count; i++) {
		for (size_t k = 0; k < profile->rows[i].stacks_count; k++) {
			uint32_t *trace = &profile->rows[i].stacks[k].trace;
			int error = traces[*trace] != NONE ? 0
							   : translate_trace(from, *trace, common,
									     &traces[*trace]);

			if (error)
				return error;
			*trace = traces[*trace];
		}
	}
	profile->stacks = common;
	return 0;
}
