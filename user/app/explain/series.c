/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* series.c - cgtopdown list series: what metrics systems get. */
#include "app/explain/list.h"

#include <cgtopdown/export.h>

#include <string.h>

#include "app/text.h"
#include "base/strbuf.h"

#define INDENT 2
#define SERIES_COLUMN 4

/* @p line: name, type, unit, labels and help, as ctd_export_families() has them; cut up. */
static void print_series(FILE *out, const char *colour, char *line)
{
	auto_ctd_strbuf struct ctd_strbuf text = {0};
	const char *name = strsep(&line, "\t"), *type = strsep(&line, "\t");
	const char *unit = strsep(&line, "\t"), *labels = strsep(&line, "\t");

	ctd_strbuf_addf(&text, "%c%s", type[0] - 'a' + 'A', type + 1);
	if (strcmp(unit, "-") != 0)
		ctd_strbuf_addf(&text, " in %s", unit);
	if (strcmp(labels, "-") != 0)
		ctd_strbuf_addf(&text, ", by %s", labels);
	ctd_strbuf_addf(&text, ".\n%s", line);
	ctd_text_item(out, INDENT, SERIES_COLUMN, colour, name,
		      text.failed ? "(out of memory)" : text.text);
}

static void free_text(struct ctd_strbuf *text)
{
	ctd_strbuf_free(text);
}

int ctd_list_series(FILE *out, const char *colour)
{
	__attribute__((cleanup(free_text))) struct ctd_strbuf lines = {0};
	int error = ctd_export_families(&lines);
	char *begin = lines.text;

	if (error)
		return error;
	for (size_t i = 0; i < lines.bytes; i++) {
		if (lines.text[i] != '\n')
			continue;
		lines.text[i] = '\0';
		print_series(out, colour, begin);
		begin = lines.text + i + 1;
	}
	ctd_text_item(
		out, INDENT, SERIES_COLUMN, colour, "row",
		"Stands for the labels that say whose a series is: kind, namespace, pod, "
		"container, cgroup, and core where a machine has cores of several kinds. Those "
		"without a value are left out, as is a series whose value is not known.");
	return 0;
}
