/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* series.c - cgtopdown list series: what metrics systems get. */
#include "app/explain/list.h"

#include <stdio.h>

#include "app/text.h"
#include "base/strbuf.h"
#include "export/families.h"

#define INDENT 2
#define SERIES_COLUMN 4

struct listing {
	FILE *out;
	const char *colour;
};

static void print_family(const struct family *family, void *context)
{
	const struct listing *listing = context;
	auto_ctd_strbuf struct ctd_strbuf text = {0}, labels = {0};
	const char *type = ctd_family_type(family);
	char name[96];

	if (!family->name)
		return;
	snprintf(name, sizeof(name), "%s%s", family->name, ctd_family_suffix(family));
	ctd_strbuf_addf(&text, "%c%s", type[0] - 'a' + 'A', type + 1);
	if (family->unit)
		ctd_strbuf_addf(&text, " in %s", family->unit);
	ctd_family_add_labels(family, &labels);
	if (labels.bytes)
		ctd_strbuf_addf(&text, ", by %s", labels.text);
	ctd_strbuf_addf(&text, ".\n%s", family->help);
	ctd_text_item(listing->out, INDENT, SERIES_COLUMN, listing->colour, name,
		      text.failed || labels.failed ? "(out of memory)" : text.text);
}

int ctd_list_series(FILE *out, const char *colour)
{
	struct listing listing = {out, colour};

	ctd_families_each(print_family, &listing);
	ctd_text_item(
		out, INDENT, SERIES_COLUMN, colour, "row",
		"Stands for the labels that say whose a series is: kind, namespace, pod, "
		"container, cgroup, and core where a machine has cores of several kinds. Those "
		"without a value are left out, as is a series whose value is not known.");
	return 0;
}
