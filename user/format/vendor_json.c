/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* vendor_json.c - what vendors' metrics are, as JSON. */
#include "format/vendor_json.h"

#include "base/known.h"

static const struct ctd_vendor_metric *metric_of(const struct ctd_vendor_counting *vendor,
						 size_t index)
{
	return &vendor->table->metrics[vendor->metrics[index].metric];
}

void ctd_vendor_metric_add_json(struct ctd_json *json, const struct ctd_vendor_counting *vendor,
				int index, enum ctd_vendor_means means,
				const struct ctd_vendor_metric_texts *texts)
{
	bool is_known = index >= 0;
	const struct ctd_vendor_metric *metric = is_known ? metric_of(vendor, (size_t)index) : NULL;

	ctd_json_string(json, "name", texts->name);
	ctd_json_string(json, "unit", is_known ? ctd_known(metric->unit) : NULL);
	ctd_json_count(json, "level", is_known ? (uint64_t)metric->level : 0,
		       is_known && metric->level > 0);
	ctd_json_string(json, "parent", texts->parent);
	ctd_json_bool(json, "assumes_latency", means == CTD_VENDOR_ASSUMED);
	ctd_json_string(json, "latency", ctd_vendor_means_name(means));
	ctd_json_string(json, "lack", texts->lack);
}

static void add_described(struct ctd_json *json, const struct ctd_vendor_counting *vendor,
			  size_t index, const struct ctd_latency *measured)
{
	const struct ctd_vendor_counted *counted = &vendor->metrics[index];
	const struct ctd_vendor_metric *metric = metric_of(vendor, index);
	const struct ctd_vendor_metric_texts texts = {
		.name = metric->name,
		.parent = counted->parent < 0 ? NULL
					      : metric_of(vendor, (size_t)counted->parent)->name,
		.lack = counted->why,
	};

	ctd_json_begin_object(json, NULL);
	ctd_vendor_metric_add_json(json, vendor, (int)index,
				   ctd_vendor_counting_means(vendor, index, measured), &texts);
	ctd_json_count(json, "group", (uint64_t)counted->group + 1, counted->group >= 0);
	ctd_json_string(json, "threshold", ctd_known(metric->threshold));
	ctd_json_string(json, "help", ctd_known(metric->description));
	ctd_json_string(json, "sample_with", ctd_known(metric->sample_with));
	ctd_json_end_object(json);
}

void ctd_vendor_metrics_add_json(struct ctd_json *json, const struct ctd_vendor_counting *vendor,
				 const struct ctd_latency *measured)
{
	ctd_json_begin_array(json, "vendor_metrics");
	for (size_t i = 0; i < vendor->metrics_count; i++)
		add_described(json, vendor, i, measured);
	ctd_json_end_array(json);
}
