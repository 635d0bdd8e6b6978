/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* otlp_fields.c - writes attributes, metrics and points of an OTLP message. */
#include "export/otlp.h"

#include <stdio.h>

#include "base/protobuf.h"

/* KeyValue, AnyValue. */
enum { KEY = 1, VALUE = 2 };
enum { STRING_VALUE = 1, BOOL_VALUE = 2, INT_VALUE = 3 };
/* Metric. */
enum { METRIC_NAME = 1, METRIC_UNIT = 3, METRIC_GAUGE = 5, METRIC_SUM = 7, METRIC_HISTOGRAM = 9 };
/* Sum, Gauge, Histogram. */
enum { DATA_POINTS = 1, AGGREGATION_TEMPORALITY = 2, IS_MONOTONIC = 3 };
enum { CUMULATIVE = 2 };
/* NumberDataPoint, HistogramDataPoint. */
enum { START_TIME = 2, TIME = 3, AS_DOUBLE = 4, AS_INT = 6 };
/* HistogramDataPoint. */
enum { COUNT = 4, SUM = 5, BUCKET_COUNTS = 6, EXPLICIT_BOUNDS = 7 };

struct attribute {
	size_t pair, value;
};

static struct attribute begin_attribute(struct ctd_strbuf *message, int field, const char *key)
{
	struct attribute attribute = {.pair = ctd_protobuf_begin(message, field)};

	ctd_protobuf_text(message, KEY, key);
	attribute.value = ctd_protobuf_begin(message, VALUE);
	return attribute;
}

static void end_attribute(struct ctd_strbuf *message, struct attribute attribute)
{
	ctd_protobuf_end(message, attribute.value);
	ctd_protobuf_end(message, attribute.pair);
}

void ctd_otlp_text(struct ctd_strbuf *message, int field, const char *key, const char *value)
{
	struct attribute attribute;

	if (!value || !*value)
		return;
	attribute = begin_attribute(message, field, key);
	ctd_protobuf_text(message, STRING_VALUE, value);
	end_attribute(message, attribute);
}

void ctd_otlp_bool(struct ctd_strbuf *message, int field, const char *key, bool value)
{
	struct attribute attribute = begin_attribute(message, field, key);

	ctd_protobuf_varint(message, BOOL_VALUE, value);
	end_attribute(message, attribute);
}

void ctd_otlp_int(struct ctd_strbuf *message, int field, const char *key, uint64_t value)
{
	struct attribute attribute = begin_attribute(message, field, key);

	ctd_protobuf_varint(message, INT_VALUE, value);
	end_attribute(message, attribute);
}

void ctd_otlp_metric_begin(struct ctd_otlp_metric *metric, enum ctd_otlp_kind kind,
			   const char *prefix, const char *name, const char *unit)
{
	static const int fields[] = {
		[CTD_OTLP_COUNTER] = METRIC_SUM,
		[CTD_OTLP_UPDOWN] = METRIC_SUM,
		[CTD_OTLP_GAUGE] = METRIC_GAUGE,
		[CTD_OTLP_HISTOGRAM] = METRIC_HISTOGRAM,
	};
	struct ctd_strbuf *message = metric->message;
	char full_name[96];

	snprintf(full_name, sizeof(full_name), "%s%s", prefix, name);
	metric->kind = kind;
	metric->points = 0;
	metric->start = message->bytes;
	metric->metric_mark = ctd_protobuf_begin(message, CTD_OTLP_SCOPE_METRICS);
	ctd_protobuf_text(message, METRIC_NAME, full_name);
	ctd_protobuf_text(message, METRIC_UNIT, unit);
	metric->data_mark = ctd_protobuf_begin(message, fields[kind]);
}

void ctd_otlp_metric_end(struct ctd_otlp_metric *metric)
{
	struct ctd_strbuf *message = metric->message;

	if (!metric->points) {
		message->bytes = metric->start;
		return;
	}
	if (metric->kind != CTD_OTLP_GAUGE)
		ctd_protobuf_varint(message, AGGREGATION_TEMPORALITY, CUMULATIVE);
	if (metric->kind == CTD_OTLP_COUNTER || metric->kind == CTD_OTLP_UPDOWN)
		ctd_protobuf_varint(message, IS_MONOTONIC, metric->kind == CTD_OTLP_COUNTER);
	ctd_protobuf_end(message, metric->data_mark);
	ctd_protobuf_end(message, metric->metric_mark);
}

void ctd_otlp_point_begin(struct ctd_otlp_metric *metric)
{
	uint64_t begun_ns = metric->begun_ns;

	/* A clock that was set back must not make a point end before it began. */
	if (begun_ns > metric->time_ns)
		begun_ns = metric->time_ns;
	metric->points++;
	metric->point_mark = ctd_protobuf_begin(metric->message, DATA_POINTS);
	if (metric->kind != CTD_OTLP_GAUGE)
		ctd_protobuf_fixed64(metric->message, START_TIME, begun_ns);
	ctd_protobuf_fixed64(metric->message, TIME, metric->time_ns);
}

void ctd_otlp_point_count(struct ctd_otlp_metric *metric, uint64_t count)
{
	/* OTLP's integers are signed. 512 busy CPUs of six slots pass 2^63 in nine days; what comes
	 * then is still a total that only grows. */
	if (count > INT64_MAX)
		ctd_otlp_point_number(metric, (double)count);
	else
		ctd_otlp_point_signed(metric, (int64_t)count);
}

void ctd_otlp_point_number(struct ctd_otlp_metric *metric, double number)
{
	ctd_protobuf_double(metric->message, AS_DOUBLE, number);
	ctd_protobuf_end(metric->message, metric->point_mark);
}

void ctd_otlp_point_signed(struct ctd_otlp_metric *metric, int64_t number)
{
	ctd_protobuf_fixed64(metric->message, AS_INT, (uint64_t)number);
	ctd_protobuf_end(metric->message, metric->point_mark);
}

void ctd_otlp_point_histogram(struct ctd_otlp_metric *metric, double sum, const uint64_t *counts,
			      const double *bounds, size_t buckets)
{
	uint64_t count = 0;

	for (size_t i = 0; i < buckets; i++)
		count += counts[i];
	ctd_protobuf_fixed64(metric->message, COUNT, count);
	ctd_protobuf_double(metric->message, SUM, sum);
	ctd_protobuf_fixed64s(metric->message, BUCKET_COUNTS, counts, buckets);
	ctd_protobuf_doubles(metric->message, EXPLICIT_BOUNDS, bounds, buckets - 1);
	ctd_protobuf_end(metric->message, metric->point_mark);
}
