/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* test_functions.c - functions of each row have all of its figures, under names that anybody may
 * read. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cgtopdown/ledger.h>
#include <cmocka.h>
#include <errno.h>

#include "base/utf8.h"
#include "failing_memory.h"
#include "serve/profile/functions.h"
#include "unit/profile/sample_stacks.h"

#define ID 11
#define UNIT_ID 12
#define KEY "kind=\"container\",namespace=\"shop\",pod=\"web\",container=\"nginx\""
#define RETIRING 0
#define BACKEND (CTD_ROLE_BACKEND_BOUND - CTD_ROLE_RETIRING)
#define NAME_BYTES_MAX 203

struct fixture {
	struct scene scene;
	struct ctd_stacks *stacks;
	struct ctd_profile_sum sum;
	struct ctd_functions *functions;
};

static int set_up(void **state)
{
	struct fixture *fixture = calloc(1, sizeof(*fixture));

	assert_non_null(fixture);
	scene_begin(&fixture->scene);
	fixture->scene.interval.realtime_ns = 1767323045250000000;
	fixture->scene.rollup_options.by = CTD_GROUP_CONTAINER;
	scene_name(&fixture->scene, ID, SCENE_POD "/" SCENE_ID_A);
	scene_describe(&fixture->scene, ID, "shop", "web", "nginx");
	scene_name(&fixture->scene, UNIT_ID, "/system.slice/ssh.service");
	fixture->stacks = sample_begin(&fixture->scene);
	*state = fixture;
	return 0;
}

static int tear_down(void **state)
{
	struct fixture *fixture = *state;

	ctd_functions_free(fixture->functions);
	ctd_profile_sum_free(&fixture->sum);
	ctd_stacks_free(fixture->stacks);
	scene_end(&fixture->scene);
	free(fixture);
	return 0;
}

/* @p stacks NULL: nothing was sampled. */
static void make(struct fixture *fixture, const struct ctd_stacks *stacks)
{
	struct scene *scene = &fixture->scene;

	assert_int_equal(ctd_profile_sum_add(&fixture->sum, &scene->interval, stacks, 1), 0);
	assert_int_equal(ctd_functions_make(scene_plan(scene), scene->identities, &fixture->sum,
					    SAMPLE_PERIOD_NS, &fixture->functions),
			 0);
	assert_null(fixture->functions->next);
	assert_int_equal(fixture->functions->rows_taken, 0);
	assert_int_equal(fixture->functions->end_ns, scene->interval.realtime_ns);
	assert_int_equal(fixture->functions->end_ns - fixture->functions->begun_ns,
			 scene->interval.window_ns);
}

static const struct ctd_function_row *row_of(const struct fixture *fixture, const char *key)
{
	const struct ctd_functions *functions = fixture->functions;

	for (size_t i = 0; i < functions->rows_count; i++)
		if (strcmp(functions->rows[i].key, key) == 0)
			return &functions->rows[i];
	fail_msg("no row has the key %s", key);
	return NULL;
}

static const struct ctd_function_part *find(const struct ctd_function_row *row, const char *name)
{
	const struct ctd_function_part *found = NULL;

	for (size_t i = 0; i < row->parts_count; i++) {
		if (strcmp(row->parts[i].name, name) != 0)
			continue;
		assert_null(found);
		found = &row->parts[i];
	}
	if (!found)
		fail_msg("there is no function %s", name);
	return found;
}

static struct ctd_function_figures sum_of(const struct ctd_function_row *row)
{
	struct ctd_function_figures sum = {0};

	for (size_t i = 0; i < row->parts_count; i++) {
		sum.cpu_ns += row->parts[i].figures.cpu_ns;
		for (int k = 0; k < CTD_FUNCTION_CATEGORIES; k++)
			sum.slots[k] += row->parts[i].figures.slots[k];
	}
	return sum;
}

/* The container runs for 800 ms; 60 % of its slots are back-end bound. */
static void run(struct fixture *fixture)
{
	struct scene *scene = &fixture->scene;

	scene_run(scene, CTD_ROW_CGROUP, ID, 800, 0.6);
	scene_run(scene, CTD_ROW_CGROUP, UNIT_ID, 50, 0);
	scene_run(scene, CTD_ROW_KERNEL, 0, 20, 0.2);
	scene_run(scene, CTD_ROW_IDLE, 0, 130, 0.1);
}

