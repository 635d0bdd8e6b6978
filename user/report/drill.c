/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* drill.c - rows of a rollup as samples of a drill, and its paths as those of rows of a report. */
#include "report/entries.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/auto.h"
#include "base/hash.h"

/* What identifies a row and does not change: names of containers are found later than their
 * cgroups. Each core type has a drill of its own. */
struct identity {
	uint64_t kind, cgroup_id, pid, name;
};

static uint64_t hash(const struct identity *identity)
{
	return ctd_hash(identity, sizeof(*identity));
}

static uint64_t hash_name(const char *name)
{
	return ctd_hash(name, strlen(name));
}

/* A row of several cgroups has only its name. @return 0 or -ENOMEM. */
static int key_of(const struct ctd_rollup_row *row, uint64_t *ret_key)
{
	struct identity identity = {(uint64_t)row->kind, row->cgroup_id, row->pid, 0};
	autofree char *name = NULL;

	if (!row->cgroup_id && !row->pid) {
		name = ctd_report_row_name(row, "");
		if (!name)
			return -ENOMEM;
		identity.name = hash_name(name);
	}
	*ret_key = hash(&identity);
	return 0;
}

static uint64_t key_of_shown(const struct ctd_report_row *row)
{
	struct identity identity = {(uint64_t)row->kind, row->cgroup_id, row->pid, 0};

	if (!row->cgroup_id && !row->pid)
		identity.name = hash_name(row->name);
	return hash(&identity);
}

/* What is idle has no bottleneck. */
static bool is_drilled(enum ctd_rollup_kind kind)
{
	return kind != CTD_ROLLUP_IDLE;
}

static int take_row(const struct ctd_rollup *rollup, const struct ctd_rollup_row *row,
		    int core_type, const struct ctd_vendor_counting *counting,
		    struct ctd_drill_sample *sample)
{
	const struct ctd_rollup_part *part = &row->parts[core_type];
	int groups = ctd_report_vendor_groups(rollup->plan, part, counting);

	*sample = (struct ctd_drill_sample){.counted = {groups, part->count, part->count_ns},
					    .cpu_ns = part->cpu_ns};
	for (int i = 0; i < groups; i++)
		sample->running_ns += part->group_ns[i];
	return key_of(row, &sample->key);
}

/* At what rows did on one core type. */
static int look(const struct ctd_rollup *rollup, int core_type,
		const struct ctd_vendor_counting *counting, struct ctd_drill *drill)
{
	autofree struct ctd_drill_sample *samples =
		calloc(rollup->rows_count + 1, sizeof(*samples));
	size_t count = 0;
	int error = samples ? 0 : -ENOMEM;

	for (size_t i = 0; !error && i < rollup->rows_count; i++)
		if (is_drilled(rollup->rows[i].kind) && rollup->rows[i].parts[core_type].ran)
			error = take_row(rollup, &rollup->rows[i], core_type, counting,
					 &samples[count++]);
	ctd_vendor_counting_take_latencies(counting, rollup->health.latencies.of[core_type]);
	return error ? error : ctd_drill_look(drill, samples, count, rollup->window_ns);
}

int ctd_report_drill(const struct ctd_rollup *rollup, const struct ctd_vendor_countings *vendor,
		     const struct ctd_drills *drills)
{
	int error = 0;

	for (int type = 0; !error && type < rollup->plan->core_types_count; type++)
		if (drills->of[type])
			error = look(rollup, type, vendor->of[type], drills->of[type]);
	return error;
}

void ctd_report_take_drill(struct ctd_report *report, const struct ctd_report_row *row)
{
	struct ctd_drill_path *path = &report->drill_paths[row - report->rows];
	const struct ctd_drill *drill = report->drills->of[row->core_type];

	if (drill && is_drilled(row->kind) && !row->hidden_sum &&
	    !ctd_drill_find(drill, key_of_shown(row), path))
		path->unfinished = true;
}

const struct ctd_drill_path *ctd_report_drill_path(const struct ctd_report *report,
						   const struct ctd_report_row *row)
{
	if (!report->drills || row->core_sum || row->hidden_sum || !is_drilled(row->kind) ||
	    !report->drills->of[row->core_type])
		return NULL;
	return &report->drill_paths[row - report->rows];
}
