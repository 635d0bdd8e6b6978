/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* rollup.c - adds the rows of an interval up by what they belong to, and evaluates the sums. */
#include <cgtopdown/rollup.h>

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/auto.h"
#include "rollup/key.h"
#include "rollup/pairs.h"
#include "rollup/sum.h"
#include "rollup/throttling.h"
#include "rollup/totals.h"

/* A rollup on its way. */
struct build {
	const struct ctd_interval *interval;
	const struct ctd_rollup_options *options;
	struct ctd_rollup_table table; /* owned */
	struct ctd_rollup rollup; /* owned */
};

static void build_free(struct build *build)
{
	ctd_rollup_table_free(&build->table);
	ctd_rollup_free(&build->rollup);
}

/* The rows of one cgroup follow each other. */
static bool same_owner(const struct ctd_interval_row *a, const struct ctd_interval_row *b)
{
	return a->kind == b->kind && a->cgroup_id == b->cgroup_id && a->pid == b->pid;
}

/* Which row of the rollup each row of the interval belongs to. */
static int find_rows(struct build *build)
{
	const struct ctd_interval *interval = build->interval;
	const struct ctd_identities *identities = build->rollup.identities;

	for (size_t i = 0; i < interval->rows_count; i++) {
		const struct ctd_interval_row *row = &interval->rows[i];
		const struct ctd_identity *identity = NULL;
		struct ctd_rollup_key key;
		size_t at;

		if (i && same_owner(row, row - 1)) {
			build->rollup.row_of[i] = build->rollup.row_of[i - 1];
		} else {
			if (row->kind == CTD_ROW_CGROUP)
				identity = ctd_identities_get(identities, row->cgroup_id);
			build->rollup.row_of[i] = CTD_ROLLUP_NO_ROW;
			if (ctd_rollup_wants(build->options, identities, row, identity)) {
				key = ctd_rollup_key_make(row, identity, identities,
							  build->options->by);
				if (ctd_rollup_table_get(&build->table, &key, &at))
					return -ENOMEM;
				build->rollup.row_of[i] = (uint32_t)at;
			}
		}
		if (build->rollup.row_of[i] == CTD_ROLLUP_NO_ROW)
			build->rollup.filtered = true;
		else
			build->table.rows[build->rollup.row_of[i]].members++;
	}
	return 0;
}

/* The parent of @p identity; its path is shorter, so that no chain of parents can be a ring. */
static const struct ctd_identity *parent_of(const struct ctd_identities *identities,
					    const struct ctd_identity *identity, uint64_t root_id)
{
	const struct ctd_identity *parent;

	if (!identity || !identity->parent_id || identity->cgroup_id == root_id)
		return NULL;
	parent = ctd_identities_get(identities, identity->parent_id);
	return parent && strlen(parent->path) < strlen(identity->path) ? parent : NULL;
}

/* Parents that are missing are added at the end, and visited too. */
static int find_parents(struct build *build)
{
	struct ctd_rollup_table *table = &build->table;

	for (size_t i = 0; build->rollup.tree && i < table->rows_count; i++) {
		const struct ctd_identity *parent =
			parent_of(build->rollup.identities, table->rows[i].identity,
				  build->options->cgroup_id_only);
		struct ctd_rollup_key key = {.kind = CTD_ROLLUP_CGROUP, .texts = {"", "", ""}};
		size_t at;

		if (!parent)
			continue;
		key.cgroup_id = parent->cgroup_id;
		key.identity = parent;
		if (ctd_rollup_table_get(table, &key, &at))
			return -ENOMEM;
		table->rows[i].parent = (int)at;
	}
	return 0;
}

static bool needs_counts(const struct ctd_rollup *rollup, const struct ctd_rollup_row *row)
{
	return rollup->tree || row->members > 1;
}

static struct ctd_counts_shape shape_of(const struct ctd_rollup *rollup)
{
	size_t groups = (size_t)rollup->plan->groups_count;

	return (struct ctd_counts_shape){groups * (size_t)rollup->plan->counters_count, groups};
}

/* Of all core types. */
static size_t nodes_count(const struct ctd_rollup_plan *plan)
{
	size_t count = 0;

	for (int type = 0; type < plan->core_types_count; type++)
		count += plan->core_types[type].model
				 ? (size_t)plan->core_types[type].model->nodes_count
				 : 0;
	return count;
}

