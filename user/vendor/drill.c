/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* drill.c - keeps means of each row's metrics over the intervals, and forgets rows that ended. */
#include "vendor/drill.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#define TENTH_NS 1e8
/* What has less CPU time in an interval than this, or than a hundredth of it, has no figure that
 * says anything: nothing is kept of it. */
#define ROW_LEAST_NS 10000000ull
#define ROW_LEAST_PART 100
/* Each has some 9 kB with a whole tree. Where there are half as many, those that do not run are
 * forgotten at once. */
#define ROWS_MAX 4096
#define FORGET_S 30.0
/* As for rows of an interval: where others had the counters for nine tenths of the time, what is
 * left is a guess. */
#define SOUND_RUNNING 0.1

const char *ctd_drill_confidence_name(enum ctd_drill_confidence confidence)
{
	static const char *const names[] = {
		[CTD_DRILL_UNKNOWN] = "unknown", [CTD_DRILL_LOW] = "low", [CTD_DRILL_HIGH] = "high"};

	return names[confidence];
}

static size_t counts_of_row(const struct ctd_drill *drill)
{
	const struct ctd_rotation *rotation = &drill->counting->rotation;

	return (size_t)rotation->groups_count * (size_t)rotation->events_count;
}

static bool new_batch(struct ctd_drill *drill)
{
	size_t groups = (size_t)drill->counting->rotation.groups_count;
	struct ctd_drill_batch *batch = &drill->batch;

	batch->counts = calloc(CTD_EXPR_LANES, (counts_of_row(drill) + 1) * sizeof(uint64_t));
	batch->count_ns = calloc(CTD_EXPR_LANES, (groups + 1) * sizeof(uint64_t));
	batch->values = calloc(CTD_EXPR_LANES,
			       (drill->counting->metrics_count + 1) * sizeof(*batch->values));
	return batch->counts && batch->count_ns && batch->values;
}

/* @return is any metric that is counted at the top of a tree? */
static bool find_parents(struct ctd_drill *drill)
{
	const struct ctd_vendor_counting *counting = drill->counting;
	bool any = false;

	for (size_t i = 0; i < counting->metrics_count; i++) {
		drill->parents[i] = ctd_drill_parent(counting, i);
		drill->retires[i] =
			ctd_drill_retires(&counting->table->metrics[counting->metrics[i].metric]);
		any |= drill->parents[i] == CTD_DRILL_TOP && counting->metrics[i].group >= 0;
	}
	return any;
}

int ctd_drill_new(const struct ctd_vendor_counting *counting, double memory_s,
		  struct ctd_drill **ret_drill)
{
	struct ctd_drill *drill = calloc(1, sizeof(*drill));
	size_t all = counting->table->metrics_count;

	if (!drill)
		return -ENOMEM;
	drill->counting = counting;
	drill->memory_s = memory_s;
	drill->interval = 1;
	drill->parents = calloc(counting->metrics_count + 1, sizeof(*drill->parents));
	drill->retires = calloc(counting->metrics_count + 1, sizeof(*drill->retires));
	drill->asks_parts = calloc(counting->metrics_count + 1, sizeof(*drill->asks_parts));
	drill->values = calloc(all + 1, sizeof(*drill->values));
	drill->raised = calloc(all + 1, sizeof(*drill->raised));
	if (!new_batch(drill) || !drill->parents || !drill->retires || !drill->asks_parts ||
	    !drill->values || !drill->raised) {
		ctd_drill_free(drill);
		return -ENOMEM;
	}
	if (!find_parents(drill)) {
		ctd_drill_free(drill);
		return -ENOENT;
	}
	for (size_t i = 0; i < counting->metrics_count; i++)
		drill->asks_parts[i] = ctd_drill_asks_parts(drill, i);
	ctd_drill_share(drill);
	*ret_drill = drill;
	return 0;
}

static void free_row(struct ctd_drill_row *row)
{
	free(row->nodes);
	free(row->seen);
}

void ctd_drill_free(struct ctd_drill *drill)
{
	if (!drill)
		return;
	for (size_t i = 0; i < drill->rows_count; i++)
		free_row(&drill->rows[i]);
	free(drill->rows);
	ctd_idmap_free(&drill->row_of);
	free(drill->batch.counts);
	free(drill->batch.count_ns);
	free(drill->batch.values);
	free(drill->parents);
	free(drill->retires);
	free(drill->asks_parts);
	free(drill->values);
	free(drill->raised);
	free(drill);
}

