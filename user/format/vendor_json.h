/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* vendor_json.h - what vendors' metrics are, as JSON. */
#ifndef FORMAT_VENDOR_JSON_H
#define FORMAT_VENDOR_JSON_H

#include <cgtopdown/vendor.h>

#include "base/json.h"

/* What a metric is called, NULL: it has none. */
struct ctd_vendor_metric_texts {
	const char *name, *parent;
	const char *lack; /* why it is not counted */
};

/* The members of a metric. @p index: of @p vendor; -1: it is none of its. @p means: on which
 * latencies it rests. */
void ctd_vendor_metric_add_json(struct ctd_json *json, const struct ctd_vendor_counting *vendor,
				int index, enum ctd_vendor_means means,
				const struct ctd_vendor_metric_texts *texts);
/* The member "vendor_metrics": what they are, and why some are not counted, also for people who
 * have no files of the vendor's. @p measured: latencies. */
void ctd_vendor_metrics_add_json(struct ctd_json *json, const struct ctd_vendor_counting *vendor,
				 const struct ctd_latency *measured);

#endif
