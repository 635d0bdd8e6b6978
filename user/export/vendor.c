/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* vendor.c - vendors' metrics, and the events that they are of, as metrics. */
#include <math.h>
#include <string.h>

#include "export/families.h"

/* As --plan and warnings number them. */
static const char *number(size_t group)
{
	static const char *const numbers[CTD_ROTATION_GROUPS_MAX] = {
		"1",  "2",  "3",  "4",	"5",  "6",  "7",  "8",	"9",  "10", "11", "12", "13",
		"14", "15", "16", "17", "18", "19", "20", "21", "22", "23", "24", "25", "26",
		"27", "28", "29", "30", "31", "32", "33", "34", "35", "36", "37", "38", "39",
		"40", "41", "42", "43", "44", "45", "46", "47", "48", "49", "50", "51", "52",
		"53", "54", "55", "56", "57", "58", "59", "60", "61", "62", "63", "64"};

	return numbers[group];
}

static const struct ctd_vendor_metric *metric_of(const struct ctd_vendor_counting *vendor,
						 size_t index)
{
	return &vendor->table->metrics[vendor->metrics[index].metric];
}

int ctd_points_vendor_event(const struct family *family, const struct subject *subject,
			    struct point points[FAMILY_POINTS_MAX])
{
	const struct ctd_vendor_counting *vendor = subject->view->vendor;
	size_t events = (size_t)vendor->rotation.events_count, group = subject->vendor / events;
	const char *name =
		ctd_vendor_counting_event(vendor, (int)group, (int)(subject->vendor % events));

	(void)family;
	/* What was never counted is not 0. */
	if (!name || !subject->account->vendor.group_ns[group])
		return 0;
	points[0] = (struct point){subject->account->vendor.count[subject->vendor],
				   {number(group), name}};
	return 1;
}

int ctd_points_vendor_group(const struct family *family, const struct subject *subject,
			    struct point points[FAMILY_POINTS_MAX])
{
	(void)family;
	points[0] = (struct point){subject->account->vendor.group_ns[subject->vendor],
				   {number(subject->vendor)}};
	return 1;
}

int ctd_points_vendor_metric(const struct family *family, const struct subject *subject,
			     struct point points[FAMILY_POINTS_MAX])
{
	const struct ctd_vendor_metric *metric = metric_of(subject->view->vendor, subject->vendor);
	double value = subject->account->vendor.values[subject->vendor].value * metric->scale;

	(void)family;
	if (!isfinite(value))
		return 0;
	points[0] = (struct point){.values = {metric->name}};
	memcpy(&points[0].figure, &value, sizeof(value));
	return 1;
}

int ctd_points_vendor_name(const struct family *family, const struct subject *subject,
			   struct point points[FAMILY_POINTS_MAX])
{
	static const char *const levels[] = {NULL, "1", "2", "3", "4", "5", "6"};
	const struct ctd_vendor_counting *vendor = subject->view->vendor;
	const struct ctd_vendor_counted *counted = &vendor->metrics[subject->vendor];
	const struct ctd_vendor_metric *metric = metric_of(vendor, subject->vendor);
	bool in_tree =
		metric->level > 0 && (size_t)metric->level < sizeof(levels) / sizeof(*levels);

	(void)family;
	if (counted->group < 0)
		return 0;
	points[0] = (struct point){
		1,
		{metric->name, metric->unit, number((size_t)counted->group),
		 in_tree ? levels[metric->level] : NULL,
		 counted->parent < 0 ? NULL : metric_of(vendor, (size_t)counted->parent)->name}};
	return 1;
}
