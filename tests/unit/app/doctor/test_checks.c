/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* test_checks.c - what the doctor concludes from facts. */
#include "app/doctor/doctor.h"

#include <errno.h>
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

/* A bare-metal machine on which everything works. */
static struct ctd_doctor_facts healthy(void)
{
	struct ctd_doctor_facts facts = {
		.effective_bpf = true,
		.filter = true,
		.effective_perfmon = true,
		.pmu = {.core_pmu = true,
			.pmu_name = "cpu",
			.slots = true,
			.level1 = true,
			.level2 = true,
			.perf_event_paranoid = 2,
			.vendor = "GenuineIntel",
			.id = {.family = 6, .model = 0x8f},
			.cpu_title = "A CPU"},
		.plan = {.read = CTD_READ_LEADER, .events_count = 9},
		.trial = {.done = true,
			  .cpus = 4,
			  .full = 4,
			  .slots = true,
			  .level1_sum_over_slots = 1.001},
		.cpus = 4,
		.cpus_online = 4,
		.fds_wanted = 36,
		.fds_most = 1024,
		.hierarchy = {.mount = "/sys/fs/cgroup", .v2 = true},
		.hierarchy_writable = true,
		.unwinds = true,
		.names_kernel = true,
		.opens_mapped = true,
		.cgroups = 40,
	};

	for (int cap = 0; cap < CTD_CAP_COUNT; cap++)
		facts.caps.answer[cap].present = true;
	return facts;
}

static struct ctd_finding judge(const struct ctd_doctor_facts *facts, const char *name)
{
	struct ctd_finding finding = {0};
	const struct ctd_check *check = ctd_checks;

	while (check->name && strcmp(check->name, name) != 0)
		check++;
	if (!check->name)
		fail_msg("there is no check '%s'", name);
	check->judge(facts, &finding);
	return finding;
}

static void a_healthy_machine_is_ok_in_all_respects(void **state)
{
	struct ctd_doctor_facts facts = healthy();

	(void)state;
	for (const struct ctd_check *check = ctd_checks; check->name; check++) {
		struct ctd_finding finding = {0};

		check->judge(&facts, &finding);
		if (finding.mark > CTD_FINDING_OK || *finding.remedy)
			fail_msg("%s: %s", check->name, finding.what);
	}
}

/* One fact is changed in each case; macros because each is of another type. */
#define ASSERT_JUDGED(name, wanted_mark, wanted_text, change)                                   \
	do {                                                                                    \
		struct ctd_doctor_facts facts = healthy();                                      \
		struct ctd_finding finding;                                                     \
		change;                                                                         \
		finding = judge(&facts, name);                                                  \
		if (finding.mark != (wanted_mark) || !strstr(finding.what, (wanted_text)))      \
			fail_msg("line %d: mark %d: %s", __LINE__, finding.mark, finding.what); \
		if (finding.mark > CTD_FINDING_NOTE && !*finding.remedy)                        \
			fail_msg("line %d: nothing to do about: %s", __LINE__, finding.what);   \
	} while (0)

