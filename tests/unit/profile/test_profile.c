/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* test_profile.c - the stacks of a row add up to its exact figures, in proportion to the samples. */
#include <errno.h>
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "unit/profile/sample_stacks.h"
#include "unit/rollup/hybrid.h"

enum { RETIRING, BACKEND = 3, MEMORY = 10, CORE = 11 };

static uint64_t slots_of_ms(uint64_t cpu_ms)
{
	return cpu_ms * SCENE_SLOTS_PER_MS;
}

static const struct ctd_profile_stack *find(const struct ctd_profile *profile, size_t row,
					    const char *innermost)
{
	for (size_t i = 0; i < profile->rows[row].stacks_count; i++) {
		const struct ctd_profile_stack *stack = &profile->rows[row].stacks[i];
		uint32_t function =
			profile->stacks->frames[profile->stacks->traces[stack->trace].first];

		if (strcmp(profile->stacks->functions[function].label, innermost) == 0)
			return stack;
	}
	fail_msg("no stack of %s in row %zu", innermost, row);
	return NULL;
}

/* The sums of the stacks are the row's figures, and these the rollup's. */
static void assert_adds_up(const struct ctd_profile *profile)
{
	int nodes = profile->rollup->plan->model ? profile->rollup->plan->model->nodes_count : 0;

	for (size_t i = 0; i < profile->rows_count; i++) {
		const struct ctd_profile_row *row = &profile->rows[i];
		const struct ctd_rollup_part *part = &row->row->parts[row->core_type];
		const int *column = profile->rollup->plan->core_types[row->core_type].column;
		uint64_t cpu_ns = 0, slots = 0, by_source = 0, node_slots[CTD_NODES_MAX] = {0};

		for (size_t k = 0; k < row->stacks_count; k++) {
			cpu_ns += row->stacks[k].cpu_ns;
			slots += row->stacks[k].slots;
			for (int node = 0; node < nodes; node++)
				node_slots[node] += row->stacks[k].node_slots[node];
		}
		for (int source = 0; source < CTD_SHARES_COUNT; source++)
			by_source += row->slots_by_source[source];
		assert_int_equal(cpu_ns, part->cpu_ns);
		assert_int_equal(row->slots_known, part->slots_known);
		assert_int_equal(slots, part->slots_known ? part->slots : 0);
		assert_int_equal(by_source, slots);
		for (int node = 0; part->slots_known && node < nodes; node++) {
			assert_int_equal(node_slots[node], row->node_slots[node]);
			if (row->node_slots_known & 1u << node)
				assert_int_equal(node_slots[column[node]], part->node_slots[node]);
		}
	}
}

/* Where the row's nodes add up, each stack's do. */
static void assert_stacks_add_up(const struct ctd_profile *profile)
{
	for (size_t i = 0; i < profile->rows_count; i++) {
		for (size_t k = 0; k < profile->rows[i].stacks_count; k++) {
			const struct ctd_profile_stack *stack = &profile->rows[i].stacks[k];
			const uint64_t *node = stack->node_slots;

			assert_int_equal(node[0] + node[1] + node[2] + node[3], stack->slots);
			for (int parent = 0; parent < 4; parent++)
				assert_int_equal(node[4 + 2 * parent] + node[5 + 2 * parent],
						 node[parent]);
		}
	}
}

static struct ctd_interval_row *run(struct scene *scene, enum ctd_row_kind kind, uint64_t id,
				    uint64_t cpu_ms, double memory)
{
	struct ctd_interval_row *row = scene_run(scene, kind, id, cpu_ms, memory);

	row->count[8] = row->count[4];
	return row;
}

