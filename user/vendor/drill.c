/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* drill.c - keeps what is known of each row's metrics over the intervals, and forgets it by and by.
 */
#include "vendor/drill.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* What is older counts less and less: a load that changes has another way after some intervals. */
#define MEMORY_NS 10e9
#define TENTH_NS 1e8
/* Intervals in which a row does not run before it is forgotten. */
#define MISSED_MAX 30
const char *ctd_drill_confidence_name(enum ctd_drill_confidence confidence)
{
	static const char *const names[] = {
		[CTD_DRILL_UNKNOWN] = "unknown", [CTD_DRILL_LOW] = "low", [CTD_DRILL_HIGH] = "high"};

	return names[confidence];
}

/* What cannot be counted is passed by: nothing tells whether its parts are to be looked at. */
static int parent_of(const struct ctd_vendor_counting *counting, size_t index)
{
	int parent = counting->metrics[index].parent;

	while (parent >= 0 && counting->metrics[parent].group < 0)
		parent = counting->metrics[parent].parent;
	return parent;
}

int ctd_drill_new(const struct ctd_vendor_counting *counting, struct ctd_drill **ret_drill)
{
	struct ctd_drill *drill = calloc(1, sizeof(*drill));
	size_t all = counting->table->metrics_count;

	if (!drill)
		return -ENOMEM;
	drill->counting = counting;
	drill->parents = calloc(counting->metrics_count + 1, sizeof(*drill->parents));
	drill->asks_parts = calloc(counting->metrics_count + 1, sizeof(*drill->asks_parts));
	drill->values = calloc(all + 1, sizeof(*drill->values));
	drill->raised = calloc(all + 1, sizeof(*drill->raised));
	if (!drill->parents || !drill->asks_parts || !drill->values || !drill->raised) {
		ctd_drill_free(drill);
		return -ENOMEM;
	}
	for (size_t i = 0; i < counting->metrics_count; i++)
		drill->parents[i] = parent_of(counting, i);
	for (size_t i = 0; i < counting->metrics_count; i++)
		drill->asks_parts[i] = ctd_drill_asks_parts(drill, i);
	ctd_drill_share(drill);
	*ret_drill = drill;
	return 0;
}

void ctd_drill_free(struct ctd_drill *drill)
{
	if (!drill)
		return;
	for (size_t i = 0; i < drill->rows_count; i++)
		free(drill->rows[i].nodes);
	free(drill->rows);
	ctd_idmap_free(&drill->row_of);
	free(drill->parents);
	free(drill->asks_parts);
	free(drill->values);
	free(drill->raised);
	free(drill);
}

void ctd_drill_begin(struct ctd_drill *drill, uint64_t elapsed_ns, bool ends)
{
	drill->fades = exp(-(double)elapsed_ns / MEMORY_NS);
	drill->ends = ends;
	for (size_t i = 0; i < drill->rows_count; i++)
		drill->rows[i].taken = false;
}

/* @return NULL without memory. */
static struct ctd_drill_row *row_of(struct ctd_drill *drill, uint64_t key)
{
	struct ctd_drill_row *row;
	uintptr_t at;

	if (ctd_idmap_get(&drill->row_of, key, &at))
		return &drill->rows[at];
	if (drill->rows_count == drill->rows_room) {
		size_t room = drill->rows_room ? 2 * drill->rows_room : 16;
		struct ctd_drill_row *rows = reallocarray(drill->rows, room, sizeof(*rows));

		if (!rows)
			return NULL;
		drill->rows = rows;
		drill->rows_room = room;
	}
	row = &drill->rows[drill->rows_count];
	*row = (struct ctd_drill_row){.key = key};
	memset(row->next, -1, sizeof(row->next));
	row->nodes = calloc(drill->counting->metrics_count + 1, sizeof(*row->nodes));
	if (!row->nodes || ctd_idmap_set(&drill->row_of, key, drill->rows_count)) {
		free(row->nodes);
		return NULL;
	}
	drill->rows_count++;
	return row;
}

int ctd_drill_take(struct ctd_drill *drill, const struct ctd_drill_sample *sample)
{
	const struct ctd_vendor_counting *counting = drill->counting;
	struct ctd_drill_row *row = row_of(drill, sample->key);

	if (!row)
		return -ENOMEM;
	row->taken = true;
	row->sound = sample->sound;
	row->cpu_ns = sample->cpu_ns;
	row->missed = 0;
	for (size_t i = 0; i < counting->metrics_count; i++) {
		struct ctd_drill_node *node = &row->nodes[i];
		int group = counting->metrics[i].group;
		bool known = group >= 0 && group < sample->groups_count &&
			     isfinite(sample->values[i].value);
		uint64_t count_ns = known ? sample->count_ns[group] : 0;

		node->now = ctd_drill_mean_fade(&node->before, drill->fades);
		node->fresh = count_ns && count_ns != node->count_ns;
		node->count_ns = drill->ends ? 0 : count_ns;
		if (count_ns)
			ctd_drill_mean_add(&node->now, sample->values[i].value,
					   (double)count_ns / TENTH_NS);
	}
	return 0;
}

static void skip(struct ctd_drill *drill, struct ctd_drill_row *row)
{
	row->cpu_ns = 0;
	row->missed += drill->ends;
	for (size_t i = 0; i < drill->counting->metrics_count; i++) {
		row->nodes[i].now = ctd_drill_mean_fade(&row->nodes[i].before, drill->fades);
		row->nodes[i].fresh = false;
	}
}

/* The last row takes its place. */
static void forget(struct ctd_drill *drill, size_t index)
{
	struct ctd_drill_row *row = &drill->rows[index];

	ctd_idmap_remove(&drill->row_of, row->key);
	free(row->nodes);
	*row = drill->rows[--drill->rows_count];
	if (index < drill->rows_count)
		ctd_idmap_set(&drill->row_of, row->key, index);
}

void ctd_drill_end(struct ctd_drill *drill)
{
	for (size_t at = drill->rows_count; at-- > 0;) {
		struct ctd_drill_row *row = &drill->rows[at];

		if (!row->taken)
			skip(drill, row);
		ctd_drill_walk(drill, row);
		for (size_t i = 0; drill->ends && i < drill->counting->metrics_count; i++)
			row->nodes[i].before = row->nodes[i].now;
		if (row->missed > MISSED_MAX)
			forget(drill, at);
	}
	ctd_drill_share(drill);
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

	for (size_t i = 0; i < drill->rows_count; i++)
		if (drill->rows[i].taken && (!busiest || drill->rows[i].cpu_ns > busiest->cpu_ns))
			busiest = &drill->rows[i];
	if (!busiest)
		return false;
	*ret_path = busiest->path;
	return true;
}

const uint8_t *ctd_drill_weights(const struct ctd_drill *drill)
{
	return drill->weights;
}
