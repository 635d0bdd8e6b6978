/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* pairs.c - names to a text of keys and values, and back. */
#include "identity/lookup/pairs.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include <cgtopdown/runtime.h>

#include "base/auto.h"
#include "base/num.h"

#define LABEL "label:"

static const struct {
	const char *key;
	size_t offset;
} texts[] = {
	{"namespace", offsetof(struct ctd_names, namespace_name)},
	{"pod", offsetof(struct ctd_names, pod_name)},
	{"container", offsetof(struct ctd_names, container_name)},
	{"image", offsetof(struct ctd_names, image)},
	{"container_id", offsetof(struct ctd_names, container_id)},
	{"cgroups_path", offsetof(struct ctd_names, cgroups_path)},
	{"owner_kind", offsetof(struct ctd_names, owner_kind)},
	{"owner", offsetof(struct ctd_names, owner_name)},
};
#define TEXTS_COUNT (sizeof(texts) / sizeof(texts[0]))

static char **text_at(struct ctd_names *names, size_t i)
{
	return (char **)((char *)names + texts[i].offset);
}

static void add_pair(struct ctd_strbuf *pairs, const char *key, const char *value)
{
	ctd_strbuf_add_bytes(pairs, key, strlen(key) + 1);
	ctd_strbuf_add_bytes(pairs, value, strlen(value) + 1);
}

void ctd_names_to_pairs(const struct ctd_names *names, struct ctd_strbuf *pairs)
{
	struct ctd_names view = *names;

	for (size_t i = 0; i < TEXTS_COUNT; i++) {
		if (*text_at(&view, i))
			add_pair(pairs, texts[i].key, *text_at(&view, i));
	}
	if (names->started_ns) {
		char number[24];

		snprintf(number, sizeof(number), "%" PRIu64, names->started_ns);
		add_pair(pairs, "started_ns", number);
	}
	if (names->sandbox)
		add_pair(pairs, "sandbox", "1");
	if (names->refused)
		add_pair(pairs, "refused", "1");
	if (names->runtime)
		add_pair(pairs, "runtime", names->runtime);
	for (size_t i = 0; i < names->labels_count; i++) {
		ctd_strbuf_add(pairs, LABEL);
		add_pair(pairs, names->labels[i].name, names->labels[i].value);
	}
}

static int set_text(char **text, const char *value)
{
	char *copy = strdup(value);

	if (!copy)
		return -ENOMEM;
	free(*text);
	*text = copy;
	return 0;
}

static int add_label(struct ctd_names *names, const char *name, const char *value)
{
	struct ctd_label *labels =
		reallocarray(names->labels, names->labels_count + 1, sizeof(*labels));
	struct ctd_label label = {0};

	if (!labels)
		return -ENOMEM;
	names->labels = labels;
	if (set_text(&label.name, name) || set_text(&label.value, value)) {
		free(label.name);
		return -ENOMEM;
	}
	labels[names->labels_count++] = label;
	return 0;
}

/* NULL: none that is known here. */
static const char *find_runtime(const char *name)
{
	for (size_t i = 0; ctd_runtimes[i]; i++) {
		if (!strcmp(ctd_runtimes[i]->name, name))
			return ctd_runtimes[i]->name;
	}
	return NULL;
}

static int take_pair(struct ctd_names *names, const char *key, const char *value)
{
	long long number;

	for (size_t i = 0; i < TEXTS_COUNT; i++) {
		if (!strcmp(key, texts[i].key))
			return set_text(text_at(names, i), value);
	}
	if (!strcmp(key, "started_ns")) {
		if (ctd_parse_integer(value, 1, INT64_MAX, &number))
			return -EINVAL;
		names->started_ns = (uint64_t)number;
	} else if (!strcmp(key, "sandbox")) {
		names->sandbox = !strcmp(value, "1");
	} else if (!strcmp(key, "refused")) {
		names->refused = !strcmp(value, "1");
	} else if (!strcmp(key, "runtime")) {
		names->runtime = find_runtime(value);
	} else if (!strncmp(key, LABEL, strlen(LABEL))) {
		return add_label(names, key + strlen(LABEL), value);
	}
	return 0;
}

int ctd_names_from_pairs(const char *pairs, size_t bytes, struct ctd_names *ret_names)
{
	const char *end = bytes ? pairs + bytes : pairs;
	struct ctd_names names = {0};
	int error = bytes && end[-1] ? -EINVAL : 0;

	while (!error && pairs < end) {
		const char *value = pairs + strlen(pairs) + 1;

		error = value < end ? take_pair(&names, pairs, value) : -EINVAL;
		if (!error)
			pairs = value + strlen(value) + 1;
	}
	if (error)
		ctd_names_free(&names);
	else
		*ret_names = names;
	return error;
}
