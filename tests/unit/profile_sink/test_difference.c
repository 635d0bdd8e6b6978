/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* test_difference.c - two profiles are compared by what their functions are called, on equal terms.
 */
#include <locale.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "golden.h"
#include "profile_sink/tree.h"
#include "unit/profile_sink/sample_profile.h"

/* Half as long, of another build: walk() waits less for memory, hash() has gone, sort() has come,
 * and one more cgroup. */
static void make_after(struct sample *sample)
{
	struct scene *scene = &sample->scene;

	*sample = (struct sample){.options = {.top = 4, .unicode = true, .width = 80}};
	scene_begin(scene);
	scene->interval.realtime_ns = 1767326645250000000;
	scene->rollup_options.by = CTD_GROUP_CONTAINER;
	scene_name(scene, 14, SCENE_POD "/" SCENE_ID_A);
	scene_name(scene, 15, "/new");
	scene_describe(scene, 14, "shop", "web-7d", "nginx");
	sample_run(scene, CTD_ROW_CGROUP, 14, 400, .4);
	sample_run(scene, CTD_ROW_CGROUP, 15, 100, .1);
	sample->rollup = scene_rollup(scene);
	sample->stacks = sample_begin(scene);
	uint32_t module, function;

	/* Indices and addresses are others. */
	assert_int_equal(
		ctd_stacks_module(sample->stacks, "/usr/bin/program", "other", false, &module), 0);
	assert_int_equal(
		ctd_stacks_function(sample->stacks, module, 0x9999, "walk<int>", &function), 0);
	sample_add(sample->stacks, 14, "sort|main", 1600, 1500, .1);
	sample_add(sample->stacks, 14, "walk<int>|lookup|main", 2400, 2000, .5);
	sample_add(sample->stacks, 15, "count|main", 1000, 900, .1);
	sample->profile = sample_profile(scene, sample->stacks, &sample->rollup);
}

/* Each of `sample` is the same as in `base`. */
static struct ctd_stacks *join(struct sample *sample, struct sample *base)
{
	struct ctd_stacks *common;

	assert_int_equal(ctd_stacks_new(SAMPLE_PERIOD_NS, 9, 1, &common), 0);
	assert_int_equal(ctd_profile_translate(&sample->profile, common), 0);
	assert_int_equal(ctd_profile_translate(&base->profile, common), 0);
	sample->options.base = &base->profile;
	return common;
}

static void a_profile_is_no_other_than_itself(void **state)
{
	struct sample sample, base;
	struct ctd_tree tree;

	(void)state;
	sample_make(&sample);
	sample_make(&base);
	struct ctd_stacks *common = join(&sample, &base);

	assert_int_equal(ctd_tree_make(&sample.options, &sample.profile, 0, &tree), 0);
	for (size_t node = 0; node < tree.nodes_count; node++)
		for (int i = 0; i < tree.weights_count; i++)
			assert_int_equal(ctd_tree_values(&tree, node)[i],
					 ctd_tree_base(&tree, node)[i]);
	ctd_tree_free(&tree);
	struct ctd_strbuf out = sample_write(&sample, &ctd_profile_difference);

	assert_non_null(strstr(out.text, "web-7d/nginx"));
	assert_null(strstr(out.text, "walk"));
	ctd_strbuf_free(&out);
	ctd_stacks_free(common);
	sample_end(&sample);
	sample_end(&base);
}

/* A line of .folded for each stack of either: what it was, what it is. */
static void assert_all_are_as_they_were(const struct ctd_strbuf *folded, size_t lines)
{
	for (const char *line = folded->text; *line; line = strchr(line, '\n') + 1, lines--) {
		unsigned long long was, is;
		const char *end = strchr(line, '\n');

		for (int blanks = 0; blanks < 2; blanks += *end == ' ')
			end--;
		assert_int_equal(sscanf(end, " %llu %llu", &was, &is), 2);
		assert_int_equal(was, is);
		assert_int_not_equal(is, 0);
	}
	assert_int_equal(lines, 0);
}

