/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* show.c - turns the field of an option back into text. */
#include <inttypes.h>

#include <cgtopdown/rollup.h>

#include "app/options/table.h"

#define NS_PER_US UINT64_C(1000)
#define NS_PER_MS UINT64_C(1000000)
#define NS_PER_S UINT64_C(1000000000)
#define PPM_PER_CENT 10000
#define PERCENTAGE_DIGITS 4 /* behind the point */

/* Fields of numbers, choices and flags are of these sizes. */
static uint64_t get(const struct ctd_option *option, const void *field)
{
	if (option->bytes == sizeof(bool))
		return *(const bool *)field;
	if (option->bytes == sizeof(uint32_t))
		return *(const uint32_t *)field;
	return *(const uint64_t *)field;
}

/* "5", "100ms", "1500us": bare seconds where they are whole. */
static void add_duration(uint64_t ns, struct ctd_strbuf *text)
{
	if (ns % NS_PER_S == 0)
		ctd_strbuf_addf(text, "%" PRIu64, ns / NS_PER_S);
	else if (ns % NS_PER_MS == 0)
		ctd_strbuf_addf(text, "%" PRIu64 "ms", ns / NS_PER_MS);
	else if (ns % NS_PER_US == 0)
		ctd_strbuf_addf(text, "%" PRIu64 "us", ns / NS_PER_US);
	else
		ctd_strbuf_addf(text, "%" PRIu64 ".%09" PRIu64, ns / NS_PER_S, ns % NS_PER_S);
}

/* 0 is what an option has that was not given, unless it is one of its values. */
static bool show_number(const struct ctd_option *option, uint64_t value, struct ctd_strbuf *text)
{
	if (!value && option->min)
		return false;
	ctd_strbuf_addf(text, "%" PRIu64, value);
	return true;
}

static bool show_duration(const struct ctd_option *option, uint64_t ns, struct ctd_strbuf *text)
{
	if (!ns && option->store == ctd_store_duration)
		return false;
	add_duration(ns, text);
	return true;
}

/* "0.5%". */
static bool show_percentage(uint64_t ppm, struct ctd_strbuf *text)
{
	int digits = PERCENTAGE_DIGITS;
	uint64_t unit = PPM_PER_CENT, rest = ppm % unit;

	if (!ppm)
		return false;
	ctd_strbuf_addf(text, "%" PRIu64, ppm / unit);
	for (; rest && rest % 10 == 0; digits--)
		rest /= 10;
	if (rest)
		ctd_strbuf_addf(text, ".%0*" PRIu64, digits, rest);
	ctd_strbuf_add(text, "%");
	return true;
}

static bool show_text(const char *field, struct ctd_strbuf *text)
{
	if (field)
		ctd_strbuf_add(text, field);
	return field;
}

bool ctd_option_show(const struct ctd_option *option, const struct ctd_options *options,
		     size_t number, struct ctd_strbuf *text)
{
	const void *field = (const char *)options + option->offset;

	if (ctd_option_is_list(option)) {
		const struct ctd_texts *texts = field;

		return number < texts->count && show_text(texts->text[number], text);
	}
	if (number || !option->store)
		return false;
	if (option->store == ctd_store_flag) {
		ctd_strbuf_add(text, get(option, field) ? "true" : "false");
		return true;
	}
	if (option->store == ctd_store_more) {
		ctd_strbuf_addf(text, "%" PRIu64, get(option, field));
		return get(option, field);
	}
	if (option->store == ctd_store_number)
		return show_number(option, get(option, field), text);
	if (option->store == ctd_store_percentage)
		return show_percentage(get(option, field), text);
	if (option->store == ctd_store_duration || option->store == ctd_store_max_slice)
		return show_duration(option, get(option, field), text);
	if (option->store == ctd_store_time && get(option, field))
		ctd_strbuf_addf(text, "@%" PRIu64, get(option, field) / NS_PER_S);
	if (option->store == ctd_store_time)
		return get(option, field);
	if (option->store == ctd_store_choice)
		return show_text(option->choices[get(option, field)], text);
	if (option->store == ctd_store_grouping)
		return show_text(ctd_group_by_name((enum ctd_group_by)get(option, field)), text);
	if (option->store == ctd_store_source && options->profile_file) {
		ctd_strbuf_addf(text, "%s:%s", options->source, options->profile_file);
		return true;
	}
	/* All others have a text. */
	return show_text(*(const char *const *)field, text);
}
