/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* ring.h - processes on one CPU that hand a byte around through pipes: every hand-over is one
 * switch. */
#ifndef BENCH_RING_H
#define BENCH_RING_H

#include <errno.h>
#include <fcntl.h>
#include <sched.h>
#include <signal.h>
#include <stdint.h>
#include <stdlib.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "base/log.h"
#include "samples.h"
#include "subtree.h"

#define RING_MEMBERS_MAX 100
/* A sample is the median of a few bursts: what disturbs one of them is not in it. */
#define RING_BURSTS 5
#define RING_BURST_SWITCHES 8000

struct ring {
	int count;
	pid_t pids[RING_MEMBERS_MAX];
	int command_fd; /* laps to run, to member 0 */
	int result_fd; /* ns they took, from member 0 */
};

static inline uint64_t clock_ns(void)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return now.tv_sec * 1000000000ull + now.tv_nsec;
}

static inline int pin_to_cpu(int cpu)
{
	cpu_set_t set;

	CPU_ZERO(&set);
	CPU_SET(cpu, &set);
	return sched_setaffinity(0, sizeof(set), &set) ? -errno : 0;
}

static inline void ring_lead(int in, int out, int command_fd, int result_fd)
{
	uint64_t laps, took_ns;
	char byte = 0;

	while (read(command_fd, &laps, sizeof(laps)) == sizeof(laps)) {
		took_ns = clock_ns();
		for (uint64_t lap = 0; lap < laps; lap++) {
			if (write(out, &byte, 1) != 1 || read(in, &byte, 1) != 1)
				return;
		}
		took_ns = clock_ns() - took_ns;
		if (write(result_fd, &took_ns, sizeof(took_ns)) != sizeof(took_ns))
			return;
	}
}

static inline void ring_follow(int in, int out)
{
	char byte;

	while (read(in, &byte, 1) == 1 && write(out, &byte, 1) == 1)
		;
}

/* Real-time, so that nobody else's switches are in the figures. */
static inline int ring_join(const struct subtree *subtree, int cgroup, int cpu)
{
	struct sched_param priority = {.sched_priority = 1};
	int error;

	prctl(PR_SET_PDEATHSIG, SIGKILL);
	error = subtree_enter(subtree, cgroup);
	if (!error)
		error = pin_to_cpu(cpu);
	if (!error && sched_setscheduler(0, SCHED_FIFO, &priority))
		error = -errno;
	return error ? ctd_log_error(error, "become a real-time process on cpu %d", cpu) : 0;
}

/*
 * Starts one process in each cgroup of @p cgroups (@p count entries; the same one may be there
 * twice), all on @p cpu.
 */
static inline int ring_start(const struct subtree *subtree, const int *cgroups, int count, int cpu,
			     struct ring *ret_ring)
{
	int inbox[RING_MEMBERS_MAX][2], command[2], result[2];

	assert(count >= 2 && count <= RING_MEMBERS_MAX);
	ret_ring->count = 0;
	if (pipe2(command, O_CLOEXEC) || pipe2(result, O_CLOEXEC))
		return ctd_log_error(-errno, "make a pipe");
	for (int i = 0; i < count; i++) {
		if (pipe2(inbox[i], O_CLOEXEC))
			return ctd_log_error(-errno, "make a pipe");
	}
	for (int i = 0; i < count; i++) {
		pid_t pid = fork();

		if (pid < 0)
			return ctd_log_error(-errno, "fork");
		if (pid == 0) {
			int in = inbox[i][0], out = inbox[(i + 1) % count][1];

			if (ring_join(subtree, cgroups[i], cpu))
				_exit(1);
			close(command[1]);
			if (i == 0)
				ring_lead(in, out, command[0], result[1]);
			else
				ring_follow(in, out);
			_exit(0);
		}
		ret_ring->pids[ret_ring->count++] = pid;
	}
	for (int i = 0; i < count; i++) {
		close(inbox[i][0]);
		close(inbox[i][1]);
	}
	close(command[0]);
	close(result[1]);
	ret_ring->command_fd = command[1];
	ret_ring->result_fd = result[0];
	return 0;
}

/* One sample: ns per switch. */
static inline int ring_measure(const struct ring *ring, double *ret_ns)
{
	uint64_t laps = RING_BURST_SWITCHES / ring->count, took_ns;
	struct samples bursts = {};

	for (int i = 0; i < RING_BURSTS; i++) {
		if (write(ring->command_fd, &laps, sizeof(laps)) != sizeof(laps) ||
		    read(ring->result_fd, &took_ns, sizeof(took_ns)) != sizeof(took_ns))
			return ctd_log_error(-EPIPE, "run the ring of %d processes", ring->count);
		samples_add(&bursts, (double)took_ns / (double)(laps * ring->count));
	}
	*ret_ns = samples_median(&bursts);
	return 0;
}

static inline void ring_stop(struct ring *ring)
{
	for (int i = 0; i < ring->count; i++)
		kill(ring->pids[i], SIGKILL);
	for (int i = 0; i < ring->count; i++)
		waitpid(ring->pids[i], NULL, 0);
	if (ring->count) {
		close(ring->command_fd);
		close(ring->result_fd);
	}
	ring->count = 0;
}

#endif
