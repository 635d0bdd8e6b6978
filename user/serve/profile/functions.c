/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* functions.c - adds the figures of a profile up by innermost functions, as a ledger takes them. */
#include "serve/profile/functions.h"

#include <cgtopdown/profile.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/auto.h"
#include "base/strbuf.h"
#include "base/utf8.h"
#include "ledger/ledger.h"

/* C++ has names of kilobytes, and each series would have one. */
#define NAME_BYTES_MAX 200
#define CHARACTER_BYTES_MAX 4
#define CUT "\xe2\x80\xa6"

/* Functions on their way, in the order of the profile. Texts move until all are there: till then
 * they are known by where they begin. */
struct gathering {
	const struct ctd_profile *profile;
	struct ctd_functions *functions; /* owned */
	struct ctd_strbuf texts; /* owned */
	size_t parts_count;
	uint32_t *function_of; /* owned; by parts: index into the stacks' functions */
	uint32_t *part_of; /* owned; by functions: of the row, + 1; 0: it has none */
	size_t *name_of; /* owned; by functions: where its name begins, + 1; 0: nowhere yet */
	size_t *key_of, *core_of; /* owned; by rows: where they begin */
};

static void gathering_free(struct gathering *gathering)
{
	ctd_functions_free(gathering->functions);
	ctd_strbuf_free(&gathering->texts);
	free(gathering->function_of);
	free(gathering->part_of);
	free(gathering->name_of);
	free(gathering->key_of);
	free(gathering->core_of);
}

static int allocate(struct gathering *gathering)
{
	const struct ctd_profile *profile = gathering->profile;
	size_t rows = profile->rows_count, functions = profile->stacks->functions_count, parts = 0;

	for (size_t i = 0; i < rows; i++)
		parts += profile->rows[i].stacks_count;
	gathering->functions = calloc(1, sizeof(*gathering->functions));
	if (!gathering->functions)
		return -ENOMEM;
	gathering->functions->rows = calloc(rows + 1, sizeof(struct ctd_function_row));
	gathering->functions->parts = calloc(parts + 1, sizeof(struct ctd_function_part));
	gathering->function_of = calloc(parts + 1, sizeof(uint32_t));
	gathering->part_of = calloc(functions + 1, sizeof(uint32_t));
	gathering->name_of = calloc(functions + 1, sizeof(size_t));
	gathering->key_of = calloc(rows + 1, sizeof(size_t));
	gathering->core_of = calloc(rows + 1, sizeof(size_t));
	return gathering->functions->rows && gathering->functions->parts &&
			       gathering->function_of && gathering->part_of && gathering->name_of &&
			       gathering->key_of && gathering->core_of
		       ? 0
		       : -ENOMEM;
}

static uint32_t innermost(const struct ctd_stacks *stacks, const struct ctd_profile_stack *stack)
{
	return stacks->frames[stacks->traces[stack->trace].first];
}

/* A program may call a function as we call what is none. */
static bool has_name_of_ours(const struct ctd_stacks *stacks, const struct ctd_function *function)
{
	return *stacks->modules[function->module].file &&
	       (strcmp(function->label, CTD_FUNCTION_NOT_SAMPLED) == 0 ||
		strcmp(function->label, CTD_FUNCTION_OTHER) == 0);
}

static void name(struct gathering *gathering, uint32_t function)
{
	const struct ctd_stacks *stacks = gathering->profile->stacks;
	const char *label = stacks->functions[function].label;
	size_t first = gathering->texts.bytes;

	if (gathering->name_of[function])
		return;
	gathering->name_of[function] = first + 1;
	if (has_name_of_ours(stacks, &stacks->functions[function])) {
		ctd_strbuf_addf(&gathering->texts, "'%s'", label);
		ctd_strbuf_add_bytes(&gathering->texts, "", 1);
		return;
	}
	/* What does not fit is told by a character more. */
	ctd_utf8_add(&gathering->texts, label, NAME_BYTES_MAX + CHARACTER_BYTES_MAX);
	if (gathering->texts.bytes - first > NAME_BYTES_MAX) {
		gathering->texts.bytes = first;
		ctd_utf8_add(&gathering->texts, label, NAME_BYTES_MAX);
		ctd_strbuf_add(&gathering->texts, CUT);
	}
	ctd_strbuf_add_bytes(&gathering->texts, "", 1);
}

static void add_figures(struct ctd_function_part *to, uint64_t samples,
			const struct ctd_function_figures *figures)
{
	to->samples += samples;
	to->figures.cpu_ns += figures->cpu_ns;
	for (int i = 0; i < CTD_FUNCTION_CATEGORIES; i++)
		to->figures.slots[i] += figures->slots[i];
}

static struct ctd_function_figures figures_of(const struct ctd_cpu_model *model,
					      const struct ctd_profile_stack *stack)
{
	struct ctd_function_figures figures = {.cpu_ns = stack->cpu_ns};

	for (int i = 0; model && i < model->nodes_count; i++) {
		int category = ctd_function_category(&model->nodes[i]);

		if (category >= 0)
			figures.slots[category] += stack->node_slots[i];
	}
	return figures;
}

static uint32_t categories_of(const struct ctd_cpu_model *model, const struct ctd_profile_row *row)
{
	uint32_t known = 0;

	for (int i = 0; model && i < model->nodes_count; i++) {
		int category = ctd_function_category(&model->nodes[i]);

		if (category >= 0 && row->node_slots_known & 1u << i)
			known |= 1u << category;
	}
	return known;
}

