/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* drill.c - a row's path down a vendor's tree, as text. */
#include "format/drill.h"

#include <math.h>
#include <string.h>

#include "base/auto.h"
#include "format/format.h"

static const struct ctd_vendor_metric *metric_of(const struct ctd_vendor_counting *vendor,
						 size_t index)
{
	return &vendor->table->metrics[vendor->metrics[index].metric];
}

static void add_safe(struct ctd_strbuf *out, const char *text, bool unicode)
{
	autofree char *safe = ctd_format_printable(text, unicode);

	ctd_strbuf_add(out, safe ? safe : "?");
}

/* By the name without Intel's prefix --explain finds it, too. */
static const char *short_name(const char *name)
{
	static const char prefix[] = "tma_";

	return strncmp(name, prefix, strlen(prefix)) ? name : name + strlen(prefix);
}

static void add_step(struct ctd_strbuf *out, const struct ctd_vendor_counting *vendor,
		     const struct ctd_drill_step *step, bool unicode)
{
	const struct ctd_vendor_metric *metric = metric_of(vendor, step->index);
	double value = step->value * metric->scale;

	add_safe(out, short_name(metric->name), unicode);
	if (ctd_vendor_is_percent(metric)) {
		ctd_strbuf_addf(out, " %.0f%%", value);
		return;
	}
	ctd_strbuf_addf(out, " %.3g%s", value, *metric->unit ? " " : "");
	add_safe(out, metric->unit, unicode);
}

void ctd_drill_add_text(struct ctd_strbuf *out, const struct ctd_vendor_counting *vendor,
			const struct ctd_drill_path *path, bool unicode)
{
	for (size_t i = 0; i < path->steps_count; i++) {
		ctd_strbuf_add(out, i ? " > " : "");
		add_step(out, vendor, &path->steps[i], unicode);
	}
	for (size_t i = 0; i < path->beside_count; i++) {
		ctd_strbuf_add(out, ", ");
		add_step(out, vendor, &path->beside[i], unicode);
	}
	if (path->steps_count)
		return;
	ctd_strbuf_add(out, path->confidence == CTD_DRILL_UNKNOWN
				    ? "too little of its CPU time was counted to tell"
				    : "nothing is above its threshold");
}

/* Why the path may be another one. */
static void add_doubt(struct ctd_strbuf *out, const struct ctd_vendor_counting *vendor,
		      const struct ctd_drill_path *path, bool unicode)
{
	ctd_strbuf_add(out, "low confidence: ");
	if (path->unfinished)
		ctd_strbuf_add(out, path->scarce ? "it has too little CPU time to tell"
						 : "counted too little");
	else if (path->blind)
		add_safe(out, short_name(metric_of(vendor, path->blind_index)->name), unicode);
	else
		ctd_strbuf_add(out, "too near to another, or too noisy");
	ctd_strbuf_add(out, !path->unfinished && path->blind ? " is not counted" : "");
}

bool ctd_drill_add_note(struct ctd_strbuf *out, const struct ctd_vendor_counting *vendor,
			const struct ctd_drill_path *path, bool unicode)
{
	const struct ctd_vendor_metric *deepest = ctd_drill_deepest(vendor, path);
	size_t begun = out->bytes;

	if (deepest && *deepest->sample_with) {
		ctd_strbuf_add(out, "sample with ");
		add_safe(out, deepest->sample_with, unicode);
	}
	if (deepest && *deepest->next) {
		ctd_strbuf_add(out, out->bytes > begun ? "; " : "");
		ctd_strbuf_add(out, "look next at ");
		add_safe(out, deepest->next, unicode);
	}
	if (path->confidence == CTD_DRILL_LOW) {
		ctd_strbuf_add(out, out->bytes > begun ? "; " : "");
		add_doubt(out, vendor, path, unicode);
	}
	return out->bytes > begun;
}

bool ctd_drill_shows(const struct ctd_vendor_counting *vendor, const struct ctd_drill_path *path,
		     size_t index)
{
	int parent = vendor->metrics[index].parent;

	/* The path passes over what is not counted. */
	while (parent >= 0 && vendor->metrics[parent].group < 0)
		parent = vendor->metrics[parent].parent;
	for (size_t i = 0; path && i < path->steps_count; i++)
		if (parent == (int)path->steps[i].index)
			return true;
	return parent < 0;
}

const struct ctd_vendor_metric *ctd_drill_deepest(const struct ctd_vendor_counting *vendor,
						  const struct ctd_drill_path *path)
{
	return path->steps_count ? metric_of(vendor, path->steps[path->steps_count - 1].index)
				 : NULL;
}
