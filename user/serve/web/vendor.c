/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* vendor.c - vendors' metrics of a ledger's view as JSON. */
#include "serve/web/vendor.h"

#include <math.h>

#include "format/format.h"
#include "format/vendor_json.h"

static const char *name_of(const struct ctd_vendor_counting *vendor, size_t index)
{
	return vendor->table->metrics[vendor->metrics[index].metric].name;
}

static void add_numbers(struct ctd_json *json, const char *key, const uint64_t *numbers, int count)
{
	ctd_json_begin_array(json, key);
	for (int i = 0; i < count; i++)
		ctd_json_integer(json, NULL, numbers[i]);
	ctd_json_end_array(json);
}

/* Those of events that formulas need. */
static void add_counts(struct ctd_json *json, const struct ctd_vendor_counting *vendor,
		       const uint64_t *count)
{
	int events = vendor->rotation.events_count;

	ctd_json_begin_array(json, "counts");
	for (int group = 0; group < vendor->rotation.groups_count; group++) {
		ctd_json_begin_array(json, NULL);
		for (int i = 0; i < events; i++)
			if (ctd_vendor_counting_event(vendor, group, i))
				ctd_json_integer(json, NULL, count[group * events + i]);
		ctd_json_end_array(json);
	}
	ctd_json_end_array(json);
}

static void add_total(struct ctd_json *json, const char *key,
		      const struct ctd_vendor_counting *vendor,
		      const struct ctd_account_vendor *total)
{
	int groups = vendor->rotation.groups_count;

	ctd_json_begin_object(json, key);
	add_numbers(json, "group_ns", total->group_ns, groups);
	add_counts(json, vendor, total->count);
	ctd_json_end_object(json);
}

static void add_groups(struct ctd_json *json, const struct ctd_vendor_counting *vendor)
{
	ctd_json_begin_array(json, "vendor_groups");
	for (int group = 0; group < vendor->rotation.groups_count; group++) {
		ctd_json_begin_array(json, NULL);
		for (int i = 0; i < vendor->rotation.events_count; i++) {
			const char *name = ctd_vendor_counting_event(vendor, group, i);

			if (name)
				ctd_json_string(json, NULL, name);
		}
		ctd_json_end_array(json);
	}
	ctd_json_end_array(json);
}

void ctd_view_add_vendor(struct ctd_json *json, const struct ctd_ledger_view *view)
{
	if (!view->vendor)
		return;
	ctd_vendor_metrics_add_json(json, view->vendor, view->health.latencies.of[0]);
	add_groups(json, view->vendor);
	add_total(json, "vendor_fetched", view->vendor, &view->vendor_fetched);
}

void ctd_view_add_vendor_total(struct ctd_json *json, const struct ctd_ledger_view *view,
			       const struct ctd_account *account)
{
	if (view->vendor)
		add_total(json, "vendor", view->vendor, &account->vendor);
}

/* Of the time that the row ran in the last interval. */
static void add_coverage(struct ctd_json *json, const struct ctd_vendor_counting *vendor,
			 const struct ctd_account *account)
{
	double cpu_ns = (double)account->recent.cpu_ns;

	ctd_json_begin_array(json, "coverage");
	for (int group = 0; group < vendor->rotation.groups_count; group++)
		ctd_json_real(json, NULL,
			      cpu_ns > 0 ? (double)account->vendor.recent_ns[group] / cpu_ns : NAN,
			      1e4);
	ctd_json_end_array(json);
}

void ctd_view_add_vendor_recent(struct ctd_json *json, const struct ctd_ledger_view *view,
				const struct ctd_account *account)
{
	const struct ctd_vendor_counting *vendor = view->vendor;
	const struct ctd_vendor_value *values = account->vendor.values;

	if (!vendor)
		return;
	ctd_json_begin_object(json, "vendor");
	ctd_json_begin_object(json, "metrics");
	for (size_t i = 0; i < vendor->metrics_count; i++) {
		if (vendor->metrics[i].group < 0)
			continue;
		ctd_json_name(json, name_of(vendor, i));
		ctd_json_figure(json, NULL,
				values[i].value *
					vendor->table->metrics[vendor->metrics[i].metric].scale,
				CTD_VENDOR_DIGITS);
	}
	ctd_json_end_object(json);
	add_coverage(json, vendor, account);
	ctd_json_begin_array(json, "worth_a_look");
	for (size_t i = 0; i < vendor->metrics_count; i++)
		if (values[i].hot)
			ctd_json_string(json, NULL, name_of(vendor, i));
	ctd_json_end_array(json);
	ctd_json_end_object(json);
}
