/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* tree.h - stacks with common callers put together: a flame graph. Private to user/profile_sink/. */
#ifndef PROFILE_SINK_TREE_H
#define PROFILE_SINK_TREE_H

#include "profile_sink/weights.h"

#define CTD_TREE_ROOT 0 /* of all rows */

/* Indices of weights: slots are there if any row has them. An event takes the place of CPU time. */
enum { CTD_TREE_CPU = 1, CTD_TREE_SLOTS = 2 };

/* The function of a node that stands for all callees of one that are too small. */
#define CTD_TREE_REST UINT32_MAX

/* A frame with all that it called. */
struct ctd_tree_node {
	uint32_t parent; /* index; the root's own is 0 */
	uint32_t function; /* of the stacks; of the root 0; of a row its index in the profile, and
			      behind those the rows that only the base has; CTD_TREE_REST */
	uint32_t depth; /* root 0, rows 1 */
};

_Static_assert(CTD_WEIGHTS_MAX <= 64, "a bit each");

/* In preorder: what a node called follows it, the largest first. */
struct ctd_tree {
	struct ctd_weight weights[CTD_WEIGHTS_MAX];
	int weights_count;
	struct ctd_tree_node *nodes; /* owned */
	uint64_t *values; /* owned; of each node with all that it called: the weights; slots whose
			     shares are from windows of their own stacks; with a base its weights */
	int stride; /* values of each node */
	/* Owned; by rows as nodes have them: a bit for each weight that the row does not tell, of
	 * the profile and of the base. Values there, and below, are 0 and mean nothing. */
	uint64_t *lacks, *base_lacks;
	uint64_t all_lack, all_base_lack; /* what no row tells */
	size_t nodes_count;
	uint32_t depth_max;
};

/* Nodes with less than 1 / @p parts of their row are left out, with all that they called: those of
 * one parent are one node, CTD_TREE_REST. 0: none are. @return 0 or -ENOMEM. */
int ctd_tree_make(const struct ctd_profile_sink_options *options, const struct ctd_profile *profile,
		  uint64_t parts, struct ctd_tree *ret_tree);
void ctd_tree_free(struct ctd_tree *tree);

static inline const uint64_t *ctd_tree_values(const struct ctd_tree *tree, size_t node)
{
	return &tree->values[node * (size_t)tree->stride];
}

/* Those of the base, scaled. */
static inline const uint64_t *ctd_tree_base(const struct ctd_tree *tree, size_t node)
{
	return ctd_tree_values(tree, node) + tree->weights_count + 1;
}

#endif
