/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* pairs.c - whose tasks waited behind whose, as metrics. */
#include <string.h>

#include "export/families.h"

/* Whose it is to where labels have it: all that keys of accounts are made of. */
static void put_who(const struct ctd_account_who *who, const char **values)
{
	if (!who)
		return;
	values[0] = ctd_account_kind_name(who->kind);
	values[1] = who->namespace_name;
	values[2] = who->pod;
	values[3] = who->container;
	values[4] = who->cgroup;
	values[5] = who->core;
}

int ctd_points_pair(const struct family *family, const struct subject *subject,
		    struct point points[FAMILY_POINTS_MAX])
{
	const struct ctd_pair_total *total = subject->pair;

	/* They stand still with the waits. */
	if (ctd_budget_gave_up(&subject->view->health.budget, CTD_BUDGET_WAITS))
		return 0;
	points[0] = (struct point){.values = {total->what}};
	memcpy(&points[0].figure, (const char *)total + family->offset, sizeof(points[0].figure));
	put_who(total->victim, &points[0].values[1]);
	put_who(total->occupier, &points[0].values[7]);
	return 1;
}
