/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* test_open.c - rdpmc.h opens what the machine has, or says why not. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>

#include <cmocka.h>

#include <cgtopdown/cpu.h>

#include "machine.h"

#define COUNT(array) (sizeof(array) / sizeof(*(array)))

static void assert_nothing_is_open(const struct ctd_rdpmc_group *group)
{
	assert_false(group->open);
	for (int i = 0; i < machine.opened; i++)
		assert_int_equal(fcntl(machine.fd[i], F_GETFD), -1);
	for (int i = 0; i < EVENTS_MAX; i++) {
		assert_int_equal(group->fd[i], -1);
		assert_null(group->page[i]);
	}
}

static void slots_and_one_metric_are_opened_to_be_read_by_rdpmc(void **state)
{
	static const struct {
		const char *machine;
		int nodes;
	} cases[] = {{"sapphire_rapids", 12}, {"ice_lake", 4}};

	(void)state;
	for (size_t i = 0; i < COUNT(cases); i++) {
		struct ctd_rdpmc_group group;

		machine_begin(cases[i].machine);
		assert_int_equal(machine_open(&group, 0), CTD_RDPMC_OK);
		assert_true(group.open && group.metrics);
		assert_int_equal(group.nodes_known, cases[i].nodes);
		assert_int_equal(group.why_reads, CTD_RDPMC_OK);
		assert_int_equal(machine.opened, 2);
		assert_int_equal(machine.attr[0].config, 0x400);
		assert_int_equal(machine.attr[1].config, 0x8000);
		assert_int_equal(machine.leader[0], -1);
		assert_int_equal(machine.leader[1], machine.fd[0]);
		assert_true(machine.rdpmcs > 0);
		ctd_rdpmc_close(&group);
		assert_nothing_is_open(&group);
		ctd_rdpmc_close(&group);
	}
}

/* A pinned group would take the counters from a collector whose own is not. */
static void the_group_is_never_pinned_and_without_the_kernel_unless_asked(void **state)
{
	struct ctd_rdpmc_group group;

	(void)state;
	for (unsigned int flags = 0; flags < 4; flags++) {
		machine_begin("sapphire_rapids");
		assert_int_equal(machine_open(&group, flags), CTD_RDPMC_OK);
		for (int i = 0; i < machine.opened; i++) {
			const struct perf_event_attr *attr = &machine.attr[i];

			assert_int_equal(attr->type, PERF_TYPE_RAW);
			assert_int_equal(attr->disabled, i == 0);
			assert_int_equal(attr->exclude_kernel, !(flags & CTD_RDPMC_WITH_KERNEL));
			assert_false(attr->pinned || attr->exclusive || attr->inherit ||
				     attr->sample_period);
			assert_true(attr->read_format & PERF_FORMAT_GROUP);
		}
		ctd_rdpmc_close(&group);
	}
}

/* The files of sysfs say the codes: "event=0x00,umask=0x80". */
static void codes_are_those_that_the_kernel_shows(void **state)
{
	static const char *const names[] = {"slots",
					    "topdown-retiring",
					    "topdown-bad-spec",
					    "topdown-fe-bound",
					    "topdown-be-bound",
					    "topdown-heavy-ops",
					    "topdown-br-mispredict",
					    "topdown-fetch-lat",
					    "topdown-mem-bound"};
	struct ctd_rdpmc_group group;

	(void)state;
	machine_begin("sapphire_rapids");
	assert_int_equal(machine_open(&group, CTD_RDPMC_READS), CTD_RDPMC_OK);
	assert_int_equal(machine.opened, COUNT(names));
	for (size_t i = 0; i < COUNT(names); i++) {
		unsigned int event = 1, umask = 0;
		char path[512], text[64] = "";
		FILE *file;

		snprintf(path, sizeof(path), "%s/cpu/events/%s", machine.sysfs, names[i]);
		file = fopen(path, "r");
		assert_non_null(file);
		assert_non_null(fgets(text, sizeof(text), file));
		fclose(file);
		assert_int_equal(sscanf(text, "event=%x,umask=%x", &event, &umask), 2);
		assert_int_equal(machine.attr[i].config, event | umask << 8);
	}
	ctd_rdpmc_close(&group);
}

