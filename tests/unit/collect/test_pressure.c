/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* test_pressure.c - the kernel's per cent are a ratio, and what is none is not known. */
#include "collect/pressure.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include <cmocka.h>

static void put(const char *directory, const char *text)
{
	char path[128];
	FILE *file;

	snprintf(path, sizeof(path), "%s/web/memory.pressure", directory);
	file = fopen(path, "w");
	assert_non_null(file);
	assert_true(fputs(text, file) >= 0);
	assert_int_equal(fclose(file), 0);
}

static void a_pressure_file_is_read_or_nothing_is_known(void **state)
{
	char directory[] = "/tmp/ctd-pressure-XXXXXX", path[128];
	struct ctd_cgroup_hierarchy hierarchy = {.v2 = true, .mounted_path = "/"};
	double ratio = -1;

	(void)state;
	assert_non_null(mkdtemp(directory));
	strcpy(hierarchy.mount, directory);
	snprintf(path, sizeof(path), "%s/web", directory);
	assert_int_equal(mkdir(path, 0700), 0);
	assert_false(ctd_pressure_read(&hierarchy, "/web", CTD_RESOURCE_MEMORY, &ratio));
	put(directory, "some avg10=12.50 avg60=0.00 avg300=0.00 total=7\nfull avg10=1.00");
	assert_true(ctd_pressure_read(&hierarchy, "/web", CTD_RESOURCE_MEMORY, &ratio));
	assert_true(ratio > .1249 && ratio < .1251);
	assert_false(ctd_pressure_read(&hierarchy, "/web", CTD_RESOURCE_CPU, &ratio));
	put(directory, "some avg10=101.00");
	assert_false(ctd_pressure_read(&hierarchy, "/web", CTD_RESOURCE_MEMORY, &ratio));
	put(directory, "");
	assert_false(ctd_pressure_read(&hierarchy, "/web", CTD_RESOURCE_MEMORY, &ratio));
	hierarchy.v2 = false;
	put(directory, "some avg10=1.00");
	assert_false(ctd_pressure_read(&hierarchy, "/web", CTD_RESOURCE_MEMORY, &ratio));
	snprintf(path, sizeof(path), "rm -r %s", directory);
	assert_int_equal(system(path), 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_pressure_file_is_read_or_nothing_is_known),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
