/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* config_changed.c - says which options of a changed configuration take a restart. */
#include <string.h>
#include <sys/stat.h>

#include "app/options/config.h"
#include "base/log.h"

/* All that an option was given, as one text. "" for nothing. */
static void describe(const struct ctd_option *option, const struct ctd_options *options,
		     struct ctd_strbuf *text)
{
	ctd_strbuf_add(text, "");
	for (size_t i = 0; i < CTD_TEXTS_MAX; i++) {
		auto_ctd_strbuf struct ctd_strbuf value = {0};

		if (!ctd_option_show(option, options, i, &value))
			break;
		ctd_strbuf_addf(text, "%s%s", i ? "\n" : "", value.text ? value.text : "");
	}
}

static bool differs(const struct ctd_option *option, const struct ctd_options *before,
		    const struct ctd_options *after)
{
	auto_ctd_strbuf struct ctd_strbuf old = {0}, new = {0};

	/* An option with another help for each command has other rows. */
	if (!option->store || !(option->commands & 1u << CTD_COMMAND_SERVE))
		return false;
	describe(option, before, &old);
	describe(option, after, &new);
	return old.failed || new.failed || strcmp(old.text, new.text) != 0;
}

void ctd_config_add_changes(const struct ctd_options *before, const struct ctd_options *after,
			    struct ctd_strbuf *names)
{
	for (const struct ctd_option *option = ctd_option_next(NULL); option;
	     option = ctd_option_next(option))
		if (differs(option, before, after))
			ctd_strbuf_addf(names, "%s%s", names->bytes ? ", " : "", option->name);
}

int ctd_config_look(const struct ctd_options *now)
{
	auto_ctd_strbuf struct ctd_strbuf changed = {0};
	const char *file = now->serve.config;
	struct ctd_options next;
	struct stat status;
	int argc = 0, error;

	/* A pipe, such as <(...) of a shell, was read at the start and has nothing more. */
	if (!file || (stat(file, &status) == 0 && !S_ISREG(status.st_mode)))
		return 0;
	while (now->arguments[argc])
		argc++;
	error = ctd_options_parse(argc, now->arguments, &next);
	if (error) {
		ctd_warn(
			"'%s' could not be used for a restart: what was read at the start stays in use",
			file);
		return error;
	}
	ctd_config_add_changes(now, &next, &changed);
	ctd_options_free(&next);
	if (changed.bytes)
		ctd_warn("'%s' has changed, which takes a restart: %s", file, changed.text);
	return 0;
}
