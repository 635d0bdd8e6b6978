/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* difference.c - for people: which functions of each row have more or fewer slots than in the base.
 */
#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/auto.h"
#include "base/strbuf.h"
#include "format/colour.h"
#include "format/format.h"
#include "profile_sink/functions.h"
#include "profile_sink/weights.h"

#define TOP_ALL SIZE_MAX
#define ROWS_MAX 20
/* Rows with less of the whole, of both, are only counted. */
#define ROW_SHARE_MIN 0.005
/* A difference within so many standard errors of the samples may be chance. */
#define ERRORS_MIN 2

struct difference {
	uint32_t function;
	double is, was; /* was: scaled */
	double variance;
};

struct drawing {
	const struct ctd_profile_sink_options *options;
	const struct ctd_profile *profile;
	struct ctd_weight weight;
	double scale; /* of the base */
	double whole; /* of all rows: slots, or CPU time */
	const uint32_t *same; /* ctd_profile_match_rows() */
	struct ctd_strbuf *out;
};

/* The rows of both that are of one and the same. */
struct pair {
	uint32_t first; /* of them: drawing.same */
	size_t is_rows, was_rows;
	double is, was;
	size_t stacks; /* of both */
};

static void begin_colour(const struct drawing *drawing, const char *colour)
{
	if (drawing->options->colour)
		ctd_strbuf_add(drawing->out, colour);
}

static void add_name(const struct drawing *drawing, const char *name, int width)
{
	ctd_format_add_short(drawing->out, name, width, drawing->options->unicode);
}

/* "+3.20G", as slots, or as CPU time in seconds. */
static void add_change(const struct drawing *drawing, double change)
{
	char text[CTD_FIGURE_BYTES + 1];

	if (drawing->weight.kind == CTD_WEIGHT_CPU)
		snprintf(text, sizeof(text), "%+.3f s", change / 1e9);
	else
		text[0] = change < 0 ? '-' : '+',
		ctd_format_count((uint64_t)llround(fabs(change)), text + 1);
	ctd_strbuf_addf(drawing->out, "%9s", text);
}

static double variance_of(double weight, uint64_t samples)
{
	/* Of what was never sampled nothing is known. */
	return samples ? weight * weight / (double)samples : 0;
}

static int compare_function(const void *left, const void *right)
{
	const struct difference *a = left, *b = right;

	return a->function < b->function ? -1 : a->function > b->function;
}

static int compare_change(const void *left, const void *right)
{
	const struct difference *a = left, *b = right;
	double first = fabs(a->is - a->was), second = fabs(b->is - b->was);

	if (first != second)
		return first > second ? -1 : 1;
	return compare_function(left, right);
}

static int add_row(const struct drawing *drawing, const struct ctd_profile_row *row, bool is_base,
		   struct difference *differences, size_t *count)
{
	autofree struct ctd_profile_function *functions = NULL;
	size_t functions_count;
	int error = ctd_profile_functions(drawing->profile, row, 1, &drawing->weight, &functions,
					  &functions_count);

	for (size_t i = 0; !error && i < functions_count; i++) {
		double value = (double)functions[i].weight * (is_base ? drawing->scale : 1);

		differences[(*count)++] = (struct difference){
			.function = functions[i].function,
			.is = is_base ? 0 : value,
			.was = is_base ? value : 0,
			.variance = variance_of(value, functions[i].samples),
		};
	}
	return error;
}

/* The rows of the pair in either. */
static int add_side(const struct drawing *drawing, const struct pair *pair, bool is_base,
		    struct difference *differences, size_t *count)
{
	const struct ctd_profile *from = is_base ? drawing->options->base : drawing->profile;
	const uint32_t *same = drawing->same + (is_base ? drawing->profile->rows_count : 0);
	int error = 0;

	for (size_t i = 0; !error && i < from->rows_count; i++)
		if (same[i] == pair->first)
			error = add_row(drawing, &from->rows[i], is_base, differences, count);
	return error;
}

/* Each function of either side once, the largest change first. */
static int find_differences(const struct drawing *drawing, const struct pair *pair,
			    struct difference **ret_differences, size_t *ret_count)
{
	autofree struct difference *differences = calloc(pair->stacks + 1, sizeof(*differences));
	size_t all = 0, count = 0;
	int error = differences ? add_side(drawing, pair, false, differences, &all) : -ENOMEM;