static void functions_of_a_row_have_all_of_its_figures(void **state)
{
	struct fixture *fixture = *state;
	const struct ctd_function_row *row;
	struct ctd_function_figures sum;

	run(fixture);
	/* One function by way of two callers. */
	sample_add(fixture->stacks, ID, "walk|left|main", 30, 30, .9);
	sample_add(fixture->stacks, ID, "walk|right|main", 11, 11, .9);
	sample_add(fixture->stacks, ID, "hash|main", 39, 39, .2);
	sample_add(fixture->stacks, 0, "kswapd", 2, 2, .2);
	make(fixture, fixture->stacks);
	assert_int_equal(fixture->functions->rows_count, 3);
	row = row_of(fixture, KEY);
	assert_int_equal(row->cgroup_id, ID);
	assert_string_equal(row->core, "");
	assert_int_equal(row->parts_count, 2);
	assert_int_equal(find(row, "walk")->samples, 41);
	assert_true(find(row, "walk")->figures.cpu_ns > find(row, "hash")->figures.cpu_ns);
	assert_true(find(row, "walk")->figures.slots[BACKEND] >
		    find(row, "hash")->figures.slots[BACKEND]);
	assert_true(row->categories_known & 1u << RETIRING &&
		    row->categories_known & 1u << BACKEND);
	sum = sum_of(row);
	assert_int_equal(sum.cpu_ns, 800000000);
	assert_int_equal(sum.slots[BACKEND], 480 * (uint64_t)SCENE_SLOTS_PER_MS);
	assert_int_equal(sum.slots[RETIRING], 320 * (uint64_t)SCENE_SLOTS_PER_MS);
	/* No sample hit it. */
	row = row_of(fixture, "kind=\"cgroup\",cgroup=\"/system.slice/ssh.service\"");
	assert_int_equal(find(row, CTD_FUNCTION_NOT_SAMPLED)->figures.cpu_ns, 50000000);
	assert_int_equal(find(row, CTD_FUNCTION_NOT_SAMPLED)->samples, 0);
	row = row_of(fixture, "kind=\"kernel\"");
	assert_int_equal(row->cgroup_id, 0);
	assert_int_equal(find(row, "kswapd")->figures.cpu_ns, 20000000);
}

static void what_was_not_sampled_at_all_is_time_all_the_same(void **state)
{
	struct fixture *fixture = *state;

	run(fixture);
	make(fixture, NULL);
	assert_int_equal(find(row_of(fixture, KEY), CTD_FUNCTION_NOT_SAMPLED)->figures.cpu_ns,
			 800000000);
}

static void without_counters_there_is_time_and_no_category(void **state)
{
	struct fixture *fixture = *state;
	struct scene *scene = &fixture->scene;

	scene->header = (struct ctd_record_header){.source = "none", .groups_count = 1};
	scene->interval.counters_count = 0;
	run(fixture);
	ctd_stacks_free(fixture->stacks);
	fixture->stacks = NULL;
	make(fixture, NULL);
	assert_int_equal(row_of(fixture, KEY)->categories_known, 0);
	assert_int_equal(sum_of(row_of(fixture, KEY)).cpu_ns, 800000000);
}

/* A function of its own file: so several may have one name. */
static void sample_function(struct fixture *fixture, const char *file, const char *name)
{
	uint64_t count[CTD_COUNTS_MAX] = {0};
	struct ctd_stack stack = {
		.cgroup_id = ID, .kind = CTD_ROW_CGROUP, .samples = 10, .count = count};
	uint32_t module, function;

	assert_int_equal(ctd_stacks_module(fixture->stacks, file, "", false, &module), 0);
	assert_int_equal(ctd_stacks_function(fixture->stacks, module, 4096, name, &function), 0);
	assert_int_equal(ctd_stacks_trace(fixture->stacks, &function, 1, CTD_TRACE_COMPLETE,
					  &stack.trace),
			 0);
	assert_int_equal(ctd_stacks_add(fixture->stacks, &stack), 0);
}

/* Names of functions come from containers: from their programs, and from maps that JITs write. */
static void names_are_text_of_a_bounded_length_and_in_a_row_once(void **state)
{
	static const char *const files[] = {"/a", "/b"};
	struct fixture *fixture = *state;
	static char template[2][10001], grows[151], grown[3 * 66 + 4];
	const struct ctd_function_row *row;
	int code;

	run(fixture);
	for (int i = 0; i < 2; i++) {
		memset(template[i], 'x', sizeof(template[i]) - 1);
		template[i][sizeof(template[i]) - 2] = (char)('a' + i);
		sample_function(fixture, files[i], template[i]);
		sample_function(fixture, files[i], "main");
		sample_function(fixture, files[i], "");
	}
	/* Shorter than the longest, but not as text. */
	memset(grows, '\xff', sizeof(grows) - 1);
	sample_function(fixture, "/a", grows);
	sample_function(fixture, "/a", "quote\" back\\slash} 1\n# EOF\n");
	sample_function(fixture, "/a", "\xff\xfe no text \xc3(");
	sample_function(fixture, "/a", CTD_FUNCTION_OTHER);
	sample_function(fixture, "/a", CTD_FUNCTION_NOT_SAMPLED);
	make(fixture, fixture->stacks);
	row = row_of(fixture, KEY);
	for (size_t i = 0; i < row->parts_count; i++) {
		const char *name = row->parts[i].name;

		assert_in_range(strlen(name), 1, NAME_BYTES_MAX);
		for (size_t bytes; *name; name += bytes) {
			bytes = ctd_utf8_next(name, &code);
			assert_true(code >= 0 && !ctd_utf8_is_control(code));
		}
	}
	assert_int_equal(find(row, "main")->samples, 20);
	/* What is cut says so, and those that are alike then are one. */
	snprintf(template[0] + 200, sizeof(template[0]) - 200, "\xe2\x80\xa6");
	assert_int_equal(find(row, template[0])->samples, 20);
	for (int i = 0; i < 66; i++)
		memcpy(&grown[3 * i], "\xef\xbf\xbd", 3);
	memcpy(&grown[3 * 66], "\xe2\x80\xa6", 4);
	assert_int_equal(find(row, grown)->samples, 10);
	assert_int_equal(find(row, "a+0x1000")->samples, 10);
	assert_int_equal(find(row, "b+0x1000")->samples, 10);
	assert_int_equal(find(row, "quote\" back\\slash} 1\\x0a# EOF\\x0a")->samples, 10);
	assert_int_equal(find(row, "\xef\xbf\xbd\xef\xbf\xbd no text \xef\xbf\xbd(")->samples, 10);
	assert_int_equal(find(row, "'" CTD_FUNCTION_OTHER "'")->samples, 10);
	assert_int_equal(find(row, "'" CTD_FUNCTION_NOT_SAMPLED "'")->samples, 10);
	assert_int_equal(sum_of(row).cpu_ns, 800000000);
}

