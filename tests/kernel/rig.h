/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* rig.h - a collector in this process, and children that load the machine in cgroups of their own. */
#ifndef KERNEL_RIG_H
#define KERNEL_RIG_H

#include <cgtopdown/caps.h>
#include <cgtopdown/counters.h>
#include <cgtopdown/identity.h>
#include <cgtopdown/kern.h>
#include <fcntl.h>
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "collect/cpu_set.h"

#define RIG_CHILDREN_MAX 8
#define RIG_LOAD_CHILDREN 3 /* of rig_load(): the first ones */

/* Every way to read counters, with the fewest and the most of them. */
static const char *const rig_sources[] = {
	"none", "sim", "software:1", "software:16", "software:1:leader", "software:16:leader"};

struct rig {
	uint64_t steal_ns; /* when it was made */
	struct ctd_caps caps;
	struct ctd_counter_plan plan;
	struct ctd_sim_profiles profiles; /* owned */
	struct ctd_counters counters;
	struct ctd_kern_options options;
	struct ctd_kern *kern; /* owned */
	struct ctd_cpu_set cpu_set; /* owned */
	int cpus; /* of it, as are these */
	bool *online, *fenced;
	uint64_t snapshot_ns; /* before the newest snapshot was taken */
	bool removed[2]; /* of the cgroups: its last figures are out */
	char cgroups[2][600]; /* directories */
	uint64_t cgroup_ids[2];
	pid_t children[RIG_CHILDREN_MAX];
	int offline; /* the CPU that it took away, to be brought back; 0: none */
};

static inline uint64_t rig_now_ns(void)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return (uint64_t)now.tv_sec * 1000000000ull + (uint64_t)now.tv_nsec;
}

static inline void rig_sleep_ms(long ms)
{
	struct timespec time = {.tv_sec = ms / 1000, .tv_nsec = ms % 1000 * 1000000};

	nanosleep(&time, NULL);
}

static inline void rig_spin_ms(uint64_t ms)
{
	for (uint64_t end_ns = rig_now_ns() + ms * 1000000; rig_now_ns() < end_ns;)
		;
}

/* For a child that is to have a row: the kernel may not tell of a switch to it, and what it runs
 * then is nobody's. */
static inline void rig_spin_in_parts(int parts, uint64_t ms)
{
	for (int i = 0; i < parts; i++) {
		rig_spin_ms(ms);
		rig_sleep_ms(1);
	}
}

