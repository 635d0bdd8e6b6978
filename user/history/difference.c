/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* difference.c - what changed from one series to another, and whether it is more than chance. */
#include "history/difference.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/auto.h"

/* Half of the last digit that is shown: 0.1 %. */
#define CHANGE_LEAST 0.0005

/* How often what is chance may seem to be none. */
#define CHANCE 0.05
/* Points of nearly one length are as many as they are. */
#define NEARLY 0.1

/* Of a ratio of sums over points. */
struct estimate {
	double ratio, variance; /* NaN: not known */
	int freedom; /* degrees of freedom; 0: not known */
};

static const struct estimate unknown = {NAN, NAN, 0};

struct making {
	const struct ctd_series *before, *after;
	struct ctd_difference difference;
	double *t; /* borrowed; by degrees of freedom, fewer than points; 0: not searched for yet */
};

/* How much of Student's distribution is between -t and t (Abramowitz and Stegun, 26.7.3 and 4). */
static double student_within(double t, int freedom)
{
	double angle = atan(t / sqrt(freedom)), square = cos(angle) * cos(angle);
	double term = freedom % 2 ? cos(angle) : 1, sum = 0;

	for (int i = freedom % 2 ? 3 : 2; i <= freedom; i += 2) {
		sum += term;
		term *= square * (i - 1) / i;
	}
	sum *= sin(angle);
	return freedom % 2 ? (angle + sum) * M_2_PI : sum;
}

/* Between -t and t there is all of Student's distribution but for CHANCE. */
static double find_t(int freedom)
{
	double low = 0, high = 1;

	while (student_within(high, freedom) < 1 - CHANCE)
		high *= 2;
	for (int i = 0; i < 50; i++) {
		double middle = (low + high) / 2;

		*(student_within(middle, freedom) < 1 - CHANCE ? &low : &high) = middle;
	}
	return high;
}

/* It is searched for once: figures have few different degrees of freedom. */
static double t_of(struct making *making, int freedom)
{
	if (!freedom)
		return NAN;
	if (!making->t[freedom])
		making->t[freedom] = find_t(freedom);
	return making->t[freedom];
}

/* @p none: what a part is where it is absent; NaN: the point then tells nothing. */
static double part_at(const uint64_t *part, size_t point, double none)
{
	return part && part[point] != CTD_SERIES_ABSENT ? (double)part[point] : none;
}

static bool is_told(const uint64_t *part, const uint64_t *whole, size_t point, double none)
{
	return whole[point] != CTD_SERIES_ABSENT && !isnan(part_at(part, point, none));
}

static struct estimate estimate(const uint64_t *part, const uint64_t *whole, size_t points,
				double none)
{
	double parts = 0, wholes = 0, squares = 0, besides = 0, count = 0, effective;
	struct estimate found = unknown;

	if (!whole)
		return unknown;
	for (size_t i = 0; i < points; i++) {
		if (!is_told(part, whole, i, none))
			continue;
		parts += part_at(part, i, none);
		wholes += (double)whole[i];
		squares += (double)whole[i] * (double)whole[i];
		count++;
	}
	if (!(wholes > 0))
		return unknown;
	found.ratio = parts / wholes;
	effective = wholes * wholes / squares;
	if (effective < 2 - NEARLY)
		return found;
	found.freedom = (int)(effective + NEARLY) - 1;
	for (size_t i = 0; i < points; i++) {
		double beside;

		if (!is_told(part, whole, i, none))
			continue;
		beside = (part_at(part, i, none) - found.ratio * (double)whole[i]) /
			 (1 - (double)whole[i] / wholes);
		besides += beside * beside;
	}
	found.variance = besides * (count - 1) / count / (wholes * wholes);
	return found;
}

static struct ctd_change change_of(struct making *making, const struct estimate *before,
				   const struct estimate *after)
{
	struct ctd_change change = {.before = before->ratio,
				    .after = after->ratio,
				    .error = sqrt(before->variance + after->variance),
				    .freedom = before->freedom < after->freedom ? before->freedom
										: after->freedom};
	double size = fabs(after->ratio - before->ratio);

	change.limit = t_of(making, change.freedom) * change.error;
	/* Comparisons with NaN are false: then it is noise. */
	change.is_noise = !(size > change.limit && size >= CHANGE_LEAST);
	return change;
}

/* Beside @p figures - 1 others? */
static bool stands_out(const struct ctd_change *change, int figures)
{
	return !change->is_noise &&
	       student_within(fabs(change->after - change->before) / change->error,
			      change->freedom) > 1 - CHANCE / figures;
}

static bool is_noise(const struct ctd_difference *difference, const struct ctd_difference_row *row)
{
	int figures = row->cpu.freedom > 0;
	bool stands;

	for (int i = 0; i < difference->nodes_count; i++)
		figures += row->nodes[i].freedom > 0;
	stands = stands_out(&row->cpu, figures);
	for (int i = 0; i < difference->nodes_count && !stands; i++)
		stands = stands_out(&row->nodes[i], figures);
	return !stands;
}

/* All time is accounted for: a row that is not there used none. */
static struct estimate estimate_cpu(const struct ctd_series *series,
				    const struct ctd_series_row *row)
{
	return estimate(row ? row->columns[CTD_SERIES_CPU_NS] : NULL, series->window_ns,
			series->points, 0);
}

static struct estimate estimate_node(const struct ctd_series *series,
				     const struct ctd_series_row *row, const struct ctd_node *node)
{
	int i = ctd_series_find_node(series->nodes, series->nodes_count, node->name);

	if (!row || i < 0)
		return unknown;
	return estimate(row->columns[CTD_SERIES_NODES + i], row->wholes[i], series->points, NAN);
}