static void each_fault_is_found_and_has_a_remedy(void **state)
{
	(void)state;
	ASSERT_JUDGED("lockdown", CTD_FINDING_MISSING, "locked down", facts.lockdown = true);
	ASSERT_JUDGED("stacks", CTD_FINDING_NOTE, "frame pointers only", facts.unwinds = false);
	ASSERT_JUDGED("stacks", CTD_FINDING_NOTE, "of the kernel have no names",
		      facts.names_kernel = false);
	ASSERT_JUDGED("stacks", CTD_FINDING_NOTE, "were replaced", facts.opens_mapped = false);
	ASSERT_JUDGED("windows", CTD_FINDING_NOTE, "CPU time only",
		      facts.plan.read = CTD_READ_NONE);
	ASSERT_JUDGED("sandbox", CTD_FINDING_NOTE, "filters no system calls", facts.filter = false);
	ASSERT_JUDGED("privileges", CTD_FINDING_MISSING, "lacks CAP_BPF",
		      facts.effective_bpf = false);
	ASSERT_JUDGED("privileges", CTD_FINDING_OK, "CAP_SYS_ADMIN", facts.effective_root = true);
	ASSERT_JUDGED("core PMU", CTD_FINDING_SLOTS, "none in", facts.pmu.core_pmu = false);
	ASSERT_JUDGED("events", CTD_FINDING_SLOTS, "no slots", facts.pmu.slots = false;
		      facts.plan.read = CTD_READ_NONE);
	ASSERT_JUDGED("events", CTD_FINDING_SLOTS, "topdown-retiring", facts.pmu.level1 = false;
		      facts.plan.read = CTD_READ_NONE);
	ASSERT_JUDGED("events", CTD_FINDING_NOTE, "events whose codes are known",
		      facts.pmu.slots = false;
		      facts.plan.read = CTD_READ_EACH);
	ASSERT_JUDGED("events", CTD_FINDING_NOTE, "none of level 2", facts.pmu.level2 = false);
	ASSERT_JUDGED("trial", CTD_FINDING_SLOTS, "cannot be opened", facts.trial.error = -EBUSY);
	ASSERT_JUDGED("trial", CTD_FINDING_SLOTS, "no counters on 1", facts.trial.pushed_off = 1);
	ASSERT_JUDGED("trial", CTD_FINDING_SLOTS,
		      "holds them; perf events are open in perf (pid 7)",
		      facts.trial.pushed_off = 1;
		      strcpy(facts.holders, "perf (pid 7)"));
	ASSERT_JUDGED("trial", CTD_FINDING_SLOTS, "no counters on 2", facts.trial.never = 2);
	ASSERT_JUDGED("trial", CTD_FINDING_SLOTS, "counted no slots", facts.trial.slots = false);
	ASSERT_JUDGED("trial", CTD_FINDING_SLOTS, "never stalls",
		      strcpy(facts.trial.lie, "a busy CPU never stalls by them"));
	ASSERT_JUDGED("trial", CTD_FINDING_OK, "on 4 of them all the time",
		      facts.trial.level1_sum_over_slots = NAN);
	ASSERT_JUDGED("trial", CTD_FINDING_NOTE, "adds up to 0.500",
		      facts.trial.level1_sum_over_slots = 0.5);
	ASSERT_JUDGED("trial", CTD_FINDING_NOTE, "on 3 of them", facts.trial.part = 1;
		      facts.trial.full = 3);
	ASSERT_JUDGED("trial", CTD_FINDING_NONE, "", facts.trial.done = false);
	ASSERT_JUDGED("watchdog", CTD_FINDING_NOTE, "holds a counter",
		      facts.pmu.nmi_watchdog = true);
	ASSERT_JUDGED("perf paranoid", CTD_FINDING_SLOTS, "refused",
		      facts.effective_perfmon = false);
	ASSERT_JUDGED("perf paranoid", CTD_FINDING_OK, "0", facts.effective_perfmon = false;
		      facts.pmu.perf_event_paranoid = 0);
	ASSERT_JUDGED("open files", CTD_FINDING_SLOTS, "take 36", facts.fds_most = 36);
	ASSERT_JUDGED("hierarchy", CTD_FINDING_MISSING, "why", facts.hierarchy_error = -ENOENT;
		      strcpy(facts.hierarchy_why, "why"));
	ASSERT_JUDGED("cgroups", CTD_FINDING_NOTE, "only the root", facts.cgroups = 1);
	ASSERT_JUDGED("cgroups", CTD_FINDING_NOTE, "cannot be walked", facts.cgroups = -EIO);
	ASSERT_JUDGED("commands", CTD_FINDING_NOTE, "no cgroup can be made",
		      facts.hierarchy_writable = false);
	ASSERT_JUDGED("CPUs", CTD_FINDING_NOTE, "2 of them isolated", facts.cpus_fenced = 2);
}

