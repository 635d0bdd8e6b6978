/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* test_replace.c - a running collector changes its source, and no count is lost or made up. */
#include <cgtopdown/collect.h>
#include <cgtopdown/interval.h>

#include <errno.h>
#include <linux/perf_event.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/syscall.h>

#include <cmocka.h>

#include "rig.h"

#define INTERVAL_NS 60000000ull
/* Between the last snapshot of a plan and the first of the next one: some milliseconds, or as long
 * as a crowded machine lets it wait. */
#define GAP_NS_MAX 10000000000ull

struct watch {
	struct rig *rig; /* owned; its cgroups and load, not its collector */
	struct ctd_collector *collector; /* owned */
	struct ctd_snapshot before; /* owned */
	uint64_t usage_ns; /* of the first cgroup, in plans that are over */
	uint64_t gaps_ns; /* between plans, in all */
	int intervals, plans;
	struct ctd_samples samples; /* owned */
	uint64_t health[CTD_SAMPLING_HEALTH]; /* of sampling, at the last snapshot */
};

static void assert_nothing_is_left(const struct ctd_snapshot *before,
				   const struct ctd_snapshot *after)
{
	struct ctd_interval interval;

	assert_int_equal(ctd_interval_make(before, after, NULL, &interval), 0);
	for (int type = 0; type < CTD_CORE_TYPES_MAX; type++) {
		for (uint32_t i = 0; i < interval.counters_count * interval.groups_count; i++)
			assert_int_equal(interval.totals[type].residual[i], 0);
	}
	ctd_interval_free(&interval);
}

/* Totals of sampling go on with the next plan, whose sampler begins at 0. */
static void assert_sampling_goes_on(struct watch *watch)
{
	uint64_t health[CTD_SAMPLING_HEALTH];

	ctd_collector_count_samples(watch->collector, health);
	for (int i = 0; i < CTD_SAMPLING_HEALTH; i++)
		assert_true(health[i] >= watch->health[i]);
	memcpy(watch->health, health, sizeof(health));
}

/* A snapshot of the same plan ends an interval; one of another plan is where intervals begin anew. */
static int take(struct ctd_snapshot *snapshot, void *context)
{
	struct watch *watch = context;
	const struct ctd_record_header *header = ctd_collector_header(watch->collector);
	struct ctd_interval interval;

	assert_true(ctd_snapshot_is_ordered(snapshot));
	rig_assert_conserved(snapshot);
	assert_int_equal(snapshot->counters_count, header->counters_count);
	if (!watch->before.sequence) {
		watch->plans = 1;
	} else if (snapshot->plan == watch->before.plan) {
		rig_assert_grown(&watch->before, snapshot);
		assert_nothing_is_left(&watch->before, snapshot);
		watch->intervals++;
	} else {
		assert_int_equal(snapshot->plan, watch->before.plan + 1);
		assert_int_equal(ctd_interval_make(&watch->before, snapshot, NULL, &interval),
				 -EBADMSG);
		watch->usage_ns += rig_row(&watch->before, watch->rig->cgroup_ids[0]).oncpu_ns;
		watch->gaps_ns += snapshot->monotonic_ns - watch->before.monotonic_ns;
		watch->plans++;
	}
	assert_int_equal(snapshot->sequence, watch->before.sequence + 1);
	assert_int_equal(ctd_sampler_drain(ctd_collector_hold_sampler(watch->collector),
					   &watch->samples),
			 0);
	ctd_collector_release_sampler(watch->collector);
	assert_sampling_goes_on(watch);
	ctd_snapshot_free(&watch->before);
	watch->before = *snapshot;
	return 0;
}

static int free_watch(void **state)
{
	struct watch *watch = *state;

	if (!watch)
		return 0;
	ctd_collector_free(watch->collector);
	ctd_snapshot_free(&watch->before);
	ctd_samples_clear(&watch->samples);
	rig_free(watch->rig);
	free(watch);
	*state = NULL;
	return 0;
}

