/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* row_code.c - codes the rows of an interval by what they were in the intervals before. */
#include "history/row_code.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/auto.h"
#include "decode/rows.h"
#include "history/row_figures.h"

/* One of so many rows is looked at for which figure predicts another best. */
#define ROWS_OF_A_TRIAL 8
/* A row of which nothing is known takes so many at least: its key (2 bits, and numbers of 7 or
 * more) and, beside its raw counts, its flags, CPU time, slices and switches. */
#define FRESH_ROW_BITS (2 + 3 * 7 + 4)

/* What is known of a figure. All arithmetic wraps: a damaged file cannot do harm by numbers. */
struct ctd_row_figure {
	uint64_t sum; /* of the figure, less a quarter with each interval */
	uint64_t error; /* the same of how far it was from what was expected, as it is written */
};

struct ctd_known_row {
	uint64_t cgroup_id;
	uint32_t pid, core_type;
	uint32_t kind;
	uint32_t slot; /* of its figures */
	bool present; /* in this interval */
	bool fresh; /* nothing is known of its figures */
};

struct ctd_row_column {
	uint64_t fresh_error; /* of the last row of which nothing was known */
	uint16_t base; /* the figure that predicts this one */
	uint32_t costs[CTD_COUNTERS_MAX]; /* lately, by each count before it in its group */
};

void ctd_row_context_free(struct ctd_row_context *context)
{
	free(context->known);
	free(context->figures);
	free(context->windows);
	free(context->models);
	*context = (struct ctd_row_context){0};
}

int ctd_row_context_begin(struct ctd_row_context *context, uint32_t counters_count,
			  uint32_t groups_count, const uint64_t l1[4])
{
	size_t columns = ctd_row_columns(counters_count, groups_count);

	if (columns != context->columns || counters_count != context->counters_count ||
	    groups_count != context->groups_count)
		ctd_row_context_free(context);
	if (!context->models)
		context->models = calloc(columns, sizeof(*context->models));
	if (!context->models)
		return -ENOMEM;
	context->counters_count = counters_count;
	context->groups_count = groups_count;
	context->columns = columns;
	context->known_count = 0;
	memcpy(context->l1, l1, sizeof(context->l1));
	memset(context->models, 0, columns * sizeof(*context->models));
	for (size_t i = 0; i < columns; i++)
		context->models[i].base = (uint16_t)ctd_row_base(i, counters_count, groups_count);
	return 0;
}

/* How many bits of a number are noise where @p error is four times what the last ones were. */
static unsigned int noise_bits(uint64_t error)
{
	return ctd_bits_length((error >> 2) - (error >> 3) - (error >> 5));
}

/*
 * @p base times the ratio of two sums. Of doubles, which is quicker than of 128 bits, and the same
 * on each machine: one product and one quotient, nothing that a compiler could put together.
 */
static uint64_t in_ratio(uint64_t base, uint64_t sum, uint64_t base_sum)
{
	double expected;

	if (!base_sum)
		return 0;
	expected = (double)base * (double)sum / (double)base_sum;
	return expected < 9e18 ? (uint64_t)expected : 0;
}

/* What is coded of one row. */
struct row_coder {
	struct ctd_row_context *context;
	struct ctd_bits *bits;
	const struct ctd_known_row *known;
	struct ctd_row_figure *figures; /* of the row */
	uint64_t window_ns, window_sum;
	uint64_t *values;
};

static uint64_t predict(const struct row_coder *coder, size_t column, size_t base)
{
	const struct ctd_row_figure *figure = &coder->figures[column];

	if (base == CTD_ROW_BASE_WINDOW)
		return in_ratio(coder->window_ns, figure->sum, coder->window_sum);
	return in_ratio(coder->values[base], figure->sum, coder->figures[base].sum);
}

/* Of a machine whose level 1 is the whole, the last of its four counts is what is left. */
static uint64_t rest_of_level1(const struct row_coder *coder)
{
	const uint64_t *raw = coder->values + CTD_ROW_RAW, *l1 = coder->context->l1;

	return raw[0] - raw[l1[0]] - raw[l1[1]] - raw[l1[2]];
}

/* Which of the counts before it in its group would have been nearest? */
static void try_bases(const struct row_coder *coder, size_t column)
{
	const struct ctd_row_context *context = coder->context;
	struct ctd_row_column *model = &context->models[column];
	size_t counter = (column - CTD_ROW_RAW) % context->counters_count, best = 0;

	for (size_t i = 0; i < counter; i++) {
		uint64_t predicted = predict(coder, column, column - counter + i);
		unsigned int length =
			ctd_bits_length(ctd_zigzag(coder->values[column] - predicted));

		model->costs[i] += 16 * length - model->costs[i] / 16;
		if (model->costs[i] < model->costs[best])
			best = i;
	}
	model->base = (uint16_t)(column - counter + best);
}

