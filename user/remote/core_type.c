/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* core_type.c - reads what a view says of a core type, and totals by its nodes. */
#include "remote/read.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define NAME_BYTES_MAX 64
#define TITLE_BYTES_MAX 10
#define CONDITION_BYTES_MAX 512
#define HELP_BYTES_MAX 4096
#define LEVEL_MAX 9

uint64_t ctd_remote_integer(const json_t *value)
{
	uint64_t integer;

	return ctd_json_take_integer(value, &integer) ? integer : 0;
}

uint64_t ctd_remote_count(const json_t *object, const char *key)
{
	return ctd_remote_integer(json_object_get(object, key));
}

static bool is_visible(const char *text)
{
	for (; *text; text++)
		if (*text < ' ' || *text > '~')
			return false;
	return true;
}

bool ctd_remote_text(const json_t *value, char *ret_text, size_t bytes)
{
	const char *text = json_string_value(value);

	if (!text || strlen(text) >= bytes || !is_visible(text))
		return false;
	memcpy(ret_text, text, strlen(text) + 1);
	return true;
}

static void read_ipc(const json_t *group, struct ctd_ipc_counts *ret_ipc)
{
	static const char *const names[CTD_IPC_COUNTS] = {
		[CTD_IPC_CYCLES] = "cycles",
		[CTD_IPC_INSTRUCTIONS] = "instructions",
		[CTD_IPC_BRANCH_MISSES] = "branch_misses",
		[CTD_IPC_CACHE_MISSES] = "cache_misses",
	};
	struct ctd_ipc_counts ipc = {.counted_ns = ctd_remote_count(group, "counted_ns")};

	while (ipc.known < CTD_IPC_COUNTS &&
	       ctd_json_take_integer(json_object_get(group, names[ipc.known]),
				     &ipc.count[ipc.known]))
		ipc.known++;
	*ret_ipc = ipc;
}

/* @return false: there are none. */
static bool read_waits(const json_t *object, struct ctd_waits *ret_waits)
{
	const json_t *histogram = json_object_get(object, "histogram");

	for (int cause = 0; cause < CTD_WAIT_CAUSES; cause++) {
		char key[32];

		snprintf(key, sizeof(key), "%s_ns",
			 ctd_wait_cause_name((enum ctd_wait_cause)cause));
		ret_waits->ns[cause] = ctd_remote_count(object, key);
	}
	ret_waits->preempted = ctd_remote_count(object, "preempted");
	ret_waits->preempted_by_other = ctd_remote_count(object, "preempted_by_other");
	ret_waits->preempted_others = ctd_remote_count(object, "preempted_others");
	for (int bucket = 0; bucket < CTD_WAIT_BUCKETS; bucket++)
		ret_waits->histogram[bucket] =
			ctd_remote_integer(json_array_get(histogram, (size_t)bucket));
	return json_is_object(object);
}

static void read_smt(const json_t *object, struct ctd_beside *ret_smt)
{
	*ret_smt = (struct ctd_beside){.known = json_is_object(object)};
	for (int i = 0; i < CTD_SIBLINGS; i++) {
		const json_t *part = json_object_get(object, ctd_sibling_name((enum ctd_sibling)i));

		ret_smt->parts[i] = (struct ctd_beside_part){
			.cpu_ns = ctd_remote_count(part, "cpu_ns"),
			.counted_ns = ctd_remote_count(part, "counted_ns"),
			.retired_slots = ctd_remote_count(part, "retired_slots"),
		};
		ret_smt->slots_known |= ctd_json_take_integer(json_object_get(part, "slots"),
							      &ret_smt->parts[i].slots);
	}
}

/* CPU time in a second; 0: not known, or nothing that could be. */
static uint64_t read_cpus(const json_t *object, const char *key)
{
	double cpus = json_number_value(json_object_get(object, key));

	return cpus > 0 && cpus <= CTD_CPUS_MAX ? (uint64_t)(cpus * 1e9 + 0.5) : 0;
}

/* @return false: there is none. */
static bool read_throttling(const json_t *object, struct ctd_throttling *ret_throttling)
{
	*ret_throttling = (struct ctd_throttling){
		.periods = ctd_remote_count(object, "periods"),
		.throttled = ctd_remote_count(object, "throttled"),
		.throttled_ns = ctd_remote_count(object, "throttled_ns"),
		.limit_ns = read_cpus(object, "limit_cpus"),
		.request_ns = read_cpus(object, "request_cpus"),
		.weight = ctd_remote_count(object, "weight"),
	};
	return json_is_object(object);
}

void ctd_remote_total_read(const json_t *total, const struct ctd_remote_core_type *type,
			   struct ctd_remote_total *ret_total)
{
	const json_t *node_slots = json_object_get(total, "node_slots");

	*ret_total = (struct ctd_remote_total){
		.cpu_ns = ctd_remote_count(total, "cpu_ns"),
		.counted_ns = ctd_remote_count(total, "counted_ns"),
		.slices = ctd_remote_count(total, "slices"),
		.switches = ctd_remote_count(total, "switches"),
	};
	ret_total->slots_known =
		ctd_json_take_integer(json_object_get(total, "slots"), &ret_total->slots);
	ctd_remote_text(json_object_get(total, "since"), ret_total->since,
			sizeof(ret_total->since));
	for (int i = 0; i < type->nodes_count; i++)
		ret_total->node_slots[i] = ctd_remote_count(node_slots, type->nodes[i].name);
	read_ipc(json_object_get(total, "ipc_group"), &ret_total->ipc);
	ret_total->waits_known = read_waits(json_object_get(total, "waits"), &ret_total->waits);
	read_smt(json_object_get(total, "smt"), &ret_total->smt);
	ret_total->throttling_known =
		read_throttling(json_object_get(total, "throttling"), &ret_total->throttling);
}

