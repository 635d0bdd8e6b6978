/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* tree.c - puts stacks with common callers together. */
#include "profile_sink/tree.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/auto.h"

#define NONE UINT32_MAX

/* A node on its way: children are a list. */
struct draft {
	uint32_t parent, function, depth;
	uint32_t first, next; /* child, sibling; NONE */
	uint32_t row; /* the node of its row */
};

struct drafts {
	const struct ctd_profile *profile, *base; /* base: NULL: none */
	double base_scale;
	struct ctd_tree *tree; /* its values are in the order of the drafts */
	struct draft *nodes; /* owned */
	size_t count, capacity;
};

static void drafts_free(struct drafts *drafts)
{
	free(drafts->nodes);
}

static size_t values_count(const struct drafts *drafts)
{
	return (size_t)drafts->tree->stride;
}

static int add_draft(struct drafts *drafts, uint32_t parent, uint32_t function, uint32_t *ret_node)
{
	uint32_t at = (uint32_t)drafts->count;

	if (drafts->count == drafts->capacity) {
		size_t capacity = at ? 2 * (size_t)at : 1024;
		void *nodes = reallocarray(drafts->nodes, capacity, sizeof(*drafts->nodes));
		void *values;

		if (!nodes || capacity >= NONE)
			return -ENOMEM;
		drafts->nodes = nodes;
		values = reallocarray(drafts->tree->values, capacity,
				      values_count(drafts) * sizeof(uint64_t));
		if (!values)
			return -ENOMEM;
		drafts->tree->values = values;
		drafts->capacity = capacity;
	}
	drafts->nodes[at] = (struct draft){parent, function, 0, NONE, NONE, at};
	memset(&drafts->tree->values[at * values_count(drafts)], 0,
	       values_count(drafts) * sizeof(uint64_t));
	drafts->count++;
	if (at != CTD_TREE_ROOT) {
		drafts->nodes[at].depth = drafts->nodes[parent].depth + 1;
		if (drafts->nodes[at].depth > 1)
			drafts->nodes[at].row = drafts->nodes[parent].row;
		drafts->nodes[at].next = drafts->nodes[parent].first;
		drafts->nodes[parent].first = at;
	}
	*ret_node = at;
	return 0;
}

/* What was called most recently comes first: stacks of a row are sorted, and have long common
 * parts. */
static int get_child(struct drafts *drafts, uint32_t parent, uint32_t function, uint32_t *ret_node)
{
	for (uint32_t at = drafts->nodes[parent].first; at != NONE; at = drafts->nodes[at].next) {
		if (drafts->nodes[at].function == function) {
			*ret_node = at;
			return 0;
		}
	}
	return add_draft(drafts, parent, function, ret_node);
}

static void add_values(struct drafts *drafts, uint32_t node, const struct ctd_profile_stack *stack,
		       bool is_base)
{
	const struct ctd_tree *tree = drafts->tree;

	for (;; node = drafts->nodes[node].parent) {
		uint64_t *values = &tree->values[node * values_count(drafts)];

		for (int i = 0; i < tree->weights_count; i++) {
			uint64_t value = ctd_weight_of(&tree->weights[i], stack);

			if (is_base)
				values[tree->weights_count + 1 + i] +=
					ctd_weight_scaled(value, drafts->base_scale);
			else
				values[i] += value;
		}
		if (stack->shares_of == CTD_SHARES_STACK && !is_base)
			values[tree->weights_count] += stack->slots;
		if (node == CTD_TREE_ROOT)
			break;
	}
}

static int add_stacks(struct drafts *drafts, uint32_t top, const struct ctd_profile_row *from,
		      bool is_base)
{
	for (size_t i = 0; i < from->stacks_count; i++) {
		uint32_t node = top;
		size_t count;
		const uint32_t *frames =
			ctd_profile_frames(drafts->profile, &from->stacks[i], &count);

		while (count > 0)
			if (get_child(drafts, node, frames[--count], &node))
				return -ENOMEM;
		add_values(drafts, node, &from->stacks[i], is_base);
	}
	return 0;
}

/* Slots also where no row has them. */
static uint64_t lacks_of(const struct ctd_tree *tree, const struct ctd_profile_row *row)
{
	static const struct ctd_weight slots = {CTD_WEIGHT_SLOTS, 0};
	uint64_t lacks = ctd_weight_is_told(&slots, row) ? 0 : 1ull << CTD_TREE_SLOTS;

	for (int i = 0; i < tree->weights_count; i++)
		if (!ctd_weight_is_told(&tree->weights[i], row))
			lacks |= 1ull << i;
	return lacks;
}

