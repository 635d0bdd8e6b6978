/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* test_merge.c - what several machines did is one interval, in which each has rows of its own. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <errno.h>
#include <math.h>

#include "remote/merge.h"
#include "unit/remote/machines.h"

#define SECOND_NS 1000000000ull
#define MACHINES_MAX 5

/* Some machines, each from second 0 on. */
struct cluster {
	struct ctd_remote_merge merge;
	struct ctd_remote_plan *plan;
	struct ctd_remote_view before[MACHINES_MAX], after[MACHINES_MAX];
	struct ctd_remote_span spans[MACHINES_MAX];
	size_t count;
	struct ctd_remote_interval interval;
	struct ctd_rollup rollup;
};

/* Where @p of is at the end; at the begin it had done nothing. @return as ctd_remote_merge_add(). */
static int add(struct cluster *cluster, const struct machine_view *of,
	       char why[CTD_REMOTE_WHY_BYTES])
{
	struct machine_view begin = *of;
	size_t at = cluster->count++;
	int result;

	begin.second = begin.unit_ms = begin.web_ms = 0;
	cluster->before[at] = machine_view(&begin);
	cluster->after[at] = machine_view(of);
	cluster->spans[at] = (struct ctd_remote_span){
		.before = &cluster->before[at], .after = &cluster->after[at], .node = of->node};
	result = ctd_remote_merge_add(&cluster->merge, &cluster->after[at],
				      cluster->spans[at].core_type, why);
	return result;
}

static void add_known(struct cluster *cluster, const struct machine_view *of)
{
	char why[CTD_REMOTE_WHY_BYTES] = "";

	assert_true(add(cluster, of, why) >= 0);
}

static void roll_up(struct cluster *cluster, enum ctd_group_by by)
{
	const struct ctd_rollup_options options = {.by = by};
	char why[CTD_REMOTE_WHY_BYTES];

	if (!cluster->plan) {
		assert_int_equal(ctd_remote_merge_plan(&cluster->merge, &cluster->plan, why), 0);
		assert_int_equal(ctd_remote_interval_merge(cluster->plan, cluster->spans,
							   cluster->count, SECOND_NS, 42,
							   &cluster->interval),
				 0);
	}
	ctd_rollup_free(&cluster->rollup);
	assert_int_equal(ctd_rollup_make(ctd_remote_plan_rollup(cluster->plan),
					 &cluster->interval.interval, cluster->interval.identities,
					 &options, &cluster->rollup),
			 0);
}

static void free_cluster(struct cluster *cluster)
{
	ctd_rollup_free(&cluster->rollup);
	if (cluster->plan)
		ctd_remote_interval_free(&cluster->interval);
	ctd_remote_plan_free(cluster->plan);
	for (size_t i = 0; i < cluster->count; i++) {
		ctd_remote_view_free(&cluster->before[i]);
		ctd_remote_view_free(&cluster->after[i]);
	}
	ctd_remote_merge_free(&cluster->merge);
}

/* The row that tells of @p node, or of all: NULL. */
static const struct ctd_rollup_row *find(const struct cluster *cluster, enum ctd_rollup_kind kind,
					 const char *node)
{
	for (size_t i = 0; i < cluster->rollup.rows_count; i++) {
		const struct ctd_rollup_row *row = &cluster->rollup.rows[i];

		if (row->kind == kind &&
		    (!node || (row->identity && strcmp(row->identity->node, node) == 0)))
			return row;
	}
	fail_msg("no row of %s", node ? node : "that kind");
	return NULL;
}

static void begin_two(struct cluster *cluster)
{
	*cluster = (struct cluster){0};
	add_known(cluster,
		  &(struct machine_view){
			  .node = "a", .model = "zen4", .second = 1, .unit_ms = 10, .web_ms = 200});
	add_known(cluster,
		  &(struct machine_view){
			  .node = "b", .model = "zen4", .second = 1, .unit_ms = 30, .web_ms = 400});
}