static void begin_small(struct sample *sample)
{
	*sample = (struct sample){.options = {.top = 4, .unicode = true, .width = 80}};
	scene_begin(&sample->scene);
	sample->scene.rollup_options.by = CTD_GROUP_CONTAINER;
}

/* Of the pod of one name in each namespace. @p order: of the two ids. */
static void make_namesakes(struct sample *sample, bool order)
{
	static const char *const namespaces[] = {"shop", "bank"}, *const functions[] = {"sell",
											"pay"};

	begin_small(sample);
	for (int i = 0; i < 2; i++) {
		uint64_t id = order == !i ? 4 : 5;

		scene_name(&sample->scene, id, i ? SCENE_POD "/" SCENE_ID_B : "/pod/" SCENE_ID_A);
		scene_describe(&sample->scene, id, namespaces[i], "redis-0", "redis");
	}
	sample_run(&sample->scene, CTD_ROW_CGROUP, 4, order ? 300 : 100, .1);
	sample_run(&sample->scene, CTD_ROW_CGROUP, 5, order ? 100 : 300, .1);
	sample->rollup = scene_rollup(&sample->scene);
	sample->stacks = sample_begin(&sample->scene);
	for (int i = 0; i < 2; i++)
		sample_add(sample->stacks, order == !i ? 4 : 5, functions[i], 100, 90, .1);
	sample_finish(sample);
}

static void namesakes_in_two_namespaces_are_two(void **state)
{
	struct sample sample, base;

	(void)state;
	make_namesakes(&sample, true);
	make_namesakes(&base, false);
	struct ctd_stacks *common = join(&sample, &base);
	struct ctd_strbuf out = sample_write(&sample, &ctd_profile_difference);

	assert_non_null(strstr(out.text, "redis-0/redis  75.00%, was 75.00%\n"));
	assert_non_null(strstr(out.text, "redis-0/redis  25.00%, was 25.00%\n"));
	assert_null(strstr(out.text, "program"));
	ctd_strbuf_free(&out);
	out = sample_write(&sample, &ctd_profile_folded);
	assert_all_are_as_they_were(&out, 2);
	ctd_strbuf_free(&out);
	ctd_stacks_free(common);
	sample_end(&sample);
	sample_end(&base);
}

/* By so many containers one after the other, of ids of their own. */
static void make_restarted(struct sample *sample, uint64_t containers)
{
	begin_small(sample);
	for (uint64_t i = 0; i < containers; i++) {
		scene_name(&sample->scene, 4 + i,
			   i ? SCENE_POD "/" SCENE_ID_B : SCENE_POD "/" SCENE_ID_A);
		scene_describe(&sample->scene, 4 + i, "shop", "web-7d", "nginx");
		sample_run(&sample->scene, CTD_ROW_CGROUP, 4 + i, 400 / containers, .1);
	}
	sample->rollup = scene_rollup(&sample->scene);
	sample->stacks = sample_begin(&sample->scene);
	for (uint64_t i = 0; i < containers; i++) {
		sample_add(sample->stacks, 4 + i, "walk|main", 200 / containers, 10, .1);
		sample_add(sample->stacks, 4 + i, "hash|main", 600 / containers, 10, .1);
	}
	sample_finish(sample);
}