/* Memory for all rows and one more, ctd_rollup_add_sum()'s. */
static int allocate(struct build *build)
{
	struct ctd_rollup *rollup = &build->rollup;
	size_t rows = build->table.rows_count + 1, sums = 1;
	size_t types = (size_t)rollup->plan->core_types_count;
	size_t nodes = nodes_count(rollup->plan), caches = ctd_caches_parts(&rollup->caches);

	rollup->rows = take_ptr(build->table.rows);
	if (build->table.rows_count == build->table.capacity) {
		void *larger = reallocarray(rollup->rows, rows, sizeof(*rollup->rows));

		if (!larger)
			return -ENOMEM;
		rollup->rows = larger;
	}
	rollup->rows_count = build->table.rows_count;
	for (size_t i = 0; i < rollup->rows_count; i++)
		sums += needs_counts(rollup, &rollup->rows[i]);
	rollup->parts = calloc(rows * types, sizeof(*rollup->parts));
	rollup->counts = calloc(sums * types * ctd_counts_size(shape_of(rollup)) + 1,
				sizeof(*rollup->counts));
	rollup->values = malloc((rows * nodes + 1) * sizeof(*rollup->values));
	rollup->node_slots = malloc((rows * nodes + 1) * sizeof(*rollup->node_slots));
	if (build->interval->has_waits)
		rollup->waits = calloc(rows * types, sizeof(*rollup->waits));
	if (build->interval->has_siblings)
		rollup->siblings = calloc(rows * types, CTD_SIBLINGS * sizeof(*rollup->siblings));
	if (caches)
		rollup->cache_ns = calloc(rows * types, caches * sizeof(*rollup->cache_ns));
	if (!rollup->parts || !rollup->counts || !rollup->values || !rollup->node_slots ||
	    (build->interval->has_waits && !rollup->waits) ||
	    (build->interval->has_siblings && !rollup->siblings) || (caches && !rollup->cache_ns))
		return -ENOMEM;
	for (size_t i = 0; rollup->waits && i < rows * types; i++)
		rollup->parts[i].waits = &rollup->waits[i];
	for (size_t i = 0; rollup->siblings && i < rows * types; i++)
		rollup->parts[i].siblings = &rollup->siblings[i * CTD_SIBLINGS];
	for (size_t i = 0; caches && i < rows * types; i++) {
		rollup->parts[i].cache_ns = &rollup->cache_ns[i * caches];
		rollup->parts[i].cache_parts = (uint32_t)caches;
	}
	for (size_t i = 0; i < rollup->rows_count; i++)
		rollup->rows[i].parts = &rollup->parts[i * types];
	return 0;
}

/* Where the sums of each row's counts are: an index into rollup.counts, of its first core type. The
 * first are ctd_rollup_add_sum()'s. */
static size_t *place_counts(const struct ctd_rollup *rollup)
{
	size_t *places = malloc((rollup->rows_count + 1) * sizeof(*places));
	size_t each = (size_t)rollup->plan->core_types_count * ctd_counts_size(shape_of(rollup));
	size_t at = each;

	for (size_t i = 0; places && i < rollup->rows_count; i++) {
		places[i] = at;
		if (needs_counts(rollup, &rollup->rows[i]))
			at += each;
	}
	return places;
}

/* To its row and, in a tree, to all rows that include that one. */
static int add_up(struct build *build)
{
	struct ctd_rollup *rollup = &build->rollup;
	size_t types = (size_t)rollup->plan->core_types_count;
	struct ctd_counts_shape shape = shape_of(rollup);
	autofree size_t *places = place_counts(rollup);

	if (!places)
		return -ENOMEM;
	for (size_t i = 0; i < build->interval->rows_count; i++) {
		const struct ctd_interval_row *from = &build->interval->rows[i];
		int at = build->rollup.row_of[i] == CTD_ROLLUP_NO_ROW
				 ? -1
				 : (int)build->rollup.row_of[i];

		for (; at >= 0; at = rollup->rows[at].parent) {
			uint64_t *counts = NULL;

			if (needs_counts(rollup, &rollup->rows[at]))
				counts = &rollup->counts[places[at] +
							 from->core_type * ctd_counts_size(shape)];
			ctd_part_add_row(&rollup->parts[(size_t)at * types + from->core_type], from,
					 counts, shape);
		}
	}
	return 0;
}

static void evaluate(struct ctd_rollup *rollup, size_t at)
{
	const struct ctd_rollup_plan *plan = rollup->plan;
	size_t node = at * nodes_count(plan), types = (size_t)plan->core_types_count;

	for (int type = 0; type < plan->core_types_count; type++) {
		struct ctd_rollup_part *part = &rollup->parts[at * types + (size_t)type];

		if (part->ran)
			ctd_part_evaluate(plan, type, rollup->rows[at].kind, &rollup->values[node],
					  &rollup->node_slots[node], part);
		/* Idle time has no figures beside other threads. */
		if (part->ran && rollup->rows[at].kind != CTD_ROLLUP_IDLE)
			ctd_part_take_siblings(plan, type, part);
		if (plan->core_types[type].model)
			node += (size_t)plan->core_types[type].model->nodes_count;
	}
	ctd_row_evaluate(plan, &rollup->rows[at]);
}

