/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* test_here.c - rdpmc.h on the machine that the tests run on, whatever it is. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <unistd.h>

#include <cmocka.h>

#include <cgtopdown/rdpmc.h>

static void measures_or_says_why_not(void **state)
{
	(void)state;
	for (unsigned int flags = 0; flags <= CTD_RDPMC_READS; flags += CTD_RDPMC_READS) {
		struct ctd_rdpmc_region region = ctd_rdpmc_named("region");
		double ratio[CTD_RDPMC_NODES_COUNT];
		struct ctd_rdpmc_group group;
		int error = ctd_rdpmc_open(&group, flags);

		print_message("%s\n", ctd_rdpmc_error_text(error));
		if (access("/sys/bus/event_source/devices/cpu", F_OK) &&
		    access("/sys/bus/event_source/devices/cpu_core", F_OK) && CTD_RDPMC_X86)
			assert_int_not_equal(error, CTD_RDPMC_OK);
		(void)ctd_rdpmc_begin(&group, &region);
		for (volatile int i = 0; i < 1000000; i++)
			;
		(void)ctd_rdpmc_end(&group, &region);
		assert_int_equal(region.measured + region.lost, 1);
		if (error) {
			assert_int_equal(region.lost, 1);
			assert_int_equal(ctd_rdpmc_ratios(&region, ratio), 0);
			assert_true(isnan(ratio[CTD_RDPMC_RETIRING]));
			assert_int_equal(group.fd[0], -1);
		} else if (region.measured) {
			assert_true(region.slots > 1000000);
			assert_true(ctd_rdpmc_ratios(&region, ratio) >= CTD_RDPMC_LEVEL1_COUNT);
		}
		ctd_rdpmc_close(&group);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {cmocka_unit_test(measures_or_says_why_not)};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
