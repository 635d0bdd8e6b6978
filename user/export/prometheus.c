/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* prometheus.c - the two texts that Prometheus and its kin read. */
#include "export/families.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

/*
 * "Exposition formats" of Prometheus' documentation, text format 0.0.4; OpenMetrics 1.0.0. In the
 * first, a family has the name of its samples; in the second samples have the suffix of their type.
 * No help has a character that would have to be quoted.
 */

void ctd_sample_begin(struct exposition *exposition, const char *labels)
{
	struct ctd_strbuf *text = exposition->text;

	ctd_family_describe(exposition);
	ctd_strbuf_add_bytes(text, exposition->sample, exposition->sample_bytes);
	if (*labels) {
		ctd_strbuf_add_bytes(text, "{", 1);
		ctd_strbuf_add(text, labels);
		ctd_strbuf_add_bytes(text, "} ", 2);
	} else {
		ctd_strbuf_add_bytes(text, " ", 1);
	}
}

void ctd_sample_count(struct exposition *exposition, const char *labels, uint64_t count)
{
	ctd_sample_begin(exposition, labels);
	ctd_strbuf_add_count(exposition->text, count);
	ctd_strbuf_add_bytes(exposition->text, "\n", 1);
}

void ctd_sample_ns(struct exposition *exposition, const char *labels, uint64_t ns)
{
	ctd_sample_begin(exposition, labels);
	ctd_strbuf_add_seconds(exposition->text, ns);
	ctd_strbuf_add_bytes(exposition->text, "\n", 1);
}

bool ctd_family_has_created(const struct exposition *exposition)
{
	return exposition->format == CTD_OPENMETRICS_TEXT && exposition->family->created;
}

void ctd_sample_created(struct exposition *exposition, const char *labels, uint64_t ns)
{
	struct ctd_strbuf *text = exposition->text;

	ctd_strbuf_add(text, exposition->family->name);
	ctd_strbuf_add(text, "_created");
	if (*labels) {
		ctd_strbuf_add(text, "{");
		ctd_strbuf_add(text, labels);
		ctd_strbuf_add(text, "}");
	}
	ctd_strbuf_add(text, " ");
	ctd_strbuf_add_seconds(text, ns);
	ctd_strbuf_add(text, "\n");
}

const char *ctd_family_suffix(const struct family *family)
{
	return family->type == FAMILY_COUNTER ? "_total"
	       : family->type == FAMILY_INFO  ? "_info"
					      : "";
}

static void describe(struct exposition *exposition, const char *what, const char *text)
{
	bool openmetrics = exposition->format == CTD_OPENMETRICS_TEXT;
	struct ctd_strbuf *to = exposition->text;

	ctd_strbuf_add(to, "# ");
	ctd_strbuf_add(to, what);
	ctd_strbuf_add(to, " ");
	ctd_strbuf_add(to, openmetrics ? exposition->family->name : exposition->sample);
	ctd_strbuf_add(to, " ");
	ctd_strbuf_add(to, text);
	ctd_strbuf_add(to, "\n");
}

static const char *type_name(const struct exposition *exposition)
{
	switch (exposition->family->type) {
	case FAMILY_COUNTER:
		return "counter";
	case FAMILY_INFO:
		return exposition->format == CTD_OPENMETRICS_TEXT ? "info" : "gauge";
	default:
		return "gauge";
	}
}

void ctd_family_describe(struct exposition *exposition)
{
	const struct family *family = exposition->family;

	if (exposition->described)
		return;
	describe(exposition, "HELP", family->help);
	describe(exposition, "TYPE", type_name(exposition));
	if (exposition->format == CTD_OPENMETRICS_TEXT && *family->unit)
		describe(exposition, "UNIT", family->unit);
	exposition->described = true;
}

/* A family without samples is left out. */
static void write_family(struct exposition *exposition, const struct family *family)
{
	exposition->family = family;
	exposition->described = false;
	exposition->sample_bytes =
		(size_t)snprintf(exposition->sample, sizeof(exposition->sample), "%s%s",
				 family->name, ctd_family_suffix(family));
	family->write(exposition);
}

int ctd_export_metrics(enum ctd_exposition exposition, const struct ctd_ledger_view *view,
		       const struct ctd_self *self, struct ctd_strbuf *text)
{
	struct exposition own = {.format = exposition, .view = view, .self = self, .text = text};
	int error = ctd_account_keys_make(view, &own.keys);

	if (error)
		return error;
	for (size_t i = 0; i < ctd_families_count; i++)
		write_family(&own, &ctd_families[i]);
	if (exposition == CTD_OPENMETRICS_TEXT)
		ctd_strbuf_add(text, "# EOF\n");
	ctd_account_keys_free(&own.keys);
	return text->failed ? -ENOMEM : 0;
}
