/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* interference.c - tags of neighbours, and what was lost by them, as metrics. */
#include "export/families.h"

_Static_assert(CTD_MECHANISMS *CTD_BLAMES <= FAMILY_POINTS_MAX, "a point each");

/* Namespace, pod and container, or what there is instead, to where labels have them. */
static void put_names(const struct ctd_neighbour_names *names, const char **values)
{
	values[0] = names->namespace_name;
	values[1] = names->pod;
	values[2] = names->container;
	values[3] = names->container ? NULL : names->cgroup;
}

/* The largest losses come first. */
int ctd_points_interference(const struct family *family, const struct subject *subject,
			    struct point points[FAMILY_POINTS_MAX])
{
	const struct ctd_neighbour_verdicts *verdicts = subject->self->neighbours;
	const struct ctd_ledger_view *view = subject->view;
	int count = 0;

	(void)family;
	for (size_t i = 0; i < verdicts->tags_count && count < FAMILY_POINTS_MAX; i++) {
		const struct ctd_neighbour_tag *tag = &verdicts->tags[i];
		struct point *point = &points[count++];

		*point = (struct point){.figure = 1};
		put_names(tag->victim, &point->values[0]);
		if (tag->domain < (uint32_t)view->core_types_count)
			point->values[4] = view->core_types[tag->domain].name;
		point->values[5] = ctd_mechanism_name(tag->mechanism);
		point->values[6] = ctd_blame_name(tag->blame);
		if (tag->antagonists_count)
			put_names(tag->antagonists[0].names, &point->values[7]);
	}
	return count;
}

int ctd_points_lost_slots(const struct family *family, const struct subject *subject,
			  struct point points[FAMILY_POINTS_MAX])
{
	const struct ctd_neighbour_verdicts *verdicts = subject->self->neighbours;
	int count = 0;

	(void)family;
	for (int i = 0; i < CTD_MECHANISMS; i++)
		for (int j = 0; j < CTD_BLAMES; j++)
			if (verdicts->lost_slots[i][j])
				points[count++] =
					(struct point){verdicts->lost_slots[i][j],
						       {ctd_mechanism_name((enum ctd_mechanism)i),
							ctd_blame_name((enum ctd_blame)j)}};
	return count;
}
