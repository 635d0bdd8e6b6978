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
	struct ctd_strbuf *out;
};

/* The rows of both of one name; NULL where one has none. */
struct pair {
	size_t name; /* ctd_profile_row_name_of() */
	const struct ctd_profile_row *is, *was;
	double size;
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

static int add_side(const struct drawing *drawing, const struct ctd_profile_row *row, bool is_base,
		    struct difference *differences, size_t *count)
{
	autofree struct ctd_profile_function *functions = NULL;
	size_t functions_count;
	int error = row ? ctd_profile_functions(drawing->profile, row, 1, &drawing->weight,
						&functions, &functions_count)
			: 0;

	for (size_t i = 0; row && !error && i < functions_count; i++) {
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

/* Each function of either row once, the largest change first. */
static int find_differences(const struct drawing *drawing, const struct pair *pair,
			    struct difference **ret_differences, size_t *ret_count)
{
	size_t room =
		(pair->is ? pair->is->stacks_count : 0) + (pair->was ? pair->was->stacks_count : 0);
	autofree struct difference *differences = calloc(room + 1, sizeof(*differences));
	size_t all = 0, count = 0;
	int error = differences ? add_side(drawing, pair->is, false, differences, &all) : -ENOMEM;

	if (!error)
		error = add_side(drawing, pair->was, true, differences, &all);
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

static double value_of(const struct drawing *drawing, const struct ctd_profile_row *row,
		       bool is_base)
{
	uint64_t value = row ? ctd_weight_of_row(&drawing->weight, row) : 0;

	return (double)value * (is_base ? drawing->scale : 1);
}

static int add_pair(const struct drawing *drawing, const struct pair *pair)
{
	autofree char *name =
		ctd_profile_row_name_of(drawing->profile, drawing->options->base, pair->name);
	double is = value_of(drawing, pair->is, false), was = value_of(drawing, pair->was, true);
	autofree struct difference *differences = NULL;
	size_t count, shown;
	int error = name ? find_differences(drawing, pair, &differences, &count) : -ENOMEM;

	if (error)
		return error;
	ctd_strbuf_add(drawing->out, "\n");
	begin_colour(drawing, CTD_COLOUR_HEAD);
	add_name(drawing, name, drawing->options->width - 40);
	begin_colour(drawing, CTD_COLOUR_OFF);
	ctd_strbuf_addf(drawing->out, "  %.2f%%, was %.2f%%%s\n", 100 * is / drawing->whole,
			100 * was / drawing->whole,
			!pair->was  ? "  (not in the base)"
			: !pair->is ? "  (in the base only)"
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

	if (a->size != b->size)
		return a->size > b->size ? -1 : 1;
	return a->name < b->name ? -1 : a->name > b->name;
}

/* Rows by name, those that are large in either first. */
static int make_pairs(const struct drawing *drawing, struct pair **ret_pairs, size_t *ret_count)
{
	const struct ctd_profile *profile = drawing->profile, *base = drawing->options->base;
	size_t count = profile->rows_count + base->rows_count, kept = 0;
	autofree struct pair *pairs = calloc(count + 1, sizeof(*pairs));
	autofree uint32_t *same = NULL;
	int error = pairs ? ctd_profile_match_rows(profile, base, &same) : -ENOMEM;

	if (error)
		return error;
	for (size_t i = 0; i < profile->rows_count; i++)
		pairs[i].is = &profile->rows[i];
	for (size_t i = 0; i < base->rows_count; i++)
		pairs[same[i]].was = &base->rows[i];
	for (size_t i = 0; i < count; i++) {
		if (!pairs[i].is && !pairs[i].was)
			continue;
		pairs[i].name = i;
		pairs[i].size = value_of(drawing, pairs[i].is, false) +
				value_of(drawing, pairs[i].was, true);
		pairs[kept++] = pairs[i];
	}
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
	const struct drawing drawing = {
		.options = options,
		.profile = profile,
		.weight = ctd_weight_chosen(options, profile),
		.scale = ctd_weight_base_scale(options, profile),
		.whole = whole_of(profile),
		.out = out,
	};
	autofree struct pair *pairs = NULL;
	size_t count, shown = 0;
	int error = make_pairs(&drawing, &pairs, &count);

	if (error)
		return error;
	add_head(&drawing);
	for (; shown < count && shown < ROWS_MAX && !error; shown++) {
		if (shown && pairs[shown].size < ROW_SHARE_MIN * 2 * drawing.whole)
			break;
		error = add_pair(&drawing, &pairs[shown]);
	}
	if (shown < count)
		ctd_strbuf_addf(out, "\n%zu more, with less than %.1f%% each\n", count - shown,
				100 * pairs[shown].size / 2 / drawing.whole);
	return error ? error : out->failed ? -ENOMEM : 0;
}

const struct ctd_profile_sink ctd_profile_difference = {
	.help = "a summary for people of what changed: of each row the functions with more or fewer slots than in the base",
	.compares = true,
	.write = difference_write,
};
