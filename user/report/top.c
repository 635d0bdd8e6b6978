/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* top.c - cuts a report to its first rows without losing the rest from the sum. */
#include "report/group.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int cores_count(const struct ctd_groups *groups)
{
	return groups->cores_count ? groups->cores_count : 1;
}

int ctd_groups_add_hidden(struct ctd_groups *groups, size_t hidden, const struct ctd_sum *sums)
{
	struct ctd_group *group = ctd_groups_add(groups);
	struct ctd_group more = {.kind = CTD_ROW_OTHER};
	size_t at = 0;

	if (!group)
		return -ENOMEM;
	more.sums = group->sums;
	ctd_sums_add(more.sums, sums, cores_count(groups));
	more.row = group->row;
	more.row.kind = "other";
	more.row.hidden_sum = true;
	if (asprintf(&more.row.name, "(%zu more)", hidden) < 0) {
		groups->count--;
		free(more.sums);
		return -ENOMEM;
	}
	/* After the last cgroup: what follows is nobody's parent, so no index changes. */
	while (at < groups->count - 1 && groups->items[at].kind == CTD_ROW_CGROUP)
		at++;
	memmove(&groups->items[at + 1], &groups->items[at],
		(groups->count - 1 - at) * sizeof(groups->items[0]));
	groups->items[at] = more;
	return 0;
}

int ctd_groups_cut(struct ctd_groups *groups, int top)
{
	struct ctd_sum sums[CTD_CORES_MAX] = {0};
	size_t kept = 0, shown = 0, hidden = 0;

	for (size_t i = 0; i < groups->count; i++) {
		struct ctd_group *group = &groups->items[i];

		if (group->kind == CTD_ROW_CGROUP && top > 0 && shown++ >= (size_t)top) {
			ctd_sums_add(sums, group->sums, cores_count(groups));
			ctd_group_clear(group);
			hidden++;
		} else {
			groups->items[kept++] = *group;
		}
	}
	groups->count = kept;
	groups->filtered |= hidden > 0;
	return hidden ? ctd_groups_add_hidden(groups, hidden, sums) : 0;
}
