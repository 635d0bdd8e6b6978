/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* test_counters.c - a CPU has all of its group or nothing, over a stand-in for perf_event_open(2). */
#include <cgtopdown/counters.h>

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "base/auto.h"
#include "capture.h"
#include "pmu/perf_event.h"

#define COUNT(array) (sizeof(array) / sizeof((array)[0]))
#define CPUS 4
#define CALLS_MAX 64

static const struct ctd_counter_plan plan_of_three = {
	.read = CTD_READ_LEADER,
	.pinned = true,
	.topdown_refresh = true,
	.groups_count = 1,
	.events_count = 3,
	.events =
		{
			{.name = "slots", .type = 4, .config = 0x400},
			{.name = "topdown-retiring", .type = 4, .config = 0x8000},
			{.name = "topdown-be-bound", .type = 4, .config = 0x8300, .config1 = 5},
		},
};

static struct {
	int refuse_cpu; /* -1: none */
	uint64_t refuse_config;
	int error;
	int calls;
	struct call {
		struct perf_event_attr attr;
		int pid, cpu, group_fd, fd;
		unsigned long flags;
	} call[CALLS_MAX];
} stand_in;

static int stand_in_open(struct perf_event_attr *attr, int pid, int cpu, int group_fd,
			 unsigned long flags)
{
	struct call *call = &stand_in.call[stand_in.calls];

	assert_true(stand_in.calls < CALLS_MAX);
	if (cpu == stand_in.refuse_cpu && attr->config == stand_in.refuse_config)
		return -stand_in.error;
	*call = (struct call){*attr, pid, cpu, group_fd, open("/dev/null", O_RDONLY | O_CLOEXEC),
			      flags};
	stand_in.calls++;
	return call->fd;
}

static int open_fds(void)
{
	DIR *directory = opendir("/proc/self/fd");
	int count = 0;

	assert_non_null(directory);
	while (readdir(directory))
		count++;
	closedir(directory);
	return count;
}

static int reset(void **state)
{
	(void)state;
	memset(&stand_in, 0, sizeof(stand_in));
	stand_in.refuse_cpu = -1;
	return 0;
}

/* A group of level 2 whose last event finds no counter. */
static void a_group_that_does_not_fit_is_taken_down_to_level_1(void **state)
{
	static const struct {
		int line;
		const char *model;
		int error, want_events;
	} cases[] = {
		{__LINE__, "golden_cove_gp", 0, 9},
		{__LINE__, "golden_cove_gp", EINVAL, 5},
		/* Not for lack of room: the caller of open() says so. */
		{__LINE__, "golden_cove_gp", EACCES, 9},
		/* Takes no general-purpose counter. */
		{__LINE__, "golden_cove", EINVAL, 9},
	};

	(void)state;
	for (size_t i = 0; i < COUNT(cases); i++) {
		const struct ctd_cpu_model *model = ctd_cpu_model_find(cases[i].model);
		struct ctd_counter_plan plan = {.model = model,
						.read = model->read,
						.topdown_refresh = model->read == CTD_READ_LEADER,
						.groups_count = 1,
						.events_count = 9,
						.why = "level 2"};
		int before = open_fds();

		reset(NULL);
		plan.events[8].config = 8;
		stand_in.refuse_cpu = cases[i].error ? 2 : -1;
		stand_in.refuse_config = 8;
		stand_in.error = cases[i].error;
		ctd_counters_fit_with(stand_in_open, &plan, 2);
		if (plan.events_count != cases[i].want_events || open_fds() != before ||
		    (plan.events_count == 5) !=
			    !strcmp(plan.why,
				    "level 2, but less: the kernel refuses a group of 9 counters"))
			fail_msg("line %d: %d events, '%s'", cases[i].line, plan.events_count,
				 plan.why);
	}
}