static void without_rdpmc_all_events_are_opened_to_be_read(void **state)
{
	static const struct {
		bool no_page, no_rdpmc;
		unsigned int flags;
		int why, opened; /* the first ones were closed again */
	} cases[] = {
		{true, false, 0, CTD_RDPMC_NO_PAGE, 1 + 9},
		{false, true, 0, CTD_RDPMC_NO_RDPMC, 1 + 9},
		{false, false, CTD_RDPMC_READS, CTD_RDPMC_ASKED_FOR, 9},
	};

	(void)state;
	for (size_t i = 0; i < COUNT(cases); i++) {
		struct ctd_rdpmc_group group;

		machine_begin("sapphire_rapids");
		machine.no_page = cases[i].no_page;
		machine.no_rdpmc = cases[i].no_rdpmc;
		/* The counts are those of the last nine that were opened. */
		assert_int_equal(machine_open(&group, cases[i].flags), CTD_RDPMC_OK);
		assert_int_equal(group.why_reads, cases[i].why);
		assert_int_equal(group.events_count, 9);
		assert_int_equal(group.nodes_known, 12);
		assert_int_equal(machine.opened, cases[i].opened);
		assert_int_equal(machine.rdpmcs, 0);
		ctd_rdpmc_close(&group);
		assert_nothing_is_open(&group);
	}
}

/* A thread that is moved between its look at the page and the instruction would get SIGSEGV. */
static void where_cores_are_of_several_kinds_nothing_is_read_by_rdpmc(void **state)
{
	static const char *const machines[] = {"alder_lake", "arrow_lake_h", "panther_lake"};

	(void)state;
	for (size_t i = 0; i < 2 * COUNT(machines); i++) {
		struct ctd_rdpmc_region region = ctd_rdpmc_named("region");
		unsigned int flags = i % 2 ? CTD_RDPMC_READS : 0;
		struct ctd_rdpmc_group group;

		machine_begin(machines[i / 2]);
		assert_int_equal(machine_open(&group, flags), CTD_RDPMC_OK);
		assert_int_equal(group.why_reads, flags ? CTD_RDPMC_ASKED_FOR : CTD_RDPMC_HYBRID);
		assert_int_equal(machine.opened, 9); /* it is known before */
		assert_int_equal(machine.pages_count, 0);
		assert_int_equal(ctd_rdpmc_begin(&group, &region), CTD_RDPMC_OK);
		work(memory_load, 100);
		assert_int_equal(ctd_rdpmc_end(&group, &region), CTD_RDPMC_OK);
		assert_int_equal(region.slots, 100000);
		assert_int_equal(machine.rdpmcs, 0);
		ctd_rdpmc_close(&group);
		assert_nothing_is_open(&group);
	}
}

static void what_the_kernel_refuses_has_a_reason(void **state)
{
	static const struct {
		int refusal, error;
		const char *text;
	} cases[] = {
		{EACCES, CTD_RDPMC_FORBIDDEN, "perf_event_paranoid"},
		{EPERM, CTD_RDPMC_FORBIDDEN, "seccomp"},
		{ENOSYS, CTD_RDPMC_NO_KERNEL, "CONFIG_PERF_EVENTS"},
		{ENOENT, CTD_RDPMC_NO_PMU, "virtual machines"},
		{EMFILE, CTD_RDPMC_LIMIT, "open files"},
		{EBUSY, CTD_RDPMC_TAKEN, "cgtopdown serve"},
		{EINVAL, CTD_RDPMC_REFUSED, "cgtopdown doctor"},
	};

	(void)state;
	for (size_t i = 0; i < COUNT(cases); i++) {
		struct ctd_rdpmc_group group;

		machine_begin("sapphire_rapids");
		machine.refusal = cases[i].refusal;
		assert_int_equal(machine_open(&group, 0), cases[i].error);
		assert_int_equal(group.system_error, cases[i].refusal);
		assert_non_null(strstr(ctd_rdpmc_error_text(cases[i].error), cases[i].text));
		assert_nothing_is_open(&group);
	}
}

