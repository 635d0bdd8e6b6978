/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* config_reload.c - reads the file again, and tells what changes now and what with a restart. */
#include <errno.h>
#include <string.h>

#include "app/config.h"
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
		ctd_strbuf_addf(text, "%s%s", i ? ", " : "", value.text ? value.text : "");
	}
}

static bool differs(const struct ctd_option *option, const struct ctd_options *before,
		    const struct ctd_options *after)
{
	auto_ctd_strbuf struct ctd_strbuf old = {0}, new = {0};

	if (!option->store)
		return false;
	describe(option, before, &old);
	describe(option, after, &new);
	/* Without memory it is looked at as changed: the part that follows finds it as it was. */
	return old.failed || new.failed || strcmp(old.text, new.text) != 0;
}

bool ctd_config_differs(const struct ctd_options *before, const struct ctd_options *after,
			enum ctd_option_group group)
{
	for (const struct ctd_option *option = ctd_option_table; option->name; option++)
		if (option->group == group && differs(option, before, after))
			return true;
	return false;
}

/* Values of headers are secrets. */
static void tell(const struct ctd_option *option, const struct ctd_options *now,
		 const struct ctd_options *next)
{
	auto_ctd_strbuf struct ctd_strbuf old = {0}, new = {0};

	describe(option, now, &old);
	describe(option, next, &new);
	if (option->store == ctd_store_headers || old.failed || new.failed)
		ctd_log(CTD_LOG_WARNING, "configuration: %s has changed", option->name);
	else if (option->reloads)
		ctd_log(CTD_LOG_WARNING, "configuration: %s is now '%s', was '%s'", option->name,
			new.text, old.text);
	else
		ctd_log(CTD_LOG_WARNING,
			"configuration: %s stays '%s' until a restart; the file has '%s'",
			option->name, old.text, new.text);
}

/* What an option has now stays, each of its values. */
static int stay(const struct ctd_option *option, const struct ctd_options *now,
		struct ctd_options *next)
{
	char *field = (char *)next + option->offset;
	int error = 0;

	memset(field, 0, option->bytes);
	for (size_t i = 0; !error && i < CTD_TEXTS_MAX; i++) {
		auto_ctd_strbuf struct ctd_strbuf text = {0};
		const char *kept;

		if (!ctd_option_show(option, now, i, &text))
			break;
		kept = text.failed ? NULL : ctd_config_keep(next, text.text);
		error = kept ? option->store(option, kept, field) : -ENOMEM;
	}
	return error;
}

int ctd_config_reload(const struct ctd_options *now, struct ctd_options *ret_next)
{
	struct ctd_options next;
	int argc = 0, error;

	while (now->arguments[argc])
		argc++;
	error = ctd_options_parse_again(argc, now->arguments, &next);
	if (error) {
		ctd_log(CTD_LOG_ERROR, "the configuration stays as it was");
		return error;
	}
	for (const struct ctd_option *option = ctd_option_table; option->name; option++) {
		if (!differs(option, now, &next))
			continue;
		tell(option, now, &next);
		if (!option->reloads && stay(option, now, &next)) {
			ctd_options_free(&next);
			ctd_log(CTD_LOG_ERROR, "no memory: the configuration stays as it was");
			return -EINVAL;
		}
	}
	*ret_next = next;
	return 0;
}