static void without_memory_there_is_nothing_of_it(void **state)
{
	struct fixture *fixture = *state;
	struct scene *scene = &fixture->scene;
	const struct ctd_rollup_plan *plan = scene_plan(scene);
	int error = -ENOMEM;
	long failing = 0;

	run(fixture);
	sample_add(fixture->stacks, ID, "walk|main", 41, 41, .9);
	assert_int_equal(ctd_profile_sum_add(&fixture->sum, &scene->interval, fixture->stacks, 1),
			 0);
	for (; error == -ENOMEM; failing++) {
		assert_null(fixture->functions);
		fail_allocation(failing);
		error = ctd_functions_make(plan, scene->identities, &fixture->sum, SAMPLE_PERIOD_NS,
					   &fixture->functions);
		fail_allocation(-1);
	}
	assert_int_equal(error, 0);
#if CAN_FAIL
	assert_true(failing > 10);
#endif
	assert_int_equal(sum_of(row_of(fixture, KEY)).cpu_ns, 800000000);
}

/* The ledger finds its accounts by what is told, and they have the time that it counted. */
static void they_are_those_of_the_ledgers_accounts(void **state)
{
	static const struct ctd_ledger_options options = {.accounts_max = 100, .functions_max = 5};
	struct fixture *fixture = *state;
	const struct ctd_ledger_view *view;
	struct ctd_rollup rollup;
	struct ctd_ledger *ledger;
	size_t checked = 0;

	run(fixture);
	sample_add(fixture->stacks, ID, "walk|main", 41, 41, .9);
	sample_add(fixture->stacks, ID, "hash|main", 39, 39, .2);
	sample_add(fixture->stacks, 0, "kswapd", 2, 2, .2);
	make(fixture, fixture->stacks);
	rollup = scene_rollup(&fixture->scene);
	assert_int_equal(ctd_ledger_new(&options, 1, &ledger), 0);
	assert_int_equal(ctd_ledger_add(ledger, &rollup), 0);
	/* By their keys, and by their cgroups. */
	for (size_t i = 0; i < fixture->functions->rows_count; i++)
		if (fixture->functions->rows[i].cgroup_id == UNIT_ID)
			fixture->functions->rows[i].cgroup_id = 0;
	assert_int_equal(ctd_ledger_add_functions(ledger, fixture->functions), 0);
	assert_int_equal(ctd_ledger_view(ledger, &view), 0);
	for (size_t i = 0; i < view->accounts_count; i++) {
		const struct ctd_account *account = &view->accounts[i];
		uint64_t cpu_ns = 0;

		if (account->who->kind == CTD_ACCOUNT_IDLE)
			continue;
		assert_non_null(account->functions);
		for (size_t k = 0; k < account->functions->count; k++)
			cpu_ns += account->functions->items[k].figures.cpu_ns;
		assert_int_equal(cpu_ns, account->cpu_ns);
		checked++;
	}
	assert_int_equal(checked, 3);
	ctd_ledger_view_release(view);
	ctd_ledger_free(ledger);
	ctd_rollup_free(&rollup);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(functions_of_a_row_have_all_of_its_figures, set_up,
						tear_down),
		cmocka_unit_test_setup_teardown(what_was_not_sampled_at_all_is_time_all_the_same,
						set_up, tear_down),
		cmocka_unit_test_setup_teardown(without_counters_there_is_time_and_no_category,
						set_up, tear_down),
		cmocka_unit_test_setup_teardown(
			names_are_text_of_a_bounded_length_and_in_a_row_once, set_up, tear_down),
		cmocka_unit_test_setup_teardown(without_memory_there_is_nothing_of_it, set_up,
						tear_down),
		cmocka_unit_test_setup_teardown(they_are_those_of_the_ledgers_accounts, set_up,
						tear_down),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