static struct ctd_source_wishes wish(const char *source, int level)
{
	return (struct ctd_source_wishes){.source = source, .level = level, .pinned = true};
}

static struct watch *start(void **state, const char *source, int level)
{
	struct watch *watch = calloc(1, sizeof(*watch));
	static const struct ctd_sampler_options sampler = {.frequency_hz = 499};
	const struct ctd_collect_options options = {
		.sampler = &sampler,
		.wishes = wish(source, level),
		.hierarchy = "v2",
		.max_slice_ns = 20000000,
		.rows_max = 4096,
		.seek_ns = 100000000,
	};
	struct ctd_snapshot first;

	assert_non_null(watch);
	*state = watch;
	watch->rig = rig_new("none");
	assert_int_equal(ctd_collector_new(&options, &watch->collector), 0);
	assert_int_equal(ctd_collector_start(watch->collector), 0);
	assert_int_equal(ctd_collector_snapshot(watch->collector, &first), 0);
	take(&first, watch);
	return watch;
}

static void pass_intervals(struct watch *watch, int count)
{
	for (int i = 0; i < count; i++)
		assert_int_equal(ctd_collector_interval(watch->collector,
							rig_now_ns() + INTERVAL_NS, -1, true, take,
							watch),
				 0);
}

static void replace(struct watch *watch, const char *source, int level)
{
	struct ctd_source_wishes wishes = wish(source, level);
	uint64_t gaps_ns = watch->gaps_ns;

	assert_int_equal(ctd_collector_replace(watch->collector, &wishes, take, watch), 0);
	assert_in_range(watch->gaps_ns - gaps_ns, 1, GAP_NS_MAX);
}

/* Rows of all plans are what the kernel says, but for the time between plans. */
static void assert_usage(const struct watch *watch)
{
	uint64_t kernel_ns = rig_usage_ns(watch->rig, 0);
	uint64_t ours_ns =
		watch->usage_ns + rig_row(&watch->before, watch->rig->cgroup_ids[0]).oncpu_ns;
	uint64_t slack_ns = kernel_ns / 10 + 15000000 + rig_steal_ns() - watch->rig->steal_ns;
	/* On each CPU. */
	uint64_t missed_ns = watch->gaps_ns * (uint64_t)watch->rig->cpus;

	if (ours_ns + missed_ns + slack_ns < kernel_ns || ours_ns > kernel_ns + slack_ns)
		fail_msg("%llu us, the kernel has %llu us, %llu us are between plans",
			 (unsigned long long)ours_ns / 1000, (unsigned long long)kernel_ns / 1000,
			 (unsigned long long)missed_ns / 1000);
}

static void sources_take_each_others_place_and_nothing_is_left(void **state)
{
	static const char *const sources[] = {"software:5",	   "none",
					      "software:3:rotate", "software:4:leader",
					      "software:16",	   "sim",
					      "software:2"};
	struct watch *watch = start(state, "software:3", 0);

	rig_load(watch->rig);
	pass_intervals(watch, 2);
	for (size_t i = 0; i < sizeof(sources) / sizeof(*sources); i++) {
		const struct ctd_record_header *header;

		replace(watch, sources[i], 0);
		header = ctd_collector_header(watch->collector);
		assert_memory_equal(header->source, sources[i], strlen(header->source));
		ctd_samples_clear(&watch->samples);
		pass_intervals(watch, 2);
		assert_true(rig_row(&watch->before, watch->rig->cgroup_ids[0]).oncpu_ns > 0);
		assert_true(watch->samples.samples_count > 0);
	}
	assert_int_equal(watch->plans, 1 + sizeof(sources) / sizeof(*sources));
	assert_true(watch->health[CTD_SAMPLING_SAMPLES] > 0);
	assert_usage(watch);
	print_message("# mean gap between plans: %.1f ms\n",
		      (double)watch->gaps_ns / (watch->plans - 1) / 1e6);
}

