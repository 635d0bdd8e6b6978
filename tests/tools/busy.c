/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* busy.c - spends CPU time under a name, in cgroups and in a manner of choice: a load for tests. */
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#define MIGRATE_PERIOD_NS 1000000ull
#define NAP_NS 300000
#define WORK_NS 200000ull

/* How long it stays in each cgroup before it moves: not alike, so that errors do not cancel out. */
static const long stay_ns[] = {12000000, 3000000};
static const long stay_long_ns[] = {250000000, 170000000};

struct load {
	uint64_t begin_ns, end_ns;
	const char *directories[2];
	const long *stay_ns;
	clockid_t clocks[2]; /* CPU time of the threads that work */
};

static uint64_t now_ns(void)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return (uint64_t)now.tv_sec * 1000000000ull + (uint64_t)now.tv_nsec;
}

static void spin_until(uint64_t end_ns)
{
	while (now_ns() < end_ns)
		;
}

static void nap(long ns)
{
	struct timespec time = {.tv_nsec = ns};

	nanosleep(&time, NULL);
}

/* Moves this process into the cgroup. */
static void join(const char *directory)
{
	char path[1024];
	int fd;

	snprintf(path, sizeof(path), "%s/cgroup.procs", directory);
	fd = open(path, O_WRONLY | O_CLOEXEC);
	if (fd < 0 || write(fd, "0", 1) != 1) {
		fprintf(stderr, "busy: join '%s': %s\n", directory, strerror(errno));
		exit(1);
	}
	close(fd);
}

/*
 * The kernel charges CPU time to the cgroup in which a task is at the next tick or switch. A look
 * at the thread's clock brings its accounting up to date, so that they can be compared with.
 */
static void bring_totals_up_to_date(clockid_t clock)
{
	struct timespec ignored;

	clock_gettime(clock, &ignored);
}

static void run_spin(struct load *load)
{
	spin_until(load->end_ns);
}

/* Lets an emulator that has one thread for all CPUs go on to the next one. */
static void let_next_cpu_run(void)
{
#if defined(__x86_64__)
	__asm__ volatile("pause");
#elif defined(__aarch64__)
	__asm__ volatile("yield");
#endif
}

/* As spin, where an emulated CPU that spins keeps that thread for 100 ms (QEMU's TCG_KICK_PERIOD). */
static void run_pause(struct load *load)
{
	while (now_ns() < load->end_ns)
		let_next_cpu_run();
}

/* Until it has had so much CPU time, which takes longer beside others. */
static void run_work(struct load *load)
{
	const uint64_t work_ns = load->end_ns - load->begin_ns;
	struct timespec had;

	do {
		clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &had);
	} while ((uint64_t)had.tv_sec * 1000000000ull + (uint64_t)had.tv_nsec < work_ns);
}

static void run_nap(struct load *load)
{
	while (now_ns() < load->end_ns) {
		spin_until(now_ns() + WORK_NS);
		nap(NAP_NS);
	}
}

/* Three milliseconds in ten, or less beside others. */
static void run_burst(struct load *load)
{
	while (now_ns() < load->end_ns) {
		spin_until(now_ns() + 3000000);
		nap(7000000);
	}
}

/* From CPU to CPU. */
static void run_migrate(struct load *load)
{
	cpu_set_t allowed;

	if (sched_getaffinity(0, sizeof(allowed), &allowed))
		exit(1);
	for (int cpu = 0; now_ns() < load->end_ns; cpu = (cpu + 1) % CPU_SETSIZE) {
		cpu_set_t one;

		if (!CPU_ISSET(cpu, &allowed))
			continue;
		CPU_ZERO(&one);
		CPU_SET(cpu, &one);
		sched_setaffinity(0, sizeof(one), &one);
		spin_until(now_ns() + MIGRATE_PERIOD_NS);
	}
}

/* Moves itself to and fro between two cgroups. */
static void run_move(struct load *load)
{
	load->stay_ns = stay_ns;
	for (int at = 0; now_ns() < load->end_ns; at = !at) {
		spin_until(now_ns() + (uint64_t)load->stay_ns[at]);
		bring_totals_up_to_date(CLOCK_THREAD_CPUTIME_ID);
		join(load->directories[!at]);
	}
}

