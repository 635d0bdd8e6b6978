/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* metrics.c - what it costs to add a report of many containers up, and to write it as metrics. */
#include <assert.h>
#include <cgtopdown/export.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <time.h>

#include "one_kind.h"

extern const struct ctd_cpu_model ctd_cpu_sim;

#define ROUNDS 15

/* N containers of as many pods, with names as long as they are. */
static void make_rows(struct ctd_report *report, struct ctd_identity *identities, size_t count)
{
	char path[256], *text;

	for (size_t i = 0; i < count; i++) {
		struct ctd_identity *identity = &identities[i];
		struct ctd_report_row *row = &report->rows[i];
		uint64_t slots = 24000007 + i, counts[CTD_COUNTERS_MAX] = {slots, slots / 4};

		snprintf(identity->container_id, sizeof(identity->container_id), "%064zu", i);
		snprintf(path, sizeof(path),
			 "/kubepods.slice/kubepods-burstable.slice/cri-containerd-%s.scope",
			 identity->container_id);
		identity->cgroup_id = i + 1;
		identity->path = strdup(path);
		identity->names.namespace_name = strdup("production-eu-west");
		identity->names.container_name = strdup("application");
		identity->names.image = strdup("registry.example/team/application:1.2.3");
		assert(asprintf(&text, "checkout-service-6d5f7c8b9-%05zu", i) > 0);
		identity->names.pod_name = text;
		identity->names_settled = true;
		counts[4] = slots - counts[1];
		counts[8] = counts[4] / 2;
		*row = (struct ctd_report_row){.kind = "container",
					       .name = text,
					       .identity = identity,
					       .cgroup_id = i + 1,
					       .cpu_s = .001,
					       .slices = 4,
					       .slots_known = true,
					       .slots = slots,
					       .coverage = {1}};
		ctd_metric_evaluate(&ctd_cpu_sim, counts, 9, 1, CTD_OK, row->values);
		report->slots += slots;
	}
}

static int compare(const void *a, const void *b)
{
	const double *x = a, *y = b;

	return *x < *y ? -1 : *x > *y;
}

static double median(double *values)
{
	qsort(values, ROUNDS, sizeof(*values), compare);
	return values[ROUNDS / 2];
}

/* CPU time, with the kernel's for its pages: others that run beside are not in it. */
static double now_ms(void)
{
	struct timespec now;

	clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
	return (double)now.tv_sec * 1e3 + (double)now.tv_nsec / 1e6;
}

static double write_text(enum ctd_exposition exposition, const struct ctd_ledger_view *view,
			 size_t *ret_bytes)
{
	static const struct ctd_self self = {.version = "0"};
	double begin_ms = now_ms();
	struct ctd_export text = {0};
	double ms;

	if (ctd_export_metrics(exposition, view, &self, &text))
		abort();
	ms = now_ms() - begin_ms;
	*ret_bytes = text.bytes;
	ctd_export_free(&text);
	return ms;
}

static void measure(struct ctd_ledger *ledger, const struct ctd_report *report, size_t count)
{
	double add[ROUNDS], publish[ROUNDS], plain[ROUNDS], openmetrics[ROUNDS];
	struct rusage usage;
	size_t bytes = 0, ignored;

	for (int round = 0; round < ROUNDS; round++) {
		const struct ctd_ledger_view *view;
		double begin_ms = now_ms();

		if (ctd_ledger_add(ledger, report))
			abort();
		add[round] = now_ms() - begin_ms;
		begin_ms = now_ms();
		if (ctd_ledger_view(ledger, &view))
			abort();
		publish[round] = now_ms() - begin_ms;
		plain[round] = write_text(CTD_PROMETHEUS_TEXT, view, &bytes);
		openmetrics[round] = write_text(CTD_OPENMETRICS_TEXT, view, &ignored);
		ctd_ledger_view_release(view);
	}
	getrusage(RUSAGE_SELF, &usage);
	printf("| %zu | %.2f | %.2f | %.2f | %.1f | %.2f | %ld |\n", count, median(add),
	       median(publish), median(plain), (double)bytes / 1e6, median(openmetrics),
	       usage.ru_maxrss / 1024);
}

static void measure_containers(size_t count)
{
	struct ctd_ledger_options options = {.accounts_max = count};
	struct ctd_identity *identities = calloc(count, sizeof(*identities));
	struct ctd_report report = {.source = "sim",
				    .method = "sim",
				    .scope = "thread",
				    .hierarchy = "v2",
				    .model = &ctd_cpu_sim,
				    .level = 2,
				    .counters_count = 9,
				    .groups_count = 1,
				    .by = CTD_GROUP_CONTAINER,
				    .window_ns = 1000000000,
				    .slots_known = true,
				    .health = {.ns_per_switch = NAN},
				    .rows_count = count};
	struct ctd_ledger *ledger;

	report.rows = calloc(count, sizeof(*report.rows));
	if (!identities || !report.rows || ctd_ledger_new(&options, 0, &ledger))
		abort();
	make_rows(&report, identities, count);
	report_of_one_kind(&report);
	measure(ledger, &report, count);
	ctd_ledger_free(ledger);
	for (size_t i = 0; i < count; i++) {
		free(identities[i].path);
		ctd_names_free(&identities[i].names);
	}
	free(identities);
	free(report.rows);
}

int main(void)
{
	puts("| containers | add a report, ms | view, ms | text, ms | text, MB | OpenMetrics, ms | "
	     "resident, MB |");
	puts("|---|---|---|---|---|---|---|");
	measure_containers(1000);
	measure_containers(10000);
	puts("");
	return 0;
}