static void code_figure(const struct row_coder *coder, size_t column)
{
	const struct ctd_row_context *context = coder->context;
	struct ctd_row_column *model = &context->models[column];
	struct ctd_row_figure *figure = &coder->figures[column];
	bool fresh = coder->known->fresh;
	uint64_t expected = 0, difference;

	if (context->l1[0] && column == CTD_ROW_RAW + context->l1[3])
		expected = rest_of_level1(coder);
	else if (!fresh && model->base != CTD_ROW_BASE_NONE)
		expected = predict(coder, column, model->base);
	else if (!fresh)
		expected = figure->sum;
	difference = ctd_bits_rice(coder->bits, ctd_zigzag(coder->values[column] - expected),
				   noise_bits(fresh ? model->fresh_error : figure->error));
	coder->values[column] = expected + ctd_unzigzag(difference);
	if (fresh)
		model->fresh_error = 4 * difference;
	figure->error = fresh ? 4 * difference : figure->error - (figure->error >> 2) + difference;
}

static void code_row(const struct row_coder *coder, bool is_trial)
{
	const struct ctd_row_context *context = coder->context;
	size_t counts = (size_t)context->counters_count * context->groups_count;

	for (size_t i = 0; i < context->columns; i++)
		if (!ctd_row_follows(coder->values, i, counts, context->groups_count))
			code_figure(coder, i);
	for (size_t i = CTD_ROW_RAW; is_trial && i < CTD_ROW_RAW + counts; i++)
		if ((i - CTD_ROW_RAW) % context->counters_count)
			try_bases(coder, i);
	for (size_t i = 0; i < context->columns; i++) {
		struct ctd_row_figure *figure = &coder->figures[i];

		if (context->models[i].base == CTD_ROW_BASE_NONE)
			figure->sum = coder->values[i];
		else if (!ctd_row_follows(coder->values, i, counts, context->groups_count))
			figure->sum = figure->sum - (figure->sum >> 2) + coder->values[i];
	}
}

static int compare_known(const void *left, const void *right)
{
	const struct ctd_known_row *a = left, *b = right;

	if (a->kind != b->kind)
		return a->kind < b->kind ? -1 : 1;
	if (a->cgroup_id != b->cgroup_id)
		return a->cgroup_id < b->cgroup_id ? -1 : 1;
	if (a->pid != b->pid)
		return a->pid < b->pid ? -1 : 1;
	return a->core_type < b->core_type ? -1 : a->core_type > b->core_type;
}

static struct ctd_known_row key_of(const struct ctd_interval_row *row)
{
	return (struct ctd_known_row){.cgroup_id = row->cgroup_id,
				      .pid = row->pid,
				      .core_type = row->core_type,
				      .kind = row->kind};
}

/* Which of the known rows are there? @return how many. */
static size_t code_present(struct ctd_row_context *context, struct ctd_bits *bits,
			   const struct ctd_interval *interval, bool *is_new)
{
	size_t at = 0, count = 0;

	for (size_t i = 0; i < context->known_count; i++) {
		struct ctd_known_row *known = &context->known[i];
		bool present = false;

		while (!bits->reads && at < interval->rows_count) {
			struct ctd_known_row key = key_of(&interval->rows[at]);
			int order = compare_known(&key, known);

			present = order == 0;
			if (order > 0)
				break;
			is_new[at++] = order < 0;
			if (present)
				break;
		}
		known->fresh = false;
		present = ctd_bits_plain(bits, present, 1);
		known->present = present;
		count += present;
	}
	for (; !bits->reads && at < interval->rows_count; at++)
		is_new[at] = true;
	return count;
}

static size_t rows_max(const struct ctd_row_context *context)
{
	return CTD_ROW_FIGURES_MAX / context->columns;
}

bool ctd_row_context_has_room(const struct ctd_row_context *context, size_t rows_count)
{
	return rows_count <= rows_max(context) - context->known_count;
}

/* Room for @p count rows more, of which there are not too many. */
static int reserve(struct ctd_row_context *context, size_t count)
{
	size_t needed = context->known_count + count, capacity = 2 * context->known_capacity;
	struct ctd_known_row *known;
	struct ctd_row_figure *figures;
	uint64_t *windows;

	if (needed <= context->known_capacity)
		return 0;
	if (capacity < needed)
		capacity = needed;
	if (capacity > rows_max(context))
		capacity = rows_max(context);
	known = reallocarray(context->known, capacity, sizeof(*known));
	if (!known)
		return -ENOMEM;
	context->known = known;
	figures = reallocarray(context->figures, capacity, context->columns * sizeof(*figures));
	if (!figures)
		return -ENOMEM;
	context->figures = figures;
	windows = reallocarray(context->windows, capacity, sizeof(*windows));
	if (!windows)
		return -ENOMEM;
	context->windows = windows;
	context->known_capacity = capacity;
	return 0;
}