static void what_has_one_path_on_two_machines_has_two_rows(void **state)
{
	struct cluster cluster;

	(void)state;
	begin_two(&cluster);
	roll_up(&cluster, CTD_GROUP_CONTAINER);
	assert_int_equal(cluster.rollup.rows_count, 4);
	assert_int_equal(find(&cluster, CTD_ROLLUP_CGROUP, "a")->cpu_ns, 10000000);
	assert_int_equal(find(&cluster, CTD_ROLLUP_CGROUP, "b")->cpu_ns, 30000000);
	/* Also where both claim one container id. */
	assert_int_equal(find(&cluster, CTD_ROLLUP_CONTAINER, "a")->slots, 800000000);
	assert_int_equal(find(&cluster, CTD_ROLLUP_CONTAINER, "b")->slots, 1600000000);
	free_cluster(&cluster);
}

static void groups_reach_across_machines(void **state)
{
	const struct ctd_rollup_row *row;
	struct cluster cluster;

	(void)state;
	begin_two(&cluster);
	roll_up(&cluster, CTD_GROUP_OWNER);
	row = find(&cluster, CTD_ROLLUP_OWNER, "a");
	assert_string_equal(row->identity->names.owner_name, "web");
	assert_int_equal(row->cpu_ns, 600000000);
	assert_int_equal(row->slots, 2400000000);
	assert_true(fabs(row->parts[0].values[0].ratio - .5) < 1e-6);
	roll_up(&cluster, CTD_GROUP_NAMESPACE);
	assert_int_equal(find(&cluster, CTD_ROLLUP_NAMESPACE, "a")->cpu_ns, 600000000);
	roll_up(&cluster, CTD_GROUP_NODE);
	assert_int_equal(cluster.rollup.rows_count, 2);
	assert_int_equal(find(&cluster, CTD_ROLLUP_NODE, "a")->cpu_ns, 210000000);
	assert_int_equal(find(&cluster, CTD_ROLLUP_NODE, "b")->cpu_ns, 430000000);
	free_cluster(&cluster);
}

static void totals_are_of_all_machines(void **state)
{
	const struct ctd_rollup_totals *totals;
	struct cluster cluster;

	(void)state;
	begin_two(&cluster);
	roll_up(&cluster, CTD_GROUP_CONTAINER);
	totals = &cluster.rollup.totals[0];
	assert_int_equal(cluster.rollup.cpus_online, 8);
	assert_int_equal(totals->cpus_online, 8);
	assert_int_equal(totals->unattributed_slots, 16);
	assert_int_equal(totals->residual_slots, -4);
	assert_int_equal(totals->slots, 4 * 640000000ull + 16 - 4);
	assert_int_equal(cluster.rollup.unattributed_ns, 20);
	assert_int_equal(cluster.rollup.health.count[CTD_HEALTH_SWITCHES], 20);
	assert_true(fabs(cluster.rollup.health.ns_per_switch - 50) < 1e-6);
	assert_int_equal(cluster.rollup.realtime_ns, 42);
	assert_int_equal(cluster.rollup.window_ns, SECOND_NS);
	free_cluster(&cluster);
}

static void a_machine_that_was_away_has_its_pace_not_all_that_it_did(void **state)
{
	const struct ctd_rollup_row *row;
	struct cluster cluster = {0};

	(void)state;
	add_known(&cluster,
		  &(struct machine_view){.node = "a", .model = "zen4", .second = 1, .unit_ms = 10});
	add_known(&cluster,
		  &(struct machine_view){.node = "b", .model = "zen4", .second = 5, .unit_ms = 50});
	roll_up(&cluster, CTD_GROUP_CONTAINER);
	row = find(&cluster, CTD_ROLLUP_CGROUP, "b");
	assert_int_equal(row->cpu_ns, 10000000);
	assert_int_equal(row->slots, 40000000);
	assert_int_equal(row->slices, 10);
	assert_int_equal(cluster.rollup.totals[0].unattributed_slots, 8 + 8);
	assert_int_equal(cluster.rollup.totals[0].residual_slots, -2 - 2);
	assert_int_equal(cluster.rollup.unattributed_ns, 10 + 10);
	free_cluster(&cluster);
}

static void slots_of_two_designs_are_not_added_up(void **state)
{
	const struct ctd_rollup_plan *plan;
	const struct ctd_rollup_row *row;
	struct cluster cluster;

	(void)state;
	begin_two(&cluster);
	add_known(&cluster,
		  &(struct machine_view){.node = "c", .model = "zen5", .second = 1, .web_ms = 100});
	roll_up(&cluster, CTD_GROUP_OWNER);
	plan = ctd_remote_plan_rollup(cluster.plan);
	assert_int_equal(plan->core_types_count, 2);
	assert_string_equal(plan->core_types[0].name, "zen4");
	assert_string_equal(plan->core_types[1].name, "zen5");
	row = find(&cluster, CTD_ROLLUP_OWNER, "a");
	assert_int_equal(row->core_types, 2);
	assert_int_equal(row->parts[0].slots, 2400000000);
	assert_int_equal(row->parts[1].slots, 400000000);
	assert_int_equal(cluster.rollup.totals[1].cpus_online, 4);
	free_cluster(&cluster);
}

