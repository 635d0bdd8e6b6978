/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* sample_with.c - from a metric to the events that its vendor has sampled for it. */
#include <cgtopdown/vendor.h>

#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>

#include "vendor/reference.h"

int ctd_vendor_find_node(const struct ctd_vendor_table *table, const char *name)
{
	char prefixed[CTD_VENDOR_NAME_BYTES];
	int metric = ctd_vendor_find_metric(table, name);

	if (metric >= 0)
		return metric;
	snprintf(prefixed, sizeof(prefixed), "tma_%s", name);
	return ctd_vendor_find_metric(table, prefixed);
}

bool ctd_vendor_next_sample(const char **at, char ret_name[CTD_VENDOR_NAME_BYTES])
{
	size_t bytes;

	*at += strspn(*at, ",; ");
	bytes = strcspn(*at, ",; ");
	if (!bytes)
		return false;
	snprintf(ret_name, CTD_VENDOR_NAME_BYTES, "%.*s", (int)bytes, *at);
	*at += bytes;
	return true;
}

/* Older files of metrics have names that those of events have no more. */
static void cut_precise(const struct ctd_vendor_table *table, char *name)
{
	size_t event = strcspn(name, ":@");
	char alone[CTD_VENDOR_NAME_BYTES];

	snprintf(alone, sizeof(alone), "%.*s", (int)event, name);
	if (event > 3 && strncasecmp(name + event - 3, "_PS", 3) == 0 &&
	    !ctd_vendor_find_event(table, alone))
		memmove(name + event - 3, name + event, strlen(name + event) + 1);
}

int ctd_vendor_find_count(const struct ctd_vendor_table *table, const struct ctd_vendor_cpu *cpu,
			  const struct ctd_vendor_machine *machine, const char *name,
			  struct ctd_vendor_count *ret_count, char ret_why[CTD_VENDOR_WHY_BYTES])
{
	const struct ctd_reference_scope scope = {table, cpu, machine};
	struct ctd_reference reference;
	char event[CTD_VENDOR_NAME_BYTES];

	if ((size_t)snprintf(event, sizeof(event), "%s", name) >= sizeof(event)) {
		snprintf(ret_why, CTD_VENDOR_WHY_BYTES, "no event has so long a name");
		return -ENOENT;
	}
	cut_precise(table, event);
	ctd_reference_find(&scope, event, &reference);
	if (reference.kind != CTD_REFERENCE_COUNT) {
		snprintf(ret_why, CTD_VENDOR_WHY_BYTES, "%s",
			 reference.kind == CTD_REFERENCE_LACK ? reference.why
							      : "it is a number, and no event");
		return -ENOENT;
	}
	*ret_count = reference.count;
	return 0;
}