/* The first group is tried, too; without room for it there is no rotation. */
static void groups_that_do_not_fit_have_no_turn(void **state)
{
	static const struct {
		int line;
		uint64_t refused; /* config, which is group * 100 + event */
		int want_groups, want_events;
		const char *want_why;
	} cases[] = {
		{__LINE__, 999, 4, 6, ""},
		{__LINE__, 303, 3, 6, ", but not all in rotation: the kernel refuses a group of 5"},
		{__LINE__, 101, 1, 6, ", but not all in rotation"},
		{__LINE__, 5, 1, 5, ", but less: the kernel refuses a group of 6 counters"},
		{__LINE__, 4, 1, 5, ", but less"}, /* and so opening it will fail, and say why */
	};

	(void)state;
	for (size_t i = 0; i < COUNT(cases); i++) {
		struct ctd_counter_plan plan = {.model = ctd_cpu_model_find("zen5"),
						.read = CTD_READ_EACH,
						.groups_count = 4,
						.events_count = 6};
		int before = open_fds();

		reset(NULL);
		for (int event = 0; event < 4 * 6; event++) {
			bool filler = event >= 6 && event % 6 == 5;

			plan.events[event].type = filler ? PERF_TYPE_SOFTWARE : 4;
			plan.events[event].config = filler ? 0 : event / 6 * 100 + event % 6;
		}
		stand_in.refuse_cpu = 2;
		stand_in.refuse_config = cases[i].refused;
		stand_in.error = EINVAL;
		ctd_counters_fit_with(stand_in_open, &plan, 2);
		if (plan.groups_count != cases[i].want_groups ||
		    plan.events_count != cases[i].want_events || open_fds() != before ||
		    strncmp(plan.why, cases[i].want_why, strlen(cases[i].want_why)))
			fail_msg("line %d: %d groups of %d events, '%s'", cases[i].line,
				 plan.groups_count, plan.events_count, plan.why);
	}
}

static void every_online_cpu_gets_a_group_led_by_the_first_event(void **state)
{
	static const bool online[CPUS] = {true, false, true, true};
	struct ctd_counters counters;
	int before = open_fds();

	(void)state;
	assert_int_equal(ctd_counters_open_with(stand_in_open, &plan_of_three, NULL, online, CPUS,
						&counters),
			 0);
	assert_int_equal(counters.cpus, CPUS);
	assert_int_equal(counters.events_count, 3);
	assert_int_equal(stand_in.calls, 9);
	assert_int_equal(open_fds(), before + 9);
	for (int i = 0; i < stand_in.calls; i++) {
		const struct call *call = &stand_in.call[i], *leader = call - i % 3;
		const struct ctd_event *event = &plan_of_three.events[i % 3];

		assert_true(online[call->cpu]);
		assert_int_equal(counters.fd[call->cpu * 3 + i % 3], call->fd);
		assert_int_equal(call->pid, -1);
		assert_int_equal(call->group_fd, call == leader ? -1 : leader->fd);
		assert_int_equal(call->flags, PERF_FLAG_FD_CLOEXEC);
		assert_int_equal(call->attr.type, 4);
		assert_int_equal(call->attr.size, sizeof(call->attr));
		assert_int_equal(call->attr.config, event->config);
		assert_int_equal(call->attr.config1, event->config1);
		assert_int_equal(call->attr.pinned, call == leader);
		assert_int_equal(call->attr.disabled, call == leader);
		assert_int_equal(call->attr.exclude_guest, 1);
		assert_int_equal(call->attr.inherit, 0);
		/* Only its leader's descriptor reads a group at one instant. */
		assert_int_equal(call->attr.read_format,
				 PERF_FORMAT_TOTAL_TIME_ENABLED | PERF_FORMAT_TOTAL_TIME_RUNNING |
					 (call == leader ? PERF_FORMAT_GROUP : 0));
	}
	for (int i = 0; i < 3; i++)
		assert_int_equal(counters.fd[1 * 3 + i], -1);

	ctd_counters_close_cpu(&counters, 2);
	assert_int_equal(open_fds(), before + 6);
	assert_int_equal(counters.fd[2 * 3], -1);
	ctd_counters_free(&counters);
	assert_null(counters.fd);
	assert_int_equal(open_fds(), before);
}

static void a_group_that_is_not_to_be_pinned_is_not(void **state)
{
	static const bool online[CPUS] = {true};
	struct ctd_counter_plan plan = plan_of_three;
	struct ctd_counters counters;

	(void)state;
	plan.pinned = false;
	assert_int_equal(
		ctd_counters_open_with(stand_in_open, &plan, NULL, online, CPUS, &counters), 0);
	for (int i = 0; i < stand_in.calls; i++)
		assert_int_equal(stand_in.call[i].attr.pinned, 0);
	ctd_counters_free(&counters);
}

