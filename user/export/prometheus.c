/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* prometheus.c - the two texts that Prometheus and its kin read. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/digits.h"
#include "base/label.h"
#include "export/families.h"

/*
 * "Exposition formats" of Prometheus' documentation, text format 0.0.4; OpenMetrics 1.0.0. In the
 * first, a family has the name of its samples; in the second samples have the suffix of their type.
 * No help has a character that would have to be quoted.
 */

/* Texts are copied in steps of so many bytes, of a known number: there are many, and short ones. */
#define STEP_BYTES 32

/* A piece of a line; there are STEP_BYTES of memory behind it. */
struct piece {
	const char *text;
	size_t bytes;
};

#define RENDERED_BYTES 64
/* A label: `category="retiring"`. */
struct rendered {
	const char *value; /* of which it was made */
	size_t bytes;
	char text[RENDERED_BYTES + STEP_BYTES];
};

/* A text on its way. */
struct exposition {
	enum ctd_exposition format;
	struct subject whole;
	struct ctd_strbuf *text;
	/* The keys of accounts, one behind the other: where they are, each is far from the next. */
	char *keys; /* owned */
	size_t *key_ends; /* owned; that of account i is from key_ends[i] to key_ends[i + 1] */
	struct ctd_strbuf labels; /* owned; of one sample */
	/* The family being written. */
	const struct family *family;
	bool described; /* its help and type are written, as with its first sample */
	char sample[64 + STEP_BYTES]; /* its name in samples */
	size_t sample_bytes;
	char created[64 + STEP_BYTES]; /* that of the time since when it counts */
	size_t created_bytes; /* 0: it has none */
	struct rendered rendered[FAMILY_POINTS_MAX]; /* by the number of the subject's point */
};

static int make_keys(struct exposition *exposition, const struct ctd_ledger_view *view)
{
	size_t bytes = STEP_BYTES;
	char *end;

	exposition->key_ends = malloc((view->accounts_count + 1) * sizeof(size_t));
	if (!exposition->key_ends)
		return -ENOMEM;
	exposition->key_ends[0] = 0;
	for (size_t i = 0; i < view->accounts_count; i++) {
		bytes += view->accounts[i].who->labels_bytes;
		exposition->key_ends[i + 1] = bytes - STEP_BYTES;
	}
	exposition->keys = end = malloc(bytes);
	if (!exposition->keys)
		return -ENOMEM;
	for (size_t i = 0; i < view->accounts_count; i++)
		end = mempcpy(end, view->accounts[i].who->labels_text,
			      view->accounts[i].who->labels_bytes);
	return 0;
}

static void describe(struct exposition *exposition, const char *what, const char *text)
{
	ctd_strbuf_add(exposition->text, "# ");
	ctd_strbuf_add(exposition->text, what);
	ctd_strbuf_add(exposition->text, " ");
	ctd_strbuf_add(exposition->text, exposition->format == CTD_OPENMETRICS_TEXT
						 ? exposition->family->name
						 : exposition->sample);
	ctd_strbuf_add(exposition->text, " ");
	ctd_strbuf_add(exposition->text, text);
	ctd_strbuf_add(exposition->text, "\n");
}

/* Before its first sample: a family without samples is left out. */
static void describe_family(struct exposition *exposition)
{
	const struct family *family = exposition->family;
	bool openmetrics = exposition->format == CTD_OPENMETRICS_TEXT;

	exposition->described = true;
	describe(exposition, "HELP", family->help);
	describe(exposition, "TYPE",
		 family->type == FAMILY_INFO && !openmetrics ? "gauge" : ctd_family_type(family));
	if (openmetrics && family->unit)
		describe(exposition, "UNIT", family->unit);
}

/* There is room for a step more. */
static char *put(char *at, struct piece piece)
{
	for (size_t i = 0; i < piece.bytes; i += STEP_BYTES)
		memcpy(at + i, piece.text + i, STEP_BYTES);
	return at + piece.bytes;
}

static char *put_figure(char *at, enum figure type, uint64_t figure)
{
	if (type == FIGURE_NS)
		return at + ctd_digits_seconds(at, figure);
	if (type == FIGURE_REAL)
		return at + ctd_digits_real(at, ctd_point_real(figure));
	if (type == FIGURE_SIGNED && (int64_t)figure < 0) {
		*at++ = '-';
		figure = -figure;
	}
	return at + ctd_digits_count(at, figure);
}

/* The sample's labels behind those of its account's key. */
static struct piece more_labels(struct exposition *exposition, const struct subject *subject,
				const struct point *point, int number)
{
	const struct family *family = exposition->family;
	struct rendered *rendered = &exposition->rendered[number];
	struct ctd_strbuf *labels = &exposition->labels;
	bool single = subject->account && !family->labels[1].name;

	/* Nearly always that of the account before. */
	if (single && rendered->value == point->values[0])
		return (struct piece){rendered->text, rendered->bytes};
	labels->bytes = 0;
	if (subject->core)
		ctd_label_add(labels, "core", subject->core->name);
	for (int i = 0; i < FAMILY_LABELS_MAX && family->labels[i].name; i++)
		if (point->values[i])
			ctd_label_add(labels, family->labels[i].name, point->values[i]);
	if (family->pod_labels)
		ctd_pod_labels_add(subject->account->who, labels);
	if (!ctd_strbuf_reserve(labels, STEP_BYTES)) {
		exposition->text->failed = true;
		return (struct piece){"", 0};
	}
	if (single && labels->bytes <= RENDERED_BYTES) {
		memcpy(rendered->text, labels->text, labels->bytes);
		rendered->bytes = labels->bytes;
		rendered->value = point->values[0];
	}
	return (struct piece){labels->text, labels->bytes};
}