static void levels_change_and_each_counts_its_own(void **state)
{
	static const struct {
		int level;
		uint32_t counters_count;
	} steps[] = {{2, 9}, {1, 5}, {2, 9}};
	struct watch *watch = start(state, "sim", 1);

	rig_load(watch->rig);
	pass_intervals(watch, 2);
	assert_int_equal(watch->before.counters_count, 5);
	for (size_t i = 0; i < sizeof(steps) / sizeof(*steps); i++) {
		struct ctd_snapshot_row row;

		replace(watch, "sim", steps[i].level);
		assert_int_equal(watch->before.counters_count, steps[i].counters_count);
		pass_intervals(watch, 2);
		row = rig_row(&watch->before, watch->rig->cgroup_ids[0]);
		assert_true(row.count[0] > 0);
		assert_int_equal(row.count[steps[i].counters_count - 1] > 0, 1);
	}
	assert_usage(watch);
}

static void a_source_that_cannot_be_had_leaves_the_old_one_at_work(void **state)
{
	struct watch *watch = start(state, "software:3", 0);
	struct ctd_source_wishes wishes = wish("software:99", 0);
	uint64_t sequence;

	pass_intervals(watch, 1);
	sequence = watch->before.sequence;
	assert_int_equal(ctd_collector_replace(watch->collector, &wishes, take, watch), -EINVAL);
	pass_intervals(watch, 2);
	assert_int_equal(watch->before.sequence, sequence + 2);
	assert_int_equal(watch->before.plan, 0);
	assert_string_equal(ctd_collector_header(watch->collector)->source, "software");
}

/* The old programs knew that it was gone, and would have told when its last figures were out. */
static void a_cgroup_that_went_before_the_change_is_forgotten_after_it(void **state)
{
	struct watch *watch = start(state, "software:3", 0);
	uint64_t id = watch->rig->cgroup_ids[1];

	if (rig_fork(watch->rig, 1, -1)) {
		rig_spin_in_parts(5, 1);
		_exit(0);
	}
	rig_reap(watch->rig, 0, false);
	pass_intervals(watch, 1);
	assert_true(rig_row(&watch->before, id).oncpu_ns > 0);
	assert_non_null(ctd_identities_get(ctd_collector_identities(watch->collector), id));
	assert_int_equal(rmdir(watch->rig->cgroups[1]), 0);
	replace(watch, "software:2", 0);
	pass_intervals(watch, 4);
	assert_null(ctd_identities_get(ctd_collector_identities(watch->collector), id));
	assert_int_equal(rig_row(&watch->before, id).oncpu_ns, 0);
}

/* Events go on: what comes while programs change, or after it, has a name. */
static void a_cgroup_that_comes_after_the_change_is_known(void **state)
{
	struct watch *watch = start(state, "software:3", 0);
	const struct ctd_identity *identity;
	char directory[640];
	uint64_t id;

	replace(watch, "none", 0);
	snprintf(directory, sizeof(directory), "%s/later", watch->rig->cgroups[0]);
	assert_int_equal(mkdir(directory, 0755), 0);
	assert_int_equal(ctd_cgroup_id_of(directory, &id), 0);
	pass_intervals(watch, 1);
	identity = ctd_identities_get(ctd_collector_identities(watch->collector), id);
	rmdir(directory);
	assert_non_null(identity);
	assert_non_null(strstr(identity->path, "/later"));
}

/* Of the simulated PMU. @return whether there is one. */
static bool control(const char *line)
{
	FILE *file = fopen("/proc/simpmu/control", "we");

	if (!file)
		return false;
	assert_true(fputs(line, file) >= 0);
	assert_int_equal(fclose(file), 0);
	return true;
}