/* Half of a container's time in each of two functions, one waiting for memory and one not. */
static void shares_are_those_of_the_windows(void **state)
{
	struct scene scene;

	(void)state;
	scene_begin(&scene);
	scene_name(&scene, 4, SCENE_POD "/" SCENE_ID_A);
	run(&scene, CTD_ROW_CGROUP, 4, 1000, .45);
	run(&scene, CTD_ROW_IDLE, 0, 1000, .1);
	scene.rollup_options.by = CTD_GROUP_CONTAINER;
	struct ctd_rollup rollup = scene_rollup(&scene);
	struct ctd_stacks *stacks = sample_begin(&scene);

	sample_add(stacks, 4, "walk|main", 50, 40, .8);
	sample_add(stacks, 4, "count|main", 50, 10, .1);
	struct ctd_profile profile = sample_profile(&scene, stacks, &rollup);
	const struct ctd_profile_stack *walk = find(&profile, 0, "walk"),
				       *count = find(&profile, 0, "count");

	assert_int_equal(profile.rows_count, 1);
	assert_adds_up(&profile);
	assert_stacks_add_up(&profile);
	assert_int_equal(walk->cpu_ns, 500000000);
	assert_int_equal(walk->slots, slots_of_ms(500));
	assert_int_equal(walk->node_slots[MEMORY], slots_of_ms(400));
	assert_int_equal(count->slots, slots_of_ms(500));
	assert_int_equal(count->node_slots[MEMORY], slots_of_ms(50));
	assert_int_equal(walk->shares_of, CTD_SHARES_STACK);
	assert_float_equal(profile.rows[0].factor, 1, 1e-9);
	assert_int_equal(profile.rows[0].windows, 50);
	ctd_profile_free(&profile);
	ctd_stacks_free(stacks);
	ctd_rollup_free(&rollup);
	scene_end(&scene);
}

/* Whatever the samples say: what was counted exactly is right. */
static void categories_are_scaled_to_the_exact_ones(void **state)
{
	struct scene scene;

	(void)state;
	scene_begin(&scene);
	scene_name(&scene, 4, "/a");
	run(&scene, CTD_ROW_CGROUP, 4, 1000, .2);
	struct ctd_rollup rollup = scene_rollup(&scene);
	struct ctd_stacks *stacks = sample_begin(&scene);

	sample_add(stacks, 4, "walk|main", 60, 60, 1);
	sample_add(stacks, 4, "count|main", 20, 20, 0);
	struct ctd_profile profile = sample_profile(&scene, stacks, &rollup);

	assert_adds_up(&profile);
	/* Pure functions stay pure, and have what their category has. */
	assert_int_equal(find(&profile, 0, "walk")->slots, slots_of_ms(200));
	assert_int_equal(find(&profile, 0, "walk")->node_slots[RETIRING], 0);
	assert_int_equal(find(&profile, 0, "count")->node_slots[BACKEND], 0);
	assert_float_equal(profile.rows[0].factor, 1.25, 1e-9);
	ctd_profile_free(&profile);
	ctd_stacks_free(stacks);
	ctd_rollup_free(&rollup);
	scene_end(&scene);
}

static void stacks_without_windows_borrow_shares(void **state)
{
	struct scene scene;

	(void)state;
	scene_begin(&scene);
	scene_name(&scene, 4, "/a");
	run(&scene, CTD_ROW_CGROUP, 4, 1000, .6);
	scene_name(&scene, 5, "/b");
	run(&scene, CTD_ROW_CGROUP, 5, 1000, .25);
	struct ctd_rollup rollup = scene_rollup(&scene);
	struct ctd_stacks *stacks = sample_begin(&scene);

	sample_add(stacks, 4, "walk|main", 10, 5, .9);
	sample_add(stacks, 4, "walk|other", 10, 0, 0);
	sample_add(stacks, 4, "count|main", 10, 5, .1);
	sample_add(stacks, 4, "rare|main", 10, 0, 0);
	sample_add(stacks, 5, "walk|main", 10, 0, 0);
	struct ctd_profile profile = sample_profile(&scene, stacks, &rollup);

	assert_adds_up(&profile);
	for (size_t i = 0; i < 4; i++) {
		const struct ctd_profile_stack *stack = &profile.rows[0].stacks[i];
		double share = (double)stack->node_slots[MEMORY] / (double)stack->slots;
		uint32_t function = stacks->frames[stacks->traces[stack->trace].first];

		if (strcmp(stacks->functions[function].label, "walk") == 0)
			assert_float_equal(share, .9, .01);
	}
	assert_int_equal(find(&profile, 0, "rare")->shares_of, CTD_SHARES_ROW);
	assert_float_equal((double)find(&profile, 0, "rare")->node_slots[MEMORY] /
				   (double)find(&profile, 0, "rare")->slots,
			   .5, .01);
	/* Of another row nothing is borrowed. */
	assert_int_equal(find(&profile, 1, "walk")->shares_of, CTD_SHARES_ROW);
	assert_int_equal(find(&profile, 1, "walk")->node_slots[MEMORY], slots_of_ms(250));
	assert_int_equal(profile.rows[0].slots_by_source[CTD_SHARES_FUNCTION] / SCENE_SLOTS_PER_MS,
			 250);
	ctd_profile_free(&profile);
	ctd_stacks_free(stacks);
	ctd_rollup_free(&rollup);
	scene_end(&scene);
}