/* For a child: ends it without memory. */
static inline void rig_fault_pages(int count)
{
	const size_t page_bytes = (size_t)sysconf(_SC_PAGESIZE);

	for (int i = 0; i < count; i++) {
		char *page = mmap(NULL, page_bytes, PROT_READ | PROT_WRITE,
				  MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

		if (page == MAP_FAILED)
			_exit(1);
		*(volatile char *)page = 1;
		munmap(page, page_bytes);
	}
}

static inline void rig_notice(enum ctd_cgroup_change change, uint64_t cgroup_id, const char *path,
			      void *context)
{
	struct rig *rig = context;

	for (int i = 0; i < 2; i++)
		rig->removed[i] |=
			change == CTD_CGROUP_REMOVED && !path && cgroup_id == rig->cgroup_ids[i];
}

/* @p cpu -1: to none. */
static inline void rig_pin(int cpu)
{
	cpu_set_t set;

	CPU_ZERO(&set);
	for (int i = 0; i < CPU_SETSIZE; i++) {
		if (cpu == -1 || i == cpu)
			CPU_SET(i, &set);
	}
	sched_setaffinity(0, sizeof(set), &set);
}

/* Really, but for the first CPU. @return whether that can be done here. */
static inline bool rig_set_online(struct rig *rig, int cpu, bool online)
{
	char path[80];
	int fd;
	bool done;

	snprintf(path, sizeof(path), "/sys/devices/system/cpu/cpu%d/online", cpu);
	fd = open(path, O_WRONLY | O_CLOEXEC);
	if (fd < 0)
		return false;
	done = write(fd, online ? "1" : "0", 1) == 1;
	close(fd);
	if (done)
		rig->offline = online ? 0 : cpu;
	return done;
}

/* Two cgroups in the v2 hierarchy. */
static inline void rig_make_cgroups(struct rig *rig)
{
	struct ctd_cgroup_hierarchy hierarchy;
	char why[160];

	if (ctd_cgroup_hierarchy_find("v2", &hierarchy, why)) {
		print_message("no cgroup v2 is mounted\n");
		skip();
	}
	for (int i = 0; i < 2; i++) {
		snprintf(rig->cgroups[i], sizeof(rig->cgroups[i]), "%s/ctd-kern-%d-%d",
			 hierarchy.mount, getpid(), i);
		assert_int_equal(mkdir(rig->cgroups[i], 0755), 0);
		assert_int_equal(ctd_cgroup_id_of(rig->cgroups[i], &rig->cgroup_ids[i]), 0);
	}
}

/* Time that a hypervisor gave to others, in ticks of 10 ms: in our clock, not in the kernel's. */
static inline uint64_t rig_steal_ns(void)
{
	unsigned long long steal_ticks = 0;
	FILE *file = fopen("/proc/stat", "re");

	assert_non_null(file);
	if (fscanf(file, "cpu %*u %*u %*u %*u %*u %*u %*u %llu", &steal_ticks) != 1)
		steal_ticks = 0;
	fclose(file);
	return steal_ticks * 10000000;
}

/* A rig with its cgroups, and options that a test may change before rig_start(). */
static inline struct rig *rig_new(const char *source)
{
	struct rig *rig = calloc(1, sizeof(*rig));
	const char *text = ctd_sim_default_text();
	struct ctd_pmu_facts facts;
	char why[128];
	int line;

	assert_non_null(rig);
	rig->steal_ns = rig_steal_ns();
	assert_int_equal(ctd_caps_probe(&rig->caps), 0);
	assert_int_equal(ctd_pmu_facts_read(&facts), 0);
	assert_int_equal(ctd_pmu_plan(&facts, source, 0, false, true, &rig->plan), 0);
	assert_int_equal(ctd_cpu_set_read(NULL, &rig->cpu_set), 0);
	rig->cpus = rig->cpu_set.count;
	rig->online = rig->cpu_set.online;
	rig->fenced = rig->cpu_set.fenced;
	assert_int_equal(ctd_sim_profiles_parse(text, strlen(text), &rig->profiles, &line, why), 0);
	rig_make_cgroups(rig);
	rig->options = (struct ctd_kern_options){
		.plans = &rig->plan,
		.caps = &rig->caps,
		.profiles = &rig->profiles,
		.max_slice_ns = 20000000,
		.rows_max = 4096,
		.cpus = rig->cpus,
		.online = rig->online,
		.fenced = rig->fenced,
		.notice = rig_notice,
		.notice_context = rig,
	};
	return rig;
}

static inline bool rig_counts(const struct rig *rig)
{
	return rig->plan.read == CTD_READ_LEADER || rig->plan.read == CTD_READ_EACH;
}

/* Loads and attaches; CPUs from @p first_without on get no counters. */
static inline void rig_start_some(struct rig *rig, int first_without)
{
	assert_int_equal(ctd_kern_load(&rig->options, &rig->kern), 0);
	if (rig_counts(rig)) {
		assert_int_equal(ctd_counters_open(&rig->plan, NULL, rig->online, rig->cpus,
						   &rig->counters),
				 0);
		for (int cpu = 0; cpu < rig->cpus && cpu < first_without; cpu++) {
			if (rig->online[cpu])
				assert_int_equal(
					ctd_kern_set_counters(rig->kern, &rig->counters, cpu), 0);
		}
		assert_int_equal(ctd_counters_enable(&rig->counters), 0);
	}
	assert_int_equal(ctd_kern_attach(rig->kern), 0);
}

static inline void rig_start(struct rig *rig)
{
	rig_start_some(rig, rig->cpus);
}

/* Moves a process, 0: this one, into a cgroup. @return whether that worked. */
static inline bool rig_move(const struct rig *rig, pid_t process, int cgroup)
{
	char path[700];
	int fd;
	bool moved;

	snprintf(path, sizeof(path), "%s/cgroup.procs", rig->cgroups[cgroup]);
	fd = open(path, O_WRONLY | O_CLOEXEC);
	if (fd < 0)
		return false;
	moved = dprintf(fd, "%d", process) > 0;
	close(fd);
	return moved;
}

/* Forks. In the child, in the cgroup, @return true. @p cgroup -1: stay; @p cpu -1: any. */
static inline bool rig_fork(struct rig *rig, int cgroup, int cpu)
{
	int at = 0;
	pid_t child;

	while (rig->children[at])
		at++;
	assert_true(at < RIG_CHILDREN_MAX);
	child = fork();
	assert_true(child >= 0);
	rig->children[at] = child;
	if (child)
		return false;
	prctl(PR_SET_PDEATHSIG, SIGKILL);
	if (cpu >= 0)
		rig_pin(cpu);
	if (cgroup >= 0 && !rig_move(rig, 0, cgroup))
		_exit(1);
	return true;
}

/* A child moves itself: until then its samples are of another cgroup. */
static inline void rig_wait_for_child_in(const struct rig *rig, int cgroup)
{
	char path[700], first = 0;

	snprintf(path, sizeof(path), "%s/cgroup.procs", rig->cgroups[cgroup]);
	for (int i = 0; i < 1000 && !first; i++) {
		int fd = open(path, O_RDONLY | O_CLOEXEC);

		assert_true(fd >= 0);
		if (read(fd, &first, 1) != 1)
			rig_sleep_ms(10);
		close(fd);
	}
	assert_true(first);
}

/* As /proc says it: S sleeps, T is stopped. @return a time before the task was in it. */
static inline uint64_t rig_wait_for_state(pid_t task, char wanted)
{
	char path[64], line[256], state = 0;
	uint64_t before_ns = 0;

	snprintf(path, sizeof(path), "/proc/%d/stat", task);
	while (state != wanted) {
		FILE *file = fopen(path, "re");
		const char *end;

		before_ns = rig_now_ns();
		assert_non_null(file);
		assert_non_null(fgets(line, sizeof(line), file));
		fclose(file);
		end = strrchr(line, ')'); /* of its name */
		assert_non_null(end);
		state = end[2];
		assert_true(state != 'Z' || wanted == 'Z');
		rig_sleep_ms(1);
	}
	return before_ns;
}

/* Until then time is charged to its cgroup, although waitid() says before that it has ended. */
static inline void rig_wait_for_last_switch(pid_t child)
{
	char path[64], line[64];
	siginfo_t info;
	FILE *file;

	waitid(P_PID, (id_t)child, &info, WEXITED | WNOWAIT);
	snprintf(path, sizeof(path), "/proc/%d/syscall", child);
	/* Of a task that is on a CPU, or waits for one, it says "running". */
	while ((file = fopen(path, "re"))) {
		bool runs = fgets(line, sizeof(line), file) && line[0] == 'r';

		fclose(file);
		if (!runs)
			return;
		rig_sleep_ms(1);
	}
}

/* Waits until all children from the @p first on have ended well and left their CPUs; kills them
 * before if told to. */
static inline void rig_reap(struct rig *rig, int first, bool kill_them)
{
	for (int i = first; i < RIG_CHILDREN_MAX; i++) {
		int status;

		if (!rig->children[i])
			continue;
		if (kill_them)
			kill(rig->children[i], SIGKILL);
		rig_wait_for_last_switch(rig->children[i]);
		waitpid(rig->children[i], &status, 0);
		rig->children[i] = 0;
		if (!kill_them)
			assert_int_equal(status, 0);
	}
}

/* For a child that always runs: beside equals on the only CPU, loading programs would take several
 * times as long. */
static inline void rig_give_way(const struct rig *rig)
{
	if (rig->cpus == 1 && setpriority(PRIO_PROCESS, 0, 19))
		_exit(1);
}

/* Two processes in two cgroups that pass a byte to and fro, and one in the first that spins, until
 * rig_reap(). */
static inline void rig_load(struct rig *rig)
{
	int there[2], back[2];
	char byte = 0;

	assert_int_equal(pipe(there), 0);
	assert_int_equal(pipe(back), 0);
	for (int end = 0; end < 2; end++) {
		if (!rig_fork(rig, end, -1))
			continue;
		rig_give_way(rig);
		while (end ? read(there[0], &byte, 1) == 1 && write(back[1], &byte, 1) == 1
			   : write(there[1], &byte, 1) == 1 && read(back[0], &byte, 1) == 1)
			;
		_exit(1);
	}
	if (rig_fork(rig, 0, -1)) {
		rig_give_way(rig);
		for (;;)
			rig_spin_ms(1);
	}
	for (int i = 0; i < 2; i++) {
		close(there[i]);
		close(back[i]);
	}
}

static inline void rig_snapshot(struct rig *rig, struct ctd_snapshot *ret_snapshot)
{
	assert_true(ctd_kern_poll(rig->kern, 0) >= 0);
	rig->snapshot_ns = rig_now_ns();
	assert_int_equal(ctd_kern_snapshot(rig->kern, ret_snapshot), 0);
	assert_true(ctd_snapshot_is_ordered(ret_snapshot));
}

/* The row of a cgroup, or an empty one. */
static inline struct ctd_snapshot_row rig_row(const struct ctd_snapshot *snapshot,
					      uint64_t cgroup_id)
{
	for (size_t i = 0; i < snapshot->rows_count; i++) {
		if (snapshot->rows[i].kind == CTD_ROW_CGROUP &&
		    snapshot->rows[i].cgroup_id == cgroup_id)
			return snapshot->rows[i];
	}
	return (struct ctd_snapshot_row){};
}

/* What no row has because of lost switches: time, and counts of one counter. */
static inline uint64_t rig_lost_ns(const struct ctd_snapshot *snapshot)
{
	uint64_t lost_ns = 0;

	for (size_t i = 0; i < snapshot->cpus_count; i++)
		lost_ns += snapshot->cpus[i].unattributed_ns;
	return lost_ns;
}

static inline uint64_t rig_lost_count(const struct ctd_snapshot *snapshot, uint32_t counter)
{
	uint64_t lost = 0;

	for (size_t i = 0; i < snapshot->cpus_count; i++)
		lost += snapshot->cpus[i].unattributed[counter];
	return lost;
}

/* What the kernel says that a cgroup has used. */
static inline uint64_t rig_usage_ns(const struct rig *rig, int cgroup)
{
	unsigned long long usage_us = 0;
	char path[700];
	FILE *file;

	snprintf(path, sizeof(path), "%s/cpu.stat", rig->cgroups[cgroup]);
	file = fopen(path, "re");
	assert_non_null(file);
	assert_int_equal(fscanf(file, "usage_usec %llu", &usage_us), 1);
	fclose(file);
	return usage_us * 1000;
}

/* A cgroup's row has what the kernel says, but for lost switches, for a tenth of it and 5 ms
 * (interrupts are in ours only), and for steal, to a tick. */
static inline void rig_assert_usage(const struct rig *rig, const struct ctd_snapshot *snapshot,
				    int cgroup)
{
	uint64_t oncpu_ns = rig_row(snapshot, rig->cgroup_ids[cgroup]).oncpu_ns;
	uint64_t usage_ns = rig_usage_ns(rig, cgroup);
	uint64_t lost_ns = rig_lost_ns(snapshot), slack_ns = usage_ns / 10 + 5000000;

	slack_ns += rig_steal_ns() - rig->steal_ns + 10000000;

	if (oncpu_ns + lost_ns + slack_ns < usage_ns || oncpu_ns > usage_ns + slack_ns)
		fail_msg("cgroup %d: %llu us, the kernel has %llu us, %llu us are lost", cgroup,
			 (unsigned long long)oncpu_ns / 1000, (unsigned long long)usage_ns / 1000,
			 (unsigned long long)lost_ns / 1000);
}

/* Every CPU's totals: rows and unattributed are the total, to the last count. */
static inline void rig_assert_conserved(const struct ctd_snapshot *snapshot)
{
	for (size_t i = 0; i < snapshot->cpus_count; i++) {
		const struct ctd_snapshot_cpu *cpu = &snapshot->cpus[i];

		for (uint32_t counter = 0; counter < snapshot->counters_count; counter++)
			assert_int_equal(cpu->attributed[counter] + cpu->unattributed[counter],
					 cpu->total[counter]);
	}
}

/* No total of a row that is in both, or of a CPU, is smaller than it was. */
static inline void rig_assert_grown(const struct ctd_snapshot *before,
				    const struct ctd_snapshot *after)
{
	for (size_t i = 0; i < after->rows_count; i++) {
		const struct ctd_snapshot_row *row = &after->rows[i];
		const struct ctd_snapshot_row *old =
			before->rows_count ? bsearch(row, before->rows, before->rows_count,
						     sizeof(*row), ctd_snapshot_row_compare)
					   : NULL;

		if (!old)
			continue;
		assert_true(row->oncpu_ns >= old->oncpu_ns);
		assert_true(row->running_ns >= old->running_ns);
		assert_true(row->slices >= old->slices);
		for (uint32_t counter = 0; counter < after->counters_count; counter++)
			assert_true(row->count[counter] >= old->count[counter]);
	}
	for (size_t i = 0; i < before->cpus_count; i++) {
		for (uint32_t counter = 0; counter < after->counters_count; counter++)
			assert_true(after->cpus[i].total[counter] >=
				    before->cpus[i].total[counter]);
	}
}

/* Takes so many snapshots, each after a pause, and checks each and each pair. */
static inline void rig_watch(struct rig *rig, int snapshots, long pause_ms)
{
	struct ctd_snapshot before = {}, after;

	for (int i = 0; i < snapshots; i++) {
		rig_sleep_ms(pause_ms);
		rig_snapshot(rig, &after);
		rig_assert_conserved(&after);
		rig_assert_grown(&before, &after);
		ctd_snapshot_free(&before);
		before = after;
	}
	ctd_snapshot_free(&before);
}

static inline void rig_free(struct rig *rig)
{
	rig_reap(rig, 0, true);
	if (rig->offline)
		rig_set_online(rig, rig->offline, true);
	rig_pin(-1);
	ctd_kern_free(rig->kern);
	ctd_counters_free(&rig->counters);
	ctd_sim_profiles_free(&rig->profiles);
	/* A process that was killed has left its cgroup when it was waited for. */
	for (int i = 0; i < 2; i++)
		rmdir(rig->cgroups[i]);
	ctd_cpu_set_free(&rig->cpu_set);
	free(rig);
}

/* A rig that a failed test leaves behind is cleared away by its teardown. */
static inline int free_rig(void **state)
{
	if (*state)
		rig_free(*state);
	*state = NULL;
	return 0;
}

static inline struct rig *make_rig(void **state, const char *source)
{
	*state = rig_new(source);
	return *state;
}

/* Runs the tests, or those whose names match the program's argument. */
static inline int rig_run(const struct CMUnitTest *tests, size_t count, int argc, char **argv)
{
	if (geteuid() != 0 || access("/sys/kernel/btf/vmlinux", R_OK)) {
		puts("needs root and a kernel with BTF: it loads BPF programs");
		return 77;
	}
	if (argc > 1)
		cmocka_set_test_filter(argv[1]);
	return _cmocka_run_group_tests("tests", tests, count, NULL, NULL);
}

#endif
