/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* waits.h - what the kernel says of tasks that wait, to hold our waits against. */
#ifndef KERNEL_WAITS_H
#define KERNEL_WAITS_H

#include <cgtopdown/kern.h>
#include <cgtopdown/waits.h>

#include "rig.h"

#define MS 1000000ull

/* What the kernel says of a task: time it waited for a CPU, and how often it was given one. */
struct told {
	unsigned long long waited_ns, runs, involuntary;
	uint64_t stopped_ns; /* of the time between two snapshots: it could not run */
};

static inline struct told told_of(pid_t pid)
{
	struct told told = {};
	char path[64], line[256];
	FILE *file;

	snprintf(path, sizeof(path), "/proc/%d/schedstat", pid);
	file = fopen(path, "re");
	assert_non_null(file);
	assert_int_equal(fscanf(file, "%*u %llu %llu", &told.waited_ns, &told.runs), 2);
	fclose(file);
	snprintf(path, sizeof(path), "/proc/%d/status", pid);
	file = fopen(path, "re");
	assert_non_null(file);
	while (fgets(line, sizeof(line), file))
		(void)sscanf(line, "nonvoluntary_ctxt_switches: %llu", &told.involuntary);
	fclose(file);
	return told;
}

/* Leaves what came since @p before; how long it was stopped is not told by the kernel. */
static inline void told_subtract(struct told *told, const struct told *before)
{
	told->waited_ns -= before->waited_ns;
	told->runs -= before->runs;
	told->involuntary -= before->involuntary;
}

/* Its waits, of all rows of a cgroup. */
static inline struct ctd_waits waits_of(const struct ctd_snapshot *snapshot, uint64_t cgroup_id)
{
	struct ctd_waits sum = {};

	assert_non_null(snapshot->waits);
	for (size_t i = 0; i < snapshot->rows_count; i++) {
		if (snapshot->rows[i].kind == CTD_ROW_CGROUP &&
		    snapshot->rows[i].cgroup_id == cgroup_id)
			ctd_waits_add(&sum, &snapshot->waits[i]);
	}
	return sum;
}

/* Every nanosecond in which others had the CPU is in a pair, or gave way to other pairs; so is
 * every preemption. */
static inline void assert_paired(const struct ctd_snapshot *snapshot, uint64_t cgroup_id)
{
	struct ctd_waits waits = waits_of(snapshot, cgroup_id);
	uint64_t wait_ns = 0, preempted = 0, evicted_ns = 0, evicted = 0;

	for (size_t i = 0; i < snapshot->pairs.count; i++) {
		const struct ctd_pair *pair = &snapshot->pairs.items[i];

		if (pair->victim_id == cgroup_id) {
			assert_int_not_equal(pair->occupier_id, cgroup_id);
			wait_ns += pair->wait_ns;
			preempted += pair->preempted;
		} else if (!pair->victim_id) {
			evicted_ns = pair->wait_ns;
			evicted = pair->preempted;
		}
	}
	if (!evicted_ns)
		assert_int_equal(wait_ns, waits.ns[CTD_WAIT_OTHER]);
	if (!evicted)
		assert_int_equal(preempted, waits.preempted_by_other);
	assert_true(wait_ns <= waits.ns[CTD_WAIT_OTHER]);
	assert_true(waits.ns[CTD_WAIT_OTHER] - wait_ns <= evicted_ns);
	assert_true(waits.preempted_by_other - preempted <= evicted);
}

static inline struct rig *make_waiting(void **state)
{
	struct rig *rig = make_rig(state, "none");

	if (!rig->caps.answer[CTD_CAP_WAITS].present) {
		print_message("this kernel does not tell of waits\n");
		skip();
	}
	rig->options.waits = true;
	return rig;
}

static inline void say(const char *who, const struct ctd_waits *waits)
{
	print_message("%s: waited %.3f ms in %llu waits;", who, (double)ctd_waits_ns(waits) / 1e6,
		      (unsigned long long)ctd_waits_count(waits));
	for (int i = 0; i < CTD_WAIT_CAUSES; i++)
		print_message(" %s %.3f", ctd_wait_cause_name(i), (double)waits->ns[i] / 1e6);
	print_message("; preempted %llu, by others %llu, others %llu\n",
		      (unsigned long long)waits->preempted,
		      (unsigned long long)waits->preempted_by_other,
		      (unsigned long long)waits->preempted_others);
}

static inline bool is_about(uint64_t is, uint64_t should, uint64_t allowed)
{
	return is + allowed >= should && is <= should + allowed;
}

static inline void assert_about(const char *what, uint64_t is, uint64_t should, uint64_t allowed)
{
	if (!is_about(is, should, allowed))
		fail_msg("%s: %llu, and should be %llu", what, (unsigned long long)is,
			 (unsigned long long)should);
}

/* To half a per cent. Some kernels do not tell of every switch: so many waits are missing, each no
 * longer than @p longest_ns. */
static inline void assert_told(const struct ctd_waits *waits, const struct told *told,
			       uint64_t longest_ns)
{
	uint64_t count = ctd_waits_count(waits);
	uint64_t missing = told->runs > count ? told->runs - count : count - told->runs;

	/* Or one more at an end, while the kernel was asked. */
	if (missing)
		print_message("%llu waits are in one of the two only\n",
			      (unsigned long long)missing);
	assert_about("number of waits", count, told->runs, told->runs / 50 + 3);
	assert_about("time waited", ctd_waits_ns(waits), told->waited_ns,
		     told->waited_ns / 200 + 20000 + missing * longest_ns);
	assert_about("preemptions", waits->preempted, told->involuntary,
		     told->involuntary / 100 + 2 + missing);
}

/* Stops a task, which has to come to a CPU for that. @return a time before it stopped. */
static inline uint64_t stop(pid_t task)
{
	kill(task, SIGSTOP);
	return rig_wait_for_state(task, 'T');
}

#endif