static void rows_that_no_sample_hit_keep_their_figures(void **state)
{
	struct scene scene;

	(void)state;
	scene_begin(&scene);
	scene_name(&scene, 4, "/a");
	run(&scene, CTD_ROW_CGROUP, 4, 3, .5);
	run(&scene, CTD_ROW_KERNEL, 0, 7, .5);
	struct ctd_rollup rollup = scene_rollup(&scene);
	struct ctd_stacks *stacks = sample_begin(&scene);

	sample_add(stacks, 99, "gone", 2, 2, .5);
	struct ctd_profile profile = sample_profile(&scene, stacks, &rollup);

	assert_int_equal(profile.rows_count, 2);
	assert_int_equal(profile.lost_samples, 2);
	assert_adds_up(&profile);
	assert_stacks_add_up(&profile);
	assert_int_equal(profile.rows[0].stacks_count, 1);
	assert_int_equal(profile.rows[0].stacks[0].trace, CTD_TRACE_NOT_SAMPLED);
	assert_true(isnan(profile.rows[0].factor));
	ctd_profile_free(&profile);
	ctd_stacks_free(stacks);
	ctd_rollup_free(&rollup);
	scene_end(&scene);
}

static void cgroups_without_a_row_are_in_that_of_the_others(void **state)
{
	struct scene scene;

	(void)state;
	scene_begin(&scene);
	run(&scene, CTD_ROW_OTHER, 0, 100, .5);
	struct ctd_rollup rollup = scene_rollup(&scene);
	struct ctd_stacks *stacks = sample_begin(&scene);

	sample_add(stacks, 99, "f", 10, 10, .5);
	struct ctd_profile profile = sample_profile(&scene, stacks, &rollup);

	assert_int_equal(profile.lost_samples, 0);
	assert_int_equal(find(&profile, 0, "f")->slots, slots_of_ms(100));
	ctd_profile_free(&profile);
	ctd_stacks_free(stacks);
	ctd_rollup_free(&rollup);
	scene_end(&scene);
}

static void without_counters_there_is_time(void **state)
{
	struct scene scene;

	(void)state;
	scene_begin(&scene);
	scene.header = (struct ctd_record_header){.source = "none", .groups_count = 1};
	scene.interval.counters_count = 0;
	run(&scene, CTD_ROW_CGROUP, 4, 100, .5);
	struct ctd_rollup rollup = scene_rollup(&scene);
	struct ctd_stacks *stacks = sample_begin(&scene);

	sample_add(stacks, 4, "f", 10, 0, 0);
	sample_add(stacks, 4, "g", 30, 0, 0);
	struct ctd_profile profile = sample_profile(&scene, stacks, &rollup);

	assert_adds_up(&profile);
	assert_false(profile.slots_known);
	assert_int_equal(find(&profile, 0, "g")->cpu_ns, 75000000);
	ctd_profile_free(&profile);
	ctd_stacks_free(stacks);
	ctd_rollup_free(&rollup);
	scene_end(&scene);
}

static void core_types_are_weighed_apart(void **state)
{
	struct scene scene;

	(void)state;
	hybrid_begin(&scene);
	hybrid_run(&scene, CTD_ROW_CGROUP, 99, HYBRID_P, 100);
	hybrid_run(&scene, CTD_ROW_CGROUP, 99, HYBRID_E, 50);
	hybrid_run(&scene, CTD_ROW_CGROUP, 99, HYBRID_OTHER, 10);
	struct ctd_rollup rollup = scene_rollup(&scene);
	struct ctd_stacks *stacks = sample_begin(&scene);
	uint64_t none[CTD_COUNTS_MAX] = {0};

	for (uint32_t type = 0; type < 3; type++) {
		struct ctd_stack stack = {.cgroup_id = 99,
					  .core_type = type,
					  .trace = sample_trace(stacks, "f|main"),
					  .samples = 5,
					  .count = none};

		assert_int_equal(ctd_stacks_add(stacks, &stack), 0);
	}
	struct ctd_profile profile = sample_profile(&scene, stacks, &rollup);

	size_t found = 0;

	assert_adds_up(&profile);
	for (size_t i = 0; i < profile.rows_count; i++) {
		const struct ctd_profile_row *row = &profile.rows[i];

		if (row->row->cgroup_id != 99)
			continue;
		found++;
		assert_int_equal(row->samples, 5);
		assert_int_equal(row->slots_known, row->core_type != HYBRID_OTHER);
		if (row->core_type == HYBRID_OTHER)
			assert_int_equal(row->stacks[0].cpu_ns, 10000000);
	}
	assert_int_equal(found, 3);
	ctd_profile_free(&profile);
	ctd_stacks_free(stacks);
	ctd_rollup_free(&rollup);
	scene_end(&scene);
}