static void a_container_that_was_restarted_is_one(void **state)
{
	(void)state;
	/* It was, in the one or the other. */
	for (uint64_t was = 1; was <= 2; was++) {
		struct sample sample, base;
		struct ctd_tree tree;

		make_restarted(&sample, 3 - was);
		make_restarted(&base, was);
		struct ctd_stacks *common = join(&sample, &base);
		struct ctd_strbuf out = sample_write(&sample, &ctd_profile_difference);

		assert_non_null(strstr(out.text, "web-7d/nginx  100.00%, was 100.00%\n"));
		assert_null(strstr(out.text, "(program)"));
		ctd_strbuf_free(&out);
		out = sample_write(&sample, &ctd_profile_folded);
		assert_all_are_as_they_were(&out, 2);
		ctd_strbuf_free(&out);
		assert_int_equal(ctd_tree_make(&sample.options, &sample.profile, 0, &tree), 0);
		/* All, the container, main() and the two that it calls. */
		assert_int_equal(tree.nodes_count, 5);
		for (size_t node = 0; node < tree.nodes_count; node++)
			assert_int_equal(ctd_tree_values(&tree, node)[CTD_TREE_SLOTS],
					 ctd_tree_base(&tree, node)[CTD_TREE_SLOTS]);
		ctd_tree_free(&tree);
		ctd_stacks_free(common);
		sample_end(&sample);
		sample_end(&base);
	}
}

static void both_sides_have_as_many_slots(void **state)
{
	struct sample after, before;

	(void)state;
	sample_make(&before);
	make_after(&after);
	struct ctd_stacks *common = join(&after, &before);
	struct ctd_tree tree;

	assert_int_equal(ctd_tree_make(&after.options, &after.profile, 0, &tree), 0);
	assert_int_equal(ctd_tree_values(&tree, 0)[2], 500 * (uint64_t)SCENE_SLOTS_PER_MS);
	/* Rounded in each stack. */
	assert_in_range(ctd_tree_base(&tree, 0)[2], 500 * (uint64_t)SCENE_SLOTS_PER_MS - 20,
			500 * (uint64_t)SCENE_SLOTS_PER_MS + 20);
	ctd_tree_free(&tree);
	ctd_stacks_free(common);
	sample_end(&after);
	sample_end(&before);
}

static void people_see_what_came_and_what_went(void **state)
{
	struct sample after, before;

	(void)state;
	sample_make(&before);
	make_after(&after);
	struct ctd_stacks *common = join(&after, &before);
	struct ctd_strbuf out = sample_write(&after, &ctd_profile_difference);

	golden_compare("profile-80-difference.txt", out.text);
	ctd_strbuf_free(&out);
	struct ctd_weight memory = sample_weight(&after, "memory_bound");

	after.options.weight = &memory;
	after.options.colour = true;
	out = sample_write(&after, &ctd_profile_difference);
	golden_compare("profile-80-difference-memory-colour.txt", out.text);
	ctd_strbuf_free(&out);
	after.options.weight = NULL;
	out = sample_write(&after, &ctd_profile_folded);
	golden_compare("profile-difference.folded", out.text);
	ctd_strbuf_free(&out);
	ctd_stacks_free(common);
	sample_end(&after);
	sample_end(&before);
}

static void a_flame_graph_has_both(void **state)
{
	struct sample after, before;

	(void)state;
	sample_make(&before);
	make_after(&after);
	struct ctd_stacks *common = join(&after, &before);
	struct ctd_strbuf out = sample_write(&after, &ctd_profile_svg);

	assert_non_null(strstr(out.text, "\"base\":[["));
	assert_non_null(strstr(out.text, "class=\"added\""));
	assert_non_null(strstr(out.text, "class=\"gone\""));
	/* A row of the base alone has its name. */
	assert_non_null(strstr(out.text, "cri:bbbbbbbbbbbb"));
	ctd_strbuf_free(&out);
	ctd_stacks_free(common);
	sample_end(&after);
	sample_end(&before);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_profile_is_no_other_than_itself),
		cmocka_unit_test(namesakes_in_two_namespaces_are_two),
		cmocka_unit_test(a_container_that_was_restarted_is_one),
		cmocka_unit_test(both_sides_have_as_many_slots),
		cmocka_unit_test(people_see_what_came_and_what_went),
		cmocka_unit_test(a_flame_graph_has_both),
	};

	if (!setlocale(LC_ALL, "C.UTF-8")) {
		print_message("there is no locale C.UTF-8\n");
		return 77;
	}
	return cmocka_run_group_tests(tests, NULL, NULL);
}
