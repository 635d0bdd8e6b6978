/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* test_which.c - only the processes that are wanted are looked at, and ended ones are none. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include "app/regions/which.h"

static size_t there(const struct ctd_region_wanted *wanted)
{
	struct ctd_region_programs programs = {0};
	struct ctd_region_looked looked = {0};

	assert_int_equal(ctd_region_look(wanted, &programs, &looked), 0);
	ctd_region_programs_free(&programs);
	return looked.there;
}

static void a_process_that_has_ended_is_none(void **state)
{
	struct ctd_region_wanted wanted = {.pids = {.count = 2}};
	siginfo_t ended;
	pid_t pid = fork();

	(void)state;
	if (!pid) {
		pause();
		_exit(0);
	}
	wanted.pids.pids[0] = (uint32_t)getpid();
	wanted.pids.pids[1] = (uint32_t)pid;
	assert_int_equal(there(&wanted), 2);
	kill(pid, SIGKILL);
	/* It is left as it is: nobody has asked how it ended. */
	assert_int_equal(waitid(P_PID, (id_t)pid, &ended, WEXITED | WNOWAIT), 0);
	assert_int_equal(there(&wanted), 1);
	waitpid(pid, NULL, 0);
	assert_int_equal(there(&wanted), 1);
}

static void without_a_list_all_are_wanted_that_are_in_the_cgroup(void **state)
{
	struct ctd_region_wanted wanted = {0};

	(void)state;
	assert_true(there(&wanted) > 0);
	wanted.cgroup_glob = "/no such cgroup";
	assert_int_equal(there(&wanted), 0);
	wanted.cgroup_glob = "*";
	assert_true(there(&wanted) > 0);
}

static void a_cgroup_that_has_gone_is_told(void **state)
{
	const struct ctd_region_wanted wanted = {.directory = "/proc/no such directory"};
	struct ctd_region_programs programs = {0};
	struct ctd_region_looked looked = {0};

	(void)state;
	assert_int_not_equal(ctd_region_look(&wanted, &programs, &looked), 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_process_that_has_ended_is_none),
		cmocka_unit_test(without_a_list_all_are_wanted_that_are_in_the_cgroup),
		cmocka_unit_test(a_cgroup_that_has_gone_is_told),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