static void machines_that_have_nothing_to_open_are_told_apart(void **state)
{
	static const struct {
		const char *machine;
		int error;
	} cases[] = {
		{"no_pmu", CTD_RDPMC_NO_PMU},
		{"kvm_guest", CTD_RDPMC_NO_LEVEL1},
		{"skylake", CTD_RDPMC_NO_LEVEL1},
		{"there_is_none", CTD_RDPMC_NO_KERNEL},
	};

	(void)state;
	for (size_t i = 0; i < COUNT(cases); i++) {
		struct ctd_rdpmc_group group;
		int error;

		machine_begin(cases[i].machine);
		error = machine_open(&group, 0);
		if (error != cases[i].error)
			fail_msg("%s: %s", cases[i].machine, ctd_rdpmc_error_text(error));
		assert_int_equal(machine.opened, 0);
		assert_nothing_is_open(&group);
	}
}

/* Beside a pinned group of another the time goes on, and never runs. */
static void counters_that_another_keeps_are_said_to_be_taken(void **state)
{
	struct ctd_rdpmc_region region = ctd_rdpmc_named("region");

	(void)state;
	for (unsigned int flags = 0; flags <= CTD_RDPMC_READS; flags += CTD_RDPMC_READS) {
		struct ctd_rdpmc_group group;
		const char *text;

		machine_begin("sapphire_rapids");
		machine.never_runs = true;
		assert_int_equal(machine_open(&group, flags), CTD_RDPMC_TAKEN);
		assert_nothing_is_open(&group);
		/* 10 ms, of which each look takes 50 ns here. */
		assert_int_equal(machine.reads, CTD_RDPMC_WAIT_NS / 50);
		text = ctd_rdpmc_error_text(CTD_RDPMC_TAKEN);
		assert_non_null(strstr(text, "cgtopdown serve"));
		assert_non_null(strstr(text, "/api/v1/view"));
		assert_non_null(strstr(text, "cgtopdown stat"));
		/* The program goes on, and its regions say what is missing. */
		assert_int_equal(ctd_rdpmc_begin(&group, &region), CTD_RDPMC_TAKEN);
		assert_int_equal(ctd_rdpmc_end(&group, &region), CTD_RDPMC_MISUSED);
	}
	assert_int_equal(region.lost, 2);
	assert_int_equal(region.measured, 0);
}

static void a_clock_that_stands_does_not_hold_the_program(void **state)
{
	struct ctd_rdpmc_group group;

	(void)state;
	machine_begin("sapphire_rapids");
	machine.never_runs = machine.time_stands = true;
	assert_int_equal(machine_open(&group, 0), CTD_RDPMC_TAKEN);
	assert_int_equal(machine.reads, CTD_RDPMC_TRIES);
}

static void counters_that_count_nothing_are_false(void **state)
{
	struct ctd_rdpmc_group group;

	(void)state;
	for (unsigned int flags = 0; flags <= CTD_RDPMC_READS; flags += CTD_RDPMC_READS) {
		machine_begin("sapphire_rapids");
		machine.counts_nothing = true;
		assert_int_equal(machine_open(&group, flags), CTD_RDPMC_FALSE_COUNTS);
		assert_nothing_is_open(&group);
	}
}

static void parts_that_are_not_the_whole_are_false(void **state)
{
	static const struct {
		uint64_t metrics;
		int error;
	} cases[] = {
		{0x60606060, CTD_RDPMC_FALSE_COUNTS}, /* 384 of 255 */
		{0x20202020, CTD_RDPMC_FALSE_COUNTS}, /* 128 */
		{0x00ff0000, CTD_RDPMC_FALSE_COUNTS}, /* nothing retires */
		{0x3f404040, CTD_RDPMC_OK},	      {0x3f3f3f3f, CTD_RDPMC_OK}, /* cut off: 252 */
	};

	(void)state;
	for (size_t i = 0; i < 2 * COUNT(cases); i++) {
		struct ctd_rdpmc_group group;

		machine_begin("sapphire_rapids");
		machine.false_metrics = cases[i / 2].metrics;
		assert_int_equal(machine_open(&group, i % 2 ? CTD_RDPMC_READS : 0),
				 cases[i / 2].error);
		ctd_rdpmc_close(&group);
	}
}

