/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* test_sum.c - a cluster is the sum of its members that have figures, and the names of the others. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <stdlib.h>

#include "app/top/sum.h"
#include "base/clock.h"
#include "unit/remote/machines.h"

#define SECOND_NS 1000000000ull

struct cluster {
	struct ctd_top_history history;
	struct ctd_top_sum sum;
	struct ctd_top_member members[4];
	struct ctd_top_member *list[4];
	size_t count;
};

static struct ctd_top_member *add(struct cluster *cluster, const char *url, const char *name)
{
	struct ctd_top_member *member = &cluster->members[cluster->count];

	member->listed.url = strdup(url);
	member->listed.name = name ? strdup(name) : NULL;
	cluster->list[cluster->count++] = member;
	return member;
}

static void take(struct ctd_top_member *member, const struct machine_view *of)
{
	struct ctd_remote_view view = machine_view(of);
	uint64_t now_ns = ctd_monotonic_ns();

	/* Clocks of both go alike. */
	if (member->machine.after.sequence)
		member->machine.came_ns = now_ns - (view.time_ns - member->machine.after.time_ns);
	ctd_remote_machine_take(&member->machine, &view, now_ns);
}

/* At that second of its own clock; now. */
static void tell(struct ctd_top_member *member, const char *node, uint64_t second, int web_ms)
{
	/* No two serves of one name began at the same time. */
	take(member, &(struct machine_view){.node = node,
					    .model = "zen4",
					    .start = member->listed.url,
					    .second = second,
					    .web_ms = web_ms});
}

static void make(struct cluster *cluster)
{
	assert_int_equal(ctd_top_sum_make(&cluster->sum, cluster->list, cluster->count, SECOND_NS),
			 0);
	assert_int_equal(ctd_top_sum_show(&cluster->sum, &cluster->history), 0);
}

static void begin(struct cluster *cluster)
{
	*cluster = (struct cluster){0};
	assert_int_equal(ctd_top_history_init(1 << 24, &cluster->history), 0);
}

static void end(struct cluster *cluster)
{
	ctd_top_sum_free(&cluster->sum);
	ctd_top_history_free(&cluster->history);
	for (size_t i = 0; i < cluster->count; i++) {
		ctd_remote_machine_free(&cluster->members[i].machine);
		ctd_remote_listed_free(&cluster->members[i].listed);
	}
}

static void those_that_have_figures_are_added_up_and_others_named(void **state)
{
	const struct ctd_top_nodes *nodes;
	struct cluster cluster;

	(void)state;
	begin(&cluster);
	nodes = &cluster.history.nodes;
	add(&cluster, "http://a:1/", NULL);
	add(&cluster, "http://b:1/", NULL);
	make(&cluster);
	assert_int_equal(cluster.history.count, 0);
	assert_int_equal(nodes->shown, 0);
	assert_int_equal(nodes->asked, 2);
	assert_string_equal(nodes->missing,
			    "a:1/\tit has not answered yet\nb:1/\tit has not answered yet\n");
	for (int i = 0; i < 2; i++) {
		tell(&cluster.members[0], "here", (uint64_t)i, 100 * i);
		tell(&cluster.members[1], "there", (uint64_t)i, 300 * i);
		make(&cluster);
	}
	assert_int_equal(cluster.history.count, 1);
	assert_int_equal(nodes->shown, 2);
	assert_null(nodes->missing);
	assert_int_equal(cluster.history.frames[0]->interval.cpus_online, 8);
	assert_string_equal(cluster.history.why, "");
	/* Nothing new: no interval. */
	make(&cluster);
	assert_int_equal(cluster.history.count, 1);
	tell(&cluster.members[0], "here", 2, 200);
	ctd_remote_machine_fail(&cluster.members[1].machine, "Connection refused");
	make(&cluster);
	assert_int_equal(cluster.history.count, 2);
	assert_int_equal(cluster.history.frames[1]->interval.cpus_online, 4);
	assert_string_equal(cluster.history.frames[1]->nodes.missing,
			    "there\tConnection refused\n");
	ctd_remote_machine_fail(&cluster.members[0].machine, "Connection refused");
	make(&cluster);
	assert_int_equal(cluster.history.count, 2);
	assert_string_equal(cluster.history.why, "No node has figures of now.");
	assert_int_equal(cluster.history.frames[1]->nodes.shown, 1);
	end(&cluster);
}

static void one_serve_is_counted_once(void **state)
{
	struct cluster cluster;

	(void)state;
	begin(&cluster);
	add(&cluster, "http://a:1", "one");
	add(&cluster, "http://a:1", "other");
	for (int i = 0; i < 2; i++) {
		tell(&cluster.members[0], "here", (uint64_t)i, 100 * i);
		tell(&cluster.members[1], "here", (uint64_t)i, 100 * i);
		make(&cluster);
	}
	assert_int_equal(cluster.history.nodes.shown, 1);
	assert_string_equal(cluster.history.nodes.missing, "other\tit is the same serve as one\n");
	assert_int_equal(cluster.history.frames[0]->interval.cpus_online, 4);
	end(&cluster);
}