static void a_recording_is_not_blamed_for_what_only_a_kernel_can_tell(void **state)
{
	(void)state;
	ASSERT_JUDGED("privileges", CTD_FINDING_NONE, "", facts.recorded = true;
		      facts.effective_bpf = false);
	ASSERT_JUDGED("hierarchy", CTD_FINDING_NOTE, "", facts.recorded = true;
		      facts.hierarchy_error = -ENOENT);
	ASSERT_JUDGED("commands", CTD_FINDING_NONE, "", facts.recorded = true;
		      facts.hierarchy_writable = false);
	ASSERT_JUDGED("perf paranoid", CTD_FINDING_OK, "2", facts.recorded = true;
		      facts.effective_perfmon = false);
}

static void a_question_that_may_not_be_asked_is_not_a_missing_feature(void **state)
{
	struct ctd_doctor_facts facts = healthy();
	struct ctd_finding finding = {0};

	(void)state;
	facts.caps.answer[CTD_CAP_TEST_RUN_ON_CPU] = (struct ctd_cap_answer){.error = -EPERM};
	ctd_check_cap(&facts, CTD_CAP_TEST_RUN_ON_CPU, &finding);
	assert_int_equal(finding.mark, CTD_FINDING_UNKNOWN);

	facts.caps.answer[CTD_CAP_BPF] = (struct ctd_cap_answer){.error = -EPERM};
	ctd_check_cap(&facts, CTD_CAP_BPF, &finding);
	assert_int_equal(finding.mark, CTD_FINDING_MISSING);
	assert_non_null(strstr(finding.remedy, "CAP_BPF"));

	facts.caps.answer[CTD_CAP_TEST_RUN_ON_CPU] = (struct ctd_cap_answer){.error = -EINVAL};
	ctd_check_cap(&facts, CTD_CAP_TEST_RUN_ON_CPU, &finding);
	assert_int_equal(finding.mark, CTD_FINDING_MISSING);
	assert_non_null(strstr(finding.remedy, "1b4d60ec162f"));

	facts.caps.answer[CTD_CAP_RDONLY_CAST] = (struct ctd_cap_answer){.error = -ENOENT};
	ctd_check_cap(&facts, CTD_CAP_RDONLY_CAST, &finding);
	assert_int_equal(finding.mark, CTD_FINDING_NOTE);
}

/* Of two sources that were tried the first is judged by what it did, the last by its own. */
static void each_attempt_is_judged_by_its_own_trial(void **state)
{
	struct ctd_doctor_facts facts = healthy();
	struct ctd_source_choice *choice;

	(void)state;
	facts.source = calloc(1, sizeof(*facts.source));
	assert_non_null(facts.source);
	facts.source->core_types_count = 1;
	assert_int_equal(ctd_doctor_attempts(&facts, 0), 1);
	choice = &facts.source->choices[0];
	choice->attempts_count = 2;
	choice->attempts[0] =
		(struct ctd_source_attempt){.plan = {.source = "perf_metrics", .events_count = 9},
					    .trial = {.done = true, .cpus = 4, .pushed_off = 4},
					    .refused = true};
	choice->attempts[1] =
		(struct ctd_source_attempt){.plan = {.source = "gp_slots", .events_count = 5},
					    .trial = {.done = true, .cpus = 4, .full = 4}};
	assert_int_equal(ctd_doctor_attempts(&facts, 0), 2);
	ctd_doctor_look_at(&facts, 0, 0);
	assert_int_equal(judge(&facts, "trial").mark, CTD_FINDING_SLOTS);
	ctd_doctor_look_at(&facts, 0, 1);
	assert_string_equal(facts.plan.source, "gp_slots");
	assert_non_null(strstr(judge(&facts, "trial").what, "counted no slots"));
	choice->attempts[1].trial.slots = true;
	choice->attempts[1].trial.level1_sum_over_slots = 1;
	ctd_doctor_look_at(&facts, 0, 1);
	assert_int_equal(judge(&facts, "trial").mark, CTD_FINDING_OK);
	ctd_doctor_facts_free(&facts);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_healthy_machine_is_ok_in_all_respects),
		cmocka_unit_test(each_fault_is_found_and_has_a_remedy),
		cmocka_unit_test(a_recording_is_not_blamed_for_what_only_a_kernel_can_tell),
		cmocka_unit_test(a_question_that_may_not_be_asked_is_not_a_missing_feature),
		cmocka_unit_test(each_attempt_is_judged_by_its_own_trial),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