static void begin(const struct ctd_rollup_plan *plan, const struct ctd_interval *interval,
		  const struct ctd_identities *identities, const struct ctd_rollup_options *options,
		  struct build *build)
{
	*build = (struct build){
		.interval = interval,
		.options = options,
		.rollup =
			{
				.plan = plan,
				.identities = identities,
				.by = options->by,
				/* Only cgroups lie in one another. */
				.tree = options->tree && options->by == CTD_GROUP_CGROUP,
				.realtime_ns = interval->realtime_ns,
				.window_ns = interval->window_ns,
				.sequence = interval->sequence,
				.cpus_online = interval->cpus_online,
				.unattributed_ns = interval->unattributed_ns,
				.health = interval->health,
				.caches = interval->caches,
			},
	};
}

int ctd_rollup_make(const struct ctd_rollup_plan *plan, const struct ctd_interval *interval,
		    const struct ctd_identities *identities,
		    const struct ctd_rollup_options *options, struct ctd_rollup *ret_rollup)
{
	__attribute__((cleanup(build_free))) struct build build;
	int error;

	begin(plan, interval, identities, options, &build);
	if (interval->counters_count != (uint32_t)plan->counters_count ||
	    interval->groups_count != (uint32_t)plan->groups_count)
		return -EBADMSG;
	build.rollup.row_of = malloc((interval->rows_count + 1) * sizeof(*build.rollup.row_of));
	/* Most rows are one each, and one more is for ctd_rollup_add_sum(). */
	if (!build.rollup.row_of ||
	    ctd_rollup_table_reserve(&build.table, interval->rows_count + 1))
		return -ENOMEM;
	error = find_rows(&build);
	if (!error)
		error = find_parents(&build);
	if (!error)
		error = allocate(&build);
	if (!error)
		error = add_up(&build);
	if (!error)
		error = ctd_rollup_add_pairs(interval, &build.rollup);
	if (error)
		return error;
	for (size_t i = 0; i < build.rollup.rows_count; i++)
		evaluate(&build.rollup, i);
	ctd_rollup_sum_totals(interval, &build.rollup);
	ctd_rollup_add_throttlings(interval, options, &build.table, &build.rollup);
	*ret_rollup = build.rollup;
	build.rollup = (struct ctd_rollup){0};
	return 0;
}

size_t ctd_rollup_add_sum(struct ctd_rollup *rollup, const bool *which)
{
	size_t types = (size_t)rollup->plan->core_types_count, at = rollup->rows_count;
	struct ctd_counts_shape shape = shape_of(rollup);

	rollup->rows[at] = (struct ctd_rollup_row){
		.kind = CTD_ROLLUP_OTHER, .parent = -1, .parts = &rollup->parts[at * types]};
	for (size_t i = 0; i < at; i++) {
		for (size_t type = 0; which[i] && type < types; type++)
			ctd_part_add(&rollup->parts[at * types + type],
				     &rollup->rows[i].parts[type],
				     &rollup->counts[type * ctd_counts_size(shape)], shape);
	}
	rollup->rows_count++;
	evaluate(rollup, at);
	return at;
}

void ctd_rollup_free(struct ctd_rollup *rollup)
{
	if (!rollup)
		return;
	free(rollup->rows);
	free(rollup->row_of);
	free(rollup->parts);
	free(rollup->counts);
	free(rollup->values);
	free(rollup->node_slots);
	free(rollup->waits);
	free(rollup->siblings);
	free(rollup->cache_ns);
	ctd_pairs_free(&rollup->pairs);
	*rollup = (struct ctd_rollup){0};
}

const char *ctd_rollup_kind_name(enum ctd_rollup_kind kind)
{
	static const char *const names[CTD_ROLLUP_KINDS] = {
		[CTD_ROLLUP_CGROUP] = "cgroup", [CTD_ROLLUP_CONTAINER] = "container",
		[CTD_ROLLUP_POD] = "pod",	[CTD_ROLLUP_NAMESPACE] = "namespace",
		[CTD_ROLLUP_OWNER] = "owner",	[CTD_ROLLUP_PROCESS] = "process",
		[CTD_ROLLUP_TASK] = "task",	[CTD_ROLLUP_NODE] = "node",
		[CTD_ROLLUP_KERNEL] = "kernel", [CTD_ROLLUP_IDLE] = "idle",
		[CTD_ROLLUP_OTHER] = "other",
	};

	return names[kind];
}

const char *ctd_rollup_cgroup_name(const struct ctd_rollup_row *row,
				   char buffer[CTD_CGROUP_NAME_BYTES])
{
	if (row->identity)
		return row->identity->path;
	snprintf(buffer, CTD_CGROUP_NAME_BYTES, "cgroup:%" PRIu64, row->cgroup_id);
	return buffer;
}
