/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* countings.c - what is counted on each core type, with a column for each metric of any of them. */
#include <cgtopdown/vendor.h>

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

static struct ctd_vendor_column *find_column(struct ctd_vendor_countings *countings,
					     const char *name)
{
	for (size_t i = 0; i < countings->columns_count; i++)
		if (strcasecmp(countings->columns[i].name, name) == 0)
			return &countings->columns[i];
	return NULL;
}

static void add_metrics(struct ctd_vendor_countings *countings, int core_type)
{
	const struct ctd_vendor_counting *counting = countings->of[core_type];

	for (size_t i = 0; counting && i < counting->metrics_count; i++) {
		const char *name = counting->table->metrics[counting->metrics[i].metric].name;
		struct ctd_vendor_column *column = find_column(countings, name);

		if (!column) {
			column = &countings->columns[countings->columns_count++];
			column->name = name;
			memset(column->index, -1, sizeof(column->index));
		}
		column->index[core_type] = (int)i;
	}
}

int ctd_vendor_countings_join(struct ctd_vendor_countings *countings)
{
	size_t count = 0;

	ctd_vendor_countings_free(countings);
	for (int type = 0; type < countings->core_types_count; type++)
		count += countings->of[type] ? countings->of[type]->metrics_count : 0;
	countings->columns = calloc(count + 1, sizeof(*countings->columns));
	if (!countings->columns)
		return -ENOMEM;
	for (int type = 0; type < countings->core_types_count; type++)
		add_metrics(countings, type);
	return 0;
}

void ctd_vendor_countings_free(struct ctd_vendor_countings *countings)
{
	free(countings->columns);
	countings->columns = NULL;
	countings->columns_count = 0;
}

bool ctd_vendor_column_is_counted(const struct ctd_vendor_countings *countings, size_t column)
{
	for (int type = 0; type < countings->core_types_count; type++) {
		int index = countings->columns[column].index[type];

		if (index >= 0 && countings->of[type]->metrics[index].group >= 0)
			return true;
	}
	return false;
}

int ctd_vendor_countings_find(const struct ctd_vendor_countings *countings, const char *name)
{
	for (int type = 0; type < countings->core_types_count; type++) {
		int index = countings->of[type]
				    ? ctd_vendor_counting_find(countings->of[type], name)
				    : -1;

		for (size_t i = 0; index >= 0 && i < countings->columns_count; i++)
			if (countings->columns[i].index[type] == index)
				return (int)i;
	}
	return -1;
}

const char *ctd_vendor_column_name(const struct ctd_vendor_countings *countings, int core_type,
				   int index)
{
	for (size_t i = 0; index >= 0 && i < countings->columns_count; i++)
		if (countings->columns[i].index[core_type] == index)
			return countings->columns[i].name;
	return NULL;
}

int ctd_vendor_countings_groups(const struct ctd_vendor_countings *countings)
{
	int most = 0;

	for (int type = 0; type < countings->core_types_count; type++)
		if (countings->of[type] && countings->of[type]->rotation.groups_count > most)
			most = countings->of[type]->rotation.groups_count;
	return most;
}
