/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* tree.h - the nodes of a core design that are of the tree, which come before the others. */
#ifndef TESTS_UNIT_CPU_TREE_H
#define TESTS_UNIT_CPU_TREE_H

#include <cgtopdown/cpu.h>

static inline int tree_nodes(const struct ctd_cpu_model *model)
{
	int count = 0;

	while (count < model->nodes_count && !ctd_node_is_ipc(&model->nodes[count]))
		count++;
	return count;
}

#endif
