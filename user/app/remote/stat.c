/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* stat.c - cgtopdown stat beside a running serve. */
#include "app/remote/stat.h"

#include <errno.h>

#include "app/remote/remote.h"
#include "app/sandbox/sandbox.h"
#include "app/show.h"
#include "base/log.h"

struct stat_beside {
	struct ctd_show show;
	struct ctd_remote_plan *plan; /* owned */
};

static int take_plan(struct ctd_remote_plan *plan, void *context)
{
	struct stat_beside *beside = context;

	ctd_remote_plan_free(beside->plan);
	beside->plan = plan;
	beside->show.first = true;
	return 0;
}

static int take_interval(const struct ctd_remote_plan *plan, struct ctd_remote_interval *interval,
			 void *context)
{
	struct stat_beside *beside = context;
	struct ctd_rollup rollup;
	int error = ctd_remote_rollup_make(plan, interval, &beside->show.rollup_options, &rollup);

	if (error)
		return ctd_log_error(error, "add up an interval");
	error = ctd_show_rollup(&beside->show, &rollup);
	ctd_rollup_free(&rollup);
	return error;
}

bool ctd_remote_stat(const struct ctd_options *options, int *ret_error)
{
	struct stat_beside beside = {0};
	const struct ctd_remote_taker taker = {
		.replan = take_plan, .take = take_interval, .context = &beside};
	struct ctd_remote_run *run;
	int error;

	if (ctd_remote_find(options, &run) <= 0)
		return false;
	error = ctd_show_prepare(options, NULL, NULL, &beside.show);
	/* Where nothing was asked for: a cgroup without a row of its own is in that of its
	 * container or unit. */
	if (beside.show.rollup_options.by == CTD_GROUP_CGROUP)
		beside.show.rollup_options.by = CTD_GROUP_CONTAINER;
	if (!error) {
		ctd_remote_tell(run);
		ctd_sandbox_confine(options, CTD_PRIVILEGES_TO_ASK);
		beside.show.noisy = ctd_noisy_open(options);
		error = ctd_remote_follow(run, &taker);
	}
	*ret_error = error;
	ctd_noisy_free(beside.show.noisy);
	ctd_show_free(&beside.show);
	ctd_remote_plan_free(beside.plan);
	ctd_remote_free(run);
	return true;
}