static void two_of_one_name_are_told_apart(void **state)
{
	const struct ctd_top_frame *frame;
	struct cluster cluster;
	const char *first = "", *second = "";
	int named = 0;

	(void)state;
	begin(&cluster);
	add(&cluster, "http://a:1", NULL);
	add(&cluster, "http://a:2", NULL);
	for (int i = 0; i < 2; i++) {
		tell(&cluster.members[0], "here", (uint64_t)i, 100 * i);
		tell(&cluster.members[1], "here", (uint64_t)i, 200 * i);
		make(&cluster);
	}
	assert_int_equal(cluster.history.nodes.shown, 2);
	frame = cluster.history.frames[0];
	for (size_t i = 0; i < frame->interval.rows_count; i++) {
		const struct ctd_interval_row *row = &frame->interval.rows[i];
		const struct ctd_identity *identity =
			ctd_identities_get(frame->identities, row->cgroup_id);

		if (identity && row->oncpu_ns == 100000000)
			first = identity->node;
		if (identity && row->oncpu_ns == 200000000)
			second = identity->node;
	}
	assert_string_equal(first, "here");
	assert_string_equal(second, "here (http://a:2)");
	/* It stays that one's name while the other has no figures. */
	tell(&cluster.members[1], "here", 2, 400);
	ctd_remote_machine_fail(&cluster.members[0].machine, "Connection refused");
	make(&cluster);
	assert_string_equal(cluster.history.nodes.missing, "here\tConnection refused\n");
	frame = cluster.history.frames[1];
	for (size_t i = 0; i < frame->interval.rows_count; i++) {
		const struct ctd_identity *identity =
			ctd_identities_get(frame->identities, frame->interval.rows[i].cgroup_id);

		if (!identity)
			continue;
		assert_string_equal(identity->node, "here (http://a:2)");
		named++;
	}
	assert_true(named > 0);
	end(&cluster);
}

static void one_that_leaves_is_not_missed(void **state)
{
	struct cluster cluster;

	(void)state;
	begin(&cluster);
	add(&cluster, "http://a:1", NULL);
	add(&cluster, "http://b:1", NULL)->leaves = true;
	make(&cluster);
	assert_int_equal(cluster.history.nodes.asked, 1);
	assert_string_equal(cluster.history.nodes.missing, "a:1\tit has not answered yet\n");
	end(&cluster);
}

static void no_text_of_others_makes_lines(void **state)
{
	struct cluster cluster;
	size_t bytes;

	(void)state;
	begin(&cluster);
	tell(add(&cluster, "http://a:1", "a: b\tc"), "a", 0, 0);
	ctd_remote_machine_fail(&cluster.members[0].machine, "x\nnode9\tgone\xe2\x80\xa8y");
	add(&cluster, "http://b:1", "b");
	for (int i = 0; i < 2; i++)
		tell(&cluster.members[1], "b", (uint64_t)i, 100 * i);
	make(&cluster);
	assert_string_equal(cluster.history.nodes.missing, "a: b?c\tx?node9?gone?y\n");
	/* What a frame keeps of it is counted. */
	assert_int_equal(cluster.history.bytes, cluster.history.frames[0]->bytes);
	bytes = cluster.history.bytes;
	struct ctd_top_nodes nodes = {.shown = 1, .asked = 2, .missing = calloc(1, 1001)};

	memset(nodes.missing, 'x', 1000);
	assert_int_equal(ctd_top_history_tell_nodes(&cluster.history, &nodes, true), 0);
	assert_int_equal(cluster.history.bytes, bytes + 1000 - strlen("a: b?c\tx?node9?gone?y\n"));
	end(&cluster);
}

static void metrics_of_a_vendor_that_one_counts_are_noticed(void **state)
{
	struct cluster cluster;

	(void)state;
	begin(&cluster);
	add(&cluster, "http://a:1", "a");
	add(&cluster, "http://b:1", "b");
	for (int i = 0; i < 2; i++) {
		tell(&cluster.members[0], "a", (uint64_t)i, 100 * i);
		make(&cluster);
		assert_false(cluster.history.has_vendor);
	}
	for (int i = 0; i < 2; i++)
		take(&cluster.members[1], &(struct machine_view){.node = "b",
								 .model = "zen4",
								 .start = "b",
								 .second = (uint64_t)i,
								 .vendor = true});
	make(&cluster);
	assert_true(cluster.history.has_vendor);
	end(&cluster);
}

