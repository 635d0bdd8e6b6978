/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* labels.c - takes the labels that were asked for, and times, out of what others wrote. */
#include "identity/lookup/labels.h"

#include <fnmatch.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

/* The limit is for what only looks like a pod. */
#define LABELS_MAX 64

static bool is_wanted(const struct ctd_podlist_labels *wanted, const char *label)
{
	for (size_t i = 0; i < wanted->count; i++)
		if (fnmatch(wanted->patterns[i], label, 0) == 0)
			return true;
	return false;
}

bool ctd_labels_keep(const struct ctd_podlist_labels *wanted, const json_t *object,
		     struct ctd_names *names)
{
	const char *name;
	json_t *value;

	json_object_foreach((json_t *)object, name, value)
	{
		struct ctd_label *grown, *label;

		/* A text that has a NUL within is none. */
		if (!json_is_string(value) || strlen(name) > CTD_LABEL_BYTES_MAX ||
		    json_string_length(value) > CTD_LABEL_BYTES_MAX ||
		    strlen(json_string_value(value)) != json_string_length(value) ||
		    !is_wanted(wanted, name))
			continue;
		if (names->labels_count == LABELS_MAX)
			break;
		grown = reallocarray(names->labels, names->labels_count + 1, sizeof(*grown));
		if (!grown)
			return false;
		names->labels = grown;
		label = &grown[names->labels_count++];
		*label = (struct ctd_label){.name = strdup(name),
					    .value = strdup(json_string_value(value))};
		if (!label->name || !label->value)
			return false;
	}
	return true;
}

uint64_t ctd_time_parse(const char *text)
{
	struct tm parts = {0};
	const char *rest = strptime(text, "%Y-%m-%dT%H:%M:%S", &parts);
	time_t seconds;

	if (rest && *rest == '.')
		rest += 1 + strspn(rest + 1, "0123456789");
	if (!rest || strcmp(rest, "Z") != 0)
		return 0;
	seconds = timegm(&parts);
	return seconds > 0 ? (uint64_t)seconds : 0;
}
