/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* folded.c - a line for each stack, as flamegraph.pl reads it: "container;main;walk 4711". */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/auto.h"
#include "base/strbuf.h"
#include "base/utf8.h"
#include "profile_sink/weights.h"

/* What stands between frames is in none. */
static void add_name(struct ctd_strbuf *out, const char *name)
{
	autofree char *copy = strdup(name);

	for (char *at = copy; copy && (at = strchr(at, ';'));)
		*at = ':';
	out->failed |= !copy;
	if (copy)
		ctd_utf8_add(out, copy, SIZE_MAX / 2);
}

static void add_stack(struct ctd_strbuf *out, const struct ctd_stacks *stacks,
		      const struct ctd_trace *trace)
{
	for (size_t i = trace->frames_count; i-- > 0;) {
		const struct ctd_function *function =
			&stacks->functions[stacks->frames[trace->first + i]];

		ctd_strbuf_add(out, ";");
		add_name(out, function->label);
		/* As stackcollapse-perf.pl marks them. */
		if (stacks->modules[function->module].kernel)
			ctd_strbuf_add(out, "_[k]");
	}
}

/* A stack of one row, in either profile. */
struct line {
	uint32_t row, trace;
	uint64_t is, was;
};

static int compare_lines(const void *left, const void *right)
{
	const struct line *a = left, *b = right;

	if (a->row != b->row)
		return a->row < b->row ? -1 : 1;
	return a->trace < b->trace ? -1 : a->trace > b->trace;
}

struct lines {
	struct line *lines; /* owned */
	size_t count;
};

static void lines_free(struct lines *lines)
{
	free(lines->lines);
}

static size_t stacks_of(const struct ctd_profile *profile)
{
	size_t count = 0;

	for (size_t i = 0; profile && i < profile->rows_count; i++)
		count += profile->rows[i].stacks_count;
	return count;
}

/* @p same: of each row that whose it is; NULL: each is one by itself. */
static void take_lines(struct lines *lines, const struct ctd_profile_sink_options *options,
		       const struct ctd_profile *profile, bool is_base, const uint32_t *same)
{
	struct ctd_weight weight = ctd_weight_chosen(options, profile);
	double scale = ctd_weight_base_scale(options, profile);
	const struct ctd_profile *from = is_base ? options->base : profile;

	for (size_t i = 0; i < from->rows_count; i++) {
		for (size_t k = 0; k < from->rows[i].stacks_count; k++) {
			const struct ctd_profile_stack *stack = &from->rows[i].stacks[k];
			uint64_t value = ctd_weight_of(&weight, stack);

			lines->lines[lines->count++] = (struct line){
				.row = same ? same[i] : (uint32_t)i,
				.trace = stack->trace,
				.is = is_base ? 0 : value,
				.was = is_base ? ctd_weight_scaled(value, scale) : 0,
			};
		}
	}
}

/* Each stack once, in the order of the profile; of a comparison by row and stack. */
static int make_lines(const struct ctd_profile_sink_options *options,
		      const struct ctd_profile *profile, struct lines *lines)
{
	autofree uint32_t *same = NULL;
	size_t count = 0;

	lines->lines =
		calloc(stacks_of(profile) + stacks_of(options->base) + 1, sizeof(*lines->lines));
	if (!lines->lines)
		return -ENOMEM;
	if (options->base && ctd_profile_match_rows(profile, options->base, &same))
		return -ENOMEM;
	take_lines(lines, options, profile, false, same);
	if (!options->base)
		return 0;
	take_lines(lines, options, profile, true, same + profile->rows_count);
	qsort(lines->lines, lines->count, sizeof(*lines->lines), compare_lines);
	for (size_t i = 0; i < lines->count; i++) {
		struct line *line = &lines->lines[i];

		if (!count || compare_lines(&lines->lines[count - 1], line)) {
			lines->lines[count++] = *line;
			continue;
		}
		lines->lines[count - 1].is += line->is;
		lines->lines[count - 1].was += line->was;
	}
	lines->count = count;
	return 0;
}

static int folded_write(const struct ctd_profile_sink_options *options,
			const struct ctd_profile *profile, struct ctd_strbuf *out)
{
	__attribute__((cleanup(lines_free))) struct lines lines = {0};
	autofree char *name = NULL;
	uint32_t named = 0;
	int error = make_lines(options, profile, &lines);

	for (size_t i = 0; !error && i < lines.count; i++) {
		const struct line *line = &lines.lines[i];

		if (!line->is && !line->was)
			continue;
		if (!name || named != line->row) {
			free(name);
			name = ctd_profile_row_name_of(profile, options->base, line->row);
			named = line->row;
		}
		if (!name)
			return -ENOMEM;
		add_name(out, name);
		add_stack(out, profile->stacks, &profile->stacks->traces[line->trace]);
		if (options->base) {
			/* As difffolded.pl: what was, then what is. */
			ctd_strbuf_add(out, " ");
			ctd_strbuf_add_count(out, line->was);
		}
		ctd_strbuf_add(out, " ");
		ctd_strbuf_add_count(out, line->is);
		ctd_strbuf_add(out, "\n");
	}
	return error || out->failed ? -ENOMEM : 0;
}

const struct ctd_profile_sink ctd_profile_folded = {
	.suffix = ".folded",
	.compares = true,
	.help = "a line for each stack, for flamegraph.pl and others: of slots, or what --sort names",
	.write = folded_write,
};
