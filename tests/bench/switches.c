/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* switches.c - what each observer adds to a switch, inside one cgroup and across two. */
#include <bpf/bpf.h>
#include <bpf/libbpf.h>
#include <linux/bpf.h>
#include <unistd.h>

#include "base/num.h"
#include "collector.h"
#include "perf.h"
#include "ring.h"
#include "samples.h"
#include "subtree.h"

/* What loading, attaching and releasing leave for later is over by then. Events of cgroups keep
 * the scheduler's slow path switched on for a second (perf_sched_delayed, kernel/events/core.c). */
#define SETTLE_US 30000
#define SETTLE_PERF_US 150000
#define SETTLE_PERF_CGROUP_US 1300000

#define DRIVER_CPU 0
#define RING_CPU 1

enum observer_kind { NOTHING, EMPTY, OURS, PERF_BPF, PERF_CGROUP };

struct observer {
	enum observer_kind kind;
	const char *name;
	int counters;
	const char *source; /* of OURS, and of the events that perf is given */
	/* While it is attached: */
	struct collector collector;
	struct perf perf;
	int link_fd;
	bool waits; /* of OURS: waits for CPUs, too */
	bool siblings; /* and what ran beside on the core */
	bool failed; /* or not to be had */
	struct samples inside, across; /* ns per switch */
};

#define OBSERVER(a_kind, a_name, a_count, a_source)                                     \
	{                                                                               \
		.kind = a_kind, .name = a_name, .counters = a_count, .source = a_source \
	}

/* perf's cgroup events last: in the second after they are closed nothing can be measured. */
static struct observer observers[] = {
	OBSERVER(NOTHING, "no tool", 0, NULL),
	OBSERVER(EMPTY, "empty program", 0, NULL),
	OBSERVER(OURS, "cgtopdown", 1, "software:1:leader"),
	OBSERVER(OURS, "cgtopdown", 5, "software:5:leader"),
	OBSERVER(OURS, "cgtopdown", 9, "software:9:leader"),
	OBSERVER(OURS, "cgtopdown --read each", 5, "software:5"),
	OBSERVER(OURS, "cgtopdown --read each", 9, "software:9"),
	{.kind = OURS,
	 .name = "cgtopdown --waits",
	 .counters = 5,
	 .source = "software:5:leader",
	 .waits = true},
	{.kind = OURS,
	 .name = "cgtopdown --waits",
	 .counters = 9,
	 .source = "software:9:leader",
	 .waits = true},
	{.kind = OURS,
	 .name = "cgtopdown --waits, SMT",
	 .counters = 5,
	 .source = "software:5:leader",
	 .waits = true,
	 .siblings = true},
	OBSERVER(NOTHING, "no tool, once more", 0, NULL),
	OBSERVER(PERF_BPF, "perf --bpf-counters", 1, "software:1"),
	OBSERVER(PERF_BPF, "perf --bpf-counters", 5, "software:5"),
	OBSERVER(PERF_BPF, "perf --bpf-counters", 9, "software:9"),
	OBSERVER(PERF_CGROUP, "perf, cgroup events", 1, "software:1"),
	OBSERVER(PERF_CGROUP, "perf, cgroup events", 5, "software:5"),
	OBSERVER(PERF_CGROUP, "perf, cgroup events", 9, "software:9"),
};
#define OBSERVERS ((int)(sizeof(observers) / sizeof(*observers)))

struct bench {
	const char *perf; /* NULL: not to be had */
	int empty_fd; /* the program */
	struct subtree subtree;
	struct ring inside, across;
};

static int load_empty(int *ret_fd)
{
	const struct bpf_insn insns[] = {
		{.code = BPF_ALU64 | BPF_MOV | BPF_K, .dst_reg = BPF_REG_0},
		{.code = BPF_JMP | BPF_EXIT},
	};
	LIBBPF_OPTS(bpf_prog_load_opts, options, .expected_attach_type = BPF_TRACE_RAW_TP);
	int fd;

	options.attach_btf_id = libbpf_find_vmlinux_btf_id("sched_switch", BPF_TRACE_RAW_TP);
	fd = bpf_prog_load(BPF_PROG_TYPE_TRACING, "bench_empty", "GPL", insns, 2, &options);
	if (fd < 0)
		return ctd_log_error(fd, "load an empty program");
	*ret_fd = fd;
	return 0;
}

