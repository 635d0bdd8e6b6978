/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* phases.c - spends CPU time in a cgroup under two names by turns: a load for tests, which does
 * something else every so often. */
#include <errno.h>
#include <fcntl.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <time.h>
#include <unistd.h>

static uint64_t now_ns(void)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return (uint64_t)now.tv_sec * 1000000000ull + (uint64_t)now.tv_nsec;
}

/* Moves this process into the cgroup. */
static int join(const char *directory)
{
	char path[1024];
	int fd, r;

	snprintf(path, sizeof(path), "%s/cgroup.procs", directory);
	fd = open(path, O_WRONLY | O_CLOEXEC);
	r = fd < 0 || write(fd, "0", 1) != 1 ? -errno : 0;
	if (fd >= 0)
		close(fd);
	if (r)
		fprintf(stderr, "phases: join '%s': %s\n", directory, strerror(-r));
	return r;
}

int main(int argc, char **argv)
{
	uint64_t phase_ns, end_ns, phase_end_ns;

	if (argc != 6) {
		fprintf(stderr, "usage: %s NAME NAME SECONDS_OF_EACH SECONDS CGROUP\n", argv[0]);
		return 2;
	}
	/* Before it joins: in its cgroup it never has a third name. */
	prctl(PR_SET_NAME, argv[1]);
	if (join(argv[5]))
		return 1;
	phase_ns = (uint64_t)(atof(argv[3]) * 1e9);
	phase_end_ns = now_ns();
	end_ns = phase_end_ns + (uint64_t)(atof(argv[4]) * 1e9);
	for (int at = 0; now_ns() < end_ns; at = !at) {
		prctl(PR_SET_NAME, argv[1 + at]);
		/* From the end of the last one: phases are as long as they are said to be. */
		phase_end_ns += phase_ns;
		while (now_ns() < phase_end_ns)
			;
	}
	return 0;
}
