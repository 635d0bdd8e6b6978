/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* pod_labels.c - makes names of Prometheus of the labels of pods. */
#include <string.h>

#include "base/label.h"
#include "export/families.h"

#define PREFIX "label_"

static bool is_name_character(char c)
{
	return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
	       c == '_';
}

/* "app.kubernetes.io/name" is label_app_kubernetes_io_name. */
static void add_sanitised(struct ctd_strbuf *names, const char *name)
{
	size_t begin = names->bytes;

	ctd_strbuf_add(names, PREFIX);
	ctd_strbuf_add(names, name);
	for (size_t i = begin; !names->failed && i < names->bytes; i++) {
		if (!is_name_character(names->text[i]))
			names->text[i] = '_';
	}
}

/* Is @p name among the names before it, each with its NUL? */
static bool is_taken(const char *names, const char *name)
{
	for (const char *other = names; other < name; other += strlen(other) + 1) {
		if (strcmp(other, name) == 0)
			return true;
	}
	return false;
}

/* Adds a name that no label before has: what came out the same gets a number, as with
 * kube-state-metrics. */
static void add_unique(struct ctd_strbuf *names, const char *name)
{
	size_t begin = names->bytes, plain;

	add_sanitised(names, name);
	plain = names->bytes;
	for (int conflict = 1; !names->failed && is_taken(names->text, names->text + begin);
	     conflict++) {
		names->bytes = plain;
		ctd_strbuf_addf(names, "_conflict%d", conflict);
	}
	ctd_strbuf_add_bytes(names, "", 1);
}

void ctd_pod_labels_add(const struct ctd_account_who *who, struct ctd_strbuf *labels)
{
	auto_ctd_strbuf struct ctd_strbuf names = {0};

	for (size_t i = 0; i < who->labels_count; i++) {
		size_t begin = names.bytes;

		add_unique(&names, who->labels[i].name);
		if (names.failed)
			break;
		ctd_label_add(labels, names.text + begin, who->labels[i].value);
	}
	labels->failed |= names.failed;
}