/* Of CPU time, what a node has. A row that used none has none of it in any node. */
static double cpu_of_node(double cpu, double share)
{
	return cpu > 0 ? cpu * share : 0;
}

static double moved_of(const struct ctd_difference *difference,
		       const struct ctd_difference_row *row)
{
	double moved = 0;

	for (int i = 0; i < difference->nodes_count; i++)
		if (difference->nodes[i]->level == 1)
			moved += fabs(cpu_of_node(row->cpu.after, row->nodes[i].after) -
				      cpu_of_node(row->cpu.before, row->nodes[i].before));
	/* Where slots are not known, CPU time is. */
	return fmax(moved, fabs(row->cpu.after - row->cpu.before));
}

static bool is_last(const char *kind)
{
	return strcmp(kind, ctd_rollup_kind_name(CTD_ROLLUP_KERNEL)) == 0 ||
	       strcmp(kind, ctd_rollup_kind_name(CTD_ROLLUP_IDLE)) == 0 ||
	       strcmp(kind, ctd_rollup_kind_name(CTD_ROLLUP_OTHER)) == 0;
}

/* @p was or @p is may be NULL: it is in one series only. */
static void add_row(struct making *making, const struct ctd_series_row *was,
		    const struct ctd_series_row *is)
{
	struct ctd_difference *difference = &making->difference;
	const struct ctd_series_row *any = is ? is : was;
	struct ctd_difference_row *row = &difference->rows[difference->rows_count++];
	struct estimate cpu_before = estimate_cpu(making->before, was);
	struct estimate cpu_after = estimate_cpu(making->after, is);

	*row = (struct ctd_difference_row){.kind = any->kind,
					   .name = any->name,
					   .core = any->core,
					   .cpu = change_of(making, &cpu_before, &cpu_after),
					   .is_last = is_last(any->kind)};
	for (int i = 0; i < difference->nodes_count; i++) {
		struct estimate old = estimate_node(making->before, was, difference->nodes[i]);
		struct estimate new = estimate_node(making->after, is, difference->nodes[i]);

		row->nodes[i] = change_of(making, &old, &new);
	}
	row->is_noise = is_noise(difference, row);
	row->moved = moved_of(difference, row);
}

static int find_node(const struct ctd_difference *difference, const char *name)
{
	return ctd_series_find_node(difference->nodes, difference->nodes_count, name);
}

static void add_nodes(struct ctd_difference *difference, const struct ctd_series *series)
{
	for (int i = 0; i < series->nodes_count; i++)
		if (find_node(difference, series->nodes[i]->name) < 0 &&
		    difference->nodes_count < CTD_NODES_MAX)
			difference->nodes[difference->nodes_count++] = series->nodes[i];
}

int ctd_difference_make(const struct ctd_series *before, const struct ctd_series *after,
			struct ctd_difference *ret_difference)
{
	size_t points = before->points > after->points ? before->points : after->points;
	autofree double *t = calloc(points + 1, sizeof(*t));
	struct making making = {.before = before, .after = after, .t = t};
	struct ctd_difference *difference = &making.difference;

	difference->rows =
		calloc(before->rows_count + after->rows_count + 1, sizeof(*difference->rows));
	if (!t || !difference->rows) {
		ctd_difference_free(difference);
		return -ENOMEM;
	}
	add_nodes(difference, after);
	add_nodes(difference, before);
	for (size_t i = 0; i < after->rows_count; i++)
		add_row(&making, ctd_series_find(before, after->rows[i].key), &after->rows[i]);
	for (size_t i = 0; i < before->rows_count; i++)
		if (!ctd_series_find(after, before->rows[i].key))
			add_row(&making, &before->rows[i], NULL);
	*ret_difference = *difference;
	return 0;
}

/* @p key: one that the difference has. */
static double weight_of(const struct ctd_difference *difference,
			const struct ctd_difference_row *row, const char *key)
{
	double change = row->moved;

	if (key && strcmp(key, "name") == 0)
		return 0;
	if (key) {
		const struct ctd_change *of = strcmp(key, "cpu") == 0
						      ? &row->cpu
						      : &row->nodes[find_node(difference, key)];

		change = of->after - of->before;
	}
	return isnan(change) ? -1 : fabs(change);
}

static bool has_key(const struct ctd_difference *difference, const char *key)
{
	return !key || strcmp(key, "cpu") == 0 || strcmp(key, "name") == 0 ||
	       find_node(difference, key) >= 0;
}

static int compare(const void *left, const void *right)
{
	const struct ctd_difference_row *a = left, *b = right;
	int order;

	if (a->is_last != b->is_last)
		return a->is_last ? 1 : -1;
	if (a->is_behind != b->is_behind)
		return a->is_behind ? 1 : -1;
	if (a->weight != b->weight)
		return a->weight < b->weight ? 1 : -1;
	order = strcmp(a->name, b->name);
	return order ? order : strcmp(a->core, b->core);
}

int ctd_difference_sort(struct ctd_difference *difference, const char *key)
{
	if (!has_key(difference, key))
		return -EINVAL;
	for (size_t i = 0; i < difference->rows_count; i++) {
		struct ctd_difference_row *row = &difference->rows[i];

		row->weight = weight_of(difference, row, key);
		/* Sorted by name, rows that are noise have no place of their own. */
		row->is_behind = row->is_noise && !(key && strcmp(key, "name") == 0);
	}
	qsort(difference->rows, difference->rows_count, sizeof(*difference->rows), compare);
	return 0;
}

void ctd_difference_free(struct ctd_difference *difference)
{
	free(difference->rows);
	*difference = (struct ctd_difference){0};
}
