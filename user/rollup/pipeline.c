/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* pipeline.c - from snapshots to rollups. */
#include "rollup/pipeline.h"

#include <errno.h>

int ctd_pipeline_replan(struct ctd_pipeline *pipeline, const struct ctd_record_header *header,
			const char **ret_unknown)
{
	struct ctd_rollup_plan *plan;
	int error = ctd_rollup_plan_new(header, &plan, ret_unknown);

	if (error)
		return error;
	ctd_pipeline_free(pipeline);
	pipeline->plan = plan;
	return 0;
}

static int add(struct ctd_pipeline *pipeline, const struct ctd_snapshot *snapshot)
{
	const struct ctd_cpu_model *model = pipeline->plan->model;
	struct ctd_interval part;
	int error = ctd_interval_make(&pipeline->before, snapshot,
				      model ? model->l1_counters : NULL, &part);

	if (error)
		return error;
	if (pipeline->foreign_from && snapshot->group >= pipeline->foreign_from)
		ctd_interval_forget_sibling_counts(&part);
	if (!pipeline->interval.groups_count) {
		pipeline->interval = part;
		return 0;
	}
	error = ctd_interval_add(&pipeline->interval, &part);
	ctd_interval_free(&part);
	return error;
}

int ctd_pipeline_take(struct ctd_pipeline *pipeline, struct ctd_snapshot *snapshot, bool *ret_whole)
{
	bool whole = pipeline->has_before && !snapshot->in_between;
	int error = pipeline->has_before ? add(pipeline, snapshot) : 0;

	/* Where groups of counters rotate, the difference to the next one would be of two groups. */
	if (error == -ENOMEM && snapshot->groups_count <= 1) {
		ctd_snapshot_free(snapshot);
		return error;
	}
	ctd_snapshot_free(&pipeline->before);
	pipeline->before = *snapshot;
	pipeline->has_before = true;
	if (!error)
		*ret_whole = whole;
	return error;
}

bool ctd_pipeline_has_rest(const struct ctd_pipeline *pipeline)
{
	return pipeline->interval.groups_count > 0;
}

int ctd_pipeline_rollup(const struct ctd_pipeline *pipeline,
			const struct ctd_identities *identities,
			const struct ctd_rollup_options *options, struct ctd_rollup *ret_rollup)
{
	return ctd_rollup_make(pipeline->plan, &pipeline->interval, identities, options,
			       ret_rollup);
}

void ctd_pipeline_done(struct ctd_pipeline *pipeline)
{
	ctd_interval_free(&pipeline->interval);
}

void ctd_pipeline_free(struct ctd_pipeline *pipeline)
{
	ctd_interval_free(&pipeline->interval);
	ctd_snapshot_free(&pipeline->before);
	ctd_rollup_plan_free(pipeline->plan);
	*pipeline = (struct ctd_pipeline){0};
}