/* perf is given the events of our own plan, in its order. */
static int start_perf(const struct bench *bench, struct observer *observer)
{
	const struct ctd_counter_plan *plan = &observer->collector.plan;
	char events[64 * CTD_COUNTERS_MAX] = "";

	for (int i = 0; i < plan->events_count; i++) {
		strcat(events, i ? "," : "");
		strcat(events, plan->events[i].name);
	}
	return perf_start(bench->perf, observer->kind == PERF_BPF,
			  SUBTREE_NAME "/0," SUBTREE_NAME "/1", events, &observer->perf);
}

static int start(const struct bench *bench, struct observer *observer)
{
	switch (observer->kind) {
	case NOTHING:
		return 0;
	case EMPTY:
		observer->link_fd = bpf_raw_tracepoint_open(NULL, bench->empty_fd);
		return observer->link_fd < 0 ? ctd_log_error(-errno, "attach an empty program") : 0;
	case OURS:
		return collector_attach(&observer->collector);
	case PERF_BPF:
	case PERF_CGROUP:
		return start_perf(bench, observer);
	}
	return -EINVAL;
}

static int stop(struct observer *observer)
{
	switch (observer->kind) {
	case NOTHING:
		break;
	case EMPTY:
		close(observer->link_fd);
		break;
	case OURS:
		collector_detach(&observer->collector);
		break;
	case PERF_BPF:
	case PERF_CGROUP:
		if (perf_stop(&observer->perf) == 2 * observer->counters)
			break;
		ctd_log(CTD_LOG_ERROR, "%s, %d counters: it did not count both cgroups",
			observer->name, observer->counters);
		return -ENODATA;
	}
	return 0;
}

static int observe(const struct bench *bench, struct observer *observer)
{
	double inside_ns = 0, across_ns = 0;
	int error = start(bench, observer);

	if (error)
		return error;
	usleep(SETTLE_US);
	error = ring_measure(&bench->inside, &inside_ns);
	if (!error)
		error = ring_measure(&bench->across, &across_ns);
	if (error)
		return error;
	error = stop(observer);
	if (error)
		return error;
	samples_add(&observer->inside, inside_ns);
	samples_add(&observer->across, across_ns);
	return 0;
}

static bool is_perf(const struct observer *observer)
{
	return observer->kind == PERF_BPF || observer->kind == PERF_CGROUP;
}

/* The first sample after a pause is high: it warms up and is not kept. */
static int warm_up(const struct bench *bench)
{
	double ignored_ns;
	int error = ring_measure(&bench->inside, &ignored_ns);

	return error ? error : ring_measure(&bench->across, &ignored_ns);
}

/* A perf that fails is left out; anything else ends the benchmark. */
static int run_round(const struct bench *bench)
{
	int error = warm_up(bench);

	for (int i = 0; !error && i < OBSERVERS; i++) {
		if (observers[i].failed)
			continue;
		error = observe(bench, &observers[i]);
		if (error && is_perf(&observers[i])) {
			observers[i].failed = true;
			error = 0;
		}
		usleep(is_perf(&observers[i]) ? SETTLE_PERF_US : SETTLE_US);
	}
	if (bench->perf)
		usleep(SETTLE_PERF_CGROUP_US);
	return error;
}

static int prepare(struct bench *bench)
{
	int error = load_empty(&bench->empty_fd);

	for (int i = 0; !error && i < OBSERVERS; i++) {
		struct observer *observer = &observers[i];

		if (observer->kind == OURS)
			error = collector_load(observer->source, observer->waits,
					       observer->siblings, &observer->collector);
		if (is_perf(observer))
			error = ctd_pmu_plan(&(struct ctd_pmu_facts){}, observer->source, 0, true,
					     false, &observer->collector.plan);
		observer->failed = is_perf(observer) && !bench->perf;
	}
	if (!error)
		error = subtree_add(&bench->subtree, 0, 2);
	if (!error)
		error = ring_start(&bench->subtree, (const int[]){0, 0}, 2, RING_CPU,
				   &bench->inside);
	if (!error)
		error = ring_start(&bench->subtree, (const int[]){0, 1}, 2, RING_CPU,
				   &bench->across);
	return error;
}

