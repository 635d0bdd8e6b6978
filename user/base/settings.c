/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* settings.c - takes settings from the events of libyaml. */
#include "base/settings.h"

#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <yaml.h>

#include "base/auto.h"

/* There are some dozens of settings; the limits are for what is no file of ours. */
#define SETTINGS_MAX 1000
#define VALUES_MAX 1000

struct parsing {
	yaml_parser_t parser;
	yaml_event_t event; /* the current one */
	ctd_settings_complain *complain;
	void *context;
	int error; /* the first */
	struct ctd_settings settings;
};

static void __attribute__((format(printf, 3, 4)))
complain(struct parsing *parsing, size_t line, const char *format, ...)
{
	autofree char *what = NULL;
	va_list arguments;

	va_start(arguments, format);
	if (vasprintf(&what, format, arguments) < 0)
		what = NULL;
	va_end(arguments);
	parsing->complain(line, what ? what : format, parsing->context);
	if (!parsing->error)
		parsing->error = -EBADMSG;
}

/* @return false at an error in syntax, which is told. */
static bool advance(struct parsing *parsing)
{
	yaml_event_delete(&parsing->event);
	if (yaml_parser_parse(&parsing->parser, &parsing->event))
		return true;
	memset(&parsing->event, 0, sizeof(parsing->event));
	if (parsing->parser.error == YAML_MEMORY_ERROR)
		parsing->error = -ENOMEM;
	else
		complain(parsing, parsing->parser.problem_mark.line + 1, "%s%s%s",
			 parsing->parser.context ? parsing->parser.context : "",
			 parsing->parser.context ? ": " : "",
			 parsing->parser.problem ? parsing->parser.problem : "not readable");
	return false;
}

static size_t line_of(const struct parsing *parsing)
{
	return parsing->event.start_mark.line + 1;
}

/* Goes past a value of any depth, at whose beginning we are. @return false at an error in syntax. */
static bool skip(struct parsing *parsing)
{
	size_t depth = 0;

	do {
		if (parsing->event.type == YAML_SEQUENCE_START_EVENT ||
		    parsing->event.type == YAML_MAPPING_START_EVENT)
			depth++;
		else if (parsing->event.type == YAML_SEQUENCE_END_EVENT ||
			 parsing->event.type == YAML_MAPPING_END_EVENT)
			depth--;
		if (depth && !advance(parsing))
			return false;
	} while (depth);
	return true;
}

/* @return a copy of the scalar, or NULL after a complaint or without memory. */
static char *scalar_of(struct parsing *parsing, const char *name)
{
	const char *text = (const char *)parsing->event.data.scalar.value;
	char *copy;

	if (parsing->event.data.scalar.anchor || parsing->event.data.scalar.tag) {
		complain(parsing, line_of(parsing),
			 "key '%s': anchors and tags (& and !) are not taken", name);
		return NULL;
	}
	if (strlen(text) != parsing->event.data.scalar.length) {
		complain(parsing, line_of(parsing), "key '%s': a zero byte is in its value", name);
		return NULL;
	}
	copy = strdup(text);
	if (!copy)
		parsing->error = -ENOMEM;
	return copy;
}

static bool add_value(struct parsing *parsing, struct ctd_setting *setting)
{
	char **grown, *value = scalar_of(parsing, setting->name);

	if (!value)
		return parsing->error != -ENOMEM;
	if (setting->values_count == VALUES_MAX) {
		free(value);
		complain(parsing, line_of(parsing), "key '%s' has more than %d values",
			 setting->name, VALUES_MAX);
		return false;
	}
	grown = reallocarray(setting->values, setting->values_count + 1, sizeof(*grown));
	if (!grown) {
		free(value);
		parsing->error = -ENOMEM;
		return false;
	}
	setting->values = grown;
	setting->values[setting->values_count++] = value;
	return true;
}

/* @return false if there is no use in going on. */
static bool take_values(struct parsing *parsing, struct ctd_setting *setting)
{
	setting->list = true;
	if (parsing->event.data.sequence_start.anchor || parsing->event.data.sequence_start.tag)
		complain(parsing, line_of(parsing),
			 "key '%s': anchors and tags (& and !) are not taken", setting->name);
	while (advance(parsing) && parsing->event.type != YAML_SEQUENCE_END_EVENT) {
		if (parsing->event.type == YAML_SCALAR_EVENT) {
			if (!add_value(parsing, setting))
				return false;
			continue;
		}
		complain(parsing, line_of(parsing), "key '%s': its list is to have values only",
			 setting->name);
		if (!skip(parsing))
			return false;
	}
	return parsing->event.type == YAML_SEQUENCE_END_EVENT;
}

static bool take_value(struct parsing *parsing, struct ctd_setting *setting)
{
	switch (parsing->event.type) {
	case YAML_SCALAR_EVENT:
		return add_value(parsing, setting);
	case YAML_SEQUENCE_START_EVENT:
		return take_values(parsing, setting);
	case YAML_ALIAS_EVENT:
		complain(parsing, line_of(parsing), "key '%s': aliases (*) are not taken",
			 setting->name);
		return true;
	default:
		complain(
			parsing, line_of(parsing),
			"key '%s' has keys below it, where a value or a list of values is expected",
			setting->name);
		return skip(parsing);
	}
}

