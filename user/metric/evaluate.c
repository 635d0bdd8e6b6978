/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* evaluate.c - judges one row: the value of every node, which nodes are hot, which one to show. */
#include <cgtopdown/metric.h>

#include <assert.h>
#include <math.h>
#include <string.h>

#include "metric/set.h"

static struct ctd_value unknown(enum ctd_quality quality)
{
	return (struct ctd_value){.ratio = NAN, .quality = quality};
}

static struct ctd_value judge_ratio(double ratio, enum ctd_quality quality)
{
	if (quality >= CTD_NO_DATA)
		return unknown(quality);
	if (!isfinite(ratio))
		return unknown(CTD_NO_DATA);
	/* Not by fmax() and fmin(): those are calls. */
	if (ratio > 1)
		ratio = 1;
	else if (!(ratio > 0))
		ratio = 0;
	return (struct ctd_value){.ratio = ratio, .quality = quality};
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

static bool is_counted(const struct ctd_node *node, int counters_count, int groups_count)
{
	return !ctd_node_is_ipc(node) && node->group < groups_count &&
	       node->counters <= counters_count;
}

/* Those of a group. @return the quality of what they come to, which is not better than @p quality. */
static enum ctd_quality take_counts(const struct ctd_cpu_model *model, int group,
				    const uint64_t *count, int counters_count,
				    enum ctd_quality quality, double *inputs)
{
	enum ctd_quality best;

	for (int i = 0; i < counters_count; i++)
		inputs[i] = (double)count[i];
	/* Level 1's parts are looked at in the group that has all four. */
	best = judge(model, inputs, group == 0 ? counters_count : 0);
	return best > quality ? best : quality;
}

void ctd_metric_evaluate(const struct ctd_metric_set *set, const uint64_t *count,
			 int counters_count, int groups_count, enum ctd_quality quality,
			 struct ctd_value *ret_values)
{
	double values[METRIC_INPUTS + SHARED_OPERATIONS_MAX];
	enum ctd_quality group_quality[CTD_GROUPS_MAX];
	const struct ctd_cpu_model *model = set->model;
	size_t end = 0;

	assert(counters_count >= 0 && counters_count <= CTD_COUNTERS_MAX);
	assert(groups_count >= 1 && groups_count <= CTD_GROUPS_MAX);
	memset(values, 0, METRIC_INPUTS * sizeof(*values));
	for (int group = 0; group < groups_count; group++) {
		group_quality[group] = take_counts(
			model, group,
			/* Without counters there are no counts to point into. */
			counters_count ? &count[(ptrdiff_t)group * counters_count] : NULL,
			counters_count, quality, &values[(ptrdiff_t)group * METRIC_GROUP_INPUTS]);
	}
	for (int i = 0; i < model->nodes_count; i++) {
		if (is_counted(&model->nodes[i], counters_count, groups_count))
			end = set->end[i] > end ? set->end[i] : end;
	}
	ctd_shared_run(&set->shared[false], end, values);
	for (int i = 0; i < model->nodes_count; i++) {
		const struct ctd_node *node = &model->nodes[i];

		ret_values[i] =
			is_counted(node, counters_count, groups_count)
				? judge_ratio(values[set->place[i]], group_quality[node->group])
				: unknown(CTD_UNSUPPORTED);
	}
}

struct ctd_value ctd_metric_evaluate_node(const struct ctd_metric_set *set, int node,
					  const uint64_t *count, int counters_count,
					  enum ctd_quality quality)
{
	double values[METRIC_INPUTS + SHARED_OPERATIONS_MAX];
	const struct ctd_node *of = &set->model->nodes[node];
	enum ctd_quality best;

	if (!is_counted(of, counters_count, CTD_GROUPS_MAX))
		return unknown(CTD_UNSUPPORTED);
	memset(values, 0, METRIC_INPUTS * sizeof(*values));
	best = take_counts(set->model, of->group, count, counters_count, quality,
			   &values[(ptrdiff_t)of->group * METRIC_GROUP_INPUTS]);
	ctd_shared_run(&set->shared[false], set->end[node], values);
	return judge_ratio(values[set->place[node]], best);
}

static struct ctd_value judge_ipc(const struct ctd_node *node, double value,
				  enum ctd_quality quality)
{
	bool may_be_none = node->unit == CTD_UNIT_PER_THOUSAND;

	if (quality >= CTD_NO_DATA)
		return unknown(quality);
	if (!isfinite(value) || value < 0 || (!may_be_none && value == 0))
		return unknown(CTD_NO_DATA);
	return (struct ctd_value){.ratio = value, .quality = quality};
}

void ctd_metric_evaluate_ipc(const struct ctd_metric_set *set, const uint64_t *count,
			     int counters_count, uint64_t time_ns, enum ctd_quality quality,
			     struct ctd_value *ret_values)
{
	double values[METRIC_INPUTS + SHARED_OPERATIONS_MAX];
	const struct ctd_cpu_model *model = set->model;
	enum ctd_quality best;

	assert(counters_count >= 0 && counters_count <= CTD_COUNTERS_MAX);
	memset(values, 0, METRIC_INPUTS * sizeof(*values));
	values[CTD_COUNT_TIME_NS] = (double)time_ns;
	for (int i = 0; i < counters_count; i++)
		values[i] = (double)count[i];
	best = judge(model, values, 0);
	if (best < quality)
		best = quality;
	ctd_shared_run(&set->shared[true], set->shared[true].count, values);
	for (int i = 0; i < model->nodes_count; i++) {
		const struct ctd_node *node = &model->nodes[i];

		if (!ctd_node_is_ipc(node))
			continue;
		ret_values[i] = node->counters > counters_count
					? unknown(CTD_UNSUPPORTED)
					: judge_ipc(node, values[set->place[i]], best);
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
		if (model->nodes[i].parent != parent || !is_bottleneck(&model->nodes[i]))
			continue;
		/* The comparison first: a condition takes longer. */
		if ((largest < 0 || ratio[i] > ratio[largest]) && is_hot(set, ratio, i))
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