static struct piece key_labels(const struct exposition *exposition, const struct subject *subject)
{
	const struct ctd_account_who *who;
	size_t account, begin, bytes;

	if (!subject->account)
		return (struct piece){"", 0};
	who = subject->account->who;
	account = (size_t)(subject->account - exposition->whole.view->accounts);
	begin = exposition->key_ends[account];
	bytes = exposition->key_ends[account + 1] - begin;
	/* Without the core type, which comes last. */
	if (exposition->family->scope == OF_CONTAINERS)
		bytes -= strlen(who->key_text + who->key_shared_bytes);
	return (struct piece){exposition->keys + begin, bytes};
}

static void write_line(struct exposition *exposition, struct piece name, struct piece key,
		       struct piece more, uint64_t figure, enum figure type)
{
	struct ctd_strbuf *text = exposition->text;
	char *at;

	if (!ctd_strbuf_reserve(text, name.bytes + key.bytes + more.bytes + sizeof("{,} \n") +
					      CTD_DIGITS_BYTES + STEP_BYTES))
		return;
	at = put(text->text + text->bytes, name);
	if (key.bytes || more.bytes) {
		*at++ = '{';
		at = put(at, key);
		if (key.bytes && more.bytes)
			*at++ = ',';
		at = put(at, more);
		*at++ = '}';
	}
	*at++ = ' ';
	at = put_figure(at, type, figure);
	*at++ = '\n';
	text->bytes = (size_t)(at - text->text);
}

/* One of the samples of a histogram. */
static void write_part(struct exposition *exposition, const char *suffix, struct piece key,
		       struct piece more, uint64_t figure, enum figure type)
{
	char name[64 + STEP_BYTES] = "";
	int bytes = snprintf(name, sizeof(name), "%s_%s", exposition->family->name, suffix);

	write_line(exposition, (struct piece){name, (size_t)bytes}, key, more, figure, type);
}

/* A bucket is told with all shorter ones. */
static void write_histogram(struct exposition *exposition, const struct subject *subject,
			    const struct point *point, struct piece key)
{
	const struct piece none = {"", 0};
	uint64_t count = 0;

	for (int i = 0; i < FAMILY_BUCKETS; i++) {
		const struct point bucket = {.values = {ctd_histogram_le(i)}};

		count += ctd_histogram_count(&subject->account->waits, i);
		write_part(exposition, "bucket", key, more_labels(exposition, subject, &bucket, i),
			   count, FIGURE_COUNT);
	}
	write_part(exposition, "sum", key, none, point->figure, exposition->family->figure);
	write_part(exposition, "count", key, none, count, FIGURE_COUNT);
}

static void write_sample(void *context, const struct subject *subject, const struct point *point,
			 int number)
{
	struct exposition *exposition = context;
	const struct family *family = exposition->family;
	struct piece key = key_labels(exposition, subject), more = {"", 0};

	if (!exposition->described)
		describe_family(exposition);
	if (family->type == FAMILY_HISTOGRAM) {
		write_histogram(exposition, subject, point, key);
		return;
	}
	if (family->labels[0].name || subject->core)
		more = more_labels(exposition, subject, point, number);
	write_line(exposition, (struct piece){exposition->sample, exposition->sample_bytes}, key,
		   more, point->figure, family->figure);
	/* The time since when it counts. */
	if (exposition->created_bytes)
		write_line(exposition,
			   (struct piece){exposition->created, exposition->created_bytes}, key,
			   (struct piece){"", 0}, subject->account->begun_ns, FIGURE_NS);
}

static void write_samples(struct exposition *exposition)
{
	ctd_family_each_point(exposition->family, &exposition->whole, 0,
			      exposition->whole.view->accounts_count, write_sample, exposition);
}

static void write_family(const struct family *family, void *context)
{
	struct exposition *exposition = context;

	if (!family->name)
		return;
	exposition->family = family;
	exposition->described = false;
	exposition->sample_bytes =
		(size_t)snprintf(exposition->sample, sizeof(exposition->sample), "%s%s",
				 family->name, ctd_family_suffix(family));
	exposition->created_bytes = 0;
	if (family->created && exposition->format == CTD_OPENMETRICS_TEXT &&
	    !exposition->whole.self->no_created)
		exposition->created_bytes =
			(size_t)snprintf(exposition->created, sizeof(exposition->created),
					 "%s_created", family->name);
	for (int i = 0; i < FAMILY_POINTS_MAX; i++)
		exposition->rendered[i] = (struct rendered){0};
	if (family->scope != OF_CONTAINERS) {
		write_samples(exposition);
	} else if (ctd_strbuf_begin_part(exposition->text, exposition->whole.view->names_version)) {
		write_samples(exposition);
		ctd_strbuf_end_part(exposition->text);
	}
}

int ctd_export_metrics(enum ctd_exposition format, const struct ctd_ledger_view *view,
		       const struct ctd_self *self, struct ctd_strbuf *text)
{
	struct exposition exposition = {
		.format = format, .whole = {.view = view, .self = self}, .text = text};
	int error = make_keys(&exposition, view);

	if (!error) {
		ctd_families_each(write_family, &exposition);
		if (format == CTD_OPENMETRICS_TEXT)
			ctd_strbuf_add(text, "# EOF\n");
	}
	free(exposition.keys);
	free(exposition.key_ends);
	ctd_strbuf_free(&exposition.labels);
	return error || text->failed ? -ENOMEM : 0;
}
