/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* otlp.h - what the parts of an OTLP message share: attributes, metrics, points. */
#ifndef EXPORT_OTLP_H
#define EXPORT_OTLP_H

#include <cgtopdown/export.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/strbuf.h"

/*
 * Field numbers are those of opentelemetry-proto 1.x, opentelemetry/proto/metrics/v1/metrics.proto,
 * common/v1 and resource/v1; tests/otlp/metrics.proto has the part of it that is written here.
 */
enum {
	CTD_OTLP_RESOURCE_ATTRIBUTES = 1, /* Resource */
	CTD_OTLP_POINT_ATTRIBUTES = 7, /* NumberDataPoint */
	CTD_OTLP_HISTOGRAM_ATTRIBUTES = 9, /* HistogramDataPoint */
};

/* otlp_fields.c */

/* An attribute, a KeyValue in @p field. A text that is NULL or "" is left out. */
void ctd_otlp_text(struct ctd_strbuf *message, int field, const char *key, const char *value);
void ctd_otlp_bool(struct ctd_strbuf *message, int field, const char *key, bool value);
void ctd_otlp_int(struct ctd_strbuf *message, int field, const char *key, uint64_t value);

enum ctd_otlp_kind {
	CTD_OTLP_COUNTER, /* a monotonic sum */
	CTD_OTLP_UPDOWN, /* a sum that is not: what is in use */
	CTD_OTLP_GAUGE, /* what must not be summed */
	CTD_OTLP_HISTOGRAM,
};
/* A metric in the making; all its points are of one time. */
struct ctd_otlp_metric {
	struct ctd_strbuf *message;
	enum ctd_otlp_kind kind;
	uint64_t begun_ns, time_ns; /* of sums: since when they count */
	size_t start, metric_mark, data_mark, point_mark;
	size_t points;
};
/* PREFIX and NAME are one name; start from {.message, .time_ns, .begun_ns}. */
void ctd_otlp_metric_begin(struct ctd_otlp_metric *metric, enum ctd_otlp_kind kind,
			   const char *prefix, const char *name, const char *unit);
/* A metric without points is left out. */
void ctd_otlp_metric_end(struct ctd_otlp_metric *metric);
/* A point: begin, its attributes, one of those that follow. */
void ctd_otlp_point_begin(struct ctd_otlp_metric *metric);
void ctd_otlp_point_count(struct ctd_otlp_metric *metric, uint64_t count);
void ctd_otlp_point_number(struct ctd_otlp_metric *metric, double number);
void ctd_otlp_point_signed(struct ctd_otlp_metric *metric, int64_t number);
/* Each bucket without those before it; there is no bound of the last one. */
void ctd_otlp_point_histogram(struct ctd_otlp_metric *metric, double sum, const uint64_t *counts,
			      const double *bounds, size_t buckets);

/* otlp_resource.c: Resource messages. */
void ctd_otlp_resource_container(const struct ctd_ledger_view *view,
				 const struct ctd_otlp_resource *resource,
				 const struct ctd_account_who *who, struct ctd_strbuf *message);
void ctd_otlp_resource_node(const struct ctd_ledger_view *view, const struct ctd_self *self,
			    const struct ctd_otlp_resource *resource, struct ctd_strbuf *message);

/* otlp_families.c: Metric messages of the accounts from @p first to before @p end, which are one
 * container or none of them is; @p whole_node: and of the node and the program itself. */
void ctd_otlp_families(const struct ctd_ledger_view *view, const struct ctd_self *self,
		       size_t first, size_t end, bool whole_node, struct ctd_strbuf *message);
/* Has an account a resource of its own? */
bool ctd_otlp_is_container(const struct ctd_account *account);

/* otlp.c: the field of ScopeMetrics that holds a Metric. */
#define CTD_OTLP_SCOPE_METRICS 2

#endif