/* The last row takes its place. */
static void forget(struct ctd_drill *drill, size_t index)
{
	struct ctd_drill_row *row = &drill->rows[index];

	ctd_idmap_remove(&drill->row_of, row->key);
	free_row(row);
	*row = drill->rows[--drill->rows_count];
	if (index < drill->rows_count)
		ctd_idmap_set(&drill->row_of, row->key, index);
}

void ctd_drill_begin(struct ctd_drill *drill)
{
	double most_s = drill->rows_count > ROWS_MAX / 2 ? 0 : FORGET_S;

	drill->interval++;
	drill->elapsed_ns = 0;
	for (size_t at = drill->rows_count; at-- > 0;)
		if (drill->now_s - drill->rows[at].ran_s > most_s)
			forget(drill, at);
}

static bool make_room(struct ctd_drill *drill)
{
	size_t room = drill->rows_room ? 2 * drill->rows_room : 16;
	struct ctd_drill_row *rows;

	if (drill->rows_count < drill->rows_room)
		return true;
	rows = reallocarray(drill->rows, room, sizeof(*rows));
	if (!rows)
		return false;
	drill->rows = rows;
	drill->rows_room = room;
	return true;
}

/* @return 0, -ENOENT: nothing is kept of it, or -ENOMEM. */
static int add_row(struct ctd_drill *drill, const struct ctd_drill_sample *sample)
{
	size_t counts = counts_of_row(drill),
	       groups = (size_t)drill->counting->rotation.groups_count;
	struct ctd_drill_row row = {.key = sample->key, .ran_s = drill->now_s};

	if (drill->rows_count == ROWS_MAX ||
	    (sample->cpu_ns < ROW_LEAST_NS && sample->cpu_ns < drill->elapsed_ns / ROW_LEAST_PART))
		return -ENOENT;
	memset(row.last, -1, sizeof(row.last));
	row.nodes = calloc(drill->counting->metrics_count + 1, sizeof(*row.nodes));
	row.seen = calloc(counts + groups + 1, sizeof(*row.seen));
	if (!make_room(drill) || !row.nodes || !row.seen ||
	    ctd_idmap_set(&drill->row_of, row.key, drill->rows_count)) {
		free_row(&row);
		return -ENOMEM;
	}
	drill->rows[drill->rows_count++] = row;
	return 0;
}

/* @p new: of the interval so far. What was seen of it before is taken off it. */
static void subtract(const uint64_t *new, uint64_t *seen, size_t count, uint64_t *ret_since)
{
	for (size_t i = 0; i < count; i++) {
		ret_since[i] = new[i] < seen[i] ? 0 : new[i] - seen[i];
		seen[i] = new[i];
	}
}

/* Of the time since the look before: can the counts be relied on? An interval may be a command's
 * whole run, of which a moment without counters spoils nothing that comes later; and a group that
 * another program keeps from counting has no time, but the others have theirs. */
static bool is_sound(uint64_t running_ns, const uint64_t *count_ns, size_t groups)
{
	double known_ns = 0;

	for (size_t i = 0; i < groups; i++)
		known_ns += (double)count_ns[i];
	return known_ns > 0 && (double)running_ns >= SOUND_RUNNING * known_ns;
}

/* What the row did since the look before becomes one of the batch. */
static void enter(struct ctd_drill *drill, struct ctd_drill_row *row,
		  const struct ctd_drill_sample *sample, size_t lane)
{
	const struct ctd_rotation *rotation = &drill->counting->rotation;
	size_t counts = counts_of_row(drill), groups = (size_t)rotation->groups_count;
	size_t counted = (size_t)sample->counted.groups_count;
	struct ctd_drill_batch *batch = &drill->batch;
	uint64_t *since = &batch->counts[lane * counts],
		 *since_ns = &batch->count_ns[lane * groups];
	uint64_t cpu_ns, running_ns;

	if (row->interval != drill->interval) {
		memset(row->seen, 0, (counts + groups) * sizeof(*row->seen));
		row->seen_cpu_ns = row->seen_running_ns = 0;
		row->interval = drill->interval;
	}
	subtract(&sample->cpu_ns, &row->seen_cpu_ns, 1, &cpu_ns);
	subtract(&sample->running_ns, &row->seen_running_ns, 1, &running_ns);
	row->cpus = drill->look_s > 0 ? (double)cpu_ns / 1e9 / drill->look_s : 0;
	subtract(sample->counted.count, row->seen, counted * (size_t)rotation->events_count, since);
	subtract(sample->counted.count_ns, &row->seen[counts], counted, since_ns);
	batch->counted[lane] = (struct ctd_vendor_counted_row){
		is_sound(running_ns, since_ns, counted) ? (int)counted : 0, since, since_ns};
}

