/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* test_holders.c - who has perf events open is named, as far as it can be seen. */
#include "pmu/holders.h"

#include <fcntl.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cmocka.h>

#include "base/auto.h"
#include "base/root.h"

static char folder[] = "/tmp/test_holders.XXXXXX";

static void make_directory(const char *path)
{
	char whole[256];

	snprintf(whole, sizeof(whole), "%s%s", folder, path);
	assert_int_equal(mkdir(whole, 0700), 0);
}

/* With two descriptors: its terminal, and @p target. */
static void make_process(int pid, const char *comm, const char *target)
{
	char path[200];
	autofclose FILE *file = NULL;

	snprintf(path, sizeof(path), "/proc/%d", pid);
	make_directory(path);
	snprintf(path, sizeof(path), "/proc/%d/fd", pid);
	make_directory(path);
	snprintf(path, sizeof(path), "%s/proc/%d/comm", folder, pid);
	file = fopen(path, "w");
	assert_non_null(file);
	fprintf(file, "%s\n", comm);
	snprintf(path, sizeof(path), "%s/proc/%d/fd/0", folder, pid);
	assert_int_equal(symlink("/dev/pts/0", path), 0);
	snprintf(path, sizeof(path), "%s/proc/%d/fd/7", folder, pid);
	assert_int_equal(symlink(target, path), 0);
}

static int begin(void **state)
{
	(void)state;
	if (!mkdtemp(folder))
		return -1;
	make_directory("/proc");
	make_directory("/proc/irq");
	ctd_root_set(folder);
	return 0;
}

static int end(void **state)
{
	char command[128];

	(void)state;
	snprintf(command, sizeof(command), "rm -r %s", folder);
	return system(command);
}

/* Process ids are above all that the kernel gives out, 4194304 at most: none is ours. */
static void processes_with_perf_events_are_named(void **state)
{
	char text[160];

	(void)state;
	make_process(5000001, "bash", "anon_inode:[perf_event_not]");
	make_process(5000002, "bpf", "anon_inode:bpf-map");
	ctd_holders_name(text, sizeof(text));
	assert_string_equal(text, "");
	make_process(5000003, "pe\033rf", "anon_inode:[perf_event]");
	ctd_holders_name(text, sizeof(text));
	assert_string_equal(text, "pe?rf (pid 5000003)");
	/* We ourselves are none of the others. */
	make_process(getpid(), "cgtopdown", "anon_inode:[perf_event]");
	ctd_holders_name(text, sizeof(text));
	assert_string_equal(text, "pe?rf (pid 5000003)");
}

static void many_are_counted(void **state)
{
	char text[160];

	(void)state;
	for (int i = 0; i < 4; i++)
		make_process(6000000 + i, "toplev", "anon_inode:[perf_event]");
	ctd_holders_name(text, sizeof(text));
	assert_non_null(strstr(text, "), toplev (pid 600000"));
	assert_string_equal(text + strlen(text) - strlen(" and 2 more"), " and 2 more");
	/* What has no room is cut off. */
	ctd_holders_name(text, 20);
	assert_int_equal(strlen(text), 19);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(processes_with_perf_events_are_named),
		cmocka_unit_test(many_are_counted),
	};

	return cmocka_run_group_tests(tests, begin, end);
}