/* Shown as it is: what is not visible there is refused. @return false: refused, or no memory. */
static bool keep(const json_t *object, const char *key, size_t bytes_max, char **ret_text)
{
	const char *text = json_string_value(json_object_get(object, key));

	if (!text)
		text = "";
	if (strlen(text) > bytes_max || !is_visible(text))
		return false;
	*ret_text = strdup(text);
	return *ret_text;
}

static int find_node(const struct ctd_remote_core_type *type, const char *name)
{
	for (int i = 0; name && i < type->nodes_count; i++)
		if (strcmp(type->nodes[i].name, name) == 0)
			return i;
	return -1;
}

/* A model has its tree first, parents before children. */
static int read_node(const json_t *object, struct ctd_remote_core_type *type)
{
	struct ctd_remote_node *node = &type->nodes[type->nodes_count];
	const char *parent = json_string_value(json_object_get(object, "parent"));
	const json_t *condition = json_object_get(object, "condition");
	uint64_t level = ctd_remote_count(object, "level");
	bool is_kept = keep(object, "name", NAME_BYTES_MAX, &node->name) &&
		       keep(object, "title", TITLE_BYTES_MAX, &node->title) &&
		       keep(object, "help", HELP_BYTES_MAX, &node->help);

	if (is_kept && json_is_string(condition))
		is_kept = keep(object, "condition", CONDITION_BYTES_MAX, &node->condition);
	node->role = ctd_node_role_find(json_string_value(json_object_get(object, "role")));
	node->unit = ctd_unit_find(json_string_value(json_object_get(object, "unit")));
	node->level = (int)level;
	node->lacks_counters = json_is_false(json_object_get(object, "counted"));
	node->parent = find_node(type, parent);
	if (!is_kept || level > LEVEL_MAX || !*node->name || find_node(type, node->name) >= 0 ||
	    (parent && node->parent < 0))
		return -EBADMSG;
	type->nodes_count++;
	return 0;
}

static void free_node(struct ctd_remote_node *node)
{
	free(node->name);
	free(node->title);
	free(node->condition);
	free(node->help);
}

void ctd_remote_core_type_free(struct ctd_remote_core_type *type)
{
	for (int i = 0; i < CTD_NODES_MAX; i++)
		free_node(&type->nodes[i]);
	*type = (struct ctd_remote_core_type){0};
}

static char *copy_text(const char *text, bool *failed)
{
	char *own = text ? strdup(text) : NULL;

	*failed |= text && !own;
	return own;
}

int ctd_remote_core_type_copy(const struct ctd_remote_core_type *type,
			      struct ctd_remote_core_type *ret_copy)
{
	bool failed = false;

	*ret_copy = *type;
	for (int i = 0; i < CTD_NODES_MAX; i++) {
		const struct ctd_remote_node *node = &type->nodes[i];

		ret_copy->nodes[i].name = copy_text(node->name, &failed);
		ret_copy->nodes[i].title = copy_text(node->title, &failed);
		ret_copy->nodes[i].condition = copy_text(node->condition, &failed);
		ret_copy->nodes[i].help = copy_text(node->help, &failed);
	}
	return failed ? -ENOMEM : 0;
}

static int read_nodes(const json_t *nodes, struct ctd_remote_core_type *type)
{
	size_t count = json_array_size(nodes);
	int error = count > CTD_NODES_MAX ? -EBADMSG : 0;

	for (size_t i = 0; !error && i < count; i++)
		error = read_node(json_array_get(nodes, i), type);
	return error;
}

int ctd_remote_core_type_read(const json_t *object, struct ctd_remote_core_type *ret_type,
			      struct ctd_json_walk *walk)
{
	const json_t *total = json_object_get(object, "total");
	const json_t *name = json_object_get(object, "core");
	const json_t *model = json_object_get(object, "model");
	const char *scope = json_string_value(json_object_get(object, "scope"));
	uint64_t level = ctd_remote_count(object, "level");
	uint64_t rotation = ctd_remote_count(object, "rotation");
	uint64_t cpus = ctd_remote_count(object, "cpus");

	if (json_is_string(name) && !ctd_remote_text(name, ret_type->name, sizeof(ret_type->name)))
		return ctd_json_refuse(walk, "a core type has a name that cannot be shown");
	if (!ctd_remote_text(json_object_get(object, "source"), ret_type->source,
			     sizeof(ret_type->source)))
		return ctd_json_refuse(walk, "a core type has no source");
	if (read_nodes(json_object_get(object, "nodes"), ret_type))
		return ctd_json_refuse(walk, "the nodes of a core type are no tree");
	ret_type->has_model = json_is_object(model);
	ctd_remote_text(json_object_get(model, "name"), ret_type->model, sizeof(ret_type->model));
	ret_type->core_scope = scope && strcmp(scope, "core") == 0;
	ret_type->level = level <= LEVEL_MAX ? (int)level : 0;
	/* What is not shown is alike, also where an older serve says nothing of it. */
	for (int i = 0; i < ret_type->nodes_count; i++)
		if (ret_type->nodes[i].level == 0 || ret_type->nodes[i].level > ret_type->level)
			ret_type->nodes[i].lacks_counters = false;
	ret_type->rotation = rotation && rotation <= CTD_GROUPS_MAX ? (int)rotation : 1;
	ret_type->cpus = cpus <= CTD_CPUS_MAX ? (uint32_t)cpus : 0;
	ret_type->unattributed_slots = ctd_remote_count(total, "unattributed_slots");
	ret_type->residual_slots = json_integer_value(json_object_get(total, "residual_slots"));
	ctd_remote_total_read(json_object_get(object, "fetched"), ret_type, &ret_type->fetched);
	return 0;
}
