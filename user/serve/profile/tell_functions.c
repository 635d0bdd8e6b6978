/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* tell_functions.c - hands what functions had to the collector's thread, which has the ledger. */
#include "base/auto.h"
#include "base/log.h"
#include "serve/profile/functions.h"
#include "serve/profile/intake.h"

/* Of a whole part: of one interval there would be too few windows to tell a function's categories,
 * and of a row that is seldom on a CPU no sample. */
void ctd_profiles_tell_functions(struct ctd_profiles *profiles)
{
	const struct ctd_profile_sum *part = &profiles->parts[profiles->part];
	struct ctd_functions *functions = NULL, **end;
	int error;

	if (!profiles->options.functions || !part->interval.groups_count)
		return;
	error = ctd_functions_make(profiles->plan, profiles->names.identities, part,
				   profiles->options.period_ns, &functions);
	if (error) {
		ctd_log_error(error, "add functions up: some seconds of them are in no metric");
		return;
	}
	pthread_mutex_lock(&profiles->asks.lock);
	end = &profiles->functions;
	while (*end)
		end = &(*end)->next;
	*end = functions;
	pthread_mutex_unlock(&profiles->asks.lock);
}

struct ctd_functions *ctd_profiles_take_functions(struct ctd_profiles *profiles)
{
	struct ctd_functions *functions;

	pthread_mutex_lock(&profiles->asks.lock);
	functions = take_ptr(profiles->functions);
	pthread_mutex_unlock(&profiles->asks.lock);
	return functions;
}

void ctd_profiles_forget_functions(struct ctd_profiles *profiles)
{
	struct ctd_functions *functions = ctd_profiles_take_functions(profiles), *next;

	for (; functions; functions = next) {
		next = functions->next;
		ctd_functions_free(functions);
	}
}