static void stacks_of_other_counters_are_refused(void **state)
{
	struct scene scene;

	(void)state;
	scene_begin(&scene);
	run(&scene, CTD_ROW_CGROUP, 4, 100, .5);
	struct ctd_rollup rollup = scene_rollup(&scene);
	struct ctd_stacks *stacks;
	struct ctd_profile profile;

	assert_int_equal(ctd_stacks_new(1, 5, 1, &stacks), 0);
	assert_int_equal(ctd_profile_make(stacks, &scene.interval, &rollup, &profile), -EBADMSG);
	ctd_stacks_free(stacks);
	ctd_rollup_free(&rollup);
	scene_end(&scene);
}

static void run_any(struct scene *scene, enum ctd_row_kind kind, uint64_t id)
{
	struct ctd_interval_row *row = scene_run(scene, kind, id, 1 + (uint64_t)random() % 5000,
						 (double)(random() % 100) / 100);

	/* Neither round nor a sum: as the hardware gives them. */
	row->oncpu_ns += (uint64_t)random() % 1000000;
	row->count[0] += (uint64_t)random() % 1000;
	row->count[2] = (uint64_t)random() % (row->count[0] / 20 + 1);
	for (int i = 5; i < 9; i++)
		row->count[i] = row->count[i - 4] / (1 + (uint64_t)random() % 4);
	row->count[8] = row->count[4] / 2;
}

static void sample_any(struct ctd_stacks *stacks, uint64_t id)
{
	char names[32];
	uint64_t samples = 1 + (uint64_t)random() % 50;

	snprintf(names, sizeof(names), "f%ld|g%ld|main", random() % 20, random() % 5);
	sample_add(stacks, id, names, samples, (uint64_t)random() % (samples + 1),
		   (double)(random() % 101) / 100);
}

static void any_profile_adds_up(void **state)
{
	(void)state;
	srandom(7);
	for (int round = 0; round < 200; round++) {
		struct scene scene;

		scene_begin(&scene);
		scene.rollup_options.by = round % 2 ? CTD_GROUP_CONTAINER : CTD_GROUP_CGROUP;
		scene_name(&scene, 1, SCENE_POD "/" SCENE_ID_A);
		scene_name(&scene, 2, SCENE_POD "/" SCENE_ID_A "/init");
		for (uint64_t id = 1; id <= 5; id++)
			run_any(&scene, CTD_ROW_CGROUP, id);
		run_any(&scene, CTD_ROW_KERNEL, 0);
		run_any(&scene, CTD_ROW_IDLE, 0);
		struct ctd_rollup rollup = scene_rollup(&scene);
		struct ctd_stacks *stacks = sample_begin(&scene);

		for (int i = 0; i < round; i++)
			sample_any(stacks, (uint64_t)random() % 7);
		struct ctd_profile profile = sample_profile(&scene, stacks, &rollup);

		assert_adds_up(&profile);
		assert_stacks_add_up(&profile);
		ctd_profile_free(&profile);
		ctd_stacks_free(stacks);
		ctd_rollup_free(&rollup);
		scene_end(&scene);
	}
}

