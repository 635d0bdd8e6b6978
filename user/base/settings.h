/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* settings.h - a file of settings in YAML: names, each with a value or a list of values. */
#ifndef BASE_SETTINGS_H
#define BASE_SETTINGS_H

#include <stdbool.h>
#include <stddef.h>

struct ctd_setting {
	char *name; /* owned */
	char **values; /* owned */
	size_t values_count;
	bool list; /* "[a]" or "- a" */
	size_t line; /* 1, 2, ... */
};

struct ctd_settings {
	struct ctd_setting *settings; /* owned; in the order of the file */
	size_t count;
};

/* Told of each thing that is wrong, in the order of lines; line 0: of no line. */
typedef void ctd_settings_complain(size_t line, const char *what, void *context);

/*
 * Parses a text: nothing at all, or one mapping of names to scalars and lists of scalars. Anchors,
 * aliases, tags, further levels and names that come twice are refused. Errors in meaning are all
 * told; one in syntax ends it.
 * @return 0; -EBADMSG after at least one complaint; -ENOMEM.
 */
int ctd_settings_parse(const char *text, size_t bytes, ctd_settings_complain *complain,
		       void *context, struct ctd_settings *ret_settings);
void ctd_settings_free(struct ctd_settings *settings);

#endif