static const struct ctd_setting *find(const struct ctd_settings *settings, const char *name)
{
	for (size_t i = 0; i < settings->count; i++)
		if (strcmp(settings->settings[i].name, name) == 0)
			return &settings->settings[i];
	return NULL;
}

/* @return false if there is no use in going on. */
static bool take_setting(struct parsing *parsing)
{
	const struct ctd_setting *before;
	struct ctd_setting *grown, *setting;
	char *name;

	if (parsing->event.type != YAML_SCALAR_EVENT) {
		complain(parsing, line_of(parsing), "a key is to be a name");
		return skip(parsing) && advance(parsing) && skip(parsing);
	}
	name = scalar_of(parsing, (const char *)parsing->event.data.scalar.value);
	if (!name)
		return parsing->error != -ENOMEM && advance(parsing) && skip(parsing);
	before = find(&parsing->settings, name);
	if (before)
		complain(parsing, line_of(parsing), "key '%s' comes twice: it is in line %zu, too",
			 name, before->line);
	if (before || parsing->settings.count == SETTINGS_MAX) {
		if (!before)
			complain(parsing, line_of(parsing), "there are more than %d keys",
				 SETTINGS_MAX);
		free(name);
		return before && advance(parsing) && skip(parsing);
	}
	grown = reallocarray(parsing->settings.settings, parsing->settings.count + 1,
			     sizeof(*grown));
	if (!grown) {
		free(name);
		parsing->error = -ENOMEM;
		return false;
	}
	parsing->settings.settings = grown;
	setting = &grown[parsing->settings.count++];
	*setting = (struct ctd_setting){.name = name, .line = line_of(parsing)};
	return advance(parsing) && take_value(parsing, setting);
}

static void take_mapping(struct parsing *parsing)
{
	if (parsing->event.data.mapping_start.anchor || parsing->event.data.mapping_start.tag)
		complain(parsing, line_of(parsing), "anchors and tags (& and !) are not taken");
	while (advance(parsing) && parsing->event.type != YAML_MAPPING_END_EVENT)
		if (!take_setting(parsing))
			return;
	/* Its end, and that of the document. */
	if (parsing->event.type == YAML_MAPPING_END_EVENT && advance(parsing) && advance(parsing) &&
	    parsing->event.type != YAML_STREAM_END_EVENT)
		complain(parsing, line_of(parsing), "a second document begins; one is taken");
}

static void take_file(struct parsing *parsing)
{
	/* The begin of the stream, and of the document if there is one. */
	for (int i = 0; i < 2; i++)
		if (!advance(parsing))
			return;
	if (parsing->event.type == YAML_STREAM_END_EVENT || !advance(parsing))
		return;
	if (parsing->event.type == YAML_MAPPING_START_EVENT)
		take_mapping(parsing);
	else if (parsing->event.type != YAML_SCALAR_EVENT || parsing->event.data.scalar.length)
		complain(parsing, line_of(parsing), "lines 'name: value' are expected");
}

/* What libyaml says of tabs helps nobody. @return true if there was one. */
static bool find_tabs(struct parsing *parsing, const char *text, size_t bytes)
{
	size_t line = 1;
	bool found = false, indented = true;

	for (size_t i = 0; i < bytes; i++) {
		if (text[i] == '\t' && indented) {
			complain(parsing, line, "a tab is in front of it; YAML takes blanks only");
			found = true;
			indented = false;
		}
		indented = text[i] == '\n' || (indented && text[i] == ' ');
		line += text[i] == '\n';
	}
	return found;
}

int ctd_settings_parse(const char *text, size_t bytes, ctd_settings_complain *complain_to,
		       void *context, struct ctd_settings *ret_settings)
{
	struct parsing parsing = {.complain = complain_to, .context = context};

	if (find_tabs(&parsing, text, bytes))
		return parsing.error;
	if (!yaml_parser_initialize(&parsing.parser))
		return -ENOMEM;
	yaml_parser_set_input_string(&parsing.parser, (const unsigned char *)text, bytes);
	take_file(&parsing);
	yaml_event_delete(&parsing.event);
	yaml_parser_delete(&parsing.parser);
	if (parsing.error) {
		ctd_settings_free(&parsing.settings);
		return parsing.error;
	}
	*ret_settings = parsing.settings;
	return 0;
}

void ctd_settings_free(struct ctd_settings *settings)
{
	for (size_t i = 0; i < settings->count; i++) {
		struct ctd_setting *setting = &settings->settings[i];

		for (size_t j = 0; j < setting->values_count; j++)
			free(setting->values[j]);
		free(setting->values);
		free(setting->name);
	}
	free(settings->settings);
	*settings = (struct ctd_settings){0};
}
