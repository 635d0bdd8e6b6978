/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* evaluate.c - judges one row: the value of every node, which nodes are hot, which one to show. */
#include <cgtopdown/metric.h>

#include <assert.h>
#include <math.h>

#include "metric/set.h"

static struct ctd_value unknown(enum ctd_quality quality)
{
	return (struct ctd_value){.ratio = NAN, .quality = quality};
}

static struct ctd_value evaluate_node(const struct ctd_metric_set *set, int node,
				      const double *count, enum ctd_quality quality)
{
	double ratio;

	if (quality >= CTD_NO_DATA)
		return unknown(quality);
	ratio = ctd_metric_value(set, node, count);
	if (!isfinite(ratio))
		return unknown(CTD_NO_DATA);
	return (struct ctd_value){.ratio = fmin(fmax(ratio, 0), 1), .quality = quality};
}

/*
 * The difference between the sum of the level-1 counts and slots. It is large if a hypervisor
 * passes one counter for another; rounding and sharing counters with other users cause some
 * hundredths.
 */
static double level1_error(const struct ctd_cpu_model *model, const double *count,
			   int counters_count)
{
	double level1 = 0;

	for (int i = 0; i < 4; i++) {
		int which = model->l1_counters[i];

		if (which <= 0 || which >= counters_count)
			return 0;
		level1 += count[which];
	}
	return fabs(level1 - count[0]);
}

/* The best quality that these counts allow. */
static enum ctd_quality judge(const struct ctd_cpu_model *model, const double *count,
			      int counters_count)
{
	double slots = count[0] * (model->slots_per_count ? model->slots_per_count : 1);
	double error = level1_error(model, count, counters_count);
	double tolerated = CTD_L1_TOLERANCE_RATIO * slots;

	if (slots <= 0 || error > tolerated + CTD_SLOTS_CONFIDENT)
		return CTD_NO_DATA;
	return slots < CTD_SLOTS_CONFIDENT || error > tolerated ? CTD_LOW_CONFIDENCE : CTD_OK;
}

void ctd_metric_evaluate(const struct ctd_metric_set *set, const uint64_t *count,
			 int counters_count, int groups_count, enum ctd_quality quality,
			 struct ctd_value *ret_values)
{
	double group_count[CTD_GROUPS_MAX][CTD_COUNTERS_MAX + 1] = {0};
	enum ctd_quality group_quality[CTD_GROUPS_MAX];
	const struct ctd_cpu_model *model = set->model;

	assert(counters_count >= 0 && counters_count <= CTD_COUNTERS_MAX);
	assert(groups_count >= 1 && groups_count <= CTD_GROUPS_MAX);
	for (int group = 0; group < groups_count; group++) {
		enum ctd_quality best;

		for (int i = 0; i < counters_count; i++)
			group_count[group][i] = (double)count[group * counters_count + i];
		/* Level 1's parts are looked at in the group that has all four. */
		best = judge(model, group_count[group], group == 0 ? counters_count : 0);
		group_quality[group] = best > quality ? best : quality;
	}
	for (int i = 0; i < model->nodes_count; i++) {
		const struct ctd_node *node = &model->nodes[i];

		if (ctd_node_is_ipc(node) || node->group >= groups_count ||
		    node->counters > counters_count)
			ret_values[i] = unknown(CTD_UNSUPPORTED);
		else
			ret_values[i] = evaluate_node(set, i, group_count[node->group],
						      group_quality[node->group]);
	}
}

static struct ctd_value evaluate_ipc(const struct ctd_metric_set *set, int node,
				     const double *count, enum ctd_quality quality)
{
	bool may_be_none = set->model->nodes[node].unit == CTD_UNIT_PER_THOUSAND;
	double value;

	if (quality >= CTD_NO_DATA)
		return unknown(quality);
	value = ctd_metric_value(set, node, count);
	if (!isfinite(value) || value < 0 || (!may_be_none && value == 0))
		return unknown(CTD_NO_DATA);
	return (struct ctd_value){.ratio = value, .quality = quality};
}

void ctd_metric_evaluate_ipc(const struct ctd_metric_set *set, const uint64_t *count,
			     int counters_count, uint64_t time_ns, enum ctd_quality quality,
			     struct ctd_value *ret_values)
{
	double as_double[CTD_COUNTERS_MAX + 1] = {[CTD_COUNT_TIME_NS] = (double)time_ns};
	const struct ctd_cpu_model *model = set->model;
	enum ctd_quality best;

	assert(counters_count >= 0 && counters_count <= CTD_COUNTERS_MAX);
	for (int i = 0; i < counters_count; i++)
		as_double[i] = (double)count[i];
	best = judge(model, as_double, 0);
	if (best < quality)
		best = quality;
	for (int i = 0; i < model->nodes_count; i++) {
		const struct ctd_node *node = &model->nodes[i];

		if (!ctd_node_is_ipc(node))
			continue;
		ret_values[i] = node->counters > counters_count
					? unknown(CTD_UNSUPPORTED)
					: evaluate_ipc(set, i, as_double, best);
	}
}

static void take_ratios(const struct ctd_metric_set *set, const struct ctd_value *values,
			double ret_ratio[CTD_NODES_MAX])
{
	for (int i = 0; i < set->model->nodes_count; i++)
		ret_ratio[i] = ctd_value_known(values[i]) ? values[i].ratio : NAN;
}

static bool is_hot(const struct ctd_metric_set *set, const double *ratio, int node)
{
	return set->conditions[node] && !isnan(ratio[node]) &&
	       ctd_expr_evaluate(set->conditions[node], ratio) > 0;
}

bool ctd_metric_hot(const struct ctd_metric_set *set, const struct ctd_value *values, int node)
{
	double ratio[CTD_NODES_MAX];

	take_ratios(set, values, ratio);
	return is_hot(set, ratio, node);
}

/* Much retiring is none, and what the core's other hyper-thread got is none of the row's own. */
static bool is_bottleneck(const struct ctd_node *node)
{
	return node->role != CTD_ROLE_RETIRING && node->role != CTD_ROLE_SMT_CONTENTION;
}

/* The hot node with the largest ratio among the children of @p parent, -1 being the root. */
static int largest_hot_child(const struct ctd_metric_set *set, const double *ratio, int parent)
{
	const struct ctd_cpu_model *model = set->model;
	int largest = -1;

	for (int i = 0; i < model->nodes_count; i++) {
		if (model->nodes[i].parent != parent || !is_bottleneck(&model->nodes[i]) ||
		    !is_hot(set, ratio, i))
			continue;
		if (largest < 0 || ratio[i] > ratio[largest])
			largest = i;
	}
	return largest;
}

int ctd_metric_dominant(const struct ctd_metric_set *set, const struct ctd_value *values, int level)
{
	double ratio[CTD_NODES_MAX];
	int dominant = -1;

	take_ratios(set, values, ratio);
	for (int depth = 1; depth <= level; depth++) {
		int child = largest_hot_child(set, ratio, dominant);

		if (child < 0)
			break;
		dominant = child;
	}
	return dominant;
}