static size_t add_text(struct ctd_strbuf *texts, const char *text)
{
	size_t first = texts->bytes;

	ctd_strbuf_add_bytes(texts, text, strlen(text) + 1);
	return first;
}

static int gather_row(struct gathering *gathering, size_t number)
{
	const struct ctd_profile *profile = gathering->profile;
	const struct ctd_profile_row *from = &profile->rows[number];
	const struct ctd_rollup_plan *plan = profile->rollup->plan;
	const char *core = plan->core_types[from->core_type].name;
	const struct ctd_account_who *who = ctd_who_of(from->row, core);
	size_t first = gathering->parts_count;

	if (!who)
		return -ENOMEM;
	gathering->key_of[number] = add_text(&gathering->texts, who->key_text);
	gathering->core_of[number] = add_text(&gathering->texts, core);
	ctd_who_release(who);
	for (size_t i = 0; i < from->stacks_count; i++) {
		uint32_t function = innermost(profile->stacks, &from->stacks[i]);
		uint32_t *part = &gathering->part_of[function];
		struct ctd_function_figures figures = figures_of(plan->model, &from->stacks[i]);

		if (!*part) {
			gathering->function_of[gathering->parts_count] = function;
			*part = (uint32_t)++gathering->parts_count;
			name(gathering, function);
		}
		add_figures(&gathering->functions->parts[*part - 1], from->stacks[i].samples,
			    &figures);
	}
	for (size_t i = first; i < gathering->parts_count; i++)
		gathering->part_of[gathering->function_of[i]] = 0;
	gathering->functions->rows[number] = (struct ctd_function_row){
		.cgroup_id = from->row->cgroup_id,
		.categories_known = categories_of(plan->model, from),
		.parts = &gathering->functions->parts[first],
		.parts_count = gathering->parts_count - first,
	};
	return 0;
}

static int compare_names(const void *left, const void *right)
{
	const struct ctd_function_part *a = left, *b = right;

	return strcmp(a->name, b->name);
}

/* Functions of several files may have one name, and so may those whose names were cut. */
static size_t put_same_together(struct ctd_function_part *parts, size_t count)
{
	size_t kept = 0;

	qsort(parts, count, sizeof(*parts), compare_names);
	for (size_t i = 0; i < count; i++) {
		if (kept && strcmp(parts[kept - 1].name, parts[i].name) == 0)
			add_figures(&parts[kept - 1], parts[i].samples, &parts[i].figures);
		else
			parts[kept++] = parts[i];
	}
	return kept;
}

/* All texts are there, and stay where they are. */
static void set_texts(struct gathering *gathering)
{
	struct ctd_functions *functions = gathering->functions;
	struct ctd_function_part *part = functions->parts;

	functions->texts = take_ptr(gathering->texts.text);
	for (size_t i = 0; i < gathering->parts_count; i++)
		functions->parts[i].name =
			functions->texts + gathering->name_of[gathering->function_of[i]] - 1;
	for (size_t i = 0; i < functions->rows_count; i++) {
		struct ctd_function_row *row = &functions->rows[i];
		size_t count = row->parts_count;

		row->key = functions->texts + gathering->key_of[i];
		row->core = functions->texts + gathering->core_of[i];
		row->parts_count = put_same_together(part, count);
		part += count;
	}
}

static int gather(const struct ctd_profile *profile, struct ctd_functions **ret_functions)
{
	__attribute__((cleanup(gathering_free))) struct gathering gathering = {.profile = profile};
	const struct ctd_rollup *rollup = profile->rollup;
	int error = allocate(&gathering);

	for (size_t i = 0; !error && i < profile->rows_count; i++)
		error = gather_row(&gathering, i);
	if (error || gathering.texts.failed)
		return -ENOMEM;
	gathering.functions->rows_count = profile->rows_count;
	gathering.functions->begun_ns = rollup->realtime_ns - rollup->window_ns;
	gathering.functions->end_ns = rollup->realtime_ns;
	set_texts(&gathering);
	*ret_functions = take_ptr(gathering.functions);
	return 0;
}

static int divide(const struct ctd_stacks *stacks, const struct ctd_interval *interval,
		  const struct ctd_rollup *rollup, struct ctd_functions **ret_functions)
{
	struct ctd_profile profile;
	int error = ctd_profile_make(stacks, interval, rollup, &profile);

	if (error)
		return error;
	error = gather(&profile, ret_functions);
	ctd_profile_free(&profile);
	return error;
}

int ctd_functions_make(const struct ctd_rollup_plan *plan, const struct ctd_identities *identities,
		       const struct ctd_profile_sum *sum, uint64_t period_ns,
		       struct ctd_functions **ret_functions)
{
	static const struct ctd_rollup_options by_container = {.by = CTD_GROUP_CONTAINER};
	struct ctd_stacks *none = NULL;
	struct ctd_rollup rollup;
	int error = ctd_rollup_make(plan, &sum->interval, identities, &by_container, &rollup);

	if (error)
		return error;
	/* Nothing was sampled: it is time all the same. */
	if (!sum->stacks)
		error = ctd_stacks_new(period_ns, plan->counters_count, plan->groups_count, &none);
	if (!error)
		error = divide(none ? none : sum->stacks, &sum->interval, &rollup, ret_functions);
	ctd_stacks_free(none);
	ctd_rollup_free(&rollup);
	return error;
}

void ctd_functions_free(struct ctd_functions *functions)
{
	if (!functions)
		return;
	free(functions->rows);
	free(functions->parts);
	free(functions->texts);
	free(functions);
}