static void a_refusal_leaves_nothing_open_and_names_event_cpu_and_way_out(void **state)
{
	static const bool online[CPUS] = {true, true, true, true};
	static const struct {
		int line;
		int cpu, event, error;
		const char *want_text, *want_advice;
	} cases[] = {
		{__LINE__, 0, 0, EACCES, "Permission denied", "CAP_PERFMON"},
		{__LINE__, 0, 0, EPERM, "not permitted", "perf_event_paranoid"},
		{__LINE__, 3, 2, EINVAL, "Invalid argument", "the group cannot fit"},
		{__LINE__, 2, 0, ENOENT, "No such file", "not on this CPU's PMU"},
		{__LINE__, 1, 1, EBUSY, "busy", "kernel.nmi_watchdog"},
		{__LINE__, 3, 1, EMFILE, "Too many open files", "ulimit -n"},
		{__LINE__, 3, 1, ENFILE, "Too many open files", "fs.file-max"},
		{__LINE__, 1, 0, EOPNOTSUPP, "not supported", "mediated vPMU"},
		{__LINE__, 1, 0, ENOSYS, "not implemented", "CONFIG_PERF_EVENTS"},
		{__LINE__, 1, 2, EIO, "Input/output", "cgtopdown doctor"},
	};

	for (size_t i = 0; i < COUNT(cases); i++) {
		const struct ctd_event *event = &plan_of_three.events[cases[i].event];
		struct ctd_counters counters = {.cpus = 77};
		struct capture capture;
		char want[128];
		const char *said;
		int err, before = open_fds();

		reset(state);
		stand_in.refuse_cpu = cases[i].cpu;
		stand_in.refuse_config = event->config;
		stand_in.error = cases[i].error;
		capture_begin(&capture);
		err = ctd_counters_open_with(stand_in_open, &plan_of_three, NULL, online, CPUS,
					     &counters);
		said = capture_end(&capture);
		snprintf(want, sizeof(want), "perf_event_open(%s, cpu %d): ", event->name,
			 cases[i].cpu);
		if (err != -cases[i].error || counters.cpus != 77 || open_fds() != before ||
		    stand_in.calls != cases[i].cpu * 3 + cases[i].event || !strstr(said, want) ||
		    !strstr(said, cases[i].want_text) || !strstr(said, cases[i].want_advice))
			fail_msg("line %d: %d after %d opened, %d left open: '%s'", cases[i].line,
				 err, stand_in.calls, open_fds() - before, said);
	}
}

/* It goes, or is not quite there. */
static void a_cpu_that_perf_has_not_goes_without_as_long_as_another_has_its_own(void **state)
{
	static const struct {
		bool online[CPUS];
		int error;
		const char *want;
	} cases[] = {
		{{true, true, true, true}, 0, ""},
		{{false, true, false, false}, -ENODEV, "counters of cpu 1: "},
	};

	for (size_t i = 0; i < COUNT(cases); i++) {
		struct ctd_counters counters = {0};
		struct capture capture;
		int error, before = open_fds();
		const char *said;

		reset(state);
		stand_in.refuse_cpu = 1;
		stand_in.refuse_config = plan_of_three.events[2].config;
		stand_in.error = ENODEV;
		capture_begin(&capture);
		error = ctd_counters_open_with(stand_in_open, &plan_of_three, NULL, cases[i].online,
					       CPUS, &counters);
		said = capture_end(&capture);
		assert_int_equal(error, cases[i].error);
		assert_non_null(strstr(said, cases[i].want));
		assert_int_equal(!*said, !error);
		assert_int_equal(!*said || strstr(said, "offline"), true);
		assert_int_equal(open_fds(), before + (error ? 0 : 3 * 3));
		for (int cpu = 0; !error && cpu < CPUS; cpu++)
			assert_int_equal(ctd_counters_has(&counters, cpu), cpu != 1);
		ctd_counters_free(&counters);
	}
}

static void a_cpu_that_comes_back_is_opened_again_wholly_or_not_at_all(void **state)
{
	static const bool online[CPUS] = {true, true, true, true};
	struct ctd_counters counters;
	struct capture capture;
	int err, before = open_fds();

	(void)state;
	assert_int_equal(ctd_counters_open_with(stand_in_open, &plan_of_three, NULL, online, CPUS,
						&counters),
			 0);
	assert_int_equal(ctd_counters_open_cpu_with(stand_in_open, &plan_of_three, &counters, 1),
			 0);
	assert_int_equal(open_fds(), before + 4 * 3);

	stand_in.refuse_cpu = 1;
	stand_in.refuse_config = plan_of_three.events[2].config;
	stand_in.error = EBUSY;
	capture_begin(&capture);
	err = ctd_counters_open_cpu_with(stand_in_open, &plan_of_three, &counters, 1);
	capture_end(&capture);
	assert_int_equal(err, -EBUSY);
	assert_int_equal(open_fds(), before + 3 * 3);
	for (int i = 0; i < 3; i++)
		assert_int_equal(counters.fd[1 * 3 + i], -1);
	ctd_counters_free(&counters);
	assert_int_equal(open_fds(), before);
}