	if (!error)
		error = add_side(drawing, pair, true, differences, &all);
	if (error)
		return error;
	qsort(differences, all, sizeof(*differences), compare_function);
	for (size_t i = 0; i < all; i++) {
		if (!count || differences[count - 1].function != differences[i].function) {
			differences[count++] = differences[i];
			continue;
		}
		differences[count - 1].is += differences[i].is;
		differences[count - 1].was += differences[i].was;
		differences[count - 1].variance += differences[i].variance;
	}
	qsort(differences, count, sizeof(*differences), compare_change);
	*ret_differences = take_ptr(differences);
	*ret_count = count;
	return 0;
}

static void add_difference(const struct drawing *drawing, const struct difference *difference)
{
	const struct ctd_stacks *stacks = drawing->profile->stacks;
	const struct ctd_function *function = &stacks->functions[difference->function];
	const struct ctd_module *module = &stacks->modules[function->module];
	const char *slash = strrchr(module->file, '/');
	double change = difference->is - difference->was;
	bool is_chance = fabs(change) < ERRORS_MIN * sqrt(difference->variance);

	ctd_strbuf_add(drawing->out, "  ");
	begin_colour(drawing, is_chance	   ? CTD_COLOUR_DIM
			      : change > 0 ? CTD_COLOUR_ADDED
					   : CTD_COLOUR_GONE);
	ctd_strbuf_add(drawing->out, is_chance ? "~" : " ");
	add_change(drawing, change);
	ctd_strbuf_addf(drawing->out, " %6.2f%% %6.2f%%  ", 100 * difference->was / drawing->whole,
			100 * difference->is / drawing->whole);
	begin_colour(drawing, CTD_COLOUR_OFF);
	add_name(drawing, function->label, drawing->options->width - 30);
	if (*module->file && *function->name) {
		begin_colour(drawing, CTD_COLOUR_DIM);
		ctd_strbuf_add(drawing->out, " (");
		add_name(drawing, slash ? slash + 1 : module->file, 30);
		ctd_strbuf_add(drawing->out, ")");
		begin_colour(drawing, CTD_COLOUR_OFF);
	}
	ctd_strbuf_add(drawing->out, "\n");
}

static int add_pair(const struct drawing *drawing, const struct pair *pair)
{
	autofree char *name =
		ctd_profile_row_name_of(drawing->profile, drawing->options->base, pair->first);
	autofree struct difference *differences = NULL;
	size_t count, shown;
	int error = name ? find_differences(drawing, pair, &differences, &count) : -ENOMEM;

	if (error)
		return error;
	ctd_strbuf_add(drawing->out, "\n");
	begin_colour(drawing, CTD_COLOUR_HEAD);
	add_name(drawing, name, drawing->options->width - 40);
	begin_colour(drawing, CTD_COLOUR_OFF);
	ctd_strbuf_addf(drawing->out, "  %.2f%%, was %.2f%%%s\n", 100 * pair->is / drawing->whole,
			100 * pair->was / drawing->whole,
			!pair->was_rows	 ? "  (not in the base)"
			: !pair->is_rows ? "  (in the base only)"
					 : "");
	begin_colour(drawing, CTD_COLOUR_HEAD);
	ctd_strbuf_addf(drawing->out, "  %10s %7s %7s  FUNCTION", "ADDED", "WAS", "IS");
	begin_colour(drawing, CTD_COLOUR_OFF);
	ctd_strbuf_add(drawing->out, "\n");
	shown = drawing->options->top ? (size_t)drawing->options->top : TOP_ALL;
	for (size_t i = 0; i < count && i < shown; i++)
		if (differences[i].is != differences[i].was)
			add_difference(drawing, &differences[i]);
	if (count > shown)
		ctd_strbuf_addf(drawing->out, "  %26s  %zu more\n", "", count - shown);
	return 0;
}

static int compare_pairs(const void *left, const void *right)
{
	const struct pair *a = left, *b = right;

	if (a->is + a->was != b->is + b->was)
		return a->is + a->was > b->is + b->was ? -1 : 1;
	return a->first < b->first ? -1 : a->first > b->first;
}

