/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* metrics.c - what it costs to make metrics of the snapshots of many containers, step by step. */
#include <cgtopdown/export.h>
#include <cgtopdown/interval.h>
#include <malloc.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <time.h>

#include "base/strbuf.h"
#include "serve/http/render.h"
#include "serve/web/view.h"

extern const struct ctd_cpu_model ctd_cpu_sim;

#define ROUNDS 41
#define COUNTERS 9
#define PODS 1000000 /* their ids begin there */

enum step { SUBTRACT, ROLLUP, ADD, VIEW, TEXT, JSON, GZIP, STEPS };

static void check(int error)
{
	if (error)
		abort();
}

static char *copy(const char *text)
{
	char *copied = strdup(text);

	if (!copied)
		abort();
	return copied;
}

/* A container of a pod of its own, with names as long as they are. */
static void name_container(struct ctd_identities *identities, size_t number)
{
	char pod_path[128], path[256], pod[64];
	struct ctd_names names;

	snprintf(pod_path, sizeof(pod_path),
		 "/kubepods.slice/kubepods-burstable.slice/"
		 "kubepods-burstable-pod%08zu_0000_4000_8000_%012zu.slice",
		 number, number);
	snprintf(path, sizeof(path), "%s/cri-containerd-%064zu.scope", pod_path,
		 number * 2654435761u);
	snprintf(pod, sizeof(pod), "checkout-service-6d5f7c8b9-%05zu", number);
	names = (struct ctd_names){
		.namespace_name = copy("production-eu-west"),
		.container_name = copy("application"),
		.image = copy("registry.example/team/application:1.2.3"),
		.pod_name = copy(pod),
	};
	check(ctd_identities_add(identities, PODS + number, pod_path));
	check(ctd_identities_add(identities, number + 1, path));
	if (!ctd_identities_set_names(identities, number + 1, &names, CTD_QOS_UNKNOWN, true))
		abort();
}

/* Each has run a bit more than at the snapshot before. */
static void go_on(const struct ctd_snapshot *before, struct ctd_snapshot *after)
{
	after->sequence = before->sequence + 1;
	after->realtime_ns = before->realtime_ns + 1000000000;
	after->monotonic_ns = before->monotonic_ns + 1000000000;
	for (size_t i = 0; i < after->rows_count; i++) {
		const struct ctd_snapshot_row *then = &before->rows[i];
		struct ctd_snapshot_row *row = &after->rows[i];
		uint64_t slots = 24000007 + i;

		row->oncpu_ns = then->oncpu_ns + 1000000 + i;
		row->running_ns = row->oncpu_ns;
		row->slices = then->slices + 4;
		row->switches = then->switches + 4;
		row->count[0] = then->count[0] + slots;
		row->count[1] = then->count[1] + slots / 4;
		row->count[4] = then->count[4] + slots - slots / 4;
		row->count[8] = then->count[8] + slots / 3;
		after->cpus[0].total[0] += slots;
	}
}

