/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* test_collector.c - what the programs do not remember of a living task the kernel tells. */
#include "collect/collector.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#include <cmocka.h>

#include "base/root.h"
#include "bpf/topdown.skel.h"
#include "kern/topdown/topdown.h"

static void a_living_task_that_the_programs_forgot_has_its_process(void **state)
{
	/* Nothing is loaded: a look into its maps finds nothing. */
	struct cgtd_topdown skeleton = {0};
	struct ctd_kern kern = {.skeleton = &skeleton};
	struct ctd_collector collector = {.counting = {.kern = &kern}};
	char machine[] = "/tmp/test_collector.XXXXXX", command[256];

	(void)state;
	assert_non_null(mkdtemp(machine));
	snprintf(
		command, sizeof(command),
		"mkdir -p %s/proc/43 && printf 'Name:\\tworker\\nTgid:\\t42\\nPid:\\t43\\n' >%s/proc/43/status",
		machine, machine);
	assert_int_equal(system(command), 0);
	ctd_root_set(machine);
	assert_int_equal(ctd_collector_process(&collector, 43), 42);
	assert_int_equal(ctd_collector_process(&collector, 44), 0);
	ctd_root_set("");
	snprintf(command, sizeof(command), "rm -r %s", machine);
	assert_int_equal(system(command), 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_living_task_that_the_programs_forgot_has_its_process),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
