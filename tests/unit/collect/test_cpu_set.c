/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* test_cpu_set.c - the other hardware thread of each CPU's core, as sysfs tells of it. */
#include "collect/cpu_set.h"

#include <cgtopdown/kern.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include <cmocka.h>

#include "base/root.h"

static char root[] = "/tmp/ctd-cpu-set-XXXXXX";

/* A file below /sys/devices/system/cpu, with its directories. */
static void put(const char *name, const char *text)
{
	char path[256];
	FILE *file;

	snprintf(path, sizeof(path), "%s/sys/devices/system/cpu/%s", root, name);
	for (char *slash = strchr(path + 1, '/'); slash; slash = strchr(slash + 1, '/')) {
		*slash = '\0';
		mkdir(path, 0755);
		*slash = '/';
	}
	file = fopen(path, "we");
	assert_non_null(file);
	fputs(text, file);
	fclose(file);
}

static int make_root(void **state)
{
	(void)state;
	if (!mkdtemp(root))
		return -1;
	put("possible", "0-5\n");
	put("online", "0-5\n");
	ctd_root_set(root);
	return 0;
}

static int remove_root(void **state)
{
	char command[64];

	(void)state;
	ctd_root_set(NULL);
	snprintf(command, sizeof(command), "rm -rf %s", root);
	return system(command); /* NOLINT(cert-env33-c): a directory of this test */
}

static struct ctd_cpu_set read_set(void)
{
	struct ctd_cpu_set set;

	assert_int_equal(ctd_cpu_set_read(NULL, &set), 0);
	assert_int_equal(set.count, 6);
	return set;
}

static void without_siblings_there_is_no_list(void **state)
{
	struct ctd_cpu_set set;

	(void)state;
	put("cpu0/topology/thread_siblings_list", "0\n");
	set = read_set();
	assert_null(set.siblings);
	ctd_cpu_set_free(&set);
}

static void two_threads_of_a_core_are_siblings(void **state)
{
	static const int wanted[] = {
		4, CTD_SIBLING_NONE,   CTD_SIBLING_UNKNOWN, CTD_SIBLING_UNKNOWN,
		0, CTD_SIBLING_UNKNOWN};
	struct ctd_cpu_set set;
	int *before;

	(void)state;
	put("cpu0/topology/thread_siblings_list", "0,4\n");
	put("cpu4/topology/thread_siblings_list", "0,4\n");
	put("cpu1/topology/thread_siblings_list", "1\n");
	/* Of several others it is not known which. */
	put("cpu2/topology/thread_siblings_list", "2-3,5\n");
	put("cpu3/topology/thread_siblings_list", "nonsense\n");
	set = read_set();
	assert_memory_equal(set.siblings, wanted, sizeof(wanted));
	/* CPU 4 goes offline: the list stays where it is. */
	before = set.siblings;
	put("cpu0/topology/thread_siblings_list", "0\n");
	put("cpu4/topology/thread_siblings_list", "");
	assert_int_equal(ctd_cpu_set_find_siblings(&set), 0);
	assert_ptr_equal(set.siblings, before);
	assert_int_equal(set.siblings[0], CTD_SIBLING_NONE);
	assert_int_equal(set.siblings[4], CTD_SIBLING_UNKNOWN);
	ctd_cpu_set_free(&set);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(without_siblings_there_is_no_list),
		cmocka_unit_test(two_threads_of_a_core_are_siblings),
	};

	return cmocka_run_group_tests(tests, make_root, remove_root);
}
