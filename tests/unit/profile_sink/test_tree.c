/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* test_tree.c - frames that are too small to be seen are one, which has what they had. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "profile_sink/tree.h"
#include "unit/profile_sink/sample_profile.h"

/* What the outermost frames of all rows have together. */
static void add_up(const struct ctd_tree *tree, uint64_t sums[CTD_WEIGHTS_MAX])
{
	memset(sums, 0, CTD_WEIGHTS_MAX * sizeof(*sums));
	for (size_t i = 0; i < tree->nodes_count; i++)
		for (int weight = 0; tree->nodes[i].depth == 2 && weight < tree->weights_count;
		     weight++)
			sums[weight] += ctd_tree_values(tree, i)[weight];
}

static size_t count_rest(const struct ctd_tree *tree)
{
	size_t count = 0;

	for (size_t i = 0; i < tree->nodes_count; i++) {
		count += tree->nodes[i].function == CTD_TREE_REST;
		/* It has no callees, and a caller has one at most. */
		for (size_t k = i + 1; k < tree->nodes_count; k++)
			assert_false(tree->nodes[i].function == CTD_TREE_REST &&
				     (tree->nodes[k].parent == i ||
				      (tree->nodes[k].parent == tree->nodes[i].parent &&
				       tree->nodes[k].function == CTD_TREE_REST)));
	}
	return count;
}

static void small_callees_are_one_that_has_what_they_had(void **state)
{
	uint64_t whole[CTD_WEIGHTS_MAX], cut[CTD_WEIGHTS_MAX];
	struct sample sample;
	struct ctd_tree tree;

	(void)state;
	sample_make(&sample);
	assert_int_equal(ctd_tree_make(&sample.options, &sample.profile, 0, &tree), 0);
	assert_int_equal(count_rest(&tree), 0);
	add_up(&tree, whole);
	ctd_tree_free(&tree);
	assert_int_equal(ctd_tree_make(&sample.options, &sample.profile, 2, &tree), 0);
	assert_true(count_rest(&tree) > 0);
	add_up(&tree, cut);
	assert_true(whole[0] > 0);
	assert_memory_equal(cut, whole, sizeof(cut));
	ctd_tree_free(&tree);
	sample_end(&sample);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(small_callees_are_one_that_has_what_they_had),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
