/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* merge.c - makes one list of the core types of several machines. */
#include "remote/merge.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "remote/read.h"

/* Where machines do not agree. */
static const char mixed[] = "mixed";

/* Only what is beside the tree needs its own steps: of a tree that rotates views have the sums. */
static int rotation_of(const struct ctd_remote_view *view, const struct ctd_remote_core_type *type)
{
	return view->general ? type->rotation : 1;
}

/* @return -1: it is not there. */
static int find(const struct ctd_remote_merge *merge, const struct ctd_remote_view *view,
		const struct ctd_remote_core_type *type)
{
	struct ctd_remote_core_type wanted = *type;

	wanted.rotation = rotation_of(view, type);
	for (int i = 0; i < merge->types.core_types_count; i++)
		if (merge->general[i] == view->general &&
		    ctd_remote_core_type_is_alike(&merge->types.core_types[i], &wanted))
			return i;
	return -1;
}

static int add(struct ctd_remote_merge *merge, const struct ctd_remote_view *view,
	       const struct ctd_remote_core_type *type)
{
	int at = merge->types.core_types_count;
	int error = ctd_remote_core_type_copy(type, &merge->types.core_types[at]);

	merge->types.core_types_count++;
	merge->types.core_types[at].rotation = rotation_of(view, type);
	merge->general[at] = view->general;
	return error;
}

static void agree(char *text, size_t bytes, const char *other, const char *otherwise)
{
	if (strcmp(text, other) != 0)
		snprintf(text, bytes, "%s", *text ? otherwise : other);
}

/* What is said of all. */
static void take_facts(struct ctd_remote_merge *merge, const struct ctd_remote_view *view)
{
	struct ctd_remote_view *types = &merge->types;

	agree(types->source, sizeof(types->source), view->source, mixed);
	agree(types->hierarchy, sizeof(types->hierarchy), view->hierarchy, mixed);
	types->simulated |= view->simulated;
	types->general |= view->general;
}

/* Is an earlier one of the same view alike? */
static bool is_repeated(const struct ctd_remote_view *view, int at)
{
	struct ctd_remote_core_type type = view->core_types[at];

	type.rotation = rotation_of(view, &type);
	for (int i = 0; i < at; i++) {
		struct ctd_remote_core_type before = view->core_types[i];

		before.rotation = rotation_of(view, &before);
		if (ctd_remote_core_type_is_alike(&before, &type))
			return true;
	}
	return false;
}

/* Before any are added: what cannot be planned by itself cannot be among others. */
static int check(const struct ctd_remote_merge *merge, const struct ctd_remote_view *view,
		 char ret_why[CTD_REMOTE_WHY_BYTES])
{
	struct ctd_remote_plan *plan;
	int lacking = 0, error;

	for (int i = 0; i < view->core_types_count; i++)
		lacking += find(merge, view, &view->core_types[i]) < 0 && !is_repeated(view, i);
	if (!lacking)
		return 0;
	if (merge->types.core_types_count + lacking > CTD_CORE_TYPES_MAX) {
		snprintf(ret_why, CTD_REMOTE_WHY_BYTES,
			 "its processors are of a %dth design: no more are shown beside each other",
			 CTD_CORE_TYPES_MAX + 1);
		return -ENOSPC;
	}
	error = ctd_remote_plan_new(view, true, &plan, ret_why);
	if (!error)
		ctd_remote_plan_free(plan);
	return error;
}

int ctd_remote_merge_add(struct ctd_remote_merge *merge, const struct ctd_remote_view *view,
			 int ret_core_type[CTD_CORE_TYPES_MAX], char ret_why[CTD_REMOTE_WHY_BYTES])
{
	int before = merge->types.core_types_count, error = check(merge, view, ret_why);
	bool was_simulated = merge->types.simulated;
	char source[sizeof(merge->types.source)];

	if (error)
		return error;
	if (!merge->types.core_types)
		merge->types.core_types =
			calloc(CTD_CORE_TYPES_MAX, sizeof(*merge->types.core_types));
	if (!merge->types.core_types)
		return -ENOMEM;
	for (int i = 0; !error && i < view->core_types_count; i++) {
		ret_core_type[i] = find(merge, view, &view->core_types[i]);
		if (ret_core_type[i] >= 0)
			continue;
		ret_core_type[i] = merge->types.core_types_count;
		error = add(merge, view, &view->core_types[i]);
	}
	if (error)
		return error;
	memcpy(source, merge->types.source, sizeof(source));
	take_facts(merge, view);
	return merge->types.core_types_count > before || was_simulated != merge->types.simulated ||
	       strcmp(source, merge->types.source) != 0;
}

/* By their designs: core types of several machines have no other name in common. */
static void name_types(struct ctd_remote_core_type *types, int count)
{
	for (int i = 0; i < count; i++) {
		const char *name = types[i].has_model ? types[i].model : "no counters";
		int namesakes = 0;

		for (int before = 0; before < i; before++)
			namesakes += types[before].has_model == types[i].has_model &&
				     strcmp(types[before].model, types[i].model) == 0;
		if (namesakes)
			snprintf(types[i].name, sizeof(types[i].name), "%.19s/%d", name,
				 (unsigned char)(namesakes + 1));
		else
			snprintf(types[i].name, sizeof(types[i].name), "%.23s",
				 count > 1 ? name : "");
	}
}

int ctd_remote_merge_plan(const struct ctd_remote_merge *merge, struct ctd_remote_plan **ret_plan,
			  char ret_why[CTD_REMOTE_WHY_BYTES])
{
	struct ctd_remote_core_type types[CTD_CORE_TYPES_MAX];
	struct ctd_remote_view named = merge->types;

	/* Texts of nodes stay the merge's: the plan copies them. */
	memcpy(types, merge->types.core_types,
	       (size_t)merge->types.core_types_count * sizeof(*types));
	name_types(types, named.core_types_count);
	named.core_types = types;
	return ctd_remote_plan_new(&named, true, ret_plan, ret_why);
}

void ctd_remote_merge_free(struct ctd_remote_merge *merge)
{
	ctd_remote_view_free(&merge->types);
	*merge = (struct ctd_remote_merge){0};
}