/* A row of which nothing is known, with its key; the distance of ids is small. */
static int code_new(struct ctd_row_context *context, struct ctd_bits *bits,
		    const struct ctd_interval_row *row, uint64_t *last_id)
{
	struct ctd_known_row key = row ? key_of(row) : (struct ctd_known_row){0};

	key.kind = (uint32_t)ctd_bits_plain(bits, key.kind, 2);
	key.cgroup_id = *last_id +
			ctd_unzigzag(ctd_bits_number(bits, ctd_zigzag(key.cgroup_id - *last_id)));
	key.pid = (uint32_t)ctd_bits_number(bits, key.pid);
	key.core_type = (uint32_t)ctd_bits_number(bits, key.core_type);
	key.slot = (uint32_t)context->known_count;
	key.present = true;
	key.fresh = true;
	*last_id = key.cgroup_id;
	memset(&context->figures[key.slot * context->columns], 0,
	       context->columns * sizeof(*context->figures));
	context->windows[key.slot] = 0;
	context->known[context->known_count++] = key;
	return bits->error;
}

/* Before there is memory for them: are there bits for so many rows, and is it little enough? */
static int check_new(const struct ctd_row_context *context, const struct ctd_bits *bits,
		     uint64_t count)
{
	uint64_t counts = (uint64_t)context->counters_count * context->groups_count;

	if (bits->reads && count > ctd_bits_left(bits) / (FRESH_ROW_BITS + counts))
		return -EBADMSG;
	if (ctd_row_context_has_room(context, count))
		return 0;
	return bits->reads ? -EBADMSG : -EFBIG;
}

static int code_all_new(struct ctd_row_context *context, struct ctd_bits *bits,
			const struct ctd_interval *interval, const bool *is_new, size_t *ret_count)
{
	uint64_t count = 0, last_id = 0;
	int error;

	for (size_t i = 0; i < interval->rows_count; i++)
		count += is_new[i];
	count = ctd_bits_number(bits, count);
	*ret_count = count;
	error = check_new(context, bits, count);
	if (!error)
		error = reserve(context, count);
	if (bits->reads) {
		for (uint64_t i = 0; !error && i < count; i++)
			error = code_new(context, bits, NULL, &last_id);
	} else {
		for (size_t i = 0; !error && i < interval->rows_count; i++)
			if (is_new[i])
				error = code_new(context, bits, &interval->rows[i], &last_id);
	}
	if (!error && count)
		qsort(context->known, context->known_count, sizeof(*context->known), compare_known);
	return error ? error : bits->error;
}

static int code_figures(struct ctd_row_context *context, struct ctd_bits *bits,
			struct ctd_interval *interval)
{
	autofree uint64_t *values = calloc(context->columns, sizeof(*values));
	struct row_coder coder = {.context = context,
				  .bits = bits,
				  .window_ns = interval->window_ns,
				  .values = values};
	size_t at = 0;

	if (!values)
		return -ENOMEM;
	for (size_t i = 0; !bits->error && i < context->known_count; i++) {
		const struct ctd_known_row *known = &context->known[i];
		struct ctd_interval_row *row = &interval->rows[at];
		uint64_t *window = &context->windows[known->slot];

		if (!known->present)
			continue;
		coder.known = known;
		coder.figures = &context->figures[known->slot * context->columns];
		coder.window_sum = *window;
		if (!bits->reads)
			ctd_row_to_values(row, context->counters_count, context->groups_count,
					  values);
		code_row(&coder, !known->fresh && at % ROWS_OF_A_TRIAL == 0);
		*window += interval->window_ns - (*window >> 2);
		at++;
		if (!bits->reads)
			continue;
		row->kind = known->kind;
		row->cgroup_id = known->cgroup_id;
		row->pid = known->pid;
		row->core_type = known->core_type;
		if (!ctd_row_from_values(values, context->counters_count, context->groups_count,
					 row))
			return -EBADMSG;
	}
	return bits->error;
}

static bool are_rows(const struct ctd_interval *interval, uint32_t core_types)
{
	for (size_t i = 0; i < interval->rows_count; i++) {
		const struct ctd_interval_row *row = &interval->rows[i];

		if (row->core_type >= core_types ||
		    (row->kind != CTD_ROW_CGROUP && row->cgroup_id) ||
		    (i && ctd_interval_row_compare(row - 1, row) >= 0))
			return false;
	}
	return true;
}

int ctd_rows_code(struct ctd_row_context *context, struct ctd_bits *bits, uint32_t core_types,
		  struct ctd_interval *interval)
{
	autofree bool *is_new = calloc(interval->rows_count + 1, sizeof(*is_new));
	size_t count, added;
	int error;

	if (!is_new)
		return -ENOMEM;
	count = code_present(context, bits, interval, is_new);
	error = code_all_new(context, bits, interval, is_new, &added);
	if (error)
		return error;
	if (bits->reads) {
		if (ctd_interval_reserve(interval, count + added))
			return -ENOMEM;
		interval->rows_count = count + added;
	}
	error = code_figures(context, bits, interval);
	return error ? error : bits->reads && !are_rows(interval, core_types) ? -EBADMSG : 0;
}