static void make_snapshot(size_t count, struct ctd_snapshot_cpu *cpu, struct ctd_snapshot *snapshot)
{
	*snapshot = (struct ctd_snapshot){.monotonic_ns = 1,
					  .counters_count = COUNTERS,
					  .rows_count = count,
					  .cpus = cpu,
					  .cpus_count = 1};
	snapshot->rows = calloc(count, sizeof(*snapshot->rows));
	if (!snapshot->rows)
		abort();
	for (size_t i = 0; i < count; i++)
		snapshot->rows[i].cgroup_id = i + 1;
	cpu->online = 1;
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

/* @return the time that passed since the last call. */
static double lap_ms(double *last_ms)
{
	double now = now_ms(), lap = now - *last_ms;

	*last_ms = now;
	return lap;
}

struct chain {
	struct ctd_record_header header;
	struct ctd_identities *identities;
	struct ctd_rollup_plan *plan;
	struct ctd_ledger *ledger;
	struct ctd_strbuf text; /* its memory is used again */
	struct ctd_renderer renderer;
};

/* As the server does it. */
static void compress(struct ctd_renderer *renderer, const struct ctd_ledger_view *view,
		     const struct ctd_self *self)
{
	struct ctd_body *body;

	check(ctd_render(renderer, ctd_route_find("/metrics", "application/openmetrics-text"), view,
			 self, true, &body));
	ctd_body_release(body);
}

static void run(struct chain *chain, const struct ctd_snapshot *before,
		const struct ctd_snapshot *after, double took_ms[STEPS], size_t *ret_bytes,
		size_t *ret_json_bytes)
{
	static const struct ctd_rollup_options options = {.by = CTD_GROUP_CONTAINER};
	static const struct ctd_self self = {.version = "0"};
	double last_ms = now_ms();
	const struct ctd_ledger_view *view;
	struct ctd_interval interval;
	struct ctd_rollup rollup;

	check(ctd_interval_make(before, after, ctd_cpu_sim.l1_counters, &interval));
	took_ms[SUBTRACT] = lap_ms(&last_ms);
	check(ctd_rollup_make(chain->plan, &interval, chain->identities, &options, &rollup));
	took_ms[ROLLUP] = lap_ms(&last_ms);
	check(ctd_ledger_add(chain->ledger, &rollup));
	took_ms[ADD] = lap_ms(&last_ms);
	ctd_rollup_free(&rollup);
	ctd_interval_free(&interval);
	took_ms[ROLLUP] += lap_ms(&last_ms);
	check(ctd_ledger_view(chain->ledger, &view));
	took_ms[VIEW] = lap_ms(&last_ms);
	chain->text.bytes = 0;
	check(ctd_export_metrics(CTD_PROMETHEUS_TEXT, view, &self, &chain->text));
	took_ms[TEXT] = lap_ms(&last_ms);
	*ret_bytes = chain->text.bytes;
	chain->text.bytes = 0;
	check(ctd_view_json(view, &self, &chain->text));
	took_ms[JSON] = lap_ms(&last_ms);
	*ret_json_bytes = chain->text.bytes;
	compress(&chain->renderer, view, &self);
	took_ms[GZIP] = lap_ms(&last_ms);
	ctd_ledger_view_release(view);
}

static void measure(struct chain *chain, size_t count)
{
	struct ctd_snapshot_cpu cpus[2] = {0};
	struct ctd_snapshot snapshots[2];
	double took_ms[STEPS][ROUNDS], sum_ms = 0;
	struct rusage usage;
	size_t bytes = 0, json_bytes = 0;

	for (int i = 0; i < 2; i++)
		make_snapshot(count, &cpus[i], &snapshots[i]);
	for (int round = 0; round < ROUNDS; round++) {
		struct ctd_snapshot *before = &snapshots[round % 2],
				    *after = &snapshots[!(round % 2)];
		double took[STEPS];

		go_on(before, after);
		run(chain, before, after, took, &bytes, &json_bytes);
		for (int step = 0; step < STEPS; step++)
			took_ms[step][round] = took[step];
	}
	printf("| %zu ", count);
	for (int step = 0; step < STEPS; step++) {
		sum_ms += step == TEXT || step == JSON ? 0 : median(took_ms[step]);
		printf("| %.2f ", median(took_ms[step]));
	}
	getrusage(RUSAGE_SELF, &usage);
	printf("| %.2f | %.1f | %.1f | %ld |\n", sum_ms, (double)bytes / 1e6,
	       (double)json_bytes / 1e6, usage.ru_maxrss / 1024);
	for (int i = 0; i < 2; i++)
		free(snapshots[i].rows);
}

static void measure_containers(size_t count)
{
	/* They are of one namespace, which may have half of all places. */
	struct ctd_ledger_options options = {.accounts_max = 2 * count};
	struct chain chain = {.header = {.source = "sim",
					 .model = "sim",
					 .counters_count = COUNTERS,
					 .groups_count = 1,
					 .hierarchy = "v2"}};

	const char *unknown;

	check(ctd_rollup_plan_new(&chain.header, &chain.plan, &unknown));
	check(ctd_identities_new(&chain.identities));
	check(ctd_ledger_new(&options, 0, &chain.ledger));
	for (size_t i = 0; i < count; i++)
		name_container(chain.identities, i);
	measure(&chain, count);
	ctd_rollup_plan_free(chain.plan);
	ctd_ledger_free(chain.ledger);
	ctd_identities_free(chain.identities);
	ctd_strbuf_free(&chain.text);
	ctd_renderer_free(&chain.renderer);
}

int main(void)
{
	/* As `serve` does. */
	mallopt(M_MMAP_THRESHOLD, 1 << 20);
	mallopt(M_TRIM_THRESHOLD, 8 << 20);
	puts("Medians of CPU time in ms; the sum is that of a scrape with gzip.\n");
	puts("| containers | subtract | rollup | add | view | plain text | view as JSON | with gzip | sum | text, MB | JSON, MB | resident, MB |");
	puts("|---|---|---|---|---|---|---|---|---|---|---|---|");
	measure_containers(1000);
	measure_containers(10000);
	puts("");
	return 0;
}
