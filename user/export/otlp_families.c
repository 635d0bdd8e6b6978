/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* otlp_families.c - metric families as OTLP metrics. */
#include "export/families.h"
#include "export/otlp.h"

/* A message on its way. */
struct writer {
	struct subject whole;
	size_t first, end; /* its accounts */
	bool whole_node; /* with the families that are not of accounts */
	const struct family *family; /* being written */
	struct ctd_otlp_metric metric;
};

static void write_attributes(struct ctd_strbuf *message, const struct family *family,
			     const struct subject *subject, const struct point *point)
{
	const struct ctd_account *account = subject->account;
	int field = family->type == FAMILY_HISTOGRAM ? CTD_OTLP_HISTOGRAM_ATTRIBUTES
						     : CTD_OTLP_POINT_ATTRIBUTES;

	if (account && !ctd_otlp_is_container(account)) {
		ctd_otlp_text(message, field, "cgtopdown.kind",
			      ctd_account_kind_name(account->who->kind));
		ctd_otlp_text(message, field, "cgtopdown.cgroup", account->who->cgroup);
	}
	if (account)
		ctd_otlp_text(message, field, "cgtopdown.core", account->who->core);
	else if (subject->core)
		ctd_otlp_text(message, field, "cgtopdown.core", subject->core->name);
	for (int i = 0; i < FAMILY_LABELS_MAX && family->labels[i].name; i++)
		if (family->labels[i].attribute)
			ctd_otlp_text(message, field, family->labels[i].attribute,
				      point->values[i]);
}

static void write_histogram(struct ctd_otlp_metric *metric, const struct ctd_waits *waits,
			    uint64_t sum_ns)
{
	uint64_t counts[FAMILY_BUCKETS];
	double bounds[FAMILY_BUCKETS];

	for (int i = 0; i < FAMILY_BUCKETS; i++) {
		counts[i] = ctd_histogram_count(waits, i);
		bounds[i] = (double)ctd_histogram_bound_ns(i) / 1e9;
	}
	ctd_otlp_point_histogram(metric, (double)sum_ns / 1e9, counts, bounds, FAMILY_BUCKETS);
}

static void write_point(void *context, const struct subject *subject, const struct point *point,
			int number)
{
	struct writer *writer = context;
	struct ctd_otlp_metric *metric = &writer->metric;

	(void)number;
	if (subject->account)
		metric->begun_ns = subject->account->begun_ns;
	if (subject->function)
		metric->begun_ns = subject->function->begun_ns;
	if (subject->pair)
		metric->begun_ns = subject->pair->begun_ns;
	ctd_otlp_point_begin(metric);
	write_attributes(metric->message, writer->family, subject, point);
	if (writer->family->type == FAMILY_HISTOGRAM)
		write_histogram(metric, &subject->account->waits, point->figure);
	else if (writer->family->figure == FIGURE_NS)
		ctd_otlp_point_number(metric, (double)point->figure / 1e9);
	else if (writer->family->figure == FIGURE_REAL)
		ctd_otlp_point_number(metric, ctd_point_real(point->figure));
	else if (writer->family->figure == FIGURE_SIGNED)
		ctd_otlp_point_signed(metric, (int64_t)point->figure);
	else
		ctd_otlp_point_count(metric, point->figure);
}

static void write_family(const struct family *family, void *context)
{
	struct writer *writer = context;
	struct ctd_otlp_metric *metric = &writer->metric;
	const struct ctd_ledger_view *view = writer->whole.view;
	bool of_rows = ctd_family_is_of_rows(family);
	bool of_accounts = of_rows || family->scope == OF_CONTAINERS;
	const char *prefix = "";

	if (!family->otlp || (of_accounts ? writer->first == writer->end : !writer->whole_node))
		return;
	if (of_rows)
		prefix = ctd_otlp_is_container(&view->accounts[writer->first]) ? "container.cpu."
									       : "cgroup.cpu.";
	writer->family = family;
	metric->begun_ns =
		family->scope == OF_SELF ? writer->whole.self->started_ns : view->begun_ns;
	ctd_otlp_metric_begin(metric,
			      family->in_use			 ? CTD_OTLP_UPDOWN
			      : family->type == FAMILY_COUNTER	 ? CTD_OTLP_COUNTER
			      : family->type == FAMILY_HISTOGRAM ? CTD_OTLP_HISTOGRAM
								 : CTD_OTLP_GAUGE,
			      prefix, family->otlp, family->otlp_unit);
	ctd_family_each_point(family, &writer->whole, writer->first, writer->end, write_point,
			      writer);
	ctd_otlp_metric_end(metric);
}

bool ctd_otlp_is_container(const struct ctd_account *account)
{
	return ctd_is_container(&(struct subject){.account = account});
}

void ctd_otlp_families(const struct ctd_ledger_view *view, const struct ctd_self *self,
		       size_t first, size_t end, bool whole_node, struct ctd_strbuf *message)
{
	struct writer writer = {.whole = {.view = view, .self = self},
				.first = first,
				.end = end,
				.whole_node = whole_node,
				.metric = {.message = message, .time_ns = view->realtime_ns}};

	ctd_families_each(write_family, &writer);
}
