/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* judge.c - reads opened counters, and judges whether they count. */
#include <cgtopdown/counters.h>
#include <cgtopdown/metric.h>

#include <errno.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

/* Level 1 in the order of PERF_METRICS' events, behind slots. */
#define BAD_SPEC 2
#define LEVEL1_FIRST 1
#define LEVEL1_LAST 4

/* What is wrong with the counts of PERF_METRICS, where slots count; or NULL. */
static const char *judge_perf_metrics(const struct ctd_counter_plan *plan, const uint64_t *count)
{
	double level1 = 0;

	for (int i = LEVEL1_FIRST; i <= LEVEL1_LAST && i < plan->events_count; i++)
		level1 += (double)count[i];
	if (count[BAD_SPEC] == count[0])
		return "topdown-bad-spec equals slots, as in virtual machines without PERF_METRICS";
	if (level1 < 0.9 * (double)count[0] || level1 > 1.1 * (double)count[0])
		return "the four of level 1 do not add up to slots";
	return NULL;
}

static const char *judge_values(const struct ctd_cpu_model *model,
				const struct ctd_metric_set *metrics, const double *count)
{
	double level1 = 0;

	for (int i = 0; i < model->nodes_count; i++) {
		double ratio = model->nodes[i].level == 1 ? ctd_metric_value(metrics, i, count) : 0;

		if (model->nodes[i].role == CTD_ROLE_RETIRING && !(ratio > 0))
			return "a busy CPU retires nothing by them, as in virtual machines that hide events";
		level1 += ratio;
	}
	if (!model->slots_per_count && !(level1 > 0))
		return "a busy CPU never stalls by them, as in virtual machines that hide events";
	return level1 > 1.1 ? "the parts of level 1 are more than the whole" : NULL;
}

/* The same of counters that each have an event of their own: by what the formulas make of them. */
static const char *judge_nodes(const struct ctd_cpu_model *model, const uint64_t *count,
			       int counters_count)
{
	double as_double[CTD_COUNTERS_MAX + 1] = {0};
	struct ctd_metric_set *metrics;
	const char *lie;

	for (int i = 0; i < counters_count; i++)
		as_double[i] = (double)count[i];
	if (ctd_metric_set_new(model, &metrics))
		return "there is no memory to evaluate them";
	lie = judge_values(model, metrics, as_double);
	ctd_metric_set_free(metrics);
	return lie;
}

int ctd_counters_read(const struct ctd_counters *counters, int cpu, uint64_t *ret_count,
		      uint64_t *ret_enabled_ns, uint64_t *ret_running_ns)
{
	/* As of PERF_FORMAT_GROUP, _TOTAL_TIME_ENABLED and _RUNNING, in read(2)'s order. All of the
	 * group at once: one by one, counts would be of two instants after an interruption. */
	struct {
		uint64_t events_count, enabled_ns, running_ns, count[CTD_COUNTERS_MAX];
	} group;
	size_t fixed_bytes = offsetof(typeof(group), count);
	size_t count_bytes = (size_t)counters->events_count * sizeof(*group.count);
	int step = ctd_counters_group_of(counters, cpu, counters->step);
	ssize_t bytes = read(*ctd_counters_group(counters, cpu, step), &group, sizeof(group));

	if (bytes < 0)
		return -errno;
	/* End of file: the group is in error state (perf_event_open(2), pinned). */
	if ((size_t)bytes != fixed_bytes + count_bytes)
		return -ENODATA;
	memcpy(ret_count, group.count, count_bytes);
	*ret_enabled_ns = group.enabled_ns;
	*ret_running_ns = group.running_ns;
	return 0;
}

int ctd_counters_judge(const struct ctd_counter_plan *plan, const uint64_t *count,
		       uint64_t running_ns, char ret_why[160])
{
	const char *lie = NULL;

	if (!running_ns)
		lie = "they are never on the PMU: another program holds it";
	else if (!plan->model)
		return 0;
	else if (!count[0])
		lie = plan->model->slots_per_count == 1
			      ? "slots stays 0 on a busy CPU, as in virtual machines without the fixed counter"
			      : "cycles stay 0 on a busy CPU, as in virtual machines without the counter";
	else if (plan->topdown_refresh)
		lie = judge_perf_metrics(plan, count);
	else
		lie = judge_nodes(plan->model, count, plan->events_count);
	if (!lie)
		return 0;
	snprintf(ret_why, 160, "the counters open but do not count: %s", lie);
	return -ENODATA;
}