/* Each of AMD's processors is one of a design, or none, as in user/cpu. */
static void zen_is_told_by_its_models(void **state)
{
	(void)state;
	for (unsigned int family = 0xf; family <= 0x1c; family++) {
		for (unsigned int model = 0; model <= 0xff; model++) {
			uint32_t eax = 0xf00 | (family - 0xf) << 20 | (model & 0xf) << 4 |
				       (model & 0xf0) << 12 | 1;
			unsigned int width = 0;

			for (const struct ctd_cpu_model *const *cpu = ctd_cpu_models; *cpu; cpu++) {
				const struct ctd_cpu_id *id = (*cpu)->ids;

				if (!id || !(*cpu)->vendor ||
				    strcmp((*cpu)->vendor, "AuthenticAMD") != 0)
					continue;
				for (; id->family; id++) {
					if (id->family == family && model >= id->model &&
					    model <= id->model_last)
						width = (unsigned int)(*cpu)->slots_per_cycle;
				}
			}
			if (ctd_rdpmc_zen_width(eax) != width)
				fail_msg("family %u model %#x: %u slots, not %u", family, model,
					 ctd_rdpmc_zen_width(eax), width);
		}
	}
}

static void zen_has_five_counters_of_level_1(void **state)
{
	static const char *const names[] = {"ls_not_halted_cyc", "ex_ret_ops", "de_src_op_disp.all",
					    "de_no_dispatch_per_slot.no_ops_from_frontend",
					    "de_no_dispatch_per_slot.backend_stalls"};
	const struct ctd_cpu_model *model = ctd_cpu_model_find("zen4");
	struct ctd_rdpmc_group group;
	uint64_t config[CTD_RDPMC_EVENTS_MAX];

	(void)state;
	machine_begin("zen4");
	machine.cpuid[0][1] = 0x68747541; /* "Auth" */
	machine.cpuid[1][0] = 0xa10f11; /* Genoa */
	memset(&group, 0, sizeof(group));
	assert_int_equal(ctd_rdpmc_find(&group, config), CTD_RDPMC_OK);
	assert_false(group.metrics);
	assert_int_equal(group.slots_per_count, 6);
	assert_int_equal(group.nodes_known, CTD_RDPMC_LEVEL1_COUNT);
	assert_int_equal(group.events_count, COUNT(names));
	for (size_t i = 0; i < COUNT(names); i++) {
		const struct ctd_cpu_event *event = model->groups[0];

		while (event->name && strcmp(event->name, names[i]) != 0)
			event++;
		assert_non_null(event->name);
		assert_int_equal(config[i], event->config);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(slots_and_one_metric_are_opened_to_be_read_by_rdpmc),
		cmocka_unit_test(the_group_is_never_pinned_and_without_the_kernel_unless_asked),
		cmocka_unit_test(codes_are_those_that_the_kernel_shows),
		cmocka_unit_test(without_rdpmc_all_events_are_opened_to_be_read),
		cmocka_unit_test(where_cores_are_of_several_kinds_nothing_is_read_by_rdpmc),
		cmocka_unit_test(what_the_kernel_refuses_has_a_reason),
		cmocka_unit_test(machines_that_have_nothing_to_open_are_told_apart),
		cmocka_unit_test(counters_that_another_keeps_are_said_to_be_taken),
		cmocka_unit_test(a_clock_that_stands_does_not_hold_the_program),
		cmocka_unit_test(counters_that_count_nothing_are_false),
		cmocka_unit_test(parts_that_are_not_the_whole_are_false),
		cmocka_unit_test(zen_is_told_by_its_models),
		cmocka_unit_test(zen_has_five_counters_of_level_1),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
