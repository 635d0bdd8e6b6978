/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* folded.c - a line for each stack, as flamegraph.pl reads it: "container;main;walk 4711". */
#include <errno.h>
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

static void add_stack(struct ctd_strbuf *out, const struct ctd_profile *profile,
		      const struct ctd_profile_stack *stack, uint64_t value)
{
	const struct ctd_stacks *stacks = profile->stacks;
	size_t count;
	const uint32_t *frames = ctd_profile_frames(profile, stack, &count);

	for (size_t i = count; i-- > 0;) {
		const struct ctd_function *function = &stacks->functions[frames[i]];

		ctd_strbuf_add(out, ";");
		add_name(out, function->label);
		/* As stackcollapse-perf.pl marks them. */
		if (stacks->modules[function->module].kernel)
			ctd_strbuf_add(out, "_[k]");
	}
	ctd_strbuf_add(out, " ");
	ctd_strbuf_add_count(out, value);
	ctd_strbuf_add(out, "\n");
}

static int folded_write(const struct ctd_profile_sink_options *options,
			const struct ctd_profile *profile, struct ctd_strbuf *out)
{
	struct ctd_weight weight = ctd_weight_chosen(options, profile);

	for (size_t i = 0; i < profile->rows_count; i++) {
		const struct ctd_profile_row *row = &profile->rows[i];
		autofree char *name = ctd_profile_row_name(profile, row);

		if (!name)
			return -ENOMEM;
		for (size_t k = 0; k < row->stacks_count; k++) {
			uint64_t value = ctd_weight_of(&weight, &row->stacks[k]);

			if (!value)
				continue;
			add_name(out, name);
			add_stack(out, profile, &row->stacks[k], value);
		}
	}
	return out->failed ? -ENOMEM : 0;
}

const struct ctd_profile_sink ctd_profile_folded = {
	.suffix = ".folded",
	.help = "a line for each stack, for flamegraph.pl and others: of slots, or what --sort names",
	.write = folded_write,
};
