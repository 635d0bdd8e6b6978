/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* test_sampled.c - events to sample, by the names and as precise as the kernel has them. */
#include <cgtopdown/counters.h>

#include <errno.h>
#include <fcntl.h>
#include <linux/perf_event.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "base/root.h"
#include "pmu/perf_event.h"

#define COUNT(array) (sizeof(array) / sizeof((array)[0]))

static struct {
	unsigned int precise_max; /* more is refused: */
	int error;
	int tries;
	struct perf_event_attr last;
} kernel;

static int stand_in_open(struct perf_event_attr *attr, int pid, int cpu, int group_fd,
			 unsigned long flags)
{
	(void)pid;
	(void)cpu;
	(void)group_fd;
	(void)flags;
	kernel.tries++;
	kernel.last = *attr;
	return attr->precise_ip > kernel.precise_max ? kernel.error
						     : open("/dev/null", O_RDONLY | O_CLOEXEC);
}

static void names_of_the_kernel_are_events(void **state)
{
	static const struct {
		int line;
		const char *machine, *name;
		int core_type, error;
		uint32_t type;
		uint64_t config, period;
		bool user_only, kernel_only, precise;
	} cases[] = {
		{__LINE__, "no_pmu", "page-faults", 0, 0, PERF_TYPE_SOFTWARE,
		 PERF_COUNT_SW_PAGE_FAULTS, 1, false, false, false},
		{__LINE__, "no_pmu", "context-switches:k", 0, 0, PERF_TYPE_SOFTWARE,
		 PERF_COUNT_SW_CONTEXT_SWITCHES, 1, false, true, false},
		{__LINE__, "no_pmu", "branches:u", 0, 0, PERF_TYPE_HARDWARE,
		 PERF_COUNT_HW_BRANCH_INSTRUCTIONS, 400009, true, false, true},
		/* As sysfs has it. */
		{__LINE__, "sapphire_rapids", "slots", 0, 0, 4, 0x400, 0, false, false, false},
		{__LINE__, "sapphire_rapids", "topdown-be-bound:upp", 0, 0, 4, 0x8300, 0, true,
		 false, false},
		{__LINE__, "sapphire_rapids", "page-faults:uk", 0, 0, PERF_TYPE_SOFTWARE,
		 PERF_COUNT_SW_PAGE_FAULTS, 1, false, false, false},
		/* Of each PMU of a hybrid processor. */
		{__LINE__, "alder_lake", "stalled-cycles-backend", 1, 0, PERF_TYPE_HARDWARE,
		 PERF_COUNT_HW_STALLED_CYCLES_BACKEND, 2000003, false, false, false},
		{__LINE__, "no_pmu", "no-such", 0, -ENOENT, 0, 0, 0, false, false, false},
		{__LINE__, "sapphire_rapids", "../type", 0, -ENOENT, 0, 0, 0, false, false, false},
		{__LINE__, "no_pmu", "page-faults:x", 0, -EINVAL, 0, 0, 0, false, false, false},
		/* Guests' alone are not had. */
		{__LINE__, "no_pmu", "cycles:G", 0, -EINVAL, 0, 0, 0, false, false, false},
		{__LINE__, "no_pmu", "", 0, -ENOENT, 0, 0, 0, false, false, false},
		{__LINE__, "no_pmu",
		 "a-name-that-is-longer-than-any-event-of-the-kernel-has-and-so-is-none", 0,
		 -ENOENT, 0, 0, 0, false, false, false},
	};

	(void)state;
	for (size_t i = 0; i < COUNT(cases); i++) {
		char root[128];
		struct ctd_machine machine;
		struct ctd_sampled_core core = {0};
		const struct ctd_event *event = &core.event;
		const struct ctd_pmu_facts *facts = &machine.core_types[cases[i].core_type];
		uint64_t period = 0, pmu;
		int error;

		snprintf(root, sizeof(root), "tests/machines/%s", cases[i].machine);
		ctd_root_set(root);
		assert_int_equal(ctd_machine_read(&machine), 0);
		error = ctd_sampled_find(facts, cases[i].name, &core, &period);
		ctd_root_set(NULL);
		pmu = *facts->core_name && cases[i].type == PERF_TYPE_HARDWARE
			      ? (uint64_t)facts->type << 32
			      : 0;
		if (error != cases[i].error || event->type != cases[i].type ||
		    event->config != (cases[i].config | pmu) || period != cases[i].period ||
		    event->user_only != cases[i].user_only ||
		    event->kernel_only != cases[i].kernel_only ||
		    core.can_be_precise != cases[i].precise)
			fail_msg("line %d: %d, type %u config %#llx period %llu", cases[i].line,
				 error, event->type, (unsigned long long)event->config,
				 (unsigned long long)period);
	}
}