/* What none of the rows that ran tells. Where there is none, nothing is lacking. */
static uint64_t lack_of_all(const struct ctd_tree *tree, const struct ctd_profile *profile)
{
	uint64_t lack = UINT64_MAX;

	for (size_t i = 0; i < profile->rows_count; i++)
		if (profile->rows[i].cpu_ns)
			lack &= lacks_of(tree, &profile->rows[i]);
	return lack == UINT64_MAX ? 0 : lack;
}

/* @p same: ctd_profile_match_rows(); NULL: each row is one by itself. */
static int add_rows(struct drafts *drafts, const uint32_t *same)
{
	int error = 0;

	drafts->tree->all_lack = lack_of_all(drafts->tree, drafts->profile);
	for (uint32_t row = 0; !error && row < drafts->profile->rows_count; row++) {
		uint32_t first = same ? same[row] : row, top;

		drafts->tree->lacks[first] |= lacks_of(drafts->tree, &drafts->profile->rows[row]);
		error = first == row ? add_draft(drafts, CTD_TREE_ROOT, row, &top)
				     : get_child(drafts, CTD_TREE_ROOT, first, &top);
		if (!error)
			error = add_stacks(drafts, top, &drafts->profile->rows[row], false);
	}
	return error;
}

static int add_base(struct drafts *drafts, const uint32_t *same)
{
	const uint32_t *firsts = same + drafts->profile->rows_count;
	int error = 0;

	drafts->tree->all_base_lack = lack_of_all(drafts->tree, drafts->base);
	for (uint32_t row = 0; !error && row < drafts->base->rows_count; row++) {
		uint32_t top;

		drafts->tree->base_lacks[firsts[row]] |=
			lacks_of(drafts->tree, &drafts->base->rows[row]);
		error = get_child(drafts, CTD_TREE_ROOT, firsts[row], &top);
		if (!error)
			error = add_stacks(drafts, top, &drafts->base->rows[row], true);
	}
	return error;
}

static int add_both(struct drafts *drafts)
{
	autofree uint32_t *same = NULL;
	int error = drafts->base ? ctd_profile_match_rows(drafts->profile, drafts->base, &same) : 0;

	if (!error)
		error = add_rows(drafts, same);
	return error || !drafts->base ? error : add_base(drafts, same);
}

struct order {
	uint64_t value;
	uint32_t node;
};

static int compare_order(const void *left, const void *right)
{
	const struct order *a = left, *b = right;

	if (a->value != b->value)
		return a->value > b->value ? -1 : 1;
	return a->node < b->node ? -1 : a->node > b->node;
}

/* What sizes below the node are of: slots, or CPU time where they are not known. */
static int weight_below(const struct drafts *drafts, uint32_t node)
{
	const struct ctd_tree *tree = drafts->tree;
	uint32_t row = drafts->nodes[drafts->nodes[node].row].function;

	if (!drafts->profile->slots_known)
		return CTD_TREE_CPU;
	return node != CTD_TREE_ROOT &&
			       (tree->lacks[row] | tree->base_lacks[row]) >> CTD_TREE_SLOTS & 1
		       ? CTD_TREE_CPU
		       : CTD_TREE_SLOTS;
}

/* Of both. */
static uint64_t size_of(const struct drafts *drafts, uint32_t node, int weight)
{
	const uint64_t *values = &drafts->tree->values[node * values_count(drafts)];

	return values[weight] +
	       (drafts->base ? values[drafts->tree->weights_count + 1 + weight] : 0);
}

/* Adds one that is too small to those of its parent that are. */
static void leave_out(struct drafts *drafts, uint32_t node, uint32_t *rest)
{
	const uint64_t *from = &drafts->tree->values[node * values_count(drafts)];
	uint64_t *values;

	if (*rest == NONE) {
		*rest = node;
		drafts->nodes[node].function = CTD_TREE_REST;
		drafts->nodes[node].first = NONE;
		return;
	}
	values = &drafts->tree->values[*rest * values_count(drafts)];
	for (size_t i = 0; i < values_count(drafts); i++)
		values[i] += from[i];
}

