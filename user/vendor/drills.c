/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* drills.c - a drill for each core type, and steps of one rotation for all of them. */
#include <cgtopdown/drill.h>

#include <errno.h>
#include <string.h>

int ctd_drills_new(const struct ctd_vendor_countings *countings, double memory_s,
		   struct ctd_drills *ret_drills)
{
	struct ctd_drills drills = {0};
	int any = -ENOENT;

	for (int type = 0; type < countings->core_types_count; type++) {
		int r = countings->of[type]
				? ctd_drill_new(countings->of[type], memory_s, &drills.of[type])
				: -ENOENT;

		if (r && r != -ENOENT) {
			ctd_drills_free(&drills);
			return r;
		}
		if (r == 0)
			any = 0;
	}
	if (any == 0)
		*ret_drills = drills;
	return any;
}

void ctd_drills_free(struct ctd_drills *drills)
{
	for (int type = 0; type < CTD_CORE_TYPES_MAX; type++)
		ctd_drill_free(drills->of[type]);
	*drills = (struct ctd_drills){0};
}

void ctd_drills_begin(const struct ctd_drills *drills)
{
	for (int type = 0; type < CTD_CORE_TYPES_MAX; type++)
		if (drills->of[type])
			ctd_drill_begin(drills->of[type]);
}

/* The step that counts @p group of a core type with @p groups of them: one that others want, too,
 * if there is one. */
static int best_step(const uint8_t *weights, int steps, int group, int groups)
{
	int best = group;

	for (int step = group; step < steps; step += groups)
		if (weights[step] > weights[best])
			best = step;
	return best;
}

/* @p wishes NULL: each group is wanted as much as any other. */
static void add_wishes(const uint8_t *wishes, int groups, int steps, uint8_t *weights)
{
	for (int group = 0; group < groups; group++) {
		int had = 0, wish = wishes ? wishes[group] : 1;

		for (int step = group; step < steps; step += groups)
			had += weights[step];
		if (wish > had)
			weights[best_step(weights, steps, group, groups)] += (uint8_t)(wish - had);
	}
}

static int most_groups(const struct ctd_vendor_countings *countings, const int *groups)
{
	int most = 1;

	for (int type = 0; type < countings->core_types_count; type++)
		if (groups[type] > most)
			most = groups[type];
	return most;
}

/* The core type with most groups first: its steps are what the others' are chosen of. */
int ctd_drills_weigh(const struct ctd_drills *drills, const struct ctd_vendor_countings *countings,
		     const int groups[CTD_CORE_TYPES_MAX],
		     uint8_t ret_weights[CTD_ROTATION_GROUPS_MAX])
{
	int steps = most_groups(countings, groups), sum = 0;

	memset(ret_weights, 0, CTD_ROTATION_GROUPS_MAX);
	for (int count = steps; count > 0; count--)
		for (int type = 0; type < countings->core_types_count; type++)
			if (countings->of[type] && groups[type] == count)
				add_wishes(drills->of[type] ? ctd_drill_weights(drills->of[type])
							    : NULL,
					   count, steps, ret_weights);
	for (int step = 0; step < steps; step++)
		sum += ret_weights[step];
	/* Where CPUs must not be disturbed, what is wanted may be in no group that is left. */
	for (int step = 0; !sum && step < steps; step++)
		ret_weights[step] = 1;
	return steps;
}