/* Those that are large in either first. */
static int make_pairs(const struct drawing *drawing, struct pair **ret_pairs, size_t *ret_count)
{
	const struct ctd_profile *profile = drawing->profile, *base = drawing->options->base;
	size_t count = profile->rows_count + base->rows_count, kept = 0;
	autofree struct pair *pairs = calloc(count + 1, sizeof(*pairs));

	if (!pairs)
		return -ENOMEM;
	for (size_t i = 0; i < count; i++) {
		bool is_base = i >= profile->rows_count;
		const struct ctd_profile_row *row =
			is_base ? &base->rows[i - profile->rows_count] : &profile->rows[i];
		struct pair *pair = &pairs[drawing->same[i]];
		double value = (double)ctd_weight_of_row(&drawing->weight, row);

		pair->first = drawing->same[i];
		*(is_base ? &pair->was_rows : &pair->is_rows) += 1;
		*(is_base ? &pair->was : &pair->is) += is_base ? value * drawing->scale : value;
		pair->stacks += row->stacks_count;
	}
	for (size_t i = 0; i < count; i++)
		if (pairs[i].is_rows || pairs[i].was_rows)
			pairs[kept++] = pairs[i];
	qsort(pairs, kept, sizeof(*pairs), compare_pairs);
	*ret_pairs = take_ptr(pairs);
	*ret_count = kept;
	return 0;
}

static void add_head(const struct drawing *drawing)
{
	const struct ctd_rollup *is = drawing->profile->rollup,
				*was = drawing->options->base->rollup;
	char time[CTD_FIGURE_BYTES];

	if (is->plan->simulated) {
		begin_colour(drawing, CTD_COLOUR_SIMULATED);
		ctd_strbuf_add(drawing->out, "SIMULATED");
		begin_colour(drawing, CTD_COLOUR_OFF);
		ctd_strbuf_add(drawing->out, "  ");
	}
	ctd_format_time(is->realtime_ns, time);
	ctd_strbuf_addf(drawing->out, "%s of %s, %.1f s",
			ctd_weight_name(drawing->profile, &drawing->weight), time,
			(double)is->window_ns / 1e9);
	ctd_format_time(was->realtime_ns, time);
	ctd_strbuf_addf(drawing->out, ", compared with %s, %.1f s x %.3f\n", time,
			(double)was->window_ns / 1e9, drawing->scale);
}

static double whole_of(const struct ctd_profile *profile)
{
	const struct ctd_weight weight = {profile->slots_known ? CTD_WEIGHT_SLOTS : CTD_WEIGHT_CPU,
					  0};
	double sum = 0;

	for (size_t i = 0; i < profile->rows_count; i++)
		sum += (double)ctd_weight_of_row(&weight, &profile->rows[i]);
	return sum > 0 ? sum : 1;
}

static int difference_write(const struct ctd_profile_sink_options *options,
			    const struct ctd_profile *profile, struct ctd_strbuf *out)
{
	struct drawing drawing = {
		.options = options,
		.profile = profile,
		.weight = ctd_weight_chosen(options, profile),
		.scale = ctd_weight_base_scale(options, profile),
		.whole = whole_of(profile),
		.out = out,
	};
	autofree struct pair *pairs = NULL;
	autofree uint32_t *same = NULL;
	size_t count, shown = 0;
	int error = ctd_profile_match_rows(profile, options->base, &same);

	drawing.same = same;
	if (!error)
		error = make_pairs(&drawing, &pairs, &count);
	if (error)
		return error;
	add_head(&drawing);
	for (; shown < count && shown < ROWS_MAX && !error; shown++) {
		if (shown && pairs[shown].is + pairs[shown].was < ROW_SHARE_MIN * 2 * drawing.whole)
			break;
		error = add_pair(&drawing, &pairs[shown]);
	}
	if (shown < count)
		ctd_strbuf_addf(out, "\n%zu more, with less than %.1f%% each\n", count - shown,
				100 * (pairs[shown].is + pairs[shown].was) / 2 / drawing.whole);
	return error ? error : out->failed ? -ENOMEM : 0;
}

const struct ctd_profile_sink ctd_profile_difference = {
	.help = "a summary for people of what changed: of each row the functions with more or fewer slots than in the base",
	.compares = true,
	.write = difference_write,
};