static void no_counters_and_simulated_ones_open_nothing(void **state)
{
	static const bool online[CPUS] = {true, true, true, true};
	static const struct ctd_counter_plan plans[] = {
		{.read = CTD_READ_NONE, .groups_count = 1},
		{.read = CTD_READ_SIM, .groups_count = 1, .events_count = 9},
	};

	(void)state;
	for (size_t i = 0; i < COUNT(plans); i++) {
		struct ctd_counters counters;

		assert_int_equal(ctd_counters_open_with(stand_in_open, &plans[i], NULL, online,
							CPUS, &counters),
				 0);
		assert_int_equal(stand_in.calls, 0);
		assert_int_equal(ctd_counters_open_cpu_with(stand_in_open, &plans[i], &counters, 1),
				 0);
		assert_int_equal(ctd_counters_enable(&counters), 0);
		ctd_counters_close_cpu(&counters, 1);
		ctd_counters_free(&counters);
	}
}

static void a_group_that_cannot_be_started_names_its_cpu(void **state)
{
	static const bool online[CPUS] = {false, false, true, false};
	struct ctd_counters counters;
	struct capture capture;
	const char *said;
	int err;

	(void)state;
	assert_int_equal(ctd_counters_open_with(stand_in_open, &plan_of_three, NULL, online, CPUS,
						&counters),
			 0);
	/* /dev/null knows no PERF_EVENT_IOC_ENABLE. */
	capture_begin(&capture);
	err = ctd_counters_enable(&counters);
	said = capture_end(&capture);
	ctd_counters_free(&counters);
	assert_int_equal(err, -ENOTTY);
	assert_non_null(strstr(said, "cpu 2"));
}

static void freeing_nothing_is_fine(void **state)
{
	struct ctd_counters counters = {.cpus = 4, .events_count = 3};

	(void)state;
	ctd_counters_free(NULL);
	ctd_counters_free(&counters);
	ctd_counters_free(&counters);
}

/* The wider kind has two groups, of which one counts at a time; the other kind's goes on. */
static void each_cpu_has_the_groups_of_its_kind_of_core(void **state)
{
	static const uint8_t core_type_of[CPUS] = {0, 1, 2, 1};
	static const bool online[CPUS] = {true, true, true, true};
	static struct ctd_counter_plan plans[CTD_CORE_TYPES_MAX];
	struct ctd_counters counters;

	(void)state;
	plans[0] = plan_of_three;
	plans[1] = plan_of_three;
	plans[1].read = CTD_READ_EACH;
	plans[1].groups_count = 2;
	for (int i = 0; i < 3; i++)
		plans[1].events[3 + i] = (struct ctd_event){.type = 9, .config = (uint64_t)i};
	assert_int_equal(ctd_counters_open_with(stand_in_open, plans, core_type_of, online, CPUS,
						&counters),
			 0);
	assert_int_equal(stand_in.calls, 3 + 2 * (3 + 3));
	assert_int_equal(counters.groups_count, 2);
	assert_int_equal(ctd_counters_group_of(&counters, 0, 1), 0);
	assert_int_equal(ctd_counters_group_of(&counters, 3, 1), 1);
	assert_int_equal(*ctd_counters_group(&counters, 0, 1), -1);
	assert_true(*ctd_counters_group(&counters, 3, 1) >= 0);
	assert_int_equal(*ctd_counters_group(&counters, 2, 0), -1);
	for (int i = 0; i < stand_in.calls; i++)
		assert_true(stand_in.call[i].attr.type == 4 ||
			    core_type_of[stand_in.call[i].cpu] == 1);
	ctd_counters_free(&counters);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup(groups_that_do_not_fit_have_no_turn, reset),
		cmocka_unit_test_setup(a_group_that_does_not_fit_is_taken_down_to_level_1, reset),
		cmocka_unit_test_setup(every_online_cpu_gets_a_group_led_by_the_first_event, reset),
		cmocka_unit_test_setup(a_group_that_is_not_to_be_pinned_is_not, reset),
		cmocka_unit_test_setup(
			a_refusal_leaves_nothing_open_and_names_event_cpu_and_way_out, reset),
		cmocka_unit_test_setup(
			a_cpu_that_perf_has_not_goes_without_as_long_as_another_has_its_own, reset),
		cmocka_unit_test_setup(a_cpu_that_comes_back_is_opened_again_wholly_or_not_at_all,
				       reset),
		cmocka_unit_test_setup(no_counters_and_simulated_ones_open_nothing, reset),
		cmocka_unit_test_setup(a_group_that_cannot_be_started_names_its_cpu, reset),
		cmocka_unit_test(freeing_nothing_is_fine),
		cmocka_unit_test_setup(each_cpu_has_the_groups_of_its_kind_of_core, reset),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