static void what_is_left_out_takes_its_part_of_the_figures_along(void **state)
{
	struct scene scene;
	uint64_t whole_ns, whole_slots, gone_slots;

	(void)state;
	scene_begin(&scene);
	scene_name(&scene, 4, SCENE_POD "/" SCENE_ID_A);
	run(&scene, CTD_ROW_CGROUP, 4, 1000, .45);
	run(&scene, CTD_ROW_CGROUP, 5, 500, .2);
	struct ctd_rollup rollup = scene_rollup(&scene);
	struct ctd_stacks *stacks = sample_begin(&scene);

	sample_add(stacks, 4, "walk|main", 25, 20, .8);
	sample_add(stacks, 4, "other", 75, 60, .3);
	sample_add(stacks, 5, "other", 50, 20, .2);
	struct ctd_profile profile = sample_profile(&scene, stacks, &rollup);
	const struct ctd_profile_row *row;

	for (row = profile.rows; row->stacks_count != 2;)
		row++;
	whole_ns = row->cpu_ns;
	whole_slots = row->slots;
	gone_slots = find(&profile, (size_t)(row - profile.rows), "other")->slots;
	ctd_profile_leave_out(&profile, sample_trace(stacks, "other"));
	/* The other row had nothing else. */
	assert_int_equal(profile.rows_count, 1);
	row = profile.rows;
	assert_int_equal(profile.samples, 25);
	assert_int_equal(row->stacks_count, 1);
	assert_int_equal(row->samples, 25);
	assert_int_equal(row->whole_cpu_ns, whole_ns);
	assert_int_equal(row->cpu_ns, whole_ns / 4);
	assert_int_equal(row->slots, whole_slots - gone_slots);
	assert_int_equal(row->slots, row->stacks[0].slots);
	assert_int_equal(row->slots_by_source[CTD_SHARES_STACK], row->slots);
	for (int node = 0; node < 4; node++)
		assert_int_equal(row->node_slots[node], row->stacks[0].node_slots[node]);
	ctd_profile_free(&profile);
	ctd_stacks_free(stacks);
	ctd_rollup_free(&rollup);
	scene_end(&scene);
}

/* Also what was sampled of an event in no row, and where there was none. */
static void events_are_samples_times_their_period(void **state)
{
	struct scene scene;
	const struct ctd_profile_row *row;

	(void)state;
	scene_begin(&scene);
	scene_run(&scene, CTD_ROW_CGROUP, 4, 700, .5);
	scene_run(&scene, CTD_ROW_CGROUP, 5, 300, .5);
	struct ctd_rollup rollup = scene_rollup(&scene);
	struct ctd_stacks *stacks = sample_begin(&scene);

	stacks->period_ns = 0;
	stacks->event = (struct ctd_stacks_event){"page-faults", 7, CTD_PRECISION_SOFTWARE, 1};
	sample_add(stacks, 4, "few|main", 2, 0, 0);
	sample_add(stacks, 4, "many|main", 6, 0, 0);
	sample_add(stacks, 9, "elsewhere", 3, 0, 0);
	struct ctd_profile profile = sample_profile(&scene, stacks, &rollup);

	assert_int_equal(profile.rows_count, 2);
	row = &profile.rows[0];
	assert_int_equal(row->samples, 8);
	assert_int_equal(row->events, 56);
	assert_int_equal(row->stacks[0].events, 42);
	assert_int_equal(row->stacks[1].events, 14);
	assert_int_equal(row->stacks[0].cpu_ns, 0);
	assert_true(isnan(row->factor));
	/* The row is counted all the same. */
	assert_int_equal(row->cpu_ns, 700000000);
	assert_true(row->slots_known && !profile.slots_known);
	assert_int_equal(profile.rows[1].events, 0);
	assert_int_equal(profile.rows[1].stacks[0].trace, CTD_TRACE_NOT_SAMPLED);
	assert_int_equal(profile.lost_samples, 3);
	ctd_profile_leave_out(&profile, row->stacks[0].trace);
	assert_int_equal(profile.rows_count, 1);
	assert_int_equal(profile.rows[0].events, 14);
	assert_int_equal(profile.rows[0].cpu_ns, 700000000);
	ctd_profile_free(&profile);
	/* Nothing is known of a core type on which it is not sampled, which is not 0. */
	stacks->event.core_types = 2;
	profile = sample_profile(&scene, stacks, &rollup);
	assert_int_equal(profile.rows_count, 0);
	ctd_profile_free(&profile);
	ctd_stacks_free(stacks);
	ctd_rollup_free(&rollup);
	scene_end(&scene);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(events_are_samples_times_their_period),
		cmocka_unit_test(shares_are_those_of_the_windows),
		cmocka_unit_test(categories_are_scaled_to_the_exact_ones),
		cmocka_unit_test(stacks_without_windows_borrow_shares),
		cmocka_unit_test(rows_that_no_sample_hit_keep_their_figures),
		cmocka_unit_test(cgroups_without_a_row_are_in_that_of_the_others),
		cmocka_unit_test(without_counters_there_is_time),
		cmocka_unit_test(core_types_are_weighed_apart),
		cmocka_unit_test(stacks_of_other_counters_are_refused),
		cmocka_unit_test(any_profile_adds_up),
		cmocka_unit_test(what_is_left_out_takes_its_part_of_the_figures_along),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
