/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* config.c - stores the settings of a file by the table of options. */
#include "app/options/config.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "app/options/suggest.h"
#include "base/auto.h"
#include "base/log.h"
#include "base/root.h"
#include "base/settings.h"

#define FILE_BYTES_MAX (256ul << 10)

struct ctd_config {
	struct ctd_settings settings; /* owned */
};

void ctd_config_free(struct ctd_config *config)
{
	if (!config)
		return;
	ctd_settings_free(&config->settings);
	free(config);
}

static struct ctd_config *config_of(struct ctd_options *options)
{
	if (!options->config)
		options->config = calloc(1, sizeof(*options->config));
	return options->config;
}

/* Where complaints are of. */
struct place {
	const char *file;
	int errors;
};

static void complain(size_t line, const char *what, void *context)
{
	struct place *place = context;

	place->errors++;
	if (line)
		ctd_log(CTD_LOG_ERROR, "%s:%zu: %s", place->file, line, what);
	else
		ctd_log(CTD_LOG_ERROR, "%s: %s", place->file, what);
}

static bool is_key(const struct ctd_option *option)
{
	return option->store && !option->argv_only && option->section != CTD_OPTIONS_HIDDEN &&
	       (option->commands & (1u << CTD_COMMAND_SERVE));
}

/* @return the option of that name, or NULL after a complaint. */
static const struct ctd_option *find(const struct ctd_setting *setting, struct place *place)
{
	struct ctd_suggestion suggestion = {.given = setting->name};
	auto_ctd_strbuf struct ctd_strbuf what = {0};
	const struct ctd_option *option;

	for (option = ctd_option_next(NULL); option; option = ctd_option_next(option)) {
		if (is_key(option) && strcmp(option->name, setting->name) == 0)
			return option;
		if (is_key(option))
			ctd_suggestion_try(&suggestion, option->name);
	}
	ctd_strbuf_addf(&what, "key '%s' is not known", setting->name);
	for (option = ctd_option_next(NULL); option; option = ctd_option_next(option))
		if (strcmp(option->name, setting->name) == 0 && option->argv_only)
			ctd_strbuf_add(&what, " here: it is for the command line only");
	if (suggestion.nearest)
		ctd_strbuf_addf(&what, "; did you mean '%s'?", suggestion.nearest);
	complain(setting->line, what.failed ? "no memory" : what.text, place);
	return NULL;
}

static void refuse_value(const struct ctd_option *option, const struct ctd_setting *setting,
			 const char *value, struct place *place)
{
	auto_ctd_strbuf struct ctd_strbuf what = {0};

	ctd_strbuf_addf(&what, "key '%s' wants ", setting->name);
	ctd_option_add_wants(option, &what);
	ctd_strbuf_addf(&what, ", not '%.100s'", value);
	complain(setting->line, what.failed ? "no memory" : what.text, place);
}

static void store(const struct ctd_option *option, const struct ctd_setting *setting,
		  struct ctd_options *options, struct place *place)
{
	auto_ctd_strbuf struct ctd_strbuf what = {0};

	if (setting->list && !ctd_option_is_list(option))
		ctd_strbuf_addf(&what, "key '%s' takes one value, not a list", setting->name);
	else if (setting->values_count > CTD_TEXTS_MAX)
		ctd_strbuf_addf(&what, "key '%s' takes %d values at most", setting->name,
				CTD_TEXTS_MAX);
	if (what.bytes) {
		complain(setting->line, what.text, place);
		return;
	}
	for (size_t i = 0; i < setting->values_count; i++)
		if (option->store(option, setting->values[i], (char *)options + option->offset))
			refuse_value(option, setting, setting->values[i], place);
}

int ctd_config_apply(const char *file, struct ctd_options *options)
{
	struct place place = {.file = file};
	struct ctd_config *config = config_of(options);
	autofree char *text = NULL;
	size_t bytes;
	int error =
		config ? ctd_read_named_file(file, false, FILE_BYTES_MAX, &text, &bytes) : -ENOMEM;

	if (error == -EFBIG)
		complain(0, "it has more than 256 KB: is it the right one?", &place);
	if (!error)
		error = ctd_settings_parse(text, bytes, complain, &place, &config->settings);
	if (error && !place.errors)
		ctd_log_error(error, "read the configuration '%s'", file);
	if (error)
		return -EINVAL;
	for (size_t i = 0; i < config->settings.count; i++) {
		const struct ctd_setting *setting = &config->settings.settings[i];
		const struct ctd_option *option = find(setting, &place);

		if (option)
			store(option, setting, options, &place);
	}
	return place.errors ? -EINVAL : 0;
}

/* A value as YAML has it; quoted unless it cannot be anything else than it is. */
static void print_value(const char *text)
{
	static const char plain[] = "0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"
				    "._/:";
	size_t bytes = strlen(text);

	if (bytes && strspn(text, plain) == bytes && text[bytes - 1] != ':') {
		fputs(text, stdout);
		return;
	}
	putchar('"');
	for (; *text; text++) {
		if ((unsigned char)*text < 0x20 || *text == 0x7f)
			printf("\\x%02x", (unsigned char)*text);
		else
			printf("%s%c", *text == '"' || *text == '\\' ? "\\" : "", *text);
	}
	putchar('"');
}

/* Headers are for secrets: their names are shown only. */
static void print_setting(const struct ctd_option *option, const struct ctd_options *options)
{
	auto_ctd_strbuf struct ctd_strbuf first = {0};

	if (!ctd_option_show(option, options, 0, &first)) {
		printf("# %s:\n", option->name);
		return;
	}
	printf("%s:", option->name);
	if (!ctd_option_is_list(option)) {
		putchar(' ');
		print_value(first.text);
		putchar('\n');
		return;
	}
	putchar('\n');
	for (size_t i = 0;; i++) {
		auto_ctd_strbuf struct ctd_strbuf text = {0};

		if (!ctd_option_show(option, options, i, &text))
			return;
		if (option->store == ctd_store_headers)
			text.text[strcspn(text.text, "=") + 1] = '\0';
		fputs("- ", stdout);
		print_value(text.text);
		puts(option->store == ctd_store_headers ? " # and its value" : "");
	}
}

int ctd_config_show(const struct ctd_options *options)
{
	printf("# %s is fine. What holds, with the command line and what is built in:\n",
	       options->serve.config);
	for (const struct ctd_option *option = ctd_option_next(NULL); option;
	     option = ctd_option_next(option))
		if (is_key(option))
			print_setting(option, options);
	return 0;
}