/* Turns lists of children around so that the largest come first; leaves out what is too small. */
static int sort_children(struct drafts *drafts, uint64_t parts)
{
	for (uint32_t node = 0; node < drafts->count; node++) {
		autofree struct order *orders = NULL;
		size_t count = 0, kept = 0;
		uint32_t rest = NONE;
		int by = weight_below(drafts, node);

		for (uint32_t at = drafts->nodes[node].first; at != NONE;
		     at = drafts->nodes[at].next)
			count++;
		orders = malloc((count + 1) * sizeof(*orders));
		if (!orders)
			return -ENOMEM;
		for (uint32_t at = drafts->nodes[node].first; at != NONE;
		     at = drafts->nodes[at].next) {
			if (!parts || node == CTD_TREE_ROOT ||
			    size_of(drafts, at, by) >=
				    size_of(drafts, drafts->nodes[at].row, by) / parts)
				orders[kept++] = (struct order){size_of(drafts, at, by), at};
			else
				leave_out(drafts, at, &rest);
		}
		if (rest != NONE)
			orders[kept++] = (struct order){size_of(drafts, rest, by), rest};
		qsort(orders, kept, sizeof(*orders), compare_order);
		drafts->nodes[node].first = kept ? orders[0].node : NONE;
		for (size_t i = 0; i < kept; i++)
			drafts->nodes[orders[i].node].next =
				i + 1 < kept ? orders[i + 1].node : NONE;
	}
	return 0;
}

/* Takes the drafts over in preorder. */
static int take(struct drafts *drafts)
{
	struct ctd_tree *tree = drafts->tree;
	size_t bytes = values_count(drafts) * sizeof(uint64_t);
	autofree uint64_t *values = malloc(drafts->count * bytes);
	autofree uint32_t *place = malloc(drafts->count * sizeof(*place));
	uint32_t node = CTD_TREE_ROOT;

	tree->nodes = malloc(drafts->count * sizeof(*tree->nodes));
	if (!values || !place || !tree->nodes)
		return -ENOMEM;
	while (node != NONE) {
		const struct draft *from = &drafts->nodes[node];
		size_t at = tree->nodes_count++;

		place[node] = (uint32_t)at;
		tree->nodes[at] =
			(struct ctd_tree_node){place[from->parent], from->function, from->depth};
		memcpy(&values[at * values_count(drafts)],
		       &tree->values[node * values_count(drafts)], bytes);
		if (from->depth > tree->depth_max)
			tree->depth_max = from->depth;
		if (from->first != NONE) {
			node = from->first;
			continue;
		}
		while (node != CTD_TREE_ROOT && drafts->nodes[node].next == NONE)
			node = drafts->nodes[node].parent;
		node = node == CTD_TREE_ROOT ? NONE : drafts->nodes[node].next;
	}
	free(tree->values);
	tree->values = take_ptr(values);
	return 0;
}

static int make_lacks(struct drafts *drafts)
{
	size_t rows = drafts->profile->rows_count + (drafts->base ? drafts->base->rows_count : 0);

	drafts->tree->lacks = calloc(rows + 1, sizeof(uint64_t));
	drafts->tree->base_lacks = calloc(rows + 1, sizeof(uint64_t));
	return drafts->tree->lacks && drafts->tree->base_lacks ? 0 : -ENOMEM;
}

int ctd_tree_make(const struct ctd_profile_sink_options *options, const struct ctd_profile *profile,
		  uint64_t parts, struct ctd_tree *ret_tree)
{
	struct ctd_tree tree = {0};
	__attribute__((cleanup(drafts_free))) struct drafts drafts = {
		.profile = profile,
		.base = options->base,
		.base_scale = ctd_weight_base_scale(options, profile),
		.tree = &tree,
	};
	uint32_t root;
	int error;

	tree.weights_count = ctd_weights_list(profile, tree.weights);
	tree.stride = tree.weights_count + 1 + (options->base ? tree.weights_count : 0);
	error = make_lacks(&drafts);
	if (!error)
		error = add_draft(&drafts, CTD_TREE_ROOT, 0, &root);
	if (!error)
		error = add_both(&drafts);
	if (!error)
		error = sort_children(&drafts, parts);
	if (!error)
		error = take(&drafts);
	if (error) {
		ctd_tree_free(&tree);
		return error;
	}
	*ret_tree = tree;
	return 0;
}

void ctd_tree_free(struct ctd_tree *tree)
{
	free(tree->nodes);
	free(tree->values);
	free(tree->lacks);
	free(tree->base_lacks);
	*tree = (struct ctd_tree){0};
}
