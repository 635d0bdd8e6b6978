/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* alone.h - a rig with a task that has the last CPU for itself, and never leaves it. */
#ifndef KERNEL_ALONE_H
#define KERNEL_ALONE_H

#include <sys/resource.h>

#include "rig.h"

static int alone_free(void **state)
{
	if (*state)
		rig_free(*state);
	*state = NULL;
	return 0;
}

/* The task, as it is seen and told from outside. */
struct alone {
	bool started, end;
	uint64_t pause_ns; /* the longest time in which it did not run: a hypervisor's, say */
	uint64_t ran_ns; /* without being switched from; a hypervisor's time included */
};

#define ALONE_TURN_NS 100000

static inline long alone_switches(void)
{
	struct rusage usage;

	getrusage(RUSAGE_SELF, &usage);
	return usage.ru_nvcsw + usage.ru_nivcsw;
}

static void alone_spin(volatile struct alone *alone)
{
	uint64_t then_ns = rig_now_ns();

	alone->started = true;
	while (!alone->end) {
		const long switches = alone_switches();
		const uint64_t began_ns = rig_now_ns();
		uint64_t now_ns;

		do {
			now_ns = rig_now_ns();
			if (now_ns - then_ns > alone->pause_ns)
				alone->pause_ns = now_ns - then_ns;
			then_ns = now_ns;
		} while (now_ns - began_ns < ALONE_TURN_NS);
		if (alone_switches() == switches)
			alone->ran_ns += now_ns - began_ns;
	}
}

/* @return its ran_ns between two turns: what is added to it from then on began later. */
static inline uint64_t alone_ran_ns(const volatile struct alone *alone)
{
	const uint64_t before_ns = alone->ran_ns;

	while (alone->ran_ns == before_ns)
		rig_sleep_ms(1);
	return alone->ran_ns;
}

/* The task is in the first cgroup, and ends when told to. */
static struct rig *alone_start(void **state, const char *source, uint64_t max_slice_ns,
			       volatile struct alone **ret_alone)
{
	const struct sched_param realtime = {.sched_priority = 1};
	volatile struct alone *alone = mmap(NULL, sizeof(*alone), PROT_READ | PROT_WRITE,
					    MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	struct rig *rig = rig_new(source);
	const int last = rig->cpus - 1;
	int status;

	*state = rig;
	if (last == 0) {
		print_message("this machine has one CPU\n");
		skip();
	}
	rig->options.max_slice_ns = max_slice_ns;
	rig_start(rig);
	rig_pin(0);
	if (rig_fork(rig, 0, last)) {
		if (sched_setscheduler(0, SCHED_FIFO, &realtime))
			_exit(77);
		alone_spin(alone);
		_exit(0);
	}
	while (!alone->started) {
		if (waitpid(rig->children[0], &status, WNOHANG)) {
			rig->children[0] = 0;
			print_message("no real-time scheduling is to be had\n");
			skip();
		}
		rig_sleep_ms(1);
	}
	*ret_alone = alone;
	return rig;
}

#endif
