/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* vendor_csv.c - vendors' metrics of a row as fields of CSV. */
#include "format/vendor_csv.h"

#include <math.h>

#include "format/drill.h"
#include "format/format.h"

static const struct ctd_vendor_metric *metric_of(const struct ctd_vendor_counting *vendor,
						 size_t index)
{
	return &vendor->table->metrics[vendor->metrics[index].metric];
}

/* Names are a file's: they may have what takes quotes. */
static void add_name(struct ctd_strbuf *out, const char *name, const char *ending)
{
	auto_ctd_strbuf struct ctd_strbuf text = {0};

	ctd_strbuf_addf(&text, "%s%s", name, ending);
	ctd_csv_add_text(out, text.text);
	out->failed |= text.failed;
}

void ctd_vendor_csv_add_head(struct ctd_strbuf *out, const struct ctd_report *report)
{
	const struct ctd_vendor_countings *vendor = report->vendor;

	for (size_t i = 0; i < vendor->columns_count; i++)
		add_name(out, vendor->columns[i].name, "");
	for (size_t i = 0; i < vendor->columns_count; i++)
		add_name(out, vendor->columns[i].name, "_coverage");
	ctd_strbuf_add(out, ",worth_a_look");
	if (report->drill_paths)
		ctd_strbuf_add(out, ",drill,drill_confidence");
}

static void add_hot(struct ctd_strbuf *out, const struct ctd_report *report,
		    const struct ctd_report_row *row)
{
	const struct ctd_vendor_value *values = row ? ctd_report_vendor_values(report, row) : NULL;
	auto_ctd_strbuf struct ctd_strbuf names = {0};

	for (size_t i = 0; values && i < report->vendor->columns_count; i++) {
		int index = ctd_report_vendor_index(report, row, i);

		if (index >= 0 && values[index].hot)
			ctd_strbuf_addf(&names, "%s%s", names.bytes ? ";" : "",
					report->vendor->columns[i].name);
	}
	ctd_csv_add_text(out, names.text);
	out->failed |= names.failed;
}

static void add_drill(struct ctd_strbuf *out, const struct ctd_vendor_counting *vendor,
		      const struct ctd_drill_path *path)
{
	auto_ctd_strbuf struct ctd_strbuf text = {0};

	if (path && path->steps_count)
		ctd_drill_add_text(&text, vendor, path, true);
	ctd_csv_add_text(out, text.text);
	ctd_csv_add_text(out, path ? ctd_drill_confidence_name(path->confidence) : NULL);
	out->failed |= text.failed;
}

void ctd_vendor_csv_add_row(struct ctd_strbuf *out, const struct ctd_report *report,
			    const struct ctd_report_row *row)
{
	const struct ctd_vendor_counting *vendor = row ? ctd_report_vendor(report, row) : NULL;
	const struct ctd_vendor_value *values = row ? ctd_report_vendor_values(report, row) : NULL;
	size_t columns = report->vendor->columns_count;

	for (size_t i = 0; i < columns; i++) {
		int index = row ? ctd_report_vendor_index(report, row, i) : -1;
		double value =
			index < 0 ? NAN
				  : values[index].value * metric_of(vendor, (size_t)index)->scale;

		if (isfinite(value))
			ctd_strbuf_addf(out, ",%.*g", CTD_VENDOR_DIGITS, value == 0 ? 0 : value);
		else
			ctd_strbuf_add(out, ",");
	}
	for (size_t i = 0; i < columns; i++) {
		int index = row ? ctd_report_vendor_index(report, row, i) : -1;

		if (index >= 0 && vendor->metrics[index].group >= 0)
			ctd_strbuf_addf(out, ",%.4f",
					ctd_report_vendor_coverage(report, row, (size_t)index));
		else
			ctd_strbuf_add(out, ",");
	}
	add_hot(out, report, row);
	if (report->drill_paths)
		add_drill(out, vendor, row ? ctd_report_drill_path(report, row) : NULL);
}