/* A metric's value becomes a figure of its mean. CPUs that do the same at the same time tell no
 * more than one of them: a figure says as much as the time that it took. What is not wanted now
 * would be out of date by the time it is. */
static void take_metric(const struct ctd_drill *drill, struct ctd_drill_row *row, size_t index,
			double value, double count_tenths)
{
	struct ctd_drill_node *node = &row->nodes[index];

	node->fresh = count_tenths > 0 && isfinite(value);
	if (!ctd_drill_wants(drill, row, index))
		*node = (struct ctd_drill_node){0};
	else if (node->fresh)
		ctd_drill_mean_add(&node->now, value, count_tenths,
				   count_tenths / fmax(row->cpus, 1), drill->look_s);
}

static void take(struct ctd_drill *drill, struct ctd_drill_row *row, size_t lane)
{
	const struct ctd_vendor_counting *counting = drill->counting;
	const struct ctd_vendor_counted_row *counted = &drill->batch.counted[lane];
	const struct ctd_vendor_value *values =
		&drill->batch.values[lane * counting->metrics_count];
	double fades = exp((row->ran_s - drill->now_s) / drill->memory_s);

	row->ran_s = drill->now_s;
	for (size_t i = 0; i < counting->metrics_count; i++) {
		int group = counting->metrics[i].group;
		bool known = group >= 0 && group < counted->groups_count;

		row->nodes[i].now = ctd_drill_mean_fade(&row->nodes[i].now, fades);
		take_metric(drill, row, i, values[i].value,
			    known ? (double)counted->count_ns[group] / TENTH_NS : 0);
	}
	ctd_drill_walk(drill, row);
}

/* @return how many samples were seen, or -ENOMEM. */
static int look_at_batch(struct ctd_drill *drill, const struct ctd_drill_sample *samples,
			 size_t count)
{
	size_t row_of[CTD_EXPR_LANES], lanes = 0, seen = 0;

	for (; seen < count && lanes < CTD_EXPR_LANES; seen++) {
		const struct ctd_drill_sample *sample = &samples[seen];
		uintptr_t at = drill->rows_count;
		int error = ctd_idmap_get(&drill->row_of, sample->key, &at)
				    ? 0
				    : add_row(drill, sample);

		if (error == -ENOMEM)
			return error;
		if (error)
			continue;
		enter(drill, &drill->rows[at], sample, lanes);
		if (drill->rows[at].cpus > 0)
			row_of[lanes++] = at;
	}
	ctd_vendor_counting_evaluate(drill->counting, drill->batch.counted, lanes,
				     drill->batch.values);
	for (size_t lane = 0; lane < lanes; lane++)
		take(drill, &drill->rows[row_of[lane]], lane);
	return (int)seen;
}

int ctd_drill_look(struct ctd_drill *drill, const struct ctd_drill_sample *samples, size_t count,
		   uint64_t elapsed_ns)
{
	int seen = 0;

	if (elapsed_ns <= drill->elapsed_ns)
		return 0;
	drill->look_s = (double)(elapsed_ns - drill->elapsed_ns) / 1e9;
	drill->now_s += drill->look_s;
	drill->elapsed_ns = elapsed_ns;
	drill->looked = drill->interval;
	for (size_t i = 0; i < drill->rows_count; i++)
		drill->rows[i].cpus = 0;
	for (size_t at = 0; seen >= 0 && at < count; at += (size_t)seen)
		seen = look_at_batch(drill, &samples[at], count - at);
	ctd_drill_share(drill);
	return seen < 0 ? seen : 0;
}

bool ctd_drill_find(const struct ctd_drill *drill, uint64_t key, struct ctd_drill_path *ret_path)
{
	uintptr_t at;

	if (!ctd_idmap_get(&drill->row_of, key, &at))
		return false;
	*ret_path = drill->rows[at].path;
	return true;
}

bool ctd_drill_busiest(const struct ctd_drill *drill, struct ctd_drill_path *ret_path)
{
	const struct ctd_drill_row *busiest = NULL;

	for (size_t i = 0; i < drill->rows_count; i++) {
		const struct ctd_drill_row *row = &drill->rows[i];

		if (row->interval == drill->looked &&
		    (!busiest || row->seen_cpu_ns > busiest->seen_cpu_ns))
			busiest = row;
	}
	if (!busiest)
		return false;
	*ret_path = busiest->path;
	return true;
}

const uint8_t *ctd_drill_weights(const struct ctd_drill *drill)
{
	return drill->weights;
}