static void the_kernel_is_asked_for_all_precision_that_it_has(void **state)
{
	static const struct {
		int line;
		uint32_t type;
		const char *vendor;
		unsigned int precise_max;
		int error, want;
		enum ctd_precision precision;
		int tries;
	} cases[] = {
		{__LINE__, 4, "GenuineIntel", 3, -EINVAL, 0, CTD_PRECISION_EXACT, 1},
		{__LINE__, 4, "GenuineIntel", 2, -EINVAL, 0, CTD_PRECISION_EXACT_ASKED, 2},
		{__LINE__, 4, "GenuineIntel", 1, -EOPNOTSUPP, 0, CTD_PRECISION_CONSTANT_SKID, 3},
		{__LINE__, 4, "AuthenticAMD", 0, -ENOENT, 0, CTD_PRECISION_SKID, 4},
		/* Less of it would not help. */
		{__LINE__, 4, "GenuineIntel", 0, -EACCES, -EACCES, CTD_PRECISION_EXACT, 1},
		/* Its drivers take any, and heed none. */
		{__LINE__, 8, "arm", 3, -EINVAL, 0, CTD_PRECISION_SKID, 1},
		{__LINE__, PERF_TYPE_SOFTWARE, "GenuineIntel", 0, -EINVAL, 0,
		 CTD_PRECISION_SOFTWARE, 1},
	};

	(void)state;
	for (size_t i = 0; i < COUNT(cases); i++) {
		struct ctd_pmu_facts facts = {.core_pmu = true};
		struct ctd_sampled_core core = {.event = {.type = cases[i].type}};
		int error;

		strcpy(facts.vendor, cases[i].vendor);
		memset(&kernel, 0, sizeof(kernel));
		kernel.precise_max = cases[i].precise_max;
		kernel.error = cases[i].error;
		error = ctd_sampled_try_with(stand_in_open, &facts, 0, &core);
		if (error != cases[i].want || core.precision != cases[i].precision ||
		    kernel.tries != cases[i].tries)
			fail_msg("line %d: %d, precision %d, %d tries", cases[i].line, error,
				 core.precision, kernel.tries);
	}
}

/* Without the kernel's chain a program may not take stacks of a precise event. */
static void precise_events_come_with_registers_and_a_chain(void **state)
{
	struct ctd_sampled_core core = {.event = {.type = 4, .config = 0x20d1, .config1 = 7},
					.precision = CTD_PRECISION_EXACT};
	struct perf_event_attr attr;

	(void)state;
	ctd_sampled_attr(&core, 100007, &attr);
	assert_int_equal(attr.sample_period, 100007);
	assert_int_equal(attr.config, 0x20d1);
	assert_int_equal(attr.config1, 7);
	assert_int_equal(attr.precise_ip, 3);
	assert_true(attr.sample_type & PERF_SAMPLE_CALLCHAIN);
	assert_true(attr.exclude_guest && !attr.exclude_idle && !attr.pinned && !attr.freq);
#if defined(__x86_64__)
	assert_true(attr.sample_type & PERF_SAMPLE_REGS_INTR && attr.sample_regs_intr);
#endif
	core.event.user_only = true;
	core.precision = CTD_PRECISION_SKID;
	ctd_sampled_attr(&core, 1, &attr);
	assert_true(attr.exclude_kernel && attr.exclude_hv && !attr.exclude_user);
	assert_int_equal(attr.precise_ip, 0);
	assert_int_equal(attr.sample_type, 0);
	core.event = (struct ctd_event){.type = PERF_TYPE_SOFTWARE};
	core.precision = CTD_PRECISION_SOFTWARE;
	ctd_sampled_attr(&core, 1, &attr);
	assert_int_equal(attr.precise_ip, 0);
	assert_true(attr.exclude_idle);
}

static void a_refusal_is_explained(void **state)
{
	struct ctd_pmu_facts none = {.hypervisor = true}, bare = {0}, some = {.core_pmu = true};

	(void)state;
	assert_non_null(strstr(ctd_sampled_why(&none, -ENOENT), "virtual machine has no PMU"));
	assert_non_null(strstr(ctd_sampled_why(&bare, -ENOENT), "there is no PMU"));
	assert_non_null(strstr(ctd_sampled_why(&some, -EOPNOTSUPP), "no interrupts"));
	assert_non_null(strstr(ctd_sampled_why(&some, -EACCES), "CAP_PERFMON"));
	assert_non_null(strstr(ctd_sampled_why(&some, -EINVAL), "does not let it be sampled"));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(names_of_the_kernel_are_events),
		cmocka_unit_test(the_kernel_is_asked_for_all_precision_that_it_has),
		cmocka_unit_test(precise_events_come_with_registers_and_a_chain),
		cmocka_unit_test(a_refusal_is_explained),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
