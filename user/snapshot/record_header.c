/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* record_header.c - takes header and plan out of their blocks, if they can be true. */
#include "record_header.h"

#include <string.h>

/* Texts are shown as they are: they have an end, and no escape gets to a terminal. */
static bool is_text(const char *text, size_t bytes)
{
	if (!memchr(text, '\0', bytes))
		return false;
	while (*text >= ' ' && *text <= '~')
		text++;
	return !*text;
}

/* Of a design's there are a few; more are of vendors' metrics, which have no design. */
static uint32_t groups_max(const char *model)
{
	return *model ? CTD_GROUPS_MAX : CTD_ROTATION_GROUPS_MAX;
}

static bool is_core_type(const struct ctd_record_core_type *core_type)
{
	return is_text(core_type->name, sizeof(core_type->name)) &&
	       is_text(core_type->source, sizeof(core_type->source)) &&
	       is_text(core_type->model, sizeof(core_type->model)) &&
	       is_text(core_type->why, sizeof(core_type->why)) &&
	       core_type->counters_count <= CTD_COUNTERS_MAX &&
	       (core_type->counters_count || !*core_type->model) && core_type->groups_count >= 1 &&
	       core_type->groups_count <= groups_max(core_type->model) && core_type->ipc <= 1 &&
	       core_type->ipc < core_type->groups_count;
}

int ctd_record_decode_header(const struct ctd_record_file *file,
			     const struct ctd_record_block *block, struct ctd_record_header *header,
			     char why[CTD_RECORD_WHY_BYTES])
{
	struct ctd_record_cursor cursor = {.at = block->payload};

	if (block->head.type != CTD_RECORD_TYPE_HEADER ||
	    block->head.bytes != CTD_RECORD_HEADER_BYTES)
		return ctd_record_bad_block(file, why, "no header");
	ctd_record_move_header(&cursor, header);
	if (!is_text(header->host, sizeof(header->host)) ||
	    !is_text(header->version, sizeof(header->version)) ||
	    !is_text(header->hierarchy, sizeof(header->hierarchy)))
		return ctd_record_bad_block(file, why, "text that cannot be shown");
	if (header->by > CTD_BY_TASK)
		return ctd_record_bad_block(file, why, "impossible header");
	return 0;
}

/* What is behind a plan's fixed fields. */
static int decode_core_types(const struct ctd_record_file *file, struct ctd_record_cursor *cursor,
			     struct ctd_record_header *plan, char why[CTD_RECORD_WHY_BYTES])
{
	for (uint32_t i = 0; i < plan->core_types_count; i++) {
		struct ctd_record_core_type *core_type = &plan->core_types[i];

		ctd_record_move_core_type(cursor, core_type);
		if (!is_core_type(core_type) || core_type->counters_count > plan->counters_count ||
		    core_type->groups_count > plan->groups_count)
			return ctd_record_bad_block(file, why, "impossible core types");
	}
	return 0;
}

int ctd_record_decode_plan(const struct ctd_record_file *file, const struct ctd_record_block *block,
			   struct ctd_record_header *header, char why[CTD_RECORD_WHY_BYTES])
{
	struct ctd_record_cursor cursor = {.at = block->payload};
	struct ctd_record_header plan = *header;
	int result;

	memset(plan.core_types, 0, sizeof(plan.core_types));
	if (block->head.type != CTD_RECORD_TYPE_PLAN || block->head.bytes < CTD_RECORD_PLAN_BYTES)
		return ctd_record_bad_block(file, why, "no plan");
	ctd_record_move_plan(&cursor, &plan);
	if (!is_text(plan.source, sizeof(plan.source)) || !is_text(plan.model, sizeof(plan.model)))
		return ctd_record_bad_block(file, why, "text that cannot be shown");
	if (plan.simulated > 1 || plan.read > CTD_READ_MIXED ||
	    plan.counters_count > CTD_COUNTERS_MAX || plan.groups_count < 1 ||
	    plan.groups_count > groups_max(plan.model) || plan.ipc > 1 ||
	    plan.groups_count <= plan.ipc)
		return ctd_record_bad_block(file, why, "impossible plan");
	if (plan.core_types_count > CTD_CORE_TYPES_MAX ||
	    block->head.bytes !=
		    CTD_RECORD_PLAN_BYTES + plan.core_types_count * CTD_RECORD_CORE_TYPE_BYTES)
		return ctd_record_bad_block(file, why, "impossible core types");
	result = decode_core_types(file, &cursor, &plan, why);
	if (!result)
		*header = plan;
	return result;
}
