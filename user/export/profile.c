/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* profile.c - points of how well stacks are sampled. */
#include "export/families.h"

/* A total of sampling, and the value of the family's label. */
struct part {
	enum ctd_sampling_health total;
	const char *name;
};

static const char *const table_names[CTD_PROFILE_TABLES] = {
	[CTD_TABLE_EXECUTABLE] = "executable",
	[CTD_TABLE_JIT] = "jit",
	[CTD_TABLE_MAPPINGS] = "mappings",
};

static int write_parts(const struct subject *subject, const struct part *parts, int count,
		       struct point *points)
{
	const uint64_t *sampling = subject->self->profile_health.sampling;

	for (int i = 0; i < count; i++)
		points[i] = (struct point){sampling[parts[i].total], {parts[i].name}};
	return count;
}

static int write_tables(const uint64_t *totals, int count, struct point *points)
{
	for (int i = 0; i < count; i++)
		points[i] = (struct point){totals[i], {table_names[i]}};
	return count;
}

int ctd_points_windows(const struct family *family, const struct subject *subject,
		       struct point points[FAMILY_POINTS_MAX])
{
	static const struct part parts[] = {
		{CTD_SAMPLING_WINDOWS, "whole"},
		{CTD_SAMPLING_UNPAIRED, "unpaired"},
		{CTD_SAMPLING_SWITCHED, "switched"},
		{CTD_SAMPLING_UNREAD, "unread"},
	};

	(void)family;
	return write_parts(subject, parts, sizeof(parts) / sizeof(*parts), points);
}

int ctd_points_stacks(const struct family *family, const struct subject *subject,
		      struct point points[FAMILY_POINTS_MAX])
{
	static const struct part parts[] = {
		{CTD_SAMPLING_COMPLETE, "complete"},
		{CTD_SAMPLING_TRUNCATED, "truncated"},
		{CTD_SAMPLING_BROKEN, "broken"},
		{CTD_SAMPLING_FRAME_POINTERS, "frame_pointers"},
	};

	(void)family;
	return write_parts(subject, parts, sizeof(parts) / sizeof(*parts), points);
}

int ctd_points_tables_refused(const struct family *family, const struct subject *subject,
			      struct point points[FAMILY_POINTS_MAX])
{
	(void)family;
	return write_tables(subject->self->profile_health.refused, CTD_PROFILE_TABLES, points);
}

int ctd_points_tables_forgotten(const struct family *family, const struct subject *subject,
				struct point points[FAMILY_POINTS_MAX])
{
	(void)family;
	return write_tables(subject->self->profile_health.forgotten, CTD_TABLE_MAPPINGS, points);
}