static void what_one_machine_does_not_measure_is_not_zero(void **state)
{
	struct cluster cluster = {0};

	(void)state;
	add_known(&cluster,
		  &(struct machine_view){
			  .node = "a", .model = "zen4", .second = 1, .web_ms = 1, .waits = true});
	roll_up(&cluster, CTD_GROUP_OWNER);
	assert_non_null(find(&cluster, CTD_ROLLUP_OWNER, NULL)->parts[0].waits);
	free_cluster(&cluster);
	cluster = (struct cluster){0};
	add_known(&cluster,
		  &(struct machine_view){
			  .node = "a", .model = "zen4", .second = 1, .web_ms = 1, .waits = true});
	add_known(&cluster,
		  &(struct machine_view){.node = "b", .model = "zen4", .second = 1, .web_ms = 1});
	roll_up(&cluster, CTD_GROUP_OWNER);
	assert_null(find(&cluster, CTD_ROLLUP_OWNER, NULL)->parts[0].waits);
	free_cluster(&cluster);
}

static void a_machine_that_counts_in_another_way_is_told_apart(void **state)
{
	struct cluster cluster;
	char why[CTD_REMOTE_WHY_BYTES] = "";

	(void)state;
	begin_two(&cluster);
	/* Of the same design and nodes: another group has counted beside them. */
	assert_int_equal(
		add(&cluster,
		    &(struct machine_view){
			    .node = "c", .model = "zen4", .second = 1, .web_ms = 1, .general = true},
		    why),
		1);
	assert_int_equal(cluster.spans[2].core_type[0], 1);
	roll_up(&cluster, CTD_GROUP_OWNER);
	assert_string_equal(ctd_remote_plan_rollup(cluster.plan)->core_types[1].name, "zen4/2");
	free_cluster(&cluster);
}

static void a_machine_that_cannot_be_shown_leaves_the_others_as_they_are(void **state)
{
	static const char *const models[] = {"one", "two", "three", "four", "five"};
	struct cluster cluster = {0};
	char why[CTD_REMOTE_WHY_BYTES] = "";

	(void)state;
	assert_int_equal(
		add(&cluster,
		    &(struct machine_view){
			    .node = "x", .model = "zen4", .second = 1, .condition = "retiring >"},
		    why),
		-EBADMSG);
	assert_non_null(strstr(why, "condition"));
	assert_int_equal(cluster.merge.types.core_types_count, 0);
	free_cluster(&cluster);
	cluster = (struct cluster){0};
	for (int i = 0; i < CTD_CORE_TYPES_MAX; i++)
		assert_int_equal(add(&cluster,
				     &(struct machine_view){
					     .node = models[i], .model = models[i], .second = 1},
				     why),
				 1);
	assert_int_equal(add(&cluster,
			     &(struct machine_view){.node = "e", .model = "five", .second = 1},
			     why),
			 -ENOSPC);
	assert_non_null(strstr(why, "5th design"));
	assert_int_equal(cluster.merge.types.core_types_count, CTD_CORE_TYPES_MAX);
	cluster.count--;
	roll_up(&cluster, CTD_GROUP_NODE);
	cluster.count++;
	free_cluster(&cluster);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(what_has_one_path_on_two_machines_has_two_rows),
		cmocka_unit_test(groups_reach_across_machines),
		cmocka_unit_test(totals_are_of_all_machines),
		cmocka_unit_test(a_machine_that_was_away_has_its_pace_not_all_that_it_did),
		cmocka_unit_test(slots_of_two_designs_are_not_added_up),
		cmocka_unit_test(what_one_machine_does_not_measure_is_not_zero),
		cmocka_unit_test(a_machine_that_counts_in_another_way_is_told_apart),
		cmocka_unit_test(a_machine_that_cannot_be_shown_leaves_the_others_as_they_are),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
