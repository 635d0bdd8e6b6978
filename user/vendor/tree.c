/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* tree.c - which metrics are parts of which, by the names of their groups. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "vendor/table.h"

#define NAME_BYTES 256
/* Six levels are the most that there are. */
#define DEPTH_MAX 32

/* "TopdownL3", AMD's "PipelineL2", Arm's "Topdown_L1". */
static const char *const level_groups[] = {"TopdownL", "PipelineL", "Topdown_L"};

static int level_of(const char *group, size_t bytes)
{
	for (size_t i = 0; i < sizeof(level_groups) / sizeof(*level_groups); i++) {
		size_t prefix = strlen(level_groups[i]);

		if (bytes == prefix + 1 && strncmp(group, level_groups[i], prefix) == 0 &&
		    group[prefix] >= '1' && group[prefix] <= '9')
			return group[prefix] - '0';
	}
	return 0;
}

/* "tma_memory_bound_group" is of the parts of tma_memory_bound. @return -1: it is no such. */
static int parent_of(const struct ctd_vendor_table *table, const char *group, size_t bytes)
{
	static const char suffix[] = "_group";
	size_t rest = strlen(suffix);
	char name[NAME_BYTES];

	if (bytes <= rest || bytes - rest >= sizeof(name) ||
	    strncmp(group + bytes - rest, suffix, rest) != 0)
		return -1;
	snprintf(name, sizeof(name), "%.*s", (int)(bytes - rest), group);
	return ctd_vendor_find_metric(table, name);
}

static void set_of_groups(const struct ctd_vendor_table *table, struct ctd_vendor_metric *metric)
{
	for (const char *group = metric->groups; *group;) {
		size_t bytes = strcspn(group, ";");
		int level = level_of(group, bytes), parent = parent_of(table, group, bytes);

		if (level)
			metric->level = level;
		if (parent >= 0 && &table->metrics[parent] != metric)
			metric->parent = parent;
		group += bytes;
		group += strspn(group, ";");
	}
}

/* A file may have it that each is part of the other. */
static void cut_circles(struct ctd_vendor_table *table)
{
	for (size_t i = 0; i < table->metrics_count; i++) {
		struct ctd_vendor_metric *metric = &table->metrics[i];
		size_t steps = 0;

		for (int at = metric->parent; at >= 0; at = table->metrics[at].parent) {
			if (++steps <= DEPTH_MAX && at != (int)i)
				continue;
			ctd_vendor_note(table, metric->file, metric->name,
					"it is a part of itself: it is shown beside the tree");
			metric->parent = -1;
			break;
		}
	}
}

void ctd_vendor_tree_set(struct ctd_vendor_table *table)
{
	for (size_t i = 0; i < table->metrics_count; i++) {
		struct ctd_vendor_metric *metric = &table->metrics[i];

		metric->parent = -1;
		if (*metric->parent_name)
			metric->parent = ctd_vendor_find_metric(table, metric->parent_name);
		if (metric->parent == (int)i)
			metric->parent = -1;
		set_of_groups(table, metric);
	}
	cut_circles(table);
}