static void *move_process(void *argument)
{
	const struct load *load = argument;

	for (int at = 0; now_ns() < load->end_ns; at = !at) {
		nap(load->stay_ns[at]);
		join(load->directories[!at]);
	}
	return NULL;
}

static void *spin_looking(void *argument)
{
	const struct load *load = argument;

	while (now_ns() < load->end_ns) {
		bring_totals_up_to_date(load->clocks[0]);
		bring_totals_up_to_date(load->clocks[1]);
	}
	return NULL;
}

/* Two threads that are moved while they run, by a third. */
static void be_moved(struct load *load)
{
	pthread_t mover, second;

	load->clocks[0] = load->clocks[1] = CLOCK_THREAD_CPUTIME_ID;
	if (pthread_create(&second, NULL, spin_looking, load) ||
	    pthread_getcpuclockid(pthread_self(), &load->clocks[0]) ||
	    pthread_getcpuclockid(second, &load->clocks[1]) ||
	    pthread_create(&mover, NULL, move_process, load))
		exit(1);
	spin_looking(load);
	pthread_join(mover, NULL);
	pthread_join(second, NULL);
}

static void run_moved(struct load *load)
{
	load->stay_ns = stay_ns;
	be_moved(load);
}

static void run_moved_seldom(struct load *load)
{
	load->stay_ns = stay_long_ns;
	be_moved(load);
}

/* Passes a byte to and fro with a process in the other cgroup. */
static void run_pingpong(struct load *load)
{
	int there[2], back[2];
	char byte = 0;
	pid_t child;

	if (pipe(there) || pipe(back))
		exit(1);
	child = fork();
	if (child < 0)
		exit(1);
	if (!child) {
		close(there[1]);
		join(load->directories[1]);
		while (read(there[0], &byte, 1) == 1 && write(back[1], &byte, 1) == 1)
			;
		_exit(0);
	}
	close(there[0]);
	while (now_ns() < load->end_ns) {
		if (write(there[1], &byte, 1) != 1 || read(back[0], &byte, 1) != 1)
			exit(1);
	}
	close(there[1]);
	waitpid(child, NULL, 0);
}

static const struct manner {
	const char *name;
	void (*run)(struct load *load);
	int directories; /* it needs at least so many */
} manners[] = {
	/* clang-format off */
	{"spin", run_spin, 0},
	{"pause", run_pause, 0},
	{"work", run_work, 0},
	{"nap", run_nap, 0},
	{"burst", run_burst, 0},
	{"migrate", run_migrate, 0},
	{"move", run_move, 2},
	{"moved", run_moved, 2},
	{"moved-seldom", run_moved_seldom, 2},
	{"pingpong", run_pingpong, 2},
	/* clang-format on */
};

static const struct manner *manner_find(const char *name)
{
	for (size_t i = 0; i < sizeof(manners) / sizeof(manners[0]); i++)
		if (!strcmp(manners[i].name, name))
			return &manners[i];
	return NULL;
}

int main(int argc, char **argv)
{
	const struct manner *manner = argc >= 4 ? manner_find(argv[2]) : NULL;
	struct load load = {0};

	if (!manner || argc > 6 || argc - 4 < manner->directories) {
		fprintf(stderr,
			"usage: %s NAME spin|pause|work|nap|burst|migrate|move|moved|moved-seldom|pingpong SECONDS [CGROUP [CGROUP]]\n",
			argv[0]);
		return 2;
	}
	/* Before it joins: in its cgroups it never has another name. */
	prctl(PR_SET_NAME, argv[1]);
	for (int i = 4; i < argc; i++)
		load.directories[i - 4] = argv[i];
	if (load.directories[0])
		join(load.directories[0]);
	load.begin_ns = now_ns();
	load.end_ns = load.begin_ns + (uint64_t)(atof(argv[3]) * 1e9);
	manner->run(&load);
	return 0;
}