static void added_to(const struct samples *base, const struct samples *with,
		     struct samples *ret_added)
{
	ret_added->count = 0;
	for (int i = 0; i < with->count; i++)
		samples_add(ret_added, with->value[i] - base->value[i]);
}

static double median_added(enum observer_kind kind, int counters, bool across)
{
	for (int i = 0; i < OBSERVERS; i++) {
		struct samples added;

		if (observers[i].kind != kind || observers[i].counters != counters)
			continue;
		added_to(across ? &observers[0].across : &observers[0].inside,
			 across ? &observers[i].across : &observers[i].inside, &added);
		return observers[i].failed ? NAN : samples_median(&added);
	}
	return NAN;
}

static void print_table(void)
{
	char inside[48], across[48];

	printf("Added to a switch, in ns: the median over the rounds, and the quartiles.\n\n");
	printf("| %-22s | %8s | %-24s | %-24s |\n", "", "counters", "inside one cgroup",
	       "across two cgroups");
	printf("| :-- | --: | :-- | :-- |\n");
	for (int i = 0; i < OBSERVERS; i++) {
		const struct observer *observer = &observers[i];
		struct samples inside_ns, across_ns;

		added_to(&observers[0].inside, &observer->inside, &inside_ns);
		added_to(&observers[0].across, &observer->across, &across_ns);
		if (i == 0) {
			inside_ns = observer->inside;
			across_ns = observer->across;
		}
		if (observer->failed)
			inside_ns.count = across_ns.count = 0;
		samples_cell(&inside_ns, 0, inside);
		samples_cell(&across_ns, 0, across);
		printf("| %-22s | %8d | %-24s | %-24s |\n",
		       i ? observer->name : "no tool (whole switch)", observer->counters, inside,
		       across);
	}
	printf("\n");
}

static void print_targets(void)
{
	target_head();
	target_row("across two cgroups, 5 counters: part of perf --bpf-counters",
		   ratio_of(median_added(OURS, 5, true), median_added(PERF_BPF, 5, true)), 0.30);
	target_row("across two cgroups, 9 counters: part of perf --bpf-counters",
		   ratio_of(median_added(OURS, 9, true), median_added(PERF_BPF, 9, true)), 0.20);
	target_row("inside one cgroup, 5 counters: times an empty program",
		   ratio_of(median_added(OURS, 5, false), median_added(EMPTY, 0, false)), 1.50);
	printf("\n");
}

static int run(struct bench *bench, long long rounds)
{
	int error = prepare(bench);

	for (long long i = 0; !error && i < rounds; i++)
		error = run_round(bench);
	if (!error) {
		print_table();
		print_targets();
	}
	return error;
}

int main(int argc, char **argv)
{
	struct bench bench = {.empty_fd = -1};
	long long rounds;
	int error;

	if (argc < 2 || argc > 3 || ctd_parse_integer(argv[1], 1, SAMPLES_MAX, &rounds)) {
		fprintf(stderr, "usage: switches ROUNDS [PERF]\n");
		return 2;
	}
	bench.perf = argv[2];
	error = subtree_make(&bench.subtree);
	if (error)
		return 1;
	error = pin_to_cpu(DRIVER_CPU);
	if (error)
		ctd_log_error(error, "run on cpu %d", DRIVER_CPU);
	else
		error = run(&bench, rounds);
	ring_stop(&bench.inside);
	ring_stop(&bench.across);
	for (int i = 0; i < OBSERVERS; i++) {
		if (observers[i].kind == OURS)
			collector_free(&observers[i].collector);
	}
	subtree_free(&bench.subtree);
	return error ? 1 : 0;
}