/* As when a cluster is set to another level, and to the next one. */
static void designs_that_nobody_has_any_more_take_no_room(void **state)
{
	static const char *const models[] = {"one", "two", "three", "four", "five", "six"};
	const struct ctd_rollup_plan *plan;
	struct cluster cluster;

	(void)state;
	begin(&cluster);
	add(&cluster, "http://a:1", "a");
	add(&cluster, "http://b:1", "b");
	for (size_t i = 0; i < sizeof(models) / sizeof(*models); i++) {
		for (int second = 0; second < 2; second++) {
			tell(&cluster.members[0], "a", 2 * i + (uint64_t)second,
			     20 * (int)i + 10 * second);
			take(&cluster.members[1], &(struct machine_view){.node = "b",
									 .model = models[i],
									 .start = models[i],
									 .second = (uint64_t)second,
									 .web_ms = 100 * second});
			make(&cluster);
		}
		if (cluster.history.nodes.shown != 2)
			fail_msg("%s: %s", models[i], cluster.history.nodes.missing);
	}
	/* Begun anew with the fourth: what was shown before keeps its plan. */
	plan = cluster.history.frames[cluster.history.count - 1]->plan;
	assert_int_equal(plan->core_types_count, 4);
	assert_string_equal(plan->core_types[3].name, "six");
	plan = cluster.history.frames[1]->plan;
	assert_string_equal(plan->core_types[1].name, "one");
	end(&cluster);
}

static void one_that_no_thread_can_ask_is_missed(void **state)
{
	struct ctd_top_round round = {.lock = PTHREAD_MUTEX_INITIALIZER};
	struct ctd_remote_listed listed = {.url = strdup("http://a:1"), .name = strdup("a")};
	struct ctd_top_member *member;
	pthread_attr_t usual, huge;
	struct cluster cluster;

	(void)state;
	begin(&cluster);
	/* No machine has memory for such a stack. */
	assert_int_equal(pthread_getattr_default_np(&usual), 0);
	assert_int_equal(pthread_getattr_default_np(&huge), 0);
	assert_int_equal(pthread_attr_setstacksize(&huge, (size_t)1 << 52), 0);
	assert_int_equal(pthread_setattr_default_np(&huge), 0);
	member = ctd_top_member_new(&round, &listed);
	assert_int_equal(pthread_setattr_default_np(&usual), 0);
	pthread_attr_destroy(&usual);
	pthread_attr_destroy(&huge);
	assert_non_null(member);
	assert_true(member->has_ended);
	cluster.list[0] = member;
	cluster.count = 1;
	make(&cluster);
	assert_int_equal(cluster.history.nodes.asked, 1);
	assert_int_equal(cluster.history.nodes.shown, 0);
	assert_memory_equal(cluster.history.nodes.missing,
			    "a\tno thread can ask it: ", strlen("a\tno thread can ask it: "));
	ctd_top_member_free(member);
	cluster.count = 0;
	end(&cluster);
}

static void what_is_most_usual_is_the_length(void **state)
{
	struct cluster cluster;

	(void)state;
	begin(&cluster);
	add(&cluster, "http://a:1", NULL);
	add(&cluster, "http://b:1", NULL);
	add(&cluster, "http://c:1", NULL);
	for (int i = 0; i < 2; i++) {
		tell(&cluster.members[0], "a", 30 * (uint64_t)i, 300 * i);
		tell(&cluster.members[1], "b", (uint64_t)i, 10 * i);
		tell(&cluster.members[2], "c", (uint64_t)i, 10 * i);
	}
	make(&cluster);
	assert_int_equal(cluster.history.frames[0]->interval.window_ns, SECOND_NS);
	assert_true(cluster.history.frames[0]->interval.rows_count > 0);
	for (size_t i = 0; i < cluster.history.frames[0]->interval.rows_count; i++)
		assert_int_equal(cluster.history.frames[0]->interval.rows[i].oncpu_ns, 10000000);
	end(&cluster);
}

static void intervals_do_not_overlap(void **state)
{
	const struct ctd_interval *interval;
	struct cluster cluster;

	(void)state;
	begin(&cluster);
	add(&cluster, "http://a:1", NULL);
	for (int i = 0; i < 2; i++)
		tell(&cluster.members[0], "a", (uint64_t)i, 100 * i);
	make(&cluster);
	/* Half a second later, by our clock. */
	cluster.sum.shown_ns -= SECOND_NS / 2;
	tell(&cluster.members[0], "a", 2, 200);
	make(&cluster);
	interval = &cluster.history.frames[1]->interval;
	assert_true(interval->window_ns >= SECOND_NS / 2);
	assert_true(interval->window_ns < SECOND_NS);
	assert_true(interval->rows[0].oncpu_ns <= interval->window_ns / 10);
	assert_true(interval->rows[0].oncpu_ns >= interval->window_ns / 10 - 1);
	end(&cluster);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(those_that_have_figures_are_added_up_and_others_named),
		cmocka_unit_test(one_serve_is_counted_once),
		cmocka_unit_test(two_of_one_name_are_told_apart),
		cmocka_unit_test(one_that_leaves_is_not_missed),
		cmocka_unit_test(no_text_of_others_makes_lines),
		cmocka_unit_test(metrics_of_a_vendor_that_one_counts_are_noticed),
		cmocka_unit_test(designs_that_nobody_has_any_more_take_no_room),
		cmocka_unit_test(one_that_no_thread_can_ask_is_missed),
		cmocka_unit_test(what_is_most_usual_is_the_length),
		cmocka_unit_test(intervals_do_not_overlap),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