/* Somebody else has the PMU at the start, and gives it back. */
static void a_source_that_comes_back_is_taken(void **state)
{
	struct watch *watch;

	if (!control("never_runs 1\n")) {
		print_message("no simulated PMU\n");
		skip();
	}
	watch = start(state, "auto", 0);
	assert_string_equal(ctd_collector_header(watch->collector)->source, "none");
	rig_load(watch->rig);
	pass_intervals(watch, 4);
	assert_int_equal(watch->plans, 1);
	assert_true(control("never_runs 0\n"));
	for (int i = 0; i < 20 && watch->plans == 1; i++)
		pass_intervals(watch, 1);
	assert_int_equal(watch->plans, 2);
	assert_string_equal(ctd_collector_header(watch->collector)->source, "perf_metrics");
	pass_intervals(watch, 4);
	assert_int_equal(watch->plans, 2);
	assert_true(rig_row(&watch->before, watch->rig->cgroup_ids[0]).count[0] > 0);
	assert_usage(watch);
}

/* Lets perf put all events on the PMU anew, as when another program begins to count. */
static void disturb(const struct rig *rig)
{
	struct perf_event_attr attr = {
		.type = PERF_TYPE_HARDWARE,
		.size = sizeof(attr),
		.config = PERF_COUNT_HW_CPU_CYCLES,
		.pinned = 1,
	};

	for (int cpu = 0; cpu < rig->cpus; cpu++) {
		long fd = syscall(SYS_perf_event_open, &attr, -1, cpu, -1, PERF_FLAG_FD_CLOEXEC);

		assert_true(fd >= 0);
		close((int)fd);
	}
}

/* Passes intervals until there is another plan, which must be of the source, and count or not. */
static void expect_source(struct watch *watch, const char *source)
{
	const struct ctd_record_header *header = ctd_collector_header(watch->collector);
	bool counts = strcmp(source, "none") != 0;
	int plans = watch->plans;

	for (int i = 0; i < 60 && watch->plans == plans; i++)
		pass_intervals(watch, 1);
	assert_int_equal(watch->plans, plans + 1);
	assert_string_equal(header->source, source);
	assert_int_equal(header->held, !counts);
	pass_intervals(watch, 4);
	assert_int_equal(watch->plans, plans + 1);
	assert_int_equal(rig_row(&watch->before, watch->rig->cgroup_ids[0]).count[0] > 0, counts);
}

/* Of the metrics; general-purpose counters and slots are left. */
#define TAKEN "taken 0x100000000\n"

static void a_source_that_starves_gives_way_and_comes_back(void **state)
{
	struct watch *watch;

	if (!control(TAKEN)) {
		print_message("no simulated PMU\n");
		skip();
	}
	watch = start(state, "auto", 0);
	assert_string_equal(ctd_collector_header(watch->collector)->source, "gp_slots");
	rig_load(watch->rig);
	pass_intervals(watch, 4);
	assert_int_equal(watch->plans, 1);
	/* Both count slots: the one in use steps aside for the other one's trial. */
	assert_true(control("taken 0\n"));
	expect_source(watch, "perf_metrics");
	assert_true(control(TAKEN));
	disturb(watch->rig);
	expect_source(watch, "gp_slots");
	assert_true(control("taken 0\n"));
	expect_source(watch, "perf_metrics");
	assert_true(control("never_runs 1\n"));
	disturb(watch->rig);
	expect_source(watch, "none");
	/* Who asks for a change gets no source that is held. */
	replace(watch, "auto", 0);
	assert_string_equal(ctd_collector_header(watch->collector)->source, "none");
	assert_true(control("never_runs 0\n"));
	expect_source(watch, "perf_metrics");
	assert_usage(watch);
}

#define TEST(name) cmocka_unit_test_teardown(name, free_watch)

int main(int argc, char **argv)
{
	const struct CMUnitTest tests[] = {
		TEST(sources_take_each_others_place_and_nothing_is_left),
		TEST(levels_change_and_each_counts_its_own),
		TEST(a_source_that_cannot_be_had_leaves_the_old_one_at_work),
		TEST(a_cgroup_that_went_before_the_change_is_forgotten_after_it),
		TEST(a_cgroup_that_comes_after_the_change_is_known),
		TEST(a_source_that_comes_back_is_taken),
		TEST(a_source_that_starves_gives_way_and_comes_back),
	};

	return rig_run(tests, sizeof(tests) / sizeof(*tests), argc, argv);
}
